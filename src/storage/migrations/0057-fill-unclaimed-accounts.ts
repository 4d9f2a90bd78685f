import { type Kysely, sql } from 'kysely'

const rowsAtOnce = 500

/** Each step is a transaction of its own, so that nobody who signs in waits for all of them. */
export const online = true

/** Of accounts that are there already it is told by the user name, which is the address, and by the account at the provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  let last = ''
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from users where id > ${last} and email_confirmed = 0 and normalized_name = normalized_email
        and exists (select 1 from external_logins where external_logins.user_id = users.id)
      order by id limit ${rowsAtOnce}`.execute(db)
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? ''
    await sql`update users set unclaimed = 1 where email_confirmed = 0 and id in (${sql.join(rows.map(({ id }) => id))})`.execute(
      db,
    )
  }
}
