import { type Kysely, sql } from 'kysely'
import { skeletonOf } from '../../users/skeleton.ts'

const rowsAtOnce = 500

/**
 * What a user name looks like, so that no other name looks the same. Of accounts that look alike already the oldest has
 * the value and the others have none: they go on as they are. Clients can be changed, and a secret be replaced while the
 * one before still counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('name_skeleton', 'text').execute()
  await db.schema.alterTable('clients').addColumn('previous_secret_hash', 'text').execute()
  await db.schema.alterTable('clients').addColumn('previous_secret_ends_at_ms', 'bigint').execute()
  await db.schema
    .alterTable('clients')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await fillSkeletons(db)
  await db.schema.createIndex('users_by_name_skeleton').unique().on('users').column('name_skeleton').execute()
}

/** In the order of the ids, which is that of creation. */
async function fillSkeletons(db: Kysely<unknown>): Promise<void> {
  const taken = new Set<string>()
  let last = ''
  for (;;) {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from users where id > ${last} order by id limit ${rowsAtOnce}`.execute(db)
    last = rows.at(-1)?.id ?? ''
    const skeletons = rows.map(({ id, name }) => ({ id, skeleton: skeletonOf(name) }))
    const first = skeletons.filter(({ skeleton }) => {
      const isFirst = skeleton !== '' && !taken.has(skeleton)
      taken.add(skeleton)
      return isFirst
    })
    if (first.length > 0) {
      const cases = first.map(({ id, skeleton }) => sql`when ${id} then cast(${skeleton} as text)`)
      await sql`
        update users set name_skeleton = case id ${sql.join(cases, sql` `)} end
        where id in (${sql.join(first.map(({ id }) => id))})`.execute(db)
    }
    if (rows.length < rowsAtOnce) return
  }
}
