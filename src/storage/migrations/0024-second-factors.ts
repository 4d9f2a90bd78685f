import type { Kysely } from 'kysely'

/** Adds second factors, and how long a known browser is asked for none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('known_browsers').addColumn('second_factor_until_ms', 'bigint').execute()
  await db.schema
    .createTable('second_factors')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('totp_secret', 'text')
    .addColumn('totp_since_ms', 'bigint')
    .addColumn('totp_last_step', 'bigint')
    .addColumn('pending_secret', 'text')
    .addColumn('pending_until_ms', 'bigint')
    .addColumn('recovery_hashes', 'text', (column) => column.notNull())
    .addColumn('mail_code', 'text')
    .addColumn('mail_barred', 'integer', (column) => column.notNull())
    .addColumn('failed_attempts', 'integer', (column) => column.notNull())
    .addColumn('paused_until_ms', 'bigint')
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
}
