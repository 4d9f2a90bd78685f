/** `/groups`: groups of people, the roles that they give, and their members. */
import type { AuditEvents } from '../audit/entry.ts'
import type { Problem, Rejection } from '../problem.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { builtInRoles } from '../protocol/scope/admin-scopes.ts'
import { asRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import {
  changeGroup,
  type DecidedGroup,
  deleteGroup,
  findGroup,
  type GroupMembers,
  groupRecord,
  makeGroup,
} from '../users/group-changes.ts'
import { type Group, pathOf } from '../users/groups.ts'
import { groupProblems } from '../users/role-changes.ts'
import { changedMembers, ownerlessProblems, readOnlyFaults } from './changing.ts'
import { fixed, groupChanges, groupReplacement, groupSchema, newGroup } from './group-schemas.ts'
import { listedFrom } from './list.ts'
import {
  type Call,
  type Done,
  type Faults,
  type Operation,
  type Outcome,
  operation,
  type Refused,
} from './operation.ts'
import { checkMembership } from './permissions.ts'
import { listQuery, pageSchema, strictObject, text } from './schemas.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

const path = '/groups/:id'
const permission = 'admin:users'
const change = { path, permission, status: 200, answer: groupSchema, refusals: [404, 409], hasVersion: true } as const

export const groupOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/groups',
    permission: 'admin:users:read',
    summary: 'Lists the groups, by path',
    query: listQuery({ under: Type.Optional(text(2000, 'Those in the group of this path alone.')) }),
    status: 200,
    answer: pageSchema(groupSchema),
    async run(call) {
      const { groups } = call.caller.catalogue
      const { under } = call.query
      const records = [...groups.values()].map((group) => groupRecord(group, groups))
      const named = under === undefined ? undefined : findGroup(under, groups)
      const within = named === undefined ? under : groupRecord(named, groups).path
      const shown = records.filter((one) => within === undefined || one.path.startsWith(`${within}/`))
      const byPath = shown.sort((a, b) => (a.path < b.path ? -1 : 1))
      return listedFrom(
        call,
        byPath,
        (one) => one.path,
        (one) => one,
      )
    },
  }),
  operation({
    method: 'POST',
    path: '/groups',
    permission,
    summary: 'Adds a group',
    body: newGroup,
    status: 201,
    answer: groupSchema,
    refusals: [409],
    hasVersion: true,
    async run(call) {
      const { body, nowMs, service } = call
      const start = { id: uuidv7(nowMs, service.random), createdAtMs: nowMs }
      const events = ({ path: made = '', group }: DecidedGroup): AuditEvents => [
        call.event('group_added', {}, { group: made, roles: group?.roles ?? [] }),
      ]
      const made = await commit(call, body, (groups) => makeGroup(body, start, groups), events)
      return 'etag' in made ? { ...made, location: `/groups/${start.id}` } : made
    },
  }),
  operation({
    method: 'GET',
    path,
    permission: 'admin:users:read',
    summary: 'Returns a group',
    status: 200,
    answer: groupSchema,
    refusals: [404],
    hasVersion: true,
    async run({ params, caller: { catalogue } }) {
      const group = catalogue.groups.get(params.id ?? '')
      return group === undefined ? unknownGroup(params.id) : shown(group, catalogue.groups)
    },
  }),
  operation({
    ...change,
    method: 'PUT',
    body: groupReplacement,
    summary: 'Replaces a group: members that are left out take their defaults, and who is in it stays',
    run: (call) => alter(call, { parent: null, description: null, roles: [], ...settable(call.body) }),
  }),
  operation({
    ...change,
    method: 'PATCH',
    body: groupChanges,
    summary: 'Changes members of a group (JSON merge patch)',
    run: (call) => alter(call, settable(call.body)),
  }),
  operation({
    method: 'DELETE',
    path,
    permission,
    summary: 'Deletes a group; with recursive, also one with members or groups in it',
    query: strictObject({
      recursive: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Delete the groups in it, and end the memberships of all of them.',
        }),
      ),
    }),
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: remove,
  }),
]

type Groups = ReadonlyMap<string, Group>

async function alter(call: Call<unknown, GroupMembers>, members: GroupMembers): Promise<Outcome> {
  const { body, params } = call
  const { id = '' } = params
  let no: Refusal | Faults | undefined
  const decide = (groups: Groups): DecidedGroup => {
    const group = groups.get(id)
    if (group === undefined) return { refused: 'unknown' }
    const record = groupRecord(group, groups)
    no = call.expects(etagOf(record)) ?? readOnlyFaults(record, { ...body }, Object.keys(fixed))
    return no === undefined ? changeGroup(id, () => members, groups) : {}
  }
  const events = ({ path: changed = '' }: DecidedGroup): AuditEvents => [
    call.event('group_changed', {}, { group: changed, ...changedMembers(settable(body)) }),
  ]
  const outcome = await commit(call, members, decide, events)
  return no ?? outcome
}

async function remove(call: Call<{ readonly recursive?: boolean }>): Promise<Outcome> {
  const { service, params, query } = call
  const { id = '' } = params
  const hasMembers = (await service.storage.groups.members(id)).length > 0
  let no: Refusal | undefined
  const decide = (groups: Groups): DecidedGroup => {
    const group = groups.get(id)
    if (group === undefined) return { refused: 'unknown' }
    no = call.expects(etagOf(groupRecord(group, groups)))
    const decided = no === undefined ? deleteGroup(id, query.recursive === true, groups) : {}
    // Whoever may not end a membership may not end all of them.
    const gone = decided.changes ?? []
    no ??= gone.map((one) => checkMembership(call.caller, one.id)).find((refused) => refused !== undefined)
    if (no !== undefined) return {}
    return hasMembers && query.recursive !== true ? { refused: 'in_use' } : decided
  }
  const known = call.caller.catalogue.groups
  const events = ({ changes = [] }: DecidedGroup): AuditEvents =>
    changes.map((one) => call.event('group_deleted', {}, { group: nameOf(one.id, known) }))
  const { refused } = await service.storage.groups.change(decide, events)
  if (no !== undefined) return no
  if (refused === 'in_use') return refuse('admin_record_in_use', 'group', { id })
  return refused === 'unknown' ? unknownGroup(id) : {}
}

const nameOf = (id: string, groups: Groups): string => {
  const group = groups.get(id)
  return group === undefined ? id : pathOf(group, groups)
}

/** Commits what is decided, if it gives and takes only what the caller has, and no role of administrators. */
async function commit(
  call: Call,
  { roles = [] }: GroupMembers,
  decide: (groups: Groups) => DecidedGroup,
  events: (decided: DecidedGroup) => AuditEvents,
): Promise<Done | Refusal | Rejection | Refused> {
  const ownerless = await ownerlessProblems(call, 'roles', roles)
  if (ownerless.length > 0) return asRefusal({ problems: ownerless })
  let known: Groups = new Map()
  let no: Refusal | undefined
  const { group, problems, refused } = await call.service.storage.groups.change((groups, rules): DecidedGroup => {
    const decided = decide(groups)
    known = groups
    no = undefined
    if (decided.group === undefined || decided.changes === undefined) return decided
    known = new Map(groups).set(decided.group.id, decided.group)
    // Who cannot take a role from everybody in a group cannot change the group, which may be moved.
    no = checkMembership(call.caller, decided.group.id)
    if (no !== undefined) return {}
    const exceeding: readonly Problem[] = groupProblems(decided.group.id, groups, known, rules, builtInRoles)
    return exceeding.length > 0 ? { problems: exceeding } : decided
  }, events)
  if (no !== undefined) return no
  if (refused === 'taken' && problems?.every(({ member }) => member === 'name')) {
    const errors = (problems ?? []).map(({ message }) => ({ path: '/name', message, code: 'already_exists' }))
    return { refusal: refuse('admin_record_exists', 'name', { name: call.params.id ?? '' }), members: { errors } }
  }
  if (problems !== undefined) return asRefusal({ problems })
  if (group === undefined || refused !== undefined) return unknownGroup(call.params.id)
  return shown(group, known)
}

function settable({ id: _, path: __, created_at: ___, ...body }: GroupMembers & Record<string, unknown>): GroupMembers {
  return body
}

function shown(group: Group, groups: Groups): Done {
  const record = groupRecord(group, groups)
  return { body: record, etag: etagOf(record) }
}

export function unknownGroup(id = ''): Refusal {
  return refuse('admin_record_unknown', 'group', { id })
}
