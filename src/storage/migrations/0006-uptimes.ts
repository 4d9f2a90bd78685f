import type { Kysely } from 'kysely'

/**
 * Adds uptimes, which the leeway of a rotation takes into account: a few rows, each written every ten seconds at most.
 * Adds the generation since which a refresh chain uses its derivation secret, because a chain adopts a newer secret
 * when it rotates.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uptimes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('through_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('grants').addColumn('derived_from', 'integer').execute()
}
