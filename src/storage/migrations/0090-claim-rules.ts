import type { Kysely } from 'kysely'

/**
 * Adds the rules by which scopes and resources put claims into tokens, what scopes are asked for, and which claims of rules a
 * consent was given to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scopes').addColumn('claims', 'text').execute()
  await db.schema.alterTable('scopes').addColumn('purposes', 'text').execute()
  await db.schema.alterTable('authorizations').addColumn('claims', 'text').execute()
  await db.schema
    .createTable('resources')
    .addColumn('identifier', 'text', (column) => column.primaryKey())
    .addColumn('claims', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
}
