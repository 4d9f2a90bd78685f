/** Groups of people, and who is in them. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { RoleRule } from '../../users/effective-roles.ts'
import { type Group, groupsOfPersonAtMost } from '../../users/groups.ts'
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type AddedMembers, type GroupChange, membersAtOnce } from '../port/groups.ts'
import type { KeepingAdministrators } from './administrators.ts'
import { type Decided, inCatalogue } from './catalogue.ts'
import { deleteGroup, groupStatements, readGroups } from './group-rows.ts'
import { mustChange, type Placeholders, prepare } from './prepared.ts'
import { type RemoveSoon, removalOf } from './removals.ts'
import { readRoleRules } from './role-rules.ts'
import type { Statement } from './statement.ts'
import { toUser, userColumns } from './user-row.ts'

type Membership = { group_id: string; user_id: string }
/** Changes nothing, but no other commit adds the person to a group meanwhile. */
const lockPerson = prepare('groups.lockPerson', (db, p: Placeholders<{ user_id: string }>, { sql }) =>
  db.updateTable('users').set({ version: sql<number>`version` }).where('id', '=', p.user_id),
)
/** Holds the group until the commit. Groups that are gone do not count. */
export const insertMember = prepare('groups.insertMember', (db, p: Placeholders<Membership>, { sql, keepingRows }) =>
  db
    .insertInto('group_members')
    .columns(['group_id', 'user_id'])
    .expression((eb) =>
      keepingRows(
        eb
          .selectFrom('groups')
          .select([p.group_id.as('group_id'), p.user_id.as('user_id')])
          .where('groups.id', '=', p.group_id)
          .where(({ selectFrom, eb }) =>
            eb(
              selectFrom('group_members as m')
                .innerJoin('groups as g', 'g.id', 'm.group_id')
                .select(sql<number>`cast(count(*) as integer)`.as('n'))
                .where('m.user_id', '=', p.user_id),
              '<',
              sql.lit(groupsOfPersonAtMost),
            ),
          ),
      ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
export const deleteMember = prepare('groups.deleteMember', (db, p: Placeholders<Membership>) =>
  db.deleteFrom('group_members').where('group_id', '=', p.group_id).where('user_id', '=', p.user_id),
)
const ofUser = prepare('groups.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select('groups.id')
    .where('group_members.user_id', '=', p.user_id),
)
const memberOf = prepare('groups.memberOf', (db, p: Placeholders<Membership>) =>
  db
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(userColumns)
    .where('group_members.group_id', '=', p.group_id)
    .where('group_members.user_id', '=', p.user_id),
)
type Page = { group_id: string; after_id: string }
const membersAfter = prepare('groups.membersAfter', (db, p: Placeholders<Page>, { sql, byBytes }) =>
  db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .select(userColumns)
    .where('group_members.group_id', '=', p.group_id)
    .where(byBytes('group_members.user_id'), '>', p.after_id)
    .orderBy(byBytes('group_members.user_id'))
    .limit(sql.lit(membersAtOnce)),
)
type State = { has_group: number; has_user: number; is_member: number }
const stateOf = prepare('groups.stateOf', (db, p: Placeholders<Membership>, { sql }) =>
  db.selectNoFrom([
    sql<State['has_group']>`(select count(*) from groups where id = ${p.group_id})`.as('has_group'),
    sql<State['has_user']>`(select count(*) from users where id = ${p.user_id})`.as('has_user'),
    sql<
      State['is_member']
    >`(select count(*) from group_members where group_id = ${p.group_id} and user_id = ${p.user_id})`.as('is_member'),
  ]),
)

export function sqlGroups(engine: Engine, keeping: KeepingAdministrators, removeSoon: RemoveSoon) {
  const read = async () => {
    const [groups, roles] = await Promise.all([readGroups(engine), readRoleRules(engine)])
    return { groups, roles }
  }
  type Known = Awaited<ReturnType<typeof read>>
  const { all, change } = inCatalogue(
    engine,
    read,
    (one: GroupChange, { groups }: Known) => statementsOf(one, groups),
    undefined,
    (changes, known) => keeping.ofCatalogue(known, { ...known, groups: groupsAfter(known.groups, changes) }),
  )

  const stateIn = async (group_id: string, user_id: string) => {
    const [row] = await engine.read(stateOf({ group_id, user_id }))
    const is = (count: number | undefined) => Number(count ?? 0) > 0
    return { hasGroup: is(row?.has_group), hasUser: is(row?.has_user), isMember: is(row?.is_member) }
  }
  const groupsOf = async (userId: string): Promise<readonly string[]> =>
    (await engine.read(ofUser({ user_id: userId }))).map(({ id }) => id).sort()

  return {
    /** By id; at most `groupsAtMost` are there. With the version of the catalogue. */
    async all(): Promise<{ readonly version: number; readonly known: ReadonlyMap<string, Group> }> {
      const { version, known } = await all()
      return { version, known: known.groups }
    },
    /** As `change` of what is decided on the catalogue. Members of a deleted group are of none, and are removed in small commits that follow. */
    async change<Result extends Decided<GroupChange>>(
      decide: (groups: ReadonlyMap<string, Group>, roles: ReadonlyMap<string, RoleRule>) => Result,
      events?: AuditEvents | ((decided: Result) => AuditEvents),
    ): Promise<Result> {
      const decided = await change(({ groups, roles }) => decide(groups, roles), events)
      const deleted = (decided.changes ?? []).filter(({ after }) => after === undefined)
      if (deleted.length > 0) await removeSoon(deleted.map(({ id }) => ({ kind: 'group', name: id })))
      return decided
    },
    /** The ids of the groups that the person is in directly, ascending. */
    ofUser: groupsOf,
    /**
     * Adds people to a group, all or nothing. Those who are in it stay there. 'no_group', 'no_user', 'too_many' (the person is in
     * as many groups as there may be): the first of them for whom it is so. `events`: of those who were not in it.
     */
    async addMembers(
      id: string,
      userIds: readonly string[],
      events?: (added: readonly string[]) => AuditEvents,
    ): Promise<AddedMembers> {
      // In one order, so that two commits do not wait for each other.
      const ids = [...new Set(userIds)].sort()
      for (;;) {
        const states = await Promise.all(ids.map(async (userId) => ({ userId, ...(await stateIn(id, userId)) })))
        for (const { userId, hasGroup, hasUser } of states) {
          if (!hasGroup || !hasUser) return { outcome: hasGroup ? 'no_user' : 'no_group', userId }
        }
        const added = states.filter(({ isMember }) => !isMember).map(({ userId }) => userId)
        if (added.length === 0) return { outcome: 'added', added }
        const locks = added.map((user_id) => mustChange(lockPerson({ user_id })))
        const inserts = added.map((user_id) => mustChange(insertMember({ group_id: id, user_id })))
        if ((await engine.commit([...locks, ...inserts], events?.(added))).applied) return { outcome: 'added', added }
        for (const userId of added) {
          const { hasGroup, hasUser, isMember } = await stateIn(id, userId)
          const isFull = (await groupsOf(userId)).length >= groupsOfPersonAtMost
          if (hasGroup && hasUser && !isMember && isFull) return { outcome: 'too_many', userId }
        }
      }
    },
    /** Returns false if the person was not in the group. Rejects with `LastAdministrator` as changes of the person do. */
    async removeMember(id: string, userId: string, events?: AuditEvents): Promise<boolean> {
      for (;;) {
        const [member] = await engine.read(memberOf({ group_id: id, user_id: userId }))
        if (member === undefined) return false
        const user = toUser(member)
        const { first, last, requireOther } = await keeping.ofUser(user, user, id)
        const removal = mustChange(deleteMember({ group_id: id, user_id: userId }))
        if ((await engine.commit([...first, removal, ...last], events)).applied) return true
        await requireOther()
      }
    },
    /** At most `membersAtOnce` direct members after this id, ascending by id. `afterId`: '' for the first. */
    async members(groupId: string, afterId = ''): Promise<readonly User[]> {
      return (await engine.read(membersAfter({ group_id: groupId, after_id: afterId }))).map(toUser)
    },
  }
}

/** The groups as the changes leave them. */
function groupsAfter(groups: ReadonlyMap<string, Group>, changes: readonly GroupChange[]): ReadonlyMap<string, Group> {
  const after = new Map(groups)
  for (const { id, after: next } of changes) {
    if (next === undefined) after.delete(id)
    else after.set(id, next)
  }
  return after
}

function statementsOf({ id, after }: GroupChange, groups: ReadonlyMap<string, Group>): Statement | Statement[] {
  if (after !== undefined) return groupStatements(groups.get(id), after)
  return [mustChange(deleteGroup({ id })), removalOf({ kind: 'group', name: id })]
}
