import type { Kysely } from 'kysely'

/**
 * Adds groups and their members, and the version of what is looked up for every person, such as groups: who changes that raises
 * it, and who keeps it in memory compares it. Members of a group that is gone are of none; they are removed in small commits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('catalogue')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('groups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text')
    .addColumn('description', 'text')
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('group_members_key', ['user_id', 'group_id'])
    .execute()
  await db.schema.createIndex('group_members_by_group').on('group_members').columns(['group_id', 'user_id']).execute()
}
