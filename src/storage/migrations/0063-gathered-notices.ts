import type { Kysely } from 'kysely'

/** Lets a mail stand for several notices of the same kind to the same person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').addColumn('notice_key', 'text').execute()
  await db.schema
    .alterTable('mails')
    .addColumn('gathered', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
