import { type Kysely, sql } from 'kysely'
import { createIndexOnline } from '../online-index.ts'

export const online = true

export async function up(db: Kysely<unknown>): Promise<void> {
  const of = sql`(name_skeleton)`
  await createIndexOnline(db, { name: 'users_by_name_skeleton', table: 'users', of, isUnique: true })
}
