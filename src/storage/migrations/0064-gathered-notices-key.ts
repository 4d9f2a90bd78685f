import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

/** Decides which of several notices of the same kind is the mail that stands for all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexOnline(db, {
    name: 'mails_by_notice_key',
    table: 'mails',
    of: sql`(notice_key) where notice_key is not null`,
    isUnique: true,
  })
}
