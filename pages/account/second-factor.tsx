import { useRef, useState } from 'preact/hooks'
import { type Answer, getJson, type Person } from '../api.ts'
import { WayBack } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Card, Notice, PersonLine, Skeleton, Unreachable } from '../kit/layout.tsx'
import { type PageData, usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { leadingTo, localUrl, parameter } from '../query.ts'
import { recall } from '../tab-memory.ts'
import { entry } from '../texts.ts'
import { CodeFactor } from './code-factor.tsx'
import { EnrolmentPage } from './enrolment.tsx'
import { LostCodesCard } from './lost-codes.tsx'
import { PasskeyFactor } from './passkey-factor.tsx'
import { words } from './texts.ts'
import { type LostCodes, lostCodes } from './unsaved-codes.ts'

const known = ['totp', 'passkey', 'email', 'recovery'] as const
type Method = (typeof known)[number]

/** The answer of `GET /Account/SecondFactorContext`. Without a sign-in that waits for a factor, `step` is `none`. */
type FactorContext =
  | { step: 'none' }
  | { step: 'second_factor' | 'enrolment'; methods: Method[]; user: Person; returnUrl: string }
  | { step: 'lost_codes'; of: LostCodes }
  | { step: 'signin_code' | 'update_password' | 'verify_email' }

/** Other steps have pages of their own: somebody came back by hand, and goes on. */
const otherPages: Record<string, string> = {
  signin_code: '/Account/Confirm?purpose=signin',
  update_password: '/Account/ResetPassword?step=update_password',
  verify_email: '/Account/Confirm?purpose=email&step=verify_email',
}

async function loadContext(): Promise<Answer<FactorContext>> {
  const answer = await getJson<FactorContext>('/Account/SecondFactorContext')
  if (answer.kind !== 'refused' || answer.status !== 401) return answer
  const of = lostCodes()
  const isTheirs = of !== null && (await isSignedIn(of.name))
  return { kind: 'ok', value: isTheirs ? { step: 'lost_codes', of } : { step: 'none' } }
}

async function isSignedIn(name: string): Promise<boolean> {
  const answer = await getJson<{ user: Person | null }>('/Account/Session')
  return answer.kind === 'ok' && answer.value.user?.name === name
}

/** The page between the password and the session. */
export function SecondFactorPage() {
  const data = usePageData(loadContext)
  // A second factor that was set up completes the sign-in, and its page still has something to show.
  const enrols = useRef<{ name: string; returnUrl: string } | null>(null)
  const { facts } = data
  const text = words().secondFactor
  if (!facts && data.trouble) return <Unreachable onRetry={data.retry} />
  if (!facts)
    return (
      <Card busy title={text.title}>
        <Skeleton rows={['line', 'block', 'field', 'button']} />
      </Card>
    )
  if (facts.step === 'enrolment') enrols.current = { name: facts.user.name, returnUrl: facts.returnUrl }
  if (enrols.current !== null) return <EnrolmentPage {...enrols.current} />
  if (facts.step === 'lost_codes') return <LostCodesCard of={facts.of} />
  const elsewhere = Object.hasOwn(otherPages, facts.step) ? otherPages[facts.step] : undefined
  if (elsewhere !== undefined) {
    location.replace(elsewhere)
    return <Card busy title={text.title} />
  }
  if (facts.step === 'none' || !('methods' in facts)) return <ExpiredCard data={data} />
  return <FactorCard data={data} methods={facts.methods} name={facts.user.name} returnUrl={facts.returnUrl} />
}

/** The service knows from its cookie where the sign-in began, and leads back there. */
function ExpiredCard({ data }: { data: PageData<unknown> }) {
  const returnUrl = localUrl(recall('signIn'))
  const text = words().secondFactor.expired
  return (
    <Card title={text.title} lead={text.body}>
      <TroubleNotice data={data} />
      <PostForm action="/Account/SecondFactor" data={data} fields={[['ReturnUrl', returnUrl]]}>
        <Button type="submit" look="main">
          {text.submit}
        </Button>
      </PostForm>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

type FactorProps = { data: PageData<unknown>; methods: readonly Method[]; name: string; returnUrl: string }

function FactorCard({ data, methods, name, returnUrl }: FactorProps) {
  const wanted = methods.find((method) => method === parameter('method')) ?? methods[0]
  const [method, setMethod] = useState(wanted)
  const [isChoosing, setChoosing] = useState(methods.length === 0)
  const text = words().secondFactor
  const isPaused = parameter('error') === 'too_many_attempts'
  // What the address says is about the method that was tried.
  const error = method === wanted && !isPaused ? parameter('error') : null
  const code = error === 'code_invalid' && method === 'passkey' ? 'passkey' : error
  const fault = code && entry(text.errors, code, text.otherError)
  const signIn = leadingTo('/Account/Login', returnUrl)

  function choose(next: Method) {
    setMethod(next)
    setChoosing(false)
  }

  return (
    <Card title={isChoosing ? text.anotherTitle : text.title} windowTitle={text.title}>
      {isPaused && (
        <Notice>{parameter('wait') === 'day' ? text.errors.too_many_today : text.errors.too_many_attempts}</Notice>
      )}
      <TroubleNotice data={data} />
      <PersonLine label={text.signingIn} name={name}>
        <a href={`${signIn}${signIn.includes('?') ? '&' : '?'}another=true`}>{text.someoneElse}</a>
      </PersonLine>
      {isChoosing ? (
        <div class="actions">
          {methods.map((one) => (
            <Button key={one} onClick={() => choose(one)}>
              {text[one].choose}
            </Button>
          ))}
          <p class="hint">{text.noWay}</p>
        </div>
      ) : (
        <>
          {method === 'passkey' && <PasskeyFactor data={data} fault={fault} />}
          {method && method !== 'passkey' && <CodeFactor key={method} data={data} method={method} fault={fault} />}
          <div class="actions answer">
            {method !== 'recovery' && methods.includes('recovery') && (
              <Button onClick={() => choose('recovery')}>{text.recovery.choose}</Button>
            )}
            <Button onClick={() => setChoosing(true)}>{text.another}</Button>
          </div>
        </>
      )}
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
