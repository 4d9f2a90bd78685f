import { type Kysely, sql } from 'kysely'
import { createIndexOnline, isPostgres } from '../online-index.ts'

export const online = true

/**
 * Finds the kinds of password hashes that differ from ours. PostgreSQL compares bytes with this collation alone, whatever
 * that of the database is. The condition is that of the statements in `sql/password-kinds.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const column = isPostgres(db) ? sql`password_hash collate "C"` : sql`password_hash`
  const of = sql`(${column}) where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%'`
  await createIndexOnline(db, { name: 'users_password_kinds', table: 'users', of })
}
