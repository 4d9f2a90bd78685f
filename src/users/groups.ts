/** Decides which groups there can be, and who is in them. */
import { type Judged, judge, lineFault, type Problem, problem } from '../problem.ts'
import { roleProblems, sortedSet } from './roles.ts'
import { normalizeName } from './user.ts'

/** A group of people, which may be inside another. Times are epoch milliseconds. */
export type Group = {
  /** UUIDv7. Never reused. */
  readonly id: string
  /** Unique below its parent by `normalizeName`. */
  readonly name: string
  /** Null: top level. */
  readonly parentId: string | null
  readonly description: string | null
  /** What its members have, and those of the groups in it. Sorted, without duplicates. */
  readonly roles: readonly string[]
  readonly createdAtMs: number
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

/** What places a group among the others. */
export type Placed = Pick<Group, 'id' | 'name' | 'parentId'>

export const groupsAtMost = 10_000
export const groupsOfPersonAtMost = 200
const depthAtMost = 10
const nameLengthAtMost = 100
const descriptionLengthAtMost = 1000

/**
 * Judges a group that is made or changed. `others`: all groups there are, by id, with or without this one. A group inside itself, a
 * parent that is not there, a name that a neighbour has, and a depth that it or a group in it would exceed are refused.
 */
export function registerGroup(group: Group, others: ReadonlyMap<string, Placed>): Judged<Group> {
  const { description } = group
  const fault = description === null ? undefined : lineFault(description, descriptionLengthAtMost)
  const isNew = !others.has(group.id)
  return judge({ ...group, roles: sortedSet(group.roles) }, [
    ...groupNameProblems(group.name),
    ...(fault === undefined ? [] : [problem('description', 'The description', fault)]),
    ...roleProblems(group.roles),
    ...parentProblems(group, others),
    ...(isNew && others.size >= groupsAtMost
      ? [problem('name', 'The service', `has at most ${groupsAtMost} groups`)]
      : []),
  ])
}

function groupNameProblems(name: string): Problem[] {
  const fault = lineFault(name, nameLengthAtMost) ?? (name.includes('/') ? 'must not contain "/"' : undefined)
  return fault === undefined ? [] : [problem('name', 'The name of a group', fault)]
}

function parentProblems(group: Group, others: ReadonlyMap<string, Placed>): Problem[] {
  const { id, parentId } = group
  if (parentId !== null && !others.has(parentId)) return [problem('parent', 'The parent', 'is not there')]
  const above = linesAbove(group, others)
  if (above === undefined) return [problem('parent', 'The parent', 'must not be the group itself, or inside it')]
  // Nothing is in a new one.
  const height = others.has(id) ? heightBelow(id, others) : 0
  if (above.length + 1 + height > depthAtMost) {
    return [problem('parent', 'Groups', `are at most ${depthAtMost} inside each other`)]
  }
  return isNameTaken(group, others) ? [problem('name', 'A group', `of the name ${group.name} is there already`)] : []
}

/** Whether another group below the same parent has the name. */
export function isNameTaken({ id, name, parentId }: Placed, others: ReadonlyMap<string, Placed>): boolean {
  const normalized = normalizeName(name)
  const isNeighbour = (other: Placed) => other.id !== id && other.parentId === parentId
  return [...others.values()].some((other) => isNeighbour(other) && normalizeName(other.name) === normalized)
}

/** Returns the groups that the group is in, the nearest first; undefined: it would be inside itself. */
export function linesAbove(group: Placed, groups: ReadonlyMap<string, Placed>): readonly Placed[] | undefined {
  const above: Placed[] = []
  let parentId = group.parentId
  while (parentId !== null) {
    const parent = groups.get(parentId)
    if (parent === undefined) break
    if (parent.id === group.id || above.length > depthAtMost) return undefined
    above.push(parent)
    parentId = parent.parentId
  }
  return above
}

/** Returns how many groups are inside each other below this one. */
function heightBelow(id: string, groups: ReadonlyMap<string, Placed>): number {
  const below = childrenOf(groups)
  let height = 0
  for (let level = below.get(id) ?? []; level.length > 0 && height <= depthAtMost; height += 1) {
    level = level.flatMap((child) => below.get(child.id) ?? [])
  }
  return height
}

/** Returns the groups directly in each, by the id of the parent; those of the top level by null. */
export function childrenOf<G extends Placed>(groups: ReadonlyMap<string, G>): ReadonlyMap<string | null, readonly G[]> {
  return Map.groupBy(groups.values(), ({ parentId }) => parentId)
}

/** Returns `/staff/berlin`. A parent that is not there any more ends the path. */
export function pathOf(group: Placed, groups: ReadonlyMap<string, Placed>): string {
  const above = linesAbove(group, groups) ?? []
  return `/${[...above.toReversed(), group].map(({ name }) => name).join('/')}`
}

/** Returns the group of a path such as `/staff/berlin`; undefined: there is none. */
export function findByPath<G extends Placed>(path: string, groups: ReadonlyMap<string, G>): G | undefined {
  if (!path.startsWith('/')) return undefined
  const children = childrenOf(groups)
  let found: G | undefined
  for (const name of path.slice(1).split('/')) {
    const normalized = normalizeName(name)
    found = children.get(found?.id ?? null)?.find((one) => normalizeName(one.name) === normalized)
    if (found === undefined) return undefined
  }
  return found
}

/**
 * Splits the path of a group that is to be made into the path of its parent (null: top level) and its name. A path that is
 * none has problems.
 */
export function splitPath(path: string): Judged<{ readonly parent: string | null; readonly name: string }> {
  const form = problem('path', 'The path of a group', 'begins with "/" and has a name after each: /staff/berlin')
  if (!/^(\/[^/]+)+$/.test(path)) return judge({ parent: null, name: '' }, [form])
  const last = path.lastIndexOf('/')
  return { parent: last === 0 ? null : path.slice(0, last), name: path.slice(last + 1) }
}

/** Returns the paths of these groups, ascending. One that is not there any more is left out. */
export function groupPaths(ids: readonly string[], groups: ReadonlyMap<string, Placed>): readonly string[] {
  const found = ids.map((id) => groups.get(id)).filter((group) => group !== undefined)
  return found.map((group) => pathOf(group, groups)).sort()
}
