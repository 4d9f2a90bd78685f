import type { ComponentChildren } from 'preact'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { type Choice, Combobox } from '../kit/combobox.tsx'
import { Item, List } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { useChange } from './change.tsx'
import { useList } from './loaded.tsx'
import { useMe } from './me.tsx'
import { type EffectiveRole, type PartProps, pathOf } from './person-name.ts'
import { ProblemNotice } from './problem.tsx'
import { at } from './router.tsx'
import { takingBack } from './taking-back.ts'
import { words } from './texts.ts'

type Role = { name: string; description: string | null; includes: string[] }

/** The largest page of the API. */
const rolesAtOnce = 500
const choicesAtMost = 50

/** The roles that a person was given, and those that follow. */
export function Roles({ person, loaded, say }: PartProps) {
  const change = useChange()
  const mayChange = useMe().may('admin:users')
  const roles = useList<Role>('/roles', { limit: rolesAtOnce })
  const text = words().people
  const known = new Map((roles.items ?? []).map((role) => [role.name, role]))
  const put = (names: readonly string[], etag: string | null, before: readonly string[]) =>
    call<string[]>({
      method: 'PUT',
      path: pathOf(person.id, 'roles'),
      body: names,
      etag,
      username: person.username,
      rolesBefore: before,
    })
  const set = (names: string[], said: ComponentChildren) => {
    const before = person.roles
    return change.run(
      () => put(names, loaded.etag, before),
      async (_, etag) => {
        // What follows from them has changed, too.
        await loaded.reload()
        say(
          said,
          takingBack(
            () => put(before, etag, names),
            async () => {
              await loaded.reload()
              return text.takenBack
            },
          ),
        )
      },
    )
  }
  const named = (role: string) => ({ role: <bdi>{role}</bdi> })
  const give = (role: string) => set([...person.roles, role], fillNodes(text.roleGiven, named(role)))
  const take = (role: string) =>
    set(
      person.roles.filter((one) => one !== role),
      fillNodes(text.roleTaken, named(role)),
    )
  return (
    <>
      <Section id="roles" title={text.roles}>
        <List items={person.roles} empty={text.noRoles}>
          {(role) => (
            <Item
              key={role}
              title={
                <a href={at('roles', role)}>
                  <bdi>{role}</bdi>
                </a>
              }
              action={
                mayChange && (
                  <Button
                    busy={change.busy}
                    aria-label={`${words().groups.remove}: ${role}`}
                    onClick={() => void take(role)}
                  >
                    {words().groups.remove}
                  </Button>
                )
              }
            >
              <p>{permits(known.get(role), role)}</p>
            </Item>
          )}
        </List>
        {change.failed && <ProblemNotice result={change.failed} />}
        {mayChange && (
          <Combobox
            label={text.addRole}
            hint={text.addRoleHint}
            none={text.noSuchRole}
            choices={(typed) => choicesFor(typed, person.roles, roles.items ?? [])}
            choose={(role) => void give(role)}
          />
        )}
      </Section>
      <EffectiveRoles roles={person.effective_roles ?? []} known={known} />
    </>
  )
}

/** Roles that exist, those that begin so first; a name that none has is offered as it was typed. */
function choicesFor(typed: string, given: readonly string[], roles: readonly Role[]): readonly Choice[] {
  const wanted = typed.toLowerCase()
  const fitting = roles
    .filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
    .filter(({ name }) => !given.includes(name))
    .sort((a, b) => Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)))
    .slice(0, choicesAtMost)
    .map((role) => ({ value: role.name, label: <bdi>{role.name}</bdi>, detail: permits(role, role.name) }))
  const isNew = typed !== '' && !/\s/.test(typed) && !given.includes(typed) && !roles.some(({ name }) => name === typed)
  return isNew
    ? [...fitting, { value: typed, label: <bdi>{typed}</bdi>, detail: words().people.newRole, isNew }]
    : fitting
}

/** What a role is for: its description, or what a built-in one permits, and the roles that it includes. */
function permits(role: Role | undefined, name: string): ComponentChildren {
  const { builtIn } = words().roles
  const description = role?.description ?? (Object.hasOwn(builtIn, name) ? builtIn[name as keyof typeof builtIn] : '')
  const includes = role?.includes ?? []
  if (includes.length === 0) return description
  const included = fillNodes(words().people.includes, { roles: <bdi>{includes.join(', ')}</bdi> })
  return description ? [<bdi key="description">{description}</bdi>, ' · ', included] : included
}

/** All roles, with where those come from that the person was not given. */
function EffectiveRoles({ roles, known }: { roles: readonly EffectiveRole[]; known: ReadonlyMap<string, Role> }) {
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
    <Section id="effective-roles" title={text.effectiveRoles}>
      <List items={roles}>
        {({ role, from }) => (
          <Item key={role} title={<bdi>{role}</bdi>}>
            <p>
              {from.map((one, index) => (
                <span key={one}>
                  {index > 0 && ' · '}
                  {origin(one)}
                </span>
              ))}
            </p>
            <p>{permits(known.get(role), role)}</p>
          </Item>
        )}
      </List>
    </Section>
  )
}
