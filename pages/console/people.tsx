import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { useSaid } from '../kit/said.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { Frame } from './frame.tsx'
import { OpenInvitations } from './invitations.tsx'
import { PeopleList } from './people-list.tsx'
import { OnePerson } from './person.tsx'
import { type Person, rolesOf } from './person-name.ts'
import { at, go } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** `/admin/people`, `/admin/people/new`, `/admin/people/invite` and `/admin/people/ID`. */
export default function PeoplePage({ segments }: { segments: readonly string[] }) {
  const [, id] = segments
  if (id === undefined) return <PeopleList />
  if (id === 'new') return <NewPerson key="new" />
  return id === 'invite' ? <Invitation key="invite" /> : <OnePerson key={id} id={id} />
}

const members = ['username', 'email', 'name', 'password', 'roles'] as const

function NewPerson() {
  const [draft, setDraft] = useState({ username: '', email: '', name: '', password: '', roles: '' })
  const change = useChange()
  const text = words().people
  const field = (member: (typeof members)[number]) => ({
    name: member,
    value: draft[member],
    result: change.failed,
    onInput: (value: string) => setDraft({ ...draft, [member]: value }),
  })
  const save = () => {
    const { username, email, name, password, roles } = draft
    const body = {
      username: username.trim(),
      email: email.trim(),
      ...(name.trim() && { name: name.trim() }),
      ...(password && { password }),
      roles: rolesOf(roles),
    }
    return change.run(
      () => call<Person>({ method: 'POST', path: '/users', body }),
      ({ id }) => go(at('people', id)),
    )
  }
  return (
    <Frame page="people" title={text.newTitle} isBelow>
      <Section id="person" title={text.newTitle}>
        <SaveForm change={change} shown={members} save={save} label={text.add}>
          <Field label={text.members.username} required {...field('username')} />
          <Field label={text.members.email} required {...field('email')} />
          <Field label={text.members.name} {...field('name')} />
          <Field
            label={text.password}
            hint={text.passwordHint}
            type="password"
            autocomplete="new-password"
            {...field('password')}
          />
          <Field label={text.roles} hint={text.rolesHint} lines={2} {...field('roles')} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function Invitation() {
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState('')
  const [sentCount, setSentCount] = useState(0)
  const [said, say] = useSaid()
  const change = useChange()
  const text = words().people
  const send = () =>
    change.run(
      () =>
        call<{ email: string }>({
          method: 'POST',
          path: '/invitations',
          body: { email: email.trim(), roles: rolesOf(roles) },
        }),
      (sent) => {
        setEmail('')
        setSentCount((count) => count + 1)
        say(fillNodes(text.invited, { email: <bdi>{sent.email}</bdi> }))
      },
    )
  return (
    <Frame page="people" title={text.inviteTitle} lead={text.inviteLead}>
      {said}
      <Section id="invitation" title={text.inviteTitle}>
        <SaveForm change={change} shown={['email', 'roles']} save={send} label={text.invite}>
          <Field
            label={text.members.email}
            name="email"
            required
            value={email}
            onInput={setEmail}
            result={change.failed}
          />
          <Field
            label={text.roles}
            name="roles"
            hint={text.rolesHint}
            lines={2}
            value={roles}
            onInput={setRoles}
            result={change.failed}
          />
        </SaveForm>
      </Section>
      <OpenInvitations sent={sentCount} say={say} />
    </Frame>
  )
}
