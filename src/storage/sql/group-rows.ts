/** The rows of groups, without their members. */
import type { Group } from '../../users/groups.ts'
import type { Engine } from '../engine.ts'
import { mustChange, type Placeholders, pick, prepare } from './prepared.ts'
import { keepClientsOf } from './registration-keeping.ts'
import { removalOf } from './removals.ts'
import type { Statement } from './statement.ts'
import { columns, type GroupsTable, listToText, textToList } from './tables.ts'

const allGroups = prepare('group-rows.all', (db, _: Placeholders<Record<never, never>>) =>
  db.selectFrom('groups').select(columns.groups),
)
const insertGroup = prepare('group-rows.insertGroup', (db, p: Placeholders<GroupsTable>) =>
  db.insertInto('groups').values(pick(p, columns.groups)),
)
const updateGroup = prepare('group-rows.updateGroup', (db, p: Placeholders<GroupsTable>) =>
  db
    .updateTable('groups')
    .set(pick(p, ['name', 'parent_id', 'description', 'roles', 'version']))
    .where('id', '=', p.id),
)
export const deleteGroup = prepare('group-rows.deleteGroup', (db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('groups').where('id', '=', p.id),
)

/** Changes nothing, but waits for who adds a member at the moment. */
const holdGroup = prepare('group-rows.holdGroup', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db.updateTable('groups').set({ version: sql<number>`version` }).where('id', '=', p.id),
)
const deleteEmpty = prepare('group-rows.deleteEmpty', (db, p: Placeholders<{ id: string }>) =>
  db
    .deleteFrom('groups')
    .where('id', '=', p.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('group_members').select('user_id').where('group_id', '=', p.id))),
    ),
)

/** By id. */
export async function readGroups(engine: Engine): Promise<ReadonlyMap<string, Group>> {
  return new Map((await engine.read(allGroups({}))).map((row) => [row.id, toGroup(row)]))
}

/** Returns the commit that makes `before` to `after`, on the version of the catalogue. Absent: new, or deleted, if nobody is in it. */
export function groupStatements(before: Group | undefined, after: Group | undefined): Statement[] {
  if (after !== undefined) return [statementOf(before, after), ...keepClientsOf(before?.roles ?? [], after.roles)]
  if (before === undefined) return []
  const { id } = before
  return [mustChange(holdGroup({ id })), mustChange(deleteEmpty({ id })), removalOf({ kind: 'group', name: id })]
}

/** The version of a group counts its changes, whoever decided them. */
function statementOf(before: Group | undefined, after: Group): Statement {
  const row = toRow({ ...after, version: (before?.version ?? 0) + 1 })
  return before === undefined ? insertGroup(row) : mustChange(updateGroup(row))
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
