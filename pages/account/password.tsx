import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
import { useSaid } from '../kit/said.tsx'
import { site } from '../site.ts'
import { entry } from '../texts.ts'
import { isBegun } from './begun.ts'
import { change, signInFirst } from './json.ts'
import type { Loaded, Profile } from './loaded.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

/** Changes the password, or sets the first one. */
export function Password({ loaded }: { loaded: Loaded<Profile> }) {
  const profile = loaded.value as Profile
  const text = words().security.password
  const has = profile.sign_in.password
  const label = has ? text.submit : text.set
  const isRecent = Date.parse(profile.session.recent_until) > Date.now()
  const [said, say] = useSaid(isBegun('password') ? words().common.goOn : null)
  return (
    <Section id="password" title={text.title}>
      <p class="quiet">{has ? text.lead : text.none}</p>
      {said}
      {isRecent ? (
        <PasswordForm profile={profile} label={label} has={has} reload={loaded.reload} say={say} />
      ) : (
        // A password that was typed before the sign-in would be lost on the way.
        <>
          <p class="quiet">{text.first}</p>
          <Button onClick={() => void signInFirst({ task: 'password' }, true)}>{label}</Button>
        </>
      )}
    </Section>
  )
}

type Props = { profile: Profile; label: string; has: boolean; reload(): Promise<void>; say(text: string): void }

function PasswordForm({ profile, label, has, reload, say }: Props) {
  const text = words().security.password
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [revoke, setRevoke] = useState(false)
  const [missing, setMissing] = useState(false)
  const task = useTask()
  const currentBox = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [visible, setVisible] = useState(false)
  /** Each change gets an empty box. */
  const [changed, setChanged] = useState(0)
  const error = errorOf(task.failed)
  const isWrong = error === 'invalid_credentials'
  const refused = error && Object.hasOwn(words().newPassword.errors, error) ? error : undefined

  useEffect(() => {
    if (isWrong) currentBox.current?.focus()
  }, [task.failed])

  function submit(event: Event): void {
    event.preventDefault()
    setVisible(false)
    if (has && !current) {
      setMissing(true)
      currentBox.current?.focus()
      return
    }
    if (!password) {
      form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus()
      return
    }
    const body = { ...(has && { current }), password, revoke }
    const act = () => change('POST', '/Account/Self/password', body, { task: 'password' })
    void task.run(act, async () => {
      setCurrent('')
      setPassword('')
      setChanged((count) => count + 1)
      await reload()
      say(text.changed)
    })
  }

  const currentError = missing ? text.currentMissing : isWrong ? entry(text.errors, error, '') : null
  return (
    <form ref={form} class="form" noValidate onSubmit={submit}>
      {/* Password managers store the new password under this name. */}
      <input type="text" name="username" autocomplete="username" value={profile.username} readOnly hidden />
      {has && (
        <Field
          id="current"
          type="password"
          label={text.current}
          autocomplete="current-password"
          boxRef={currentBox}
          value={current}
          onInput={(value) => {
            setCurrent(value)
            setMissing(false)
            if (isWrong) task.clear()
          }}
          fault={currentError}
        />
      )}
      <NewPasswordField
        key={changed}
        owner={() => ({ username: profile.username, email: profile.email, service: site.name })}
        minLength={profile.settings.password_min_length}
        error={refused ?? null}
        visible={visible}
        onVisible={setVisible}
        onInput={(value) => {
          setPassword(value)
          if (refused) task.clear()
        }}
      />
      <Check checked={revoke} onChange={setRevoke}>
        {text.revoke}
      </Check>
      {!isWrong && !refused && <TaskNotice task={task} />}
      <div class="buttons">
        <Button type="submit" look="main" busy={task.busy}>
          {label}
        </Button>
      </div>
    </form>
  )
}
