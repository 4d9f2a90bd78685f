import { useState } from 'preact/hooks'
import type { Message } from '#messages'
import { When } from '../account/when.tsx'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Check } from '../kit/labelled.tsx'
import { useSaid } from '../kit/said.tsx'
import { site } from '../site.ts'
import { fillNodes } from '../texts.ts'
import { call, type Method } from './api.ts'
import { Asking, Field, useChange } from './change.tsx'
import { Frame } from './frame.tsx'
import { Part, useLoaded } from './loaded.tsx'
import { useMe } from './me.tsx'
import { Activity } from './person-activity.tsx'
import { Attributes } from './person-attributes.tsx'
import { PersonItems } from './person-items.tsx'
import { claims, type PartProps, type Person, pathOf } from './person-name.ts'
import { type Handed, HandedLink, SetPassword } from './person-password.tsx'
import { Roles } from './person-roles.tsx'
import { ProblemNotice } from './problem.tsx'
import { at, go } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** `/admin/people/ID`. */
export function OnePerson({ id }: { id: string }) {
  const loaded = useLoaded<Person>(pathOf(id))
  const [said, say] = useSaid()
  const mayChange = useMe().may('admin:users')
  const person = loaded.value
  return (
    <Frame
      page="people"
      title={<bdi>{person?.username ?? words().pages.people}</bdi>}
      windowTitle={person?.username ?? words().pages.people}
      isBelow
      lead={person && <State person={person} />}
      busy={person === null}
    >
      <Part loaded={loaded}>
        {(value) => (
          <>
            {said}
            {mayChange && <Help person={value} loaded={loaded} say={say} />}
            <Profile key={profileOf(value)} person={value} loaded={loaded} say={say} />
            <Attributes person={value} loaded={loaded} say={say} />
            <Roles key={`roles ${value.roles.join(' ')}`} person={value} loaded={loaded} say={say} />
            <PersonItems id={id} say={say} mayChange={mayChange} />
            <Activity id={id} />
            {mayChange && <Deletion person={value} etag={loaded.etag} />}
          </>
        )}
      </Part>
    </Frame>
  )
}

/** What the form of the profile shows. It is drawn anew only when that has changed: what is typed elsewhere stays. */
const profileOf = ({ username, email, email_verified, ...person }: Person): string =>
  JSON.stringify([username, email, email_verified, ...claims.map((claim) => person[claim])])

function State({ person }: { person: Person }) {
  const text = words().people
  const asked = [...person.required_actions, ...(person.had_second_factor ? ['had_second_factor'] : [])]
  return (
    <>
      <bdi>{person.email}</bdi>
      {person.email && !person.email_verified && ` · ${text.unconfirmed}`}
      {asked.length > 0 && [' · ', fillNodes(text.asked, { actions: asked.join(', ') })]}
      {person.disabled
        ? ` · ${text.locked}`
        : person.locked_until && [' · ', fillNodes(text.lockedUntil, { when: <When iso={person.locked_until} /> })]}
    </>
  )
}

/** What a help desk does most: each task is one press, or a press and an answer. */
function Help({ person, loaded, say }: PartProps) {
  const change = useChange()
  const [handed, setHanded] = useState<Handed | null>(null)
  const text = words().people
  const { id } = person
  const post = <T,>(action: string, body?: unknown) =>
    call<T>({
      method: 'POST' as Method,
      path: pathOf(id, action),
      ...(body !== undefined && { body }),
      username: person.username,
    })
  const named = (template: Message<'name'>) => fillNodes(template, { name: <bdi>{person.username}</bdi> })
  return (
    <Section id="help" title={text.help}>
      <div class="buttons">
        {person.locked_until !== null && (
          <Button
            busy={change.busy}
            onClick={() =>
              void change.run(
                () => post<Person>('unlock'),
                (value, etag) => {
                  loaded.set(value, etag)
                  say(named(text.unlocked))
                },
              )
            }
          >
            {text.unlock}
          </Button>
        )}
        {site.mail && (
          <Button
            busy={change.busy}
            onClick={() =>
              void change.run(
                () => post<{ email: string }>('send-reset'),
                ({ email }) => say(fillNodes(text.resetSent, { email: <bdi>{email}</bdi> })),
              )
            }
          >
            {text.sendReset}
          </Button>
        )}
        <Button busy={change.busy} onClick={() => void change.run(() => post<Handed>('reset-link'), setHanded)}>
          {text.createResetLink}
        </Button>
        <SetPassword person={person} loaded={loaded} say={say} />
        <Asking
          label={text.removeFactor}
          question={named(text.removeFactorAsk)}
          body={<p>{text.removeFactorBody}</p>}
          act={() => post('reset-second-factor')}
          then={async () => {
            await loaded.reload()
            say(named(text.factorRemoved))
          }}
        />
        {!person.disabled && (
          <Asking
            label={text.lock}
            question={named(text.lockAsk)}
            body={<p>{text.lockBody}</p>}
            act={() => post('lock')}
            then={async () => {
              await loaded.reload()
              say(named(text.lockedNow))
            }}
          />
        )}
      </div>
      {change.failed && <ProblemNotice result={change.failed} />}
      {handed && <HandedLink handed={handed} to={person.username} />}
    </Section>
  )
}

function Profile({ person, loaded, say }: PartProps) {
  const members = ['username', 'email', ...claims] as const
  const before = Object.fromEntries(members.map((member) => [member, person[member] ?? '']))
  const [draft, setDraft] = useState<Record<string, string>>(before)
  const [verified, setVerified] = useState(person.email_verified)
  const change = useChange()
  const mayChange = useMe().may('admin:users')
  const text = words().people
  const labels: Readonly<Record<(typeof members)[number], string>> = text.members
  const body = () => ({
    ...Object.fromEntries(
      members
        .filter((member) => draft[member] !== before[member])
        .map((member) => [member, draft[member]?.trim() || null]),
    ),
    ...(verified !== person.email_verified && { email_verified: verified }),
  })
  const save = () =>
    change.run(
      () =>
        call<Person>({
          method: 'PATCH',
          path: pathOf(person.id),
          body: body(),
          etag: loaded.etag,
          username: person.username,
        }),
      (value, etag) => {
        loaded.set(value, etag)
        say(words().common.saved)
      },
    )
  return (
    <Section id="profile" title={text.profile}>
      <SaveForm change={change} shown={members} save={save} isReadOnly={!mayChange} hasColumns>
        {members.map((member) => (
          <Field
            key={member}
            label={labels[member]}
            name={member}
            value={draft[member] ?? ''}
            result={change.failed}
            onInput={(value) => setDraft({ ...draft, [member]: value })}
          />
        ))}
        <Check checked={verified} onChange={setVerified}>
          {text.verified}
        </Check>
      </SaveForm>
    </Section>
  )
}

function Deletion({ person, etag }: { person: Person; etag: string | null }) {
  const text = words().people
  return (
    <Section id="delete" title={words().common.delete}>
      <Asking
        label={words().common.delete}
        question={fillNodes(text.deleteAsk, { name: <bdi>{person.username}</bdi> })}
        body={<p>{text.deleteBody}</p>}
        confirm={person.username}
        act={() => call({ method: 'DELETE', path: pathOf(person.id), etag, username: person.username })}
        then={() => go(at('people'))}
      />
    </Section>
  )
}
