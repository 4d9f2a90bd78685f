import { useState } from 'preact/hooks'
import { fetchToken } from '../antiforgery.ts'
import { type Answer, askForJson } from '../api.ts'
import { WayBack } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Card, Notice, PersonLine } from '../kit/layout.tsx'
import { localUrl } from '../query.ts'
import { texts } from '../texts.ts'
import { AppSetUp, type NewApp } from './app-set-up.tsx'
import { RecoveryCodesStep } from './recovery-codes-step.tsx'
import { words } from './texts.ts'
import type { LostCodes } from './unsaved-codes.ts'

/** A change of the account area, as the sign-in under way may make it: nobody is sent to the login page. */
async function send<T>(path: string, body: object): Promise<Answer<T>> {
  const token = await fetchToken()
  if (token.kind !== 'ok') return token
  return askForJson<T>(`/Account/Self${path}`, {
    method: 'POST',
    headers: { RequestVerificationToken: token.value.token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

type Trouble = 'unreachable' | 'wrong' | 'paused'

/** Sets up an authenticator app as part of a sign-in, shows recovery codes once, and continues. */
export function EnrolmentPage({ name, returnUrl }: { name: string; returnUrl: string }) {
  const [app, setApp] = useState<NewApp | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [done, setDone] = useState<{ codes: readonly string[]; returnUrl: string } | null>(null)
  const text = words().enrolment

  /** `act`: what the press does; it returns what went wrong. Without an end, the page is being left. */
  async function during(act: () => Promise<Trouble | null>) {
    if (isBusy) return
    setBusy(true)
    setTrouble(null)
    setTrouble(await act())
    setBusy(false)
  }

  async function troubleOf(answer: Answer<unknown>): Promise<Trouble> {
    if (answer.kind !== 'refused') return 'unreachable'
    if (answer.status === 401) {
      // The sign-in has run out or was finished elsewhere: the page says so when it is loaded again.
      location.reload()
      await new Promise(() => {})
    }
    return answer.problem.error === 'too_many_attempts' ? 'paused' : 'wrong'
  }

  const start = () =>
    during(async () => {
      const answer = await send<NewApp>('/totp?step=enrolment', {})
      if (answer.kind !== 'ok') return troubleOf(answer)
      setApp(answer.value)
      return null
    })

  const confirm = (code: string) =>
    during(async () => {
      const answer = await send<{ return_url: string }>('/totp/confirm?step=enrolment', { code })
      if (answer.kind !== 'ok') return troubleOf(answer)
      const returnUrl = localUrl(answer.value.return_url)
      const made = await send<{ codes: string[] }>('/recovery-codes', {})
      // The account area makes them as well.
      if (made.kind === 'ok') setDone({ codes: made.value.codes, returnUrl })
      else location.replace(returnUrl)
      return null
    })

  if (done) return <RecoveryCodesCard codes={done.codes} of={{ name, returnUrl: done.returnUrl }} />
  return (
    <Card title={text.title} lead={app ? undefined : text.lead}>
      {(trouble === 'unreachable' || trouble === 'paused') && (
        <Notice>{trouble === 'paused' ? text.paused : texts.unreachable.inForm}</Notice>
      )}
      <PersonLine label={words().secondFactor.signingIn} name={name} />
      {app ? (
        <AppSetUp app={app} isBusy={isBusy} isWrong={trouble === 'wrong'} onCode={confirm} />
      ) : (
        <div class="actions">
          <Button look="main" aria-busy={isBusy || undefined} onClick={start}>
            {text.start}
          </Button>
        </div>
      )}
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

/** The last page of a sign-in with new codes, which goes on once they are kept. */
export function RecoveryCodesCard({ codes, of }: { codes: readonly string[]; of: LostCodes }) {
  const text = words().recoveryCodes
  return (
    <Card title={text.title} lead={text.lead}>
      <RecoveryCodesStep codes={codes} of={of} onDone={() => location.replace(localUrl(of.returnUrl))} />
    </Card>
  )
}
