import { useState } from 'preact/hooks'
import { Section } from '../kit/area.tsx'
import { fill, fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { Field, useChange } from './change.tsx'
import { useMe } from './me.tsx'
import { type EffectiveRole, type PartProps, pathOf, rolesOf } from './person-name.ts'
import { SaveForm } from './save-form.tsx'
import { words } from './texts.ts'

/** The roles that a person was given, and those that follow. */
export function Roles({ person, loaded, say }: PartProps) {
  const [typed, setTyped] = useState(person.roles.join('\n'))
  const change = useChange()
  const mayChange = useMe().may('admin:users')
  const text = words().people
  const save = () =>
    change.run(
      () =>
        call<string[]>({
          method: 'PUT',
          path: pathOf(person.id, 'roles'),
          body: rolesOf(typed),
          etag: loaded.etag,
          username: person.username,
          rolesBefore: person.roles,
        }),
      async () => {
        // What follows from them has changed, too.
        await loaded.reload()
        say(fill(text.rolesSaved, {}))
      },
    )
  return (
    <Section id="roles" title={text.roles}>
      <EffectiveRoles roles={person.effective_roles ?? []} />
      <SaveForm change={change} shown={[]} save={save} isReadOnly={!mayChange} look="quiet" label={text.saveRoles}>
        <Field label={text.roles} name="roles" hint={text.rolesHint} lines={3} value={typed} onInput={setTyped} />
      </SaveForm>
    </Section>
  )
}

/** All roles, with where those come from that the person was not given. */
function EffectiveRoles({ roles }: { roles: readonly EffectiveRole[] }) {
  const text = words().people
  if (roles.every(({ from }) => from.length === 1 && from[0] === 'own')) return null
  const origin = (from: string) =>
    from === 'own'
      ? text.origins.own
      : from === 'everybody'
        ? text.origins.everybody
        : from.startsWith('included by ')
          ? fillNodes(text.origins.included, { role: <bdi>{from.slice('included by '.length)}</bdi> })
          : fillNodes(text.origins.group, { group: <bdi>{from}</bdi> })
  return (
    <>
      <h3>{text.effectiveRoles}</h3>
      <ul>
        {roles.map(({ role, from }) => (
          <li key={role}>
            <bdi>{role}</bdi>{' '}
            <span class="quiet">
              {from.map((one, index) => (
                <span key={one}>
                  {index > 0 && ' · '}
                  {origin(one)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
