import { type Kysely, sql } from 'kysely'

/**
 * Adds fields of people that an operator declares, and the texts by which their values are found and compared. Of an attribute that is
 * unique, no two people have the same one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attributes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('is_unique', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('attribute_values')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('attribute', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('is_unique', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('attribute_values_key', ['user_id', 'attribute', 'value'])
    .execute()
  await db.schema
    .createIndex('attribute_values_found')
    .on('attribute_values')
    .columns(['attribute', 'value', 'user_id'])
    .execute()
  await db.schema
    .createIndex('attribute_values_by_attribute')
    .on('attribute_values')
    .columns(['attribute', 'user_id'])
    .execute()
  await sql`create unique index attribute_values_unique on attribute_values (attribute, value) where is_unique = 1`.execute(
    db,
  )
}
