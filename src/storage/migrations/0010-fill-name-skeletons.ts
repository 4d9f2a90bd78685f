import { type Kysely, sql } from 'kysely'
import { skeletonOf } from '../../users/skeleton.ts'

const rowsAtOnce = 500

/** Each step is a transaction of its own, so that nobody who signs in waits for all of them. */
export const online = true

/** Of existing accounts that look alike, the oldest gets the skeleton and the others get none; all stay usable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await fillSkeletons(db)
}

/** In order of ids, which is the order of creation. */
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
        where name_skeleton is null and id in (${sql.join(first.map(({ id }) => id))})`.execute(db)
    }
    if (rows.length < rowsAtOnce) return
  }
}
