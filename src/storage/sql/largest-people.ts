/** Finds the people of whom tokens could have the most to tell. */
import type { User } from '../../users/user.ts'
import type { Engine } from '../engine.ts'
import { type Placeholders, prepare } from './prepared.ts'
import { listToText } from './tables.ts'
import { toUser, userColumns } from './user-row.ts'

/** Factors of an upper bound, in bytes. Whole numbers. */
type Factors = {
  /** Of the bytes of each as they are stored; of attributes, those that are read. */
  readonly attributes: number
  readonly claims: number
  readonly roles: number
  readonly names: number
  /** For each group that the person is in directly. */
  readonly each_group: number
  /** What groups and roles give besides: for each of the person's own roles, for each group, and at most. */
  readonly given_by_role: number
  readonly given_by_group: number
  readonly given_at_most: number
}

export type PersonBound = Factors & { readonly attributesRead: readonly string[] }

/** People of whom one reading returns the largest. SQLite reads so many in some milliseconds. */
const windowSize = 1000
export const largestAtMost = 100

type Window = { names_read: string; after: string; above: number }

const window = prepare(
  'largest-people.window',
  (db, p: Placeholders<Factors & Window>, { sql, eachOf, jsonMember }) => {
    const bytes = (column: string) => sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`
    const people = db
      .selectFrom('users')
      .select((eb) => [
        'id',
        'attributes',
        sql<number>`cast(${p.claims} * ${bytes('claims')} + ${p.roles} * ${bytes('roles')}
          + ${p.names} * (${bytes('id')} + ${bytes('name')} + ${bytes('email')}) as bigint)`.as('own'),
        // Each role stands between quotation marks.
        sql<number>`cast((${bytes('roles')} - octet_length(replace(roles, '"', ''))) / 2 as bigint)`.as('own_roles'),
        // Not counted where groups give nothing.
        sql<number>`case when ${p.each_group} = 0 and ${p.given_by_group} = 0 then 0 else ${eb
          .selectFrom('group_members')
          .select(sql<number>`count(*)`.as('n'))
          .whereRef('group_members.user_id', '=', 'users.id')} end`.as('in_groups'),
      ])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(sql.lit(windowSize))
      .as('people')
    const given = sql<number>`(own_roles * ${p.given_by_role} + in_groups * ${p.given_by_group})`
    const beside = db
      .selectFrom(people)
      .select([
        'id',
        'attributes',
        sql<number>`own + in_groups * ${p.each_group}
          + case when ${given} > ${p.given_at_most} then ${p.given_at_most} else ${given} end`.as('beside'),
      ])
      .as('beside_attributes')
    // The text is read as JSON only where all of it could be too much.
    const read = db
      .selectFrom(eachOf(p.names_read))
      .select(sql<number>`sum(octet_length(${jsonMember('attributes', sql.ref('each.value'))}))`.as('n'))
    const measured = db
      .selectFrom(beside)
      .select(['id', sql<number>`cast(beside + ${p.attributes} * coalesce(${read}, 0) as bigint)`.as('bytes')])
      .where(sql<boolean>`beside + ${p.attributes} * ${bytes('attributes')} > ${p.above}`)
      .as('measured')
    return db
      .selectFrom(measured)
      .select(['id', 'bytes'])
      .where(sql<boolean>`bytes > ${p.above}`)
      .orderBy('bytes', 'desc')
      .limit(sql.lit(largestAtMost))
  },
)
const endOfWindow = prepare('largest-people.endOfWindow', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(sql.lit(windowSize - 1)),
)
const byIds = prepare('largest-people.byIds', (db, p: Placeholders<{ ids: string }>, { isOneOf }) =>
  db.selectFrom('users').select(userColumns).where(isOneOf('id', p.ids)),
)

/**
 * Returns the people with the largest bounds above a number of bytes, at most `largestAtMost`, the largest first. Looks at everybody, in
 * windows, so that requests run between them.
 */
export async function largestPeople(
  engine: Engine,
  { attributesRead, ...factors }: PersonBound,
  above: number,
): Promise<readonly User[]> {
  const bound = { ...factors, names_read: listToText(attributesRead) }
  let largest: readonly { readonly id: string; readonly bytes: number }[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const least: number = largest.length < largestAtMost ? above : (largest.at(-1)?.bytes ?? above)
    const [found, [end]]: [{ id: string; bytes: number }[], { id: string }[]] = await Promise.all([
      engine.read(window({ ...bound, after, above: least })),
      engine.read(endOfWindow({ after })),
    ])
    if (found.length > 0) largest = [...largest, ...found].sort((a, b) => b.bytes - a.bytes).slice(0, largestAtMost)
    after = end?.id
  }
  if (largest.length === 0) return []
  const rank = new Map(largest.map(({ id }, at) => [id, at]))
  const people = (await engine.read(byIds({ ids: listToText([...rank.keys()]) }))).map(toUser)
  return people.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
}
