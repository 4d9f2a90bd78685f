/** Groups of people, and who is in them. */
import type { AuditEvents } from '../../audit/entry.ts'
import { type Group, groupsOfPersonAtMost } from '../../users/groups.ts'
import type { Engine } from '../engine.ts'
import type { GroupChange } from '../port/groups.ts'
import { inCatalogue } from './catalogue.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type GroupMembersTable, type GroupsTable, listToText, textToList } from './tables.ts'

const all = prepare('groups.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('groups').select(columns.groups),
)
const insertGroup = prepare('groups.insertGroup', (db, p: Placeholders<GroupsTable>) =>
  db.insertInto('groups').values(pick(p, columns.groups)),
)
const updateGroup = prepare('groups.updateGroup', (db, p: Placeholders<GroupsTable>) =>
  db
    .updateTable('groups')
    .set(pick(p, ['name', 'parent_id', 'description', 'roles', 'version']))
    .where('id', '=', p.id),
)
const deleteGroup = prepare('groups.deleteGroup', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('groups').where('id', '=', p.id),
)

/** Keeps group and person until the commit, so that a deletion of either takes the member along. */
const insertMember = prepare('groups.insertMember', (db, p: Placeholders<GroupMembersTable>, { sql, keepingRows }) =>
  db
    .insertInto('group_members')
    .columns(['group_id', 'user_id'])
    .expression(
      keepingRows(
        db
          .selectFrom('groups')
          .innerJoin('users', (join) => join.on('users.id', '=', p.user_id))
          .select(['groups.id as group_id', 'users.id as user_id'])
          .where('groups.id', '=', p.group_id)
          .where(({ selectFrom, eb }) =>
            eb(
              selectFrom('group_members')
                .select(sql<number>`cast(count(*) as integer)`.as('n'))
                .where('group_members.user_id', '=', p.user_id),
              '<',
              sql.lit(groupsOfPersonAtMost),
            ),
          ),
      ),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const deleteMember = prepare('groups.deleteMember', (db, p: Placeholders<GroupMembersTable>) =>
  db.deleteFrom('group_members').where('group_id', '=', p.group_id).where('user_id', '=', p.user_id),
)
const ofUser = prepare('groups.ofUser', (db, p: Placeholders<{ user_id: string }>) =>
  db.selectFrom('group_members').select('group_id').where('user_id', '=', p.user_id).orderBy('group_id'),
)
type Page = { group_id: string; after_id: string }
const membersAtOnce = 100
const membersAfter = prepare('groups.membersAfter', (db, p: Placeholders<Page>, { sql, byBytes }) =>
  db
    .selectFrom('group_members')
    .select('user_id')
    .where('group_id', '=', p.group_id)
    .where(byBytes('user_id'), '>', p.after_id)
    .orderBy(byBytes('user_id'))
    .limit(sql.lit(membersAtOnce)),
)

export function sqlGroups(engine: Engine) {
  return {
    /** By id. A deleted group takes its memberships along; at most `groupsAtMost` are there. */
    ...inCatalogue(
      engine,
      () => readGroups(engine),
      (change: GroupChange, known) => [statementOf(change, known)],
    ),
    /** The ids of the groups that the person is in directly, ascending. */
    async ofUser(userId: string): Promise<readonly string[]> {
      return (await engine.read(ofUser({ user_id: userId }))).map(({ group_id }) => group_id)
    },
    /**
     * Makes people members. Returns the ids of those that were not before. A person or group that is not there, and a person
     * who is in `groupsOfPersonAtMost` groups, is left out.
     */
    addMembers: (groupId: string, userIds: readonly string[], events?: AuditEvents): Promise<readonly string[]> =>
      changeMembers(engine, insertMember, groupId, userIds, events),
    /** Ends memberships. Returns the ids of those who were members. */
    removeMembers: (groupId: string, userIds: readonly string[], events?: AuditEvents): Promise<readonly string[]> =>
      changeMembers(engine, deleteMember, groupId, userIds, events),
    /** At most a hundred members after this id, ascending by id. `afterId`: '' for the first. */
    async members(groupId: string, afterId = ''): Promise<readonly string[]> {
      const rows = await engine.read(membersAfter({ group_id: groupId, after_id: afterId }))
      return rows.map(({ user_id }) => user_id)
    },
  }
}

/** By id. */
export async function readGroups(engine: Engine): Promise<ReadonlyMap<string, Group>> {
  return new Map((await engine.read(all({}))).map((row) => [row.id, toGroup(row)]))
}

async function changeMembers(
  engine: Engine,
  statement: (row: GroupMembersTable) => Statement,
  groupId: string,
  userIds: readonly string[],
  events?: AuditEvents,
): Promise<readonly string[]> {
  const unique = [...new Set(userIds)]
  if (unique.length === 0) return []
  const statements = unique.map((userId) => statement({ group_id: groupId, user_id: userId }))
  const { changes } = await engine.commit(statements, events)
  return unique.filter((_, at) => (changes[at] ?? 0) > 0)
}

/** The version of a group counts its changes, whoever decided them. */
function statementOf({ id, after }: GroupChange, groups: ReadonlyMap<string, Group>): Statement {
  const before = groups.get(id)
  if (after === undefined) return mustChange(deleteGroup({ id }))
  const version = (before?.version ?? 0) + 1
  return before === undefined
    ? insertGroup(toRow({ ...after, version }))
    : mustChange(updateGroup(toRow({ ...after, version })))
}

function toRow(group: Group): GroupsTable {
  return {
    id: group.id,
    name: group.name,
    parent_id: group.parentId,
    description: group.description,
    roles: listToText(group.roles),
    created_at_ms: group.createdAtMs,
    version: group.version,
  }
}

function toGroup(row: GroupsTable): Group {
  return {
    id: row.id,
    name: row.name,
    parentId: row.parent_id,
    description: row.description,
    roles: textToList(row.roles),
    createdAtMs: row.created_at_ms,
    version: row.version,
  }
}
