import { type Kysely, sql } from 'kysely'

/**
 * Marks accounts that a provider's registration made with an address that nobody has proved. Of those that are there already it is
 * told by the user name, which is the address, and by the account at the provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('unclaimed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update users set unclaimed = 1 where email_confirmed = 0 and normalized_name = normalized_email
    and id in (select user_id from external_logins)`.execute(db)
}
