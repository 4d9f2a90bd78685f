import type { Kysely } from 'kysely'

/**
 * When the service could answer, which the leeway of a rotation counts: a few rows, each written every ten seconds at most.
 * And since which generation a refresh chain uses its derivation secret, because it takes on a newer one as it rotates.
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
