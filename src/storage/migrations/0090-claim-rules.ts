import type { Kysely } from 'kysely'

/** Adds the rules by which scopes and resources put claims into tokens, and what scopes are asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scopes').addColumn('claims', 'text').execute()
  await db.schema.alterTable('scopes').addColumn('purposes', 'text').execute()
  await db.schema
    .createTable('resources')
    .addColumn('identifier', 'text', (column) => column.primaryKey())
    .addColumn('claims', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
}
