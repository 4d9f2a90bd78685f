import { type Kysely, sql } from 'kysely'
import { isPostgreSQL } from '../online-index.ts'

/**
 * Leaves room in the pages of passkeys and second factors, of which a sign-in changes one row: the changed row then stays in
 * its page, and no index is written (HOT updates). No other engine has the setting.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(await isPostgreSQL(db))) return
  for (const table of ['passkeys', 'second_factors']) {
    await sql`alter table ${sql.table(table)} set (fillfactor = 85)`.execute(db)
  }
}
