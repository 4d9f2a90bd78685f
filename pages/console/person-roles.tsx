import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '#messages'
import { Section } from '../kit/area.tsx'
import { Button } from '../kit/button.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { Item, List } from '../kit/list.tsx'
import { fillNodes } from '../texts.ts'
import { call } from './api.ts'
import { useChange } from './change.tsx'
import { useMe } from './me.tsx'
import { type EffectiveRole, type PartProps, pathOf } from './person-name.ts'
import { GiveQuestion, permits, permitsAdministration, type Role, TakeAfterQuestion } from './person-role-question.tsx'
import { ProblemNotice } from './problem.tsx'
import { roleChoices, useRoles } from './roles-field.tsx'
import { at } from './router.tsx'
import { takingBack } from './taking-back.ts'
import { words } from './texts.ts'

/** The roles that a person was given, and those that follow. */
export function Roles({ person, loaded, say }: PartProps) {
  const change = useChange()
  const mayChange = useMe().may('admin:users')
  const roles = useRoles()
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
  const set = (names: readonly string[], template: Message<'role'>, role: string) => {
    const before = person.roles
    return {
      act: () => put(names, loaded.etag, before),
      async done(etag: string | null) {
        // What follows from them has changed, too.
        await loaded.reload()
        say(
          fillNodes(template, { role: <bdi>{role}</bdi> }),
          takingBack(
            () => put(before, etag, names),
            async () => {
              await loaded.reload()
              return text.takenBack
            },
          ),
        )
      },
    }
  }
  const giving = (role: string) => set([...person.roles, role], text.roleGiven, role)
  const taking = (role: string) =>
    set(
      person.roles.filter((one) => one !== role),
      text.roleTaken,
      role,
    )
  const run = ({ act, done }: ReturnType<typeof set>) => change.run(act, (_, etag) => done(etag))

  // A role that permits administration is given after a question.
  const [asked, setAsked] = useState<string | null>(null)
  const field = useRef<HTMLDivElement>(null)
  const isCancelled = useRef(false)
  const cancel = () => {
    isCancelled.current = true
    change.clear()
    setAsked(null)
  }
  const giveAsked = (role: string) => {
    const { act, done } = giving(role)
    return change.run(act, (_, etag) => {
      setAsked(null)
      return done(etag)
    })
  }
  useLayoutEffect(() => {
    if (asked === null && isCancelled.current) field.current?.querySelector('input')?.focus()
    isCancelled.current = false
  }, [asked])
  return (
    <>
      <Section id="roles" title={text.roles}>
        <List items={person.roles} empty={text.noRoles}>
          {(role) => (
            <Item
              key={role}
              id={`role-${role}`}
              title={
                <a href={at('roles', role)}>
                  <bdi>{role}</bdi>
                </a>
              }
              action={
                mayChange &&
                (permitsAdministration(role, known) ? (
                  <TakeAfterQuestion role={role} permits={permits(known.get(role), role)} {...taking(role)} />
                ) : (
                  <Button
                    busy={change.busy}
                    aria-label={`${words().groups.remove}: ${role}`}
                    onClick={() => void run(taking(role))}
                  >
                    {words().groups.remove}
                  </Button>
                ))
              }
            >
              <p>{permits(known.get(role), role)}</p>
            </Item>
          )}
        </List>
        {change.failed && <ProblemNotice result={change.failed} />}
        {mayChange && (
          <>
            <div ref={field} hidden={asked !== null}>
              <Combobox
                label={text.addRole}
                hint={text.addRoleHint}
                none={text.noSuchRole}
                choices={(typed) => roleChoices(typed, person.roles, roles.items ?? [])}
                choose={(role) => {
                  if (permitsAdministration(role, known)) setAsked(role)
                  else void run(giving(role))
                }}
              />
            </div>
            {asked !== null && (
              <GiveQuestion
                role={asked}
                permits={permits(known.get(asked), asked)}
                busy={change.busy}
                give={() => void giveAsked(asked)}
                cancel={cancel}
              />
            )}
          </>
        )}
      </Section>
      <EffectiveRoles roles={person.effective_roles ?? []} known={known} />
    </>
  )
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
