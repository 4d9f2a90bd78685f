/** What mends the things that are wrong with an account. Each stands beside what it mends, or among the tasks of a help desk. */
import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { site } from '../site.ts'
import { fillNodes } from '../texts.ts'
import { call, type Result } from './api.ts'
import { Asking, useChange } from './change.tsx'
import type { Loaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { accessOf, Ends } from './person-ends.tsx'
import { askedInWords, type Overview, type PartProps, type Person, pathOf } from './person-name.ts'
import { type Handed, HandedLink } from './person-password.tsx'
import { ProblemNotice } from './problem.tsx'
import { takingBack } from './taking-back.ts'
import { words } from './texts.ts'

export type MendProps = PartProps & { overview: Loaded<Overview> }

/** Does something to a person as a whole. */
export const postFor = <T,>({ id, username }: Person, action: string): Promise<Result<T>> =>
  call<T>({ method: 'POST', path: pathOf(id, action), username })

/** Locks or unlocks them again while the toast stands there. */
export function lockBack({ person, loaded, overview }: MendProps, action: 'lock' | 'unlock') {
  const text = words().people
  return takingBack(
    () => postFor<Person>(person, action),
    async () => {
      await Promise.all([loaded.reload(), overview.reload()])
      const done = action === 'lock' ? text.lockedNow : text.unlocked
      return fillNodes(done, { name: <bdi>{person.username}</bdi> })
    },
  )
}

type PressProps<T> = {
  label: string
  act(): Promise<Result<T>>
  then(value: T, etag: string | null): unknown
  children?: ComponentChildren
}

/** A button that acts at once, with what the service says against it. */
function Press<T>({ label, act, then, children }: PressProps<T>) {
  const change = useChange()
  return (
    <>
      <Button busy={change.busy} onClick={() => void change.run(act, then)}>
        {label}
      </Button>
      {change.failed && <ProblemNotice result={change.failed} />}
      {children}
    </>
  )
}

export function Unlock(part: MendProps) {
  const { person, loaded, overview, say } = part
  const text = words().people
  return (
    <Press<Person>
      label={text.unlock}
      act={() => postFor(person, 'unlock')}
      then={(value, etag) => {
        loaded.set(value, etag)
        void overview.reload()
        // A pause after wrong passwords is not started again.
        say(
          fillNodes(text.unlocked, { name: <bdi>{person.username}</bdi> }),
          person.disabled ? lockBack(part, 'lock') : undefined,
        )
      }}
    />
  )
}

/** Sends the link for another password; nothing where no mail is sent. */
export function SendReset({ person, say }: MendProps) {
  const text = words().people
  if (!site.mail) return null
  return (
    <Press<{ email: string }>
      label={text.sendReset}
      act={() => postFor(person, 'send-reset')}
      then={({ email }) => say(fillNodes(text.resetSent, { email: <bdi>{email}</bdi> }))}
    />
  )
}

export function CreateResetLink({ person }: MendProps) {
  const [handed, setHanded] = useState<Handed | null>(null)
  return (
    <Press<Handed> label={words().people.createResetLink} act={() => postFor(person, 'reset-link')} then={setHanded}>
      {handed && <HandedLink handed={handed} to={person.username} />}
    </Press>
  )
}

/** Marks the address as confirmed, which can be taken back. */
export function Confirm({ person, loaded, say }: MendProps) {
  const patch = (email_verified: boolean, etag: string | null) =>
    call<Person>({
      method: 'PATCH',
      path: pathOf(person.id),
      body: { email_verified },
      etag,
      username: person.username,
    })
  return (
    <Press<Person>
      label={words().people.mends.confirm}
      act={() => patch(true, loaded.etag)}
      then={(value, etag) => {
        loaded.set(value, etag)
        const back = async () => {
          await loaded.reload()
          return words().people.takenBack
        }
        say(
          words().common.saved,
          takingBack(() => patch(false, etag), back),
        )
      }}
    />
  )
}

/** Sends a link with which the person confirms the address; where no mail is sent, the reason. */
export function AskConfirmation({ person, say }: MendProps) {
  const text = words().people.mends
  if (!site.mail) return <p class="quiet">{text.noConfirmation}</p>
  return (
    <Press<{ email: string }>
      label={text.askConfirmation}
      act={() => postFor(person, 'send-confirmation')}
      then={({ email }) => say(fillNodes(text.confirmationSent, { email: <bdi>{email}</bdi> }))}
    />
  )
}

/** Asks for a second factor at the next sign-in. It has no undo: what it ended does not come back. */
export function RequireFactor({ person, loaded, overview, say }: MendProps) {
  const text = words().people.mends
  const isOwn = useMe().username === person.username
  const name = <bdi>{person.username}</bdi>
  const facts = overview.value
  return (
    <AskingFor
      {...{ person, loaded }}
      label={text.requireFactor}
      look="quiet"
      question={fillNodes(text.requireFactorAsk, { name })}
      body={
        <>
          <p>{text.requireFactorBody}</p>
          {isOwn && <p>{text.requireFactorOwn}</p>}
          {facts && <Ends counts={accessOf(facts)} />}
        </>
      }
      actions={[...person.required_actions, 'set_up_second_factor']}
      then={() => {
        void overview.reload()
        say(fillNodes(text.factorRequired, { name }))
      }}
    />
  )
}

/** Withdraws what the next sign-in asks for. It is not taken back: asking again ends sessions. */
export function Withdraw({ person, loaded, say }: MendProps) {
  const text = words().people.mends
  return (
    <AskingFor
      {...{ person, loaded }}
      label={text.withdraw}
      look="quiet"
      question={fillNodes(text.withdrawAsk, { name: <bdi>{person.username}</bdi> })}
      body={
        <>
          <p>
            <bdi>{askedInWords(person.required_actions)}</bdi>
          </p>
          <p>{text.withdrawBody}</p>
        </>
      }
      actions={[]}
      then={() => say(words().common.saved)}
    />
  )
}

type AskingForProps = Pick<PartProps, 'person' | 'loaded'> &
  Pick<ComponentProps<typeof Asking>, 'label' | 'look' | 'question' | 'body' | 'then'> & {
    /** What the next sign-in asks for from then on. */
    actions: readonly string[]
  }

/** Sets what the next sign-in asks for, once that was agreed to. */
function AskingFor({ person, loaded, actions, then, ...asked }: AskingForProps) {
  let value: [Person, string | null] | undefined
  return (
    <Asking
      {...asked}
      act={async () => {
        const result = await call<Person>({
          method: 'PATCH',
          path: pathOf(person.id),
          body: { required_actions: actions },
          etag: loaded.etag,
          username: person.username,
        })
        if (result.kind === 'ok') value = [result.value, result.etag]
        return result
      }}
      then={() => {
        if (value !== undefined) loaded.set(...value)
        return then()
      }}
    />
  )
}
