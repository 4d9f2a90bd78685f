import type { Kysely } from 'kysely'

/** Finds the mails to one person, which are deleted with the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('mails_by_user').on('mails').column('user_id').where('user_id', 'is not', null).execute()
}
