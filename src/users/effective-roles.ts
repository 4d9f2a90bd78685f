/** The roles that a person has in effect, and where each comes from. */
import { type Judged, judge, type Problem, problem } from '../problem.ts'
import { type Group, linesAbove, pathOf } from './groups.ts'
import { remembered } from './remembered.ts'
import { sortedSet } from './roles.ts'

/** What a role brings with it. */
export type RoleRule = {
  readonly name: string
  /** Roles that whoever has this one has, too. */
  readonly includes: readonly string[]
  /** Whether everybody has it. */
  readonly isDefault: boolean
}

/** Everything that decides about roles, as it is at one time. */
export type RoleSources = {
  readonly groups: ReadonlyMap<string, Group>
  /** By name; roles without rules may be absent. */
  readonly roles: ReadonlyMap<string, RoleRule>
}

/** Where a role comes from: `own`, the path of a group, `included by editor`, `everybody`. */
export type EffectiveRole = { readonly role: string; readonly from: readonly string[] }

/**
 * Returns the effective roles, ascending by name: own ones, those of everybody, those of the person's groups and of the groups that
 * these are in, and what all of these include. `groupIds`: the groups that the person is in directly; one that is not there
 * any more gives nothing.
 */
export function effectiveRoles(
  own: readonly string[],
  groupIds: readonly string[],
  { groups, roles }: RoleSources,
): readonly EffectiveRole[] {
  const from = new Map<string, string[]>()
  const give = (role: string, source: string): boolean => {
    const known = from.get(role)
    if (known === undefined) from.set(role, [source])
    else if (!known.includes(source)) known.push(source)
    return known === undefined
  }
  for (const role of own) give(role, 'own')
  for (const group of groupsOf(groupIds, groups)) {
    for (const role of group.roles) give(role, pathOf(group, groups))
  }
  for (const { name, isDefault } of roles.values()) if (isDefault) give(name, 'everybody')
  // A role that is met again includes nothing new, so that a circle ends.
  const met = [...from.keys()]
  for (const role of met) {
    for (const included of roles.get(role)?.includes ?? []) {
      if (give(included, `included by ${role}`)) met.push(included)
    }
  }
  return [...from].map(([role, sources]) => ({ role, from: sources })).sort((a, b) => (a.role < b.role ? -1 : 1))
}

/** Returns the roles that groups give and that other roles include: they are there, described or not. */
export function linkedRoles({ groups, roles }: RoleSources): ReadonlySet<string> {
  return new Set([
    ...[...groups.values()].flatMap((group) => group.roles),
    ...[...roles.values()].flatMap(({ includes }) => includes),
  ])
}

/** Returns what gives the role to others, in words: paths of groups, and `the role editor` for one that includes it. */
export function linksOf(role: string, { groups, roles }: RoleSources): readonly string[] {
  const giving = [...groups.values()].filter((group) => group.roles.includes(role))
  const including = [...roles.values()].filter(({ includes }) => includes.includes(role))
  return [
    ...giving.map((group) => pathOf(group, groups)).sort(),
    ...including.map(({ name }) => `the role ${name}`).sort(),
  ]
}

/**
 * Returns a function that finds the names of the effective roles, ascending. It keeps what follows from each group and role, so that
 * a token costs a look at what its person has.
 */
export function effectiveRoleNames({ groups, roles }: RoleSources) {
  const ofGroup = new Map<string, readonly string[]>()
  const ofRole = new Map<string, readonly string[]>()
  const ruled = withoutDefaults(roles)
  // Kept of what there is alone, so that the memory is bounded by it.
  const rolesWith = (role: string): readonly string[] => {
    if (!roles.has(role)) return [role]
    const known = ofRole.get(role) ?? effectiveRoles([role], [], { groups: noGroups, roles: ruled }).map(nameOf)
    ofRole.set(role, known)
    return known
  }
  const rolesIn = (id: string): readonly string[] => {
    if (!groups.has(id)) return []
    const known = ofGroup.get(id) ?? effectiveRoles([], [id], { groups, roles: ruled }).map(nameOf)
    ofGroup.set(id, known)
    return known
  }
  const everybody = effectiveRoles([], [], { groups: noGroups, roles }).map(nameOf)
  const ofAll = remembered((own: readonly string[], groupIds: readonly string[]): readonly string[] =>
    sortedSet([...everybody, ...own.flatMap(rolesWith), ...groupIds.flatMap(rolesIn)]),
  )
  return (own: readonly string[], groupIds: readonly string[]): readonly string[] =>
    groupIds.length === 0 && roles.size === 0 ? own : ofAll(own, groupIds)
}

/** Returns the rules as they are where nobody has a role for being somebody. */
export const withoutDefaults = (roles: ReadonlyMap<string, RoleRule>): ReadonlyMap<string, RoleRule> =>
  new Map([...roles].map(([name, rule]) => [name, { ...rule, isDefault: false }]))

const noGroups: ReadonlyMap<string, Group> = new Map()
const nameOf = ({ role }: EffectiveRole): string => role

/** The groups of these ids and those that they are in, each once. */
function groupsOf(ids: readonly string[], groups: ReadonlyMap<string, Group>): ReadonlySet<Group> {
  const found = new Set<Group>()
  for (const id of ids) {
    const group = groups.get(id)
    if (group === undefined) continue
    found.add(group)
    for (const above of linesAbove(group, groups) ?? []) found.add(above as Group)
  }
  return found
}

const includedAtMost = 50

/** Judges what a role includes. `roles`: the rules of all others, as they are. A role that would include itself is refused. */
export function includeRoles(rule: RoleRule, roles: ReadonlyMap<string, RoleRule>): Judged<RoleRule> {
  const includes = sortedSet(rule.includes)
  const circle = circleOf({ ...rule, includes }, roles)
  const problems: Problem[] = []
  if (includes.length > includedAtMost) {
    problems.push(problem('includes', 'A role', `includes at most ${includedAtMost} others`))
  }
  if (circle !== undefined) {
    problems.push(problem('includes', `The role ${rule.name}`, `would include itself: ${circle.join(' → ')}`))
  }
  return judge({ ...rule, includes }, problems)
}

/** Returns the roles on the way from the role back to itself; undefined: there is no such way. */
function circleOf(rule: RoleRule, roles: ReadonlyMap<string, RoleRule>): readonly string[] | undefined {
  const seen = new Set<string>()
  const ways: (readonly string[])[] = rule.includes.map((included) => [rule.name, included])
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1) as string
    if (last === rule.name) return way
    if (seen.has(last)) continue
    seen.add(last)
    for (const included of roles.get(last)?.includes ?? []) ways.push([...way, included])
  }
  return undefined
}

/** What gives a role: these roles (itself among them), these groups by their ids, or being somebody. */
export type Givers = {
  readonly roles: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly isEverybodys: boolean
}

/** Returns what gives the role to a person. */
export function giversOf(role: string, { groups, roles }: RoleSources): Givers {
  const giving = new Set([role])
  const includers = [...roles.values()].filter(({ includes }) => includes.length > 0)
  for (let size = 0; size < giving.size; ) {
    size = giving.size
    for (const { name, includes } of includers) if (includes.some((one) => giving.has(one))) giving.add(name)
  }
  const isGiving = (group: Group): boolean => group.roles.some((one) => giving.has(one))
  const isAny = [...groups.values()].some(isGiving)
  const within = [...(isAny ? groups.values() : [])].filter((group) =>
    [group, ...(linesAbove(group, groups) ?? [])].some((one) => isGiving(one as Group)),
  )
  return {
    roles: giving,
    groups: new Set(within.map(({ id }) => id)),
    isEverybodys: [...roles.values()].some(({ name, isDefault }) => isDefault && giving.has(name)),
  }
}

/** Returns the roles that give one of these, by themselves or by what they include. */
export function rolesGiving(given: readonly string[], roles: ReadonlyMap<string, RoleRule>): ReadonlySet<string> {
  return new Set(given.flatMap((role) => [...giversOf(role, { groups: noGroups, roles }).roles]))
}

/** Whether everybody who has the role by the first has it by the second, too. */
export function isWithin(one: Givers, other: Givers): boolean {
  if (other.isEverybodys) return true
  return !one.isEverybodys && one.roles.isSubsetOf(other.roles) && one.groups.isSubsetOf(other.groups)
}

/** Whether a person has the role by these. */
export function isGiven({ roles, groups, isEverybodys }: Givers, own: readonly string[], groupIds: readonly string[]) {
  return isEverybodys || own.some((role) => roles.has(role)) || groupIds.some((id) => groups.has(id))
}

/** Returns what gives roles without one of them, which is taken from groups and other roles. */
export function sourcesWithout({ groups, roles }: RoleSources, name: string): RoleSources {
  const others = (list: readonly string[]) => list.filter((one) => one !== name)
  const rules = [...roles.values()].filter((rule) => rule.name !== name)
  return {
    groups: new Map([...groups].map(([id, group]) => [id, { ...group, roles: others(group.roles) }])),
    roles: new Map(rules.map((rule) => [rule.name, { ...rule, includes: others(rule.includes) }])),
  }
}
