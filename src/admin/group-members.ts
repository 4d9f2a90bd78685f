/** `/groups/{id}/members`: who is in a group directly. */
import { refuse } from '../protocol/refusals/index.ts'
import { membersAtOnce } from '../storage/port/groups.ts'
import { groupsOfPersonAtMost, pathOf } from '../users/groups.ts'
import type { User } from '../users/user.ts'
import { unknownGroup } from './groups.ts'
import { listed, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkMembership } from './permissions.ts'
import { listQuery, named, pageSchema, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const memberSchema = named('GroupMember', strictObject({ id: Type.String(), username: Type.String() }))
const people = Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: 'Ids of people.' })
const path = '/groups/:id/members'
const permission = 'admin:users'

export const groupMemberOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path,
    permission: 'admin:users:read',
    summary: 'Lists who is in a group directly, by id',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(memberSchema),
    refusals: [404],
    async run(call) {
      const { service, params, caller } = call
      const { id = '' } = params
      if (!caller.catalogue.groups.has(id)) return unknownGroup(id)
      const page = pageOf(call)
      if ('faults' in page) return page
      const found: User[] = []
      for (let after = page.after ?? ''; found.length <= page.limit; after = found.at(-1)?.id ?? '') {
        const rows = await service.storage.groups.members(id, after)
        found.push(...rows)
        if (rows.length < membersAtOnce) break
      }
      const rows = found.slice(0, page.limit + 1)
      return listed(
        call,
        page,
        rows,
        (user) => user.id,
        ({ id, name }) => ({ id, username: name }),
      )
    },
  }),
  operation({
    method: 'POST',
    path,
    permission,
    summary: 'Adds people to a group, all of them or none',
    body: named('NewGroupMembers', strictObject({ users: people })),
    status: 200,
    answer: strictObject({ added: Type.Array(Type.String(), { description: 'Who was not in it before.' }) }),
    refusals: [404],
    run: add,
  }),
  operation({
    method: 'DELETE',
    path: `${path}/:user`,
    permission,
    summary: 'Takes a person out of a group',
    status: 204,
    refusals: [404, 409],
    async run(call) {
      const { service, params, caller } = call
      const { id = '', user = '' } = params
      const group = caller.catalogue.groups.get(id)
      if (group === undefined) return unknownGroup(id)
      const refused = checkMembership(caller, id)
      if (refused !== undefined) return refused
      const event = call.event(
        'group_member_removed',
        { userId: user },
        { group: pathOf(group, caller.catalogue.groups) },
      )
      const isRemoved = await service.storage.groups.removeMember(id, user, [event])
      return isRemoved ? {} : refuse('admin_record_unknown', 'user', { id: user })
    },
  }),
]

async function add(call: Call<unknown, { readonly users: readonly string[] }>): Promise<Outcome> {
  const { service, params, caller, body } = call
  const { id = '' } = params
  const { groups } = caller.catalogue
  const group = groups.get(id)
  if (group === undefined) return unknownGroup(id)
  const refused = checkMembership(caller, id)
  if (refused !== undefined) return refused
  const name = pathOf(group, groups)
  const eventsOf = (added: readonly string[]) =>
    added.map((userId) => call.event('group_member_added', { userId }, { group: name }))
  const outcome = await service.storage.groups.addMembers(id, body.users, eventsOf)
  switch (outcome.outcome) {
    case 'added':
      return { body: { added: outcome.added } }
    case 'no_group':
      return unknownGroup(id)
    case 'no_user':
      return fault(`There is nobody of the id ${outcome.userId}.`)
    case 'too_many':
      return fault(`${outcome.userId} is in ${groupsOfPersonAtMost} groups, as many as a person can be.`)
  }
}

function fault(message: string): Outcome {
  return { faults: [{ member: 'users', code: 'member_invalid', message }] }
}
