import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { withWhen } from '../account/when.tsx'
import { QuestionPanel } from '../kit/asking.tsx'
import { Button } from '../kit/button.tsx'
import { Form } from '../kit/field.tsx'
import { Check } from '../kit/labelled.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { Copyable } from './command.tsx'
import { type PartProps, type Person, pathOf } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { words } from './texts.ts'

export type Handed = { link: string; expires_at: string }

/** A link that the operator hands over: it is shown once. */
export function HandedLink({ handed, to }: { handed: Handed; to: ComponentChildren }) {
  const text = words().people.handed
  const place = useRef<HTMLFieldSetElement>(null)
  const id = useId()
  // What was pressed says nothing of what stands here now.
  useEffect(() => place.current?.focus(), [handed.link])
  return (
    <fieldset ref={place} class="asking" tabIndex={-1} aria-labelledby={id} aria-describedby={`${id}-body`}>
      <strong id={id}>{text.title}</strong>
      <p id={`${id}-body`}>
        {fillNodes(text.body, { name: <bdi>{to}</bdi> })} {withWhen(text.until, handed.expires_at, false)}
      </p>
      <Copyable text={handed.link} />
    </fieldset>
  )
}

/** Sets the password of a person, who chooses another one at the next sign-in. */
export function SetPassword({ person, loaded, say }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [asksNew, setAsksNew] = useState(true)
  const change = useChange()
  const text = words().people
  const { id, username } = person
  const trigger = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (!isOpen && wasOpen.current) trigger.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen)
    return (
      <Button buttonRef={trigger} onClick={() => setOpen(true)}>
        {text.setPassword}
      </Button>
    )

  const close = () => {
    change.clear()
    setPassword('')
    setOpen(false)
  }
  async function set() {
    const path = pathOf(id, 'set-password')
    const done = await call<Person>({ method: 'POST', path, body: { password }, username })
    if (done.kind !== 'ok' || !asksNew || done.value.required_actions.includes('update_password')) return done
    const asked = [...done.value.required_actions, 'update_password']
    const { etag } = done
    return call<Person>({ method: 'PATCH', path: pathOf(id), body: { required_actions: asked }, etag, username })
  }
  return (
    <QuestionPanel question={text.setPassword} body={<p>{text.setPasswordBody}</p>} close={close}>
      <Form
        onSubmit={() =>
          change.run(set, (value, etag) => {
            loaded.set(value, etag)
            close()
            say(fillNodes(text.passwordSet, { name: <bdi>{username}</bdi> }))
          })
        }
      >
        <Field
          label={text.password}
          name="password"
          type="password"
          autocomplete="new-password"
          value={password}
          onInput={setPassword}
          result={change.failed}
        />
        <Check checked={asksNew} onChange={setAsksNew}>
          {text.askNewPassword}
        </Check>
        {change.failed && <ProblemNotice result={change.failed} shown={['password']} />}
        <div class="buttons">
          <Button type="submit" look="main" busy={change.busy}>
            {text.setPassword}
          </Button>
          <Button onClick={close}>{words().common.cancel}</Button>
        </div>
      </Form>
    </QuestionPanel>
  )
}
