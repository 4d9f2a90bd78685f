import { useEffect } from 'preact/hooks'
import type { Message } from '#messages'
import { type Answer, getJson } from '../api.ts'
import { WayBack } from '../back-to-application.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Card, Notice } from '../kit/layout.tsx'
import { type PageData, usePageData } from '../page-data.ts'
import { PostForm, TroubleNotice } from '../post-form.tsx'
import { type Field, leadingTo, localUrl, parameter } from '../query.ts'
import { site } from '../site.ts'
import { recall } from '../tab-memory.ts'
import { entry, fillNodes, texts } from '../texts.ts'
import { typed } from '../typed.ts'
import { CodeField } from './code-field.tsx'
import { linkToken } from './link-token.ts'
import { SetUpOver } from './set-up.tsx'
import { words } from './texts.ts'

/** Purposes of mails with a code, and where their address is given. */
const coded = { register: '/Account/Register', reset: '/Account/ForgotPassword', email: '/Account/Profile' } as const
type Coded = keyof typeof coded

/** Purposes of mails with a link alone. */
type Linked = 'invite' | 'undo'

/** The page on which a code from a mail is entered, and which the link of a mail opens. */
export function ConfirmPage() {
  const purpose = parameter('purpose') ?? ''
  const returnUrl = localUrl(parameter('ReturnUrl'))
  const isSignIn = purpose === 'signin'
  const data = usePageData(isSignIn ? loadStep : async () => ({ kind: 'ok' as const, value: { step: '' } }))
  // A code that is a second factor itself belongs to another page.
  const isElsewhere = isSignIn && Boolean(data.facts) && data.facts?.step !== 'signin_code'

  useEffect(() => {
    if (isElsewhere) location.replace('/Account/SecondFactor')
  }, [isElsewhere])

  const token = linkToken()
  if (purpose === 'setup' && token === null) return <SetUpOver isError={parameter('error') !== null} />
  // An operator may hand over a link where no mail is sent.
  if (!site.mail && Object.hasOwn(coded, purpose) && token === null)
    return (
      <HandedOver
        title={purpose === 'reset' ? words().resetPassword.title : words().confirm.unknown.title}
        returnUrl={returnUrl}
      />
    )
  const step = { data, fields: [['purpose', purpose] as Field, ['ReturnUrl', returnUrl] as Field], returnUrl }
  if (Object.hasOwn(coded, purpose)) {
    if (token !== null) return <LinkCard {...step} purpose={purpose as Coded} token={token} />
    return <CodeCard {...step} purpose={purpose as Coded} />
  }
  if (purpose === 'setup' && token !== null) return <LinkCard {...step} purpose="setup" token={token} />
  if (purpose === 'invite' || purpose === 'undo') {
    if (token !== null) return <LinkCard {...step} purpose={purpose} token={token} />
    return <SpentLinkCard purpose={purpose} returnUrl={returnUrl} />
  }
  if (isSignIn && data.facts?.step === 'signin_code') return <CodeCard {...step} purpose="signin" />
  if (isSignIn) return <Card busy title={texts.loading} />
  const text = words().confirm.unknown
  return (
    <Card title={text.title}>
      <Notice>{text.body}</Notice>
      <SignInButton returnUrl={returnUrl} />
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

/** What the sign-in of this browser waits for; empty: nothing. */
async function loadStep(): Promise<Answer<{ step: string }>> {
  const answer = await getJson<{ step: string }>('/Account/SecondFactorContext')
  return answer.kind === 'refused' && answer.status === 401 ? { kind: 'ok', value: { step: '' } } : answer
}

type Step = { data: PageData<unknown>; fields: readonly Field[]; returnUrl: string }

/** The link was opened. Nothing happens before the button is pressed: machines open links as well. */
function LinkCard({
  data,
  fields,
  purpose,
  token,
  returnUrl,
}: Step & { purpose: Coded | Linked | 'setup'; token: string }) {
  const text = words().confirm
  const error = parameter('error')
  return (
    <Card title={text[purpose].title} lead={text[purpose].link}>
      {error && <Notice>{text.errors.code_invalid}</Notice>}
      <TroubleNotice data={data} />
      <PostForm action="/Account/Confirm" data={data} fields={[...fields, ['token', token]]}>
        <Button type="submit" look="main">
          {text.submit}
        </Button>
      </PostForm>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

function CodeCard({ data, fields, purpose, returnUrl }: Step & { purpose: Coded | 'signin' }) {
  const text = words().confirm
  const error = parameter('error')
  const address = purpose === 'email' || purpose === 'signin' ? '' : recall('mailedTo')
  /** In the middle of a sign-in, which began with the address that the account has. */
  const isStep = purpose === 'signin' || parameter('step') !== null
  const own: { title: string; lead: string; leadTo?: Message<'address'> } =
    purpose === 'email' && isStep ? text.register : text[purpose]
  const isSpent = error === 'too_many_attempts'
  const fault = error === null ? null : entry(text.errors, error, text.otherError)
  const wasSent = parameter('sent') !== null && !error
  return (
    <Card
      title={own.title}
      lead={address && own.leadTo ? fillNodes(own.leadTo, { address: <bdi>{address}</bdi> }) : own.lead}
    >
      {wasSent && <Notice role="status">{text.sent}</Notice>}
      {isSpent && <Notice>{fault}</Notice>}
      <TroubleNotice data={data} />
      {!isSpent && (
        <PostForm action="/Account/Confirm" data={data} fields={fields}>
          <CodeField label={text.code} hint={text.codeHint} fault={fault} defaultValue={typed('code') ?? ''} />
          <Button type="submit" look="main">
            {text.submit}
          </Button>
        </PostForm>
      )}
      {!isSpent && <p class="aside">{text.notArrived}</p>}
      <PostForm class="answer" action="/Account/Confirm" data={data} fields={[...fields, ['resend', 'true']]}>
        <Button type="submit" look={!isSpent ? 'quiet' : 'main'}>
          {text.sendAgain}
        </Button>
      </PostForm>
      <p class="ways">
        {purpose !== 'signin' && !isStep && <a href={leadingTo(coded[purpose], returnUrl)}>{text.otherAddress}</a>}
        {(purpose !== 'email' || isStep) && <a href={leadingTo('/Account/Login', returnUrl)}>{texts.backToSignIn}</a>}
      </p>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

/** Nobody gets a code here: a link that an operator handed over was of no use, or the page was opened without it. */
function HandedOver({ title, returnUrl }: { title: string; returnUrl: string }) {
  return (
    <Card title={title}>
      <Notice>{words().confirm.undo.error}</Notice>
      <SignInButton returnUrl={returnUrl} />
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

/** The link was of no use, or the page was opened without it. */
function SpentLinkCard({ purpose, returnUrl }: { purpose: Linked; returnUrl: string }) {
  const text = words().confirm[purpose]
  return (
    <Card title={text.title}>
      {parameter('error') ? <Notice>{text.error}</Notice> : <Notice role="status">{text.lead}</Notice>}
      <SignInButton returnUrl={returnUrl} />
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

function SignInButton({ returnUrl }: { returnUrl: string }) {
  return (
    <div class="actions">
      <ButtonLink href={leadingTo('/Account/Login', returnUrl)}>{texts.toSignIn}</ButtonLink>
    </div>
  )
}
