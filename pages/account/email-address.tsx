import { useEffect, useRef, useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Field, Form } from '../kit/field.tsx'
import { fillNodes } from '../texts.ts'
import { begun } from './begun.ts'
import { change } from './json.ts'
import type { Profile } from './loaded.tsx'
import { MailSent } from './mail-sent.tsx'
import { errorOf, TaskNotice, useTask } from './task.tsx'
import { words } from './texts.ts'

/** The e-mail address, and a change of it, which the new address confirms. */
export function EmailAddress({ profile }: { profile: Profile }) {
  const text = words().profile.email
  const [email, setEmail] = useState(begun('email', 'email') ?? '')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const task = useTask()
  const box = useRef<HTMLInputElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const isInvalid = errorOf(task.failed) === 'email_invalid'

  useEffect(() => {
    if (isInvalid) box.current?.focus()
  }, [task.failed])
  useEffect(() => {
    if (sentTo) place.current?.focus()
  }, [sentTo])

  const send = (address: string) =>
    task.run(
      () => change('POST', '/Account/Self/email', { email: address }, { task: 'email', email: address }),
      () => {
        setSentTo(address)
        setEmail('')
      },
    )
  const now = profile.email && (
    <p>
      {fillNodes(text.now, { address: <bdi>{profile.email}</bdi> })}{' '}
      {profile.email_verified ? text.confirmed : text.notConfirmed}
    </p>
  )
  if (!profile.settings.mail)
    return (
      <Section id="email" title={text.title}>
        {now}
        <p class="quiet">{text.noMail}</p>
      </Section>
    )
  return (
    <Section id="email" title={text.title}>
      {now}
      {profile.email && !profile.email_verified && (
        <p>
          <Button look="link" onClick={() => void send(profile.email)}>
            {text.again}
          </Button>
        </p>
      )}
      <div ref={place} class="said notice-like" tabIndex={-1}>
        {sentTo && <MailSent address={sentTo} />}
      </div>
      <Form
        noValidate
        onSubmit={() => {
          if (!email.trim()) return box.current?.focus()
          void send(email.trim())
        }}
      >
        <Field
          id="email-new"
          type="email"
          label={text.box}
          autocomplete="email"
          boxRef={box}
          value={email}
          onInput={(value) => {
            setEmail(value)
            task.clear()
          }}
          hint={text.lead}
          fault={isInvalid && text.errors.email_invalid}
        />
        {!isInvalid && <TaskNotice task={task} />}
        <div class="buttons">
          <Button type="submit" look="main" busy={task.busy}>
            {text.submit}
          </Button>
        </div>
      </Form>
    </Section>
  )
}
