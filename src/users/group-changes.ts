/** Decides what becomes of groups, as the verbs of storage take it: each on all the groups there are. */
import { type Judged, type Problem, problem, type Rejection } from '../problem.ts'
import { asRefusal, isRefusal } from '../refusal.ts'
import { childrenOf, findByPath, type Group, isNameTaken, pathOf, registerGroup } from './groups.ts'

type Groups = ReadonlyMap<string, Group>
export type GroupChanges = readonly { readonly id: string; readonly after: Group | undefined }[]

/** `group`: as it is afterwards; the version is set by the verb. */
export type DecidedGroup = {
  readonly changes?: GroupChanges
  readonly group?: Group
  readonly path?: string
  readonly refused?: 'unknown' | 'in_use' | 'taken'
  readonly problems?: readonly Problem[]
}

/** What is asked for of a group. Absent: as it is. `parent` null: top level; a text: its path or id. */
export type GroupMembers = {
  readonly name?: string
  readonly parent?: string | null
  readonly description?: string | null
  readonly roles?: readonly string[]
}

/** Returns the group of a path or an id. */
export function findGroup(named: string, groups: Groups): Group | undefined {
  return named.startsWith('/') ? findByPath(named, groups) : groups.get(named)
}

/** Makes the group; `start`: its id and time. */
export function makeGroup(
  members: GroupMembers & { readonly name: string },
  start: Pick<Group, 'id' | 'createdAtMs'>,
  groups: Groups,
): DecidedGroup {
  const group = { ...start, name: members.name, parentId: null, description: null, roles: [], version: 1 }
  return { ...decided(withMembers(group, members, groups), groups), ...taken(group, members, groups) }
}

/** Changes the group of a path or an id. `change`: what is asked for, decided on the group as it is. */
export function changeGroup(named: string, change: (group: Group) => GroupMembers, groups: Groups): DecidedGroup {
  const group = findGroup(named, groups)
  if (group === undefined) return { refused: 'unknown' }
  const next = withMembers(group, change(group), groups)
  const isSame = !isRefusal<object | Rejection>(next) && JSON.stringify(next) === JSON.stringify(group)
  if (isSame) return { group, path: pathOf(group, groups) }
  return { ...decided(next, groups), ...taken(group, change(group), groups) }
}

/** Deletes the group of a path or an id; with `recursive`, the groups in it too, without it none that has some. */
export function deleteGroup(named: string, recursive: boolean, groups: Groups): DecidedGroup {
  const group = findGroup(named, groups)
  if (group === undefined) return { refused: 'unknown' }
  const all = [group, ...groupsBelow(group.id, groups)]
  if (all.length > 1 && !recursive) return { refused: 'in_use', group, path: pathOf(group, groups) }
  return { changes: all.map(({ id }) => ({ id, after: undefined })), group, path: pathOf(group, groups) }
}

/** Returns the groups in a group, on all levels, each before those in it. */
export function groupsBelow(id: string, groups: Groups): readonly Group[] {
  const children = childrenOf(groups)
  const below: Group[] = []
  for (let level = children.get(id) ?? []; level.length > 0; ) {
    below.push(...level)
    level = level.flatMap((one) => children.get(one.id) ?? [])
  }
  return below
}

/** The name alone that is in use is a matter of the moment; the problems name it, too. */
function taken(group: Group, { name = group.name, parent }: GroupMembers, groups: Groups): DecidedGroup {
  const found = typeof parent === 'string' ? findGroup(parent, groups)?.id : parent
  const parentId = found === undefined ? group.parentId : found
  return isNameTaken({ id: group.id, name, parentId }, groups) ? { refused: 'taken' } : {}
}

function withMembers(group: Group, members: GroupMembers, groups: Groups): Judged<Group> {
  const { parent, ...others } = members
  const { description = group.description, name = group.name, roles = group.roles } = others
  const found = typeof parent === 'string' ? findGroup(parent, groups) : undefined
  const parentId = parent === undefined ? group.parentId : (found?.id ?? null)
  const judged = registerGroup({ ...group, name, description, roles, parentId }, groups)
  if (typeof parent !== 'string' || found !== undefined) return judged
  const missing = problem('parent', 'The parent', `${parent} is not there`)
  return asRefusal({ problems: [missing, ...(isRefusal<object | Rejection>(judged) ? judged.problems : [])] })
}

function decided(judged: Judged<Group>, groups: Groups): DecidedGroup {
  if (isRefusal<object | Rejection>(judged)) return { problems: judged.problems }
  const changes = [{ id: judged.id, after: judged }]
  return { changes, group: judged, path: pathOf(judged, groups) }
}

/** A group as JSON, the same in every interface. */
export function groupRecord(group: Group, groups: Groups) {
  const { id, name, parentId, description, roles, createdAtMs } = group
  const parent = parentId === null ? undefined : groups.get(parentId)
  return {
    ...{ id, name, path: pathOf(group, groups) },
    parent: parent === undefined ? null : pathOf(parent, groups),
    ...{ description, roles, created_at: new Date(createdAtMs).toISOString() },
  }
}
