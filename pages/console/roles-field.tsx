/** Where roles are typed: those that exist are offered, each with what it permits. */
import type { ComponentProps } from 'preact'
import { type Choice, Combobox } from '../kit/combobox.tsx'
import { type Field, faultOf } from './change.tsx'
import { type List, useList } from './loaded.tsx'
import { completed } from './people-words.ts'
import { rolesOf } from './person-name.ts'
import { permits, type Role } from './person-role-question.tsx'
import { words } from './texts.ts'

/** The largest page of the API. */
const rolesAtOnce = 500
const choicesAtMost = 50

export const useRoles = (): List<Role> => useList<Role>('/roles', { limit: rolesAtOnce })

/** Roles that exist and were not given, those that begin so first; a name that none has is offered as it was typed. */
export function roleChoices(typed: string, given: readonly string[], roles: readonly Role[]): readonly Choice[] {
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

type Props = Pick<ComponentProps<typeof Field>, 'value' | 'onInput' | 'result'> & {
  label: string
  hint: string
  name: string
  /** A role that cannot be chosen. */
  without?: string
}

/** A field of a form for the names of roles, separated by spaces. */
export function RolesField({ label, hint, name, value, onInput, result = null, without }: Props) {
  const roles = useRoles()
  const [last = ''] = /\S*$/.exec(value) ?? []
  const before = rolesOf(value.slice(0, value.length - last.length))
  return (
    <Combobox
      label={label}
      hint={hint}
      kept={{ name, text: value, onInput, fault: faultOf(result, name) }}
      choices={() => {
        const given = without === undefined ? before : [...before, without]
        const found = roleChoices(last, given, roles.items ?? []).filter(({ isNew }) => !isNew)
        // A word that is whole needs no offer of itself.
        return found.length === 1 && found[0]?.value === last ? [] : found
      }}
      choose={(role) => onInput(completed(value, role))}
    />
  )
}
