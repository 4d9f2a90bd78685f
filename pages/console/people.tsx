import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { toast } from '../kit/toast.tsx'
import { site } from '../site.ts'
import { fillNodes } from '../texts.ts'
import { type Call, call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { boxesOf } from './draft.ts'
import { Frame } from './frame.tsx'
import { InvitationsPage, OpenInvitations } from './invitations.tsx'
import { firstCallsOfList, PeopleList } from './people-list.tsx'
import { firstCallsOfPerson, OnePerson } from './person.tsx'
import { type Person, rolesOf } from './person-name.ts'
import { type Handed, HandedLink } from './person-password.tsx'
import { RolesField } from './roles-field.tsx'
import { at, go, type Place } from './router.tsx'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

export function firstCalls(place: Place): readonly Call[] {
  const [, id] = place.segments
  if (id === undefined) return firstCallsOfList(place)
  return ['new', 'invite', 'invitations'].includes(id) ? [] : firstCallsOfPerson(id)
}

/** `/admin/people`, `/admin/people/new`, `/admin/people/invite`, `/admin/people/invitations` and `/admin/people/ID`. */
export default function PeoplePage({ segments }: { segments: readonly string[] }) {
  const [, id, tab] = segments
  if (id === undefined) return <PeopleList />
  if (id === 'new') return <NewPerson key="new" />
  if (id === 'invitations') return <InvitationsPage key="invitations" />
  return id === 'invite' ? <Invitation key="invite" /> : <OnePerson key={id} id={id} tab={tab} />
}

const members = ['username', 'email', 'name', 'password', 'roles'] as const

function NewPerson() {
  const [draft, setDraft] = useState({ username: '', email: '', name: '', password: '', roles: '' })
  const change = useChange()
  const text = words().people
  const field = boxesOf(draft, setDraft, change.failed)
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
          <RolesField label={text.roles} hint={text.rolesHint} {...field('roles')} />
        </SaveForm>
      </Section>
    </Frame>
  )
}

function Invitation() {
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState('')
  const [madeCount, setMadeCount] = useState(0)
  const [handed, setHanded] = useState<(Handed & { email: string }) | null>(null)
  const change = useChange()
  const text = words().people
  const invite = (send: boolean) =>
    change.run(
      () =>
        call<Handed & { email: string }>({
          method: 'POST',
          path: '/invitations',
          body: { email: email.trim(), roles: rolesOf(roles), ...(!send && { send }) },
        }),
      (made) => {
        setEmail((now) => (now === email ? '' : now))
        setMadeCount((count) => count + 1)
        setHanded(send ? null : made)
        if (send) toast(fillNodes(text.invited, { email: <bdi>{made.email}</bdi> }))
      },
    )
  return (
    <Frame page="people" title={text.inviteTitle} lead={site.mail ? text.inviteLead : text.inviteNoMail} isBelow>
      <Section id="invitation" title={text.inviteTitle}>
        <SaveForm
          change={change}
          shown={['email', 'roles']}
          save={() => invite(site.mail === true)}
          label={site.mail ? text.invite : text.createLink}
          {...(site.mail && {
            beside: (
              <Button busy={change.busy} onClick={() => void invite(false)}>
                {text.createLink}
              </Button>
            ),
          })}
        >
          <Field
            label={text.members.email}
            name="email"
            required
            value={email}
            onInput={setEmail}
            result={change.failed}
          />
          <RolesField
            label={text.roles}
            name="roles"
            hint={text.rolesHint}
            value={roles}
            onInput={setRoles}
            result={change.failed}
          />
        </SaveForm>
        {handed && <HandedLink handed={handed} to={handed.email} />}
      </Section>
      <OpenInvitations sent={madeCount} />
    </Frame>
  )
}
