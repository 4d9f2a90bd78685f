/** Groups as files declare them: by their path, without members. */
import { type Problem, problem } from '../problem.ts'
import { isTexts } from '../protocol/json-value.ts'
import { isRefusal } from '../refusal.ts'
import type { RoleRule } from '../users/effective-roles.ts'
import { groupRecord } from '../users/group-changes.ts'
import { type Group, pathOf, registerGroup } from '../users/groups.ts'
import { groupProblems } from '../users/role-changes.ts'
import { type Declaration, type Declarations, keyOf, parentIn, pathKey, placed } from './declaration.ts'
import { changedReadOnly, optionalText, unknownMembers } from './declared-members.ts'
import { matched, type Pair } from './matching.ts'

type Groups = ReadonlyMap<string, Group>
const readOnly = ['id', 'path', 'created_at']

type Context = {
  readonly newId: () => string
  readonly nowMs: number
  readonly prune: boolean
  /** What roles bring with them, as the files leave it. */
  readonly rules: ReadonlyMap<string, RoleRule>
  /** Roles that a group may not newly give. */
  readonly guardedRoles: readonly string[]
  /** The problems of roles that the files name and delete. */
  readonly deletedProblems: (roles: readonly string[]) => readonly Problem[]
}

/**
 * Returns what becomes of groups, and all of them afterwards by id. A parent is declared too, or is there and stays. Since its path
 * is what identifies a group, one that has another path in the files is another group.
 */
export function planGroups(declared: Declarations, stored: Groups, context: Context) {
  const problems: Problem[] = []
  const matches = matched(
    declared,
    'groups',
    [...stored.values()],
    (one) => pathKey(pathOf(one, stored)),
    context.prune,
  )
  const pruned = new Set(matches.filter((one) => one.declaration === undefined).map(({ before }) => before?.id))
  const after = new Map([...stored].filter(([id]) => !pruned.has(id)))
  const ids = new Map([...after.values()].map((one) => [pathKey(pathOf(one, after)), one.id]))
  const pairs: Pair<Group>[] = matches.flatMap(({ before, declaration }) =>
    declaration === undefined ? [{ before, after: undefined }] : [],
  )
  const judged: { readonly id: string; readonly declaration: Declaration }[] = []
  // Each after the one that it is in.
  const depth = ({ declaration }: (typeof matches)[number]) =>
    declaration === undefined ? 0 : keyOf(declaration).split('/').length
  for (const { before, declaration } of matches.toSorted((a, b) => depth(a) - depth(b))) {
    if (declaration === undefined) continue
    const key = keyOf(declaration)
    const parentKey = pathKey(parentIn(declaration.members.parent))
    const parentId = parentKey === '' ? null : ids.get(parentKey)
    const found = groupOf(declaration, before, parentId ?? null, stored, context)
    const isSame = before !== undefined && JSON.stringify(found.group) === JSON.stringify(before)
    const result = isSame ? found.group : registerGroup(found.group, after)
    const faults = isRefusal(result) ? result.problems : []
    const missing = parentId === undefined && parentKey.startsWith('/') ? [missingParent(declaration, stored)] : []
    const deleted = context.deletedProblems(found.group.roles)
    problems.push(...placed(declaration, [...found.problems, ...missing, ...faults, ...deleted]))
    const group = isSame ? before : isRefusal(result) ? found.group : result
    after.set(group.id, group)
    ids.set(key, group.id)
    pairs.push({ before, after: group })
    if (!isSame) judged.push({ id: group.id, declaration })
  }
  for (const { id, declaration } of judged) {
    problems.push(...placed(declaration, groupProblems(id, stored, after, context.rules, context.guardedRoles)))
  }
  return { pairs, after, problems }
}

function groupOf(
  { id: name, members }: Declaration,
  before: Group | undefined,
  parentId: string | null,
  stored: Groups,
  { newId, nowMs }: Context,
): { readonly group: Group; readonly problems: readonly Problem[] } {
  const { parent = null, roles = [] } = members
  const problems: Problem[] = [
    ...unknownMembers(members, ['parent', 'description', 'roles', ...readOnly], 'a group'),
    ...changedReadOnly(members, before && groupRecord(before, stored), readOnly),
  ]
  const description = optionalText(members, 'description', problems)
  if (!isTexts(roles)) problems.push(problem('roles', 'roles', 'must be a list of texts'))
  const isPath = parent === null || (typeof parent === 'string' && /^(\/[^/]+)+$/.test(parent))
  if (!isPath) problems.push(problem('parent', 'parent', 'must be the path of a group, such as /staff'))
  const placedAt = { name, parentId, description, roles: isTexts(roles) ? [...new Set(roles)].sort() : [] }
  const start = before ?? { id: newId(), createdAtMs: nowMs, version: 1 }
  const { id, createdAtMs, version } = start
  return { group: { id, ...placedAt, createdAtMs, version }, problems }
}

function missingParent({ members }: Declaration, stored: Groups): Problem {
  const parent = String(members.parent)
  const isStored = [...stored.values()].some((one) => pathKey(pathOf(one, stored)) === pathKey(parent))
  const why = isStored ? 'would be deleted, because no file declares it' : 'is not there, and no file declares it'
  return problem('parent', `The group ${parent}`, why)
}
