import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../api.ts'
import { WayBack } from '../back-to-application.tsx'
import { Button } from '../kit/button.tsx'
import { Card, Notice, Skeleton, Unreachable } from '../kit/layout.tsx'
import { fill, texts } from '../texts.ts'
import { change, read } from './json.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { type CreationOptions, canCreatePasskeys, createPasskey, systemName } from './passkey-creation.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { loadRegistrationContext } from './registration-context.ts'
import { words } from './texts.ts'

type Person = {
  username: string
  email: string
  sign_in: { password: boolean; passkeys: number }
}

type Known = { person: Person; minLength: number; service: string }

/** Where whoever registered without a password gets a way to sign in: a passkey, or a password after all. */
export function FirstPasskeyPage({ returnUrl }: { returnUrl: string }) {
  const [known, setKnown] = useState<Known | null>(null)
  const [isUnreachable, setUnreachable] = useState(false)
  const [wantsPassword, setWantsPassword] = useState(!canCreatePasskeys)
  const text = words().firstPasskey
  const leave = () => location.replace(returnUrl)

  async function load() {
    setUnreachable(false)
    const [person, context] = await Promise.all([read<Person>('/Account/Self'), loadRegistrationContext()])
    if (person.kind !== 'ok' || context.kind !== 'ok') return setUnreachable(true)
    // The page was opened again: there is a way to sign in already.
    if (person.value.sign_in.password || person.value.sign_in.passkeys > 0) return leave()
    setKnown({ person: person.value, minLength: context.value.password_min_length, service: context.value.service })
  }

  useEffect(() => {
    void load()
  }, [])

  if (isUnreachable) return <Unreachable onRetry={load} />
  if (!known)
    return (
      <Card busy title={text.title} lead={text.lead}>
        <Skeleton rows={['button', 'button']} />
      </Card>
    )
  if (wantsPassword)
    return <PasswordCard known={known} returnUrl={returnUrl} onDone={leave} onBack={() => setWantsPassword(false)} />
  return <PasskeyCard returnUrl={returnUrl} onDone={leave} onPassword={() => setWantsPassword(true)} />
}

type PasskeyProps = { returnUrl: string; onDone(): void; onPassword(): void }

function PasskeyCard({ returnUrl, onDone, onPassword }: PasskeyProps) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<'cancelled' | 'failed' | 'unsupported' | 'unreachable' | null>(null)
  const text = words().firstPasskey

  async function add(): Promise<typeof trouble> {
    const options = await change<CreationOptions>('POST', '/Account/Self/passkeys/options')
    if (options.kind !== 'ok') return options.kind === 'unreachable' ? 'unreachable' : 'failed'
    const created = await createPasskey(options.value)
    // Another tab has made one.
    if (created.kind === 'exists') return null
    if (created.kind !== 'ok') return created.kind
    const system = systemName()
    const name = system ? fill(text.name, { system }) : text.plainName
    const added = await change('POST', '/Account/Self/passkeys', { name, credential: created.credential })
    if (added.kind === 'ok') return null
    return added.kind === 'unreachable' ? 'unreachable' : 'failed'
  }

  async function onClick() {
    if (isBusy) return
    setBusy(true)
    setTrouble(null)
    const found = await add()
    if (!found) return onDone()
    setBusy(false)
    setTrouble(found)
  }

  return (
    <Card title={text.title} lead={text.lead}>
      {trouble && (
        <Notice role={trouble === 'cancelled' ? 'status' : 'alert'}>
          {trouble === 'unreachable' ? texts.unreachable.inForm : text[trouble]}
        </Notice>
      )}
      <div class="actions">
        <Button look="main" aria-busy={isBusy || undefined} onClick={onClick}>
          {text.submit}
        </Button>
        <Button onClick={onPassword}>{text.password}</Button>
      </div>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}

type PasswordProps = { known: Known; returnUrl: string; onDone(): void; onBack(): void }

function PasswordCard({ known: { person, minLength, service }, returnUrl, onDone, onBack }: PasswordProps) {
  const [password, setPassword] = useState('')
  const [visible, setVisible] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer<unknown> | null>(null)
  const refused = answer?.kind === 'refused' ? (answer.problem.error ?? null) : null
  const error = refused?.startsWith('password_') ? refused : null
  const text = words().firstPasskey

  async function send(event: Event) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setVisible(false)
    const changed = await change('POST', '/Account/Self/password', { password })
    if (changed.kind === 'ok') return onDone()
    setBusy(false)
    setAnswer(changed)
  }

  return (
    <Card title={words().resetPassword.title}>
      {!canCreatePasskeys && <Notice role="status">{text.unsupported}</Notice>}
      {answer && !error && <ProblemNotice answer={answer} />}
      <form class="form" onSubmit={send} noValidate>
        {/* Password managers store the password under this name. */}
        <input type="text" name="username" autocomplete="username" value={person.username} readOnly hidden />
        <NewPasswordField
          // A field of its own for each answer of the service.
          key={error ? JSON.stringify([error, password.length]) : 'first'}
          minLength={minLength}
          owner={() => ({ username: person.username, email: person.email, service })}
          error={error}
          visible={visible}
          onVisible={setVisible}
          autofocus
          onInput={(value) => {
            setPassword(value)
            setAnswer(null)
          }}
        />
        <Button type="submit" look="main" busy={isBusy}>
          {text.submitPassword}
        </Button>
        {canCreatePasskeys && <Button onClick={onBack}>{text.back}</Button>}
      </form>
      <WayBack returnUrl={returnUrl} />
    </Card>
  )
}
