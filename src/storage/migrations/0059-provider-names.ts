import { type Kysely, sql } from 'kysely'
import { normalizeProvider } from '../../users/user.ts'

const rowsAtOnce = 500

/** Each step is a transaction of its own, so that nobody who signs in waits for all of them. */
export const online = true

/**
 * Brings the names of providers into their normal form. An account that was bound twice, under two spellings, stays with
 * whoever was bound first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows: found } = await sql<{ provider: string }>`select distinct provider from external_logins`.execute(db)
  for (const { provider } of found) {
    if (provider !== normalizeProvider(provider)) await rename(db, provider, normalizeProvider(provider))
  }
}

async function rename(db: Kysely<unknown>, from: string, to: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ subject: string }>`
      select subject from external_logins where provider = ${from} order by subject limit ${rowsAtOnce}`.execute(db)
    if (rows.length === 0) return
    const subjects = sql.join(rows.map(({ subject }) => subject))
    await sql`
      delete from external_logins where provider = ${to} and subject in (${subjects}) and exists (
        select 1 from external_logins as earlier
        where earlier.provider = ${from} and earlier.subject = external_logins.subject
          and earlier.created_at_ms < external_logins.created_at_ms)`.execute(db)
    await sql`
      update external_logins set provider = ${to} where provider = ${from} and subject in (${subjects}) and not exists (
        select 1 from external_logins as other
        where other.provider = ${to} and other.subject = external_logins.subject)`.execute(db)
    await sql`delete from external_logins where provider = ${from} and subject in (${subjects})`.execute(db)
  }
}
