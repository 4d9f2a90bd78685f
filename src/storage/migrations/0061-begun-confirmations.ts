import { type Kysely, sql } from 'kysely'
import { skeletonOf } from '../../users/skeleton.ts'
import { normalizeName } from '../../users/user.ts'

/**
 * Adds who began what a confirmation stands for, and in which session, with which it ends. An undo holds the address that it
 * restores, so that nobody else takes it, as an address or as a name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['begun_by', 'session_id', 'held_name', 'held_skeleton']) {
    await db.schema.alterTable('confirmations').addColumn(column, 'text').execute()
  }
  for (const column of ['begun_by', 'held_name', 'held_skeleton']) {
    await sql`create index ${sql.id(`confirmations_${column}`)} on confirmations (${sql.id(column)})
      where ${sql.id(column)} is not null`.execute(db)
  }
  const { rows } = await sql<{ id: string; details: string }>`
    select id, details from confirmations where purpose = 'undo'`.execute(db)
  for (const { id, details } of rows) {
    const { email } = JSON.parse(details) as { email?: string }
    if (email === undefined) continue
    const held = { name: normalizeName(email), skeleton: skeletonOf(email) || null }
    await sql`update confirmations set held_name = ${held.name}, held_skeleton = ${held.skeleton}
      where id = ${id}`.execute(db)
  }
}
