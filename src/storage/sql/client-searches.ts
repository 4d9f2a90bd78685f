/** Statements that find clients by what they registered. */
import { type ClaimShape, claimShapes } from '../../protocol/claims/shapes.ts'
import type { Engine } from '../engine.ts'
import { type ClientRows, clientPageRows, fewClientRows } from '../port/clients.ts'
import { type ClientRow, clientColumns } from './client-columns.ts'
import { type Placeholders, prepare } from './prepared.ts'

/** The condition of the index `clients_of_operators`, literally. */
const isOfOperator = `replace(replace(coalesce(metadata, ''), '"registration":"open"', ''), '"registration":"document"', '') = coalesce(metadata, '')`
export const byLogoutUri = prepare('clients.byLogoutUri', (db, p: Placeholders<{ uri: string }>, { sql }) =>
  db
    .selectFrom('clients')
    .select(clientColumns)
    .where('deleted', '=', sql.lit(0))
    .where(sql<boolean>`${sql.raw(isOfOperator)}`)
    .where(sql<boolean>`replace(post_logout_redirect_uris, ${p.uri}, '') <> post_logout_redirect_uris`)
    .orderBy('id')
    .limit(sql.lit(10)),
)

const pageOf = (rows: ClientRows) =>
  prepare(`clients.page${rows}`, (db, p: Placeholders<{ after: string }>, { sql }) =>
    db
      .selectFrom('clients')
      .select(clientColumns)
      .where('deleted', '=', sql.lit(0))
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(sql.lit(rows)),
  )
export const page = { [clientPageRows]: pageOf(clientPageRows), [fewClientRows]: pageOf(fewClientRows) }
type Among = { after: string; text: string; named: string; algorithm: string }
/** Empty: any. `named`: the scope as quoted in a stored list. `algorithm`: quoted likewise. */
const pageAmongOf = (rows: ClientRows) =>
  prepare(`clients.pageAmong${rows}`, (db, p: Placeholders<Among>, { sql, byBytes }) =>
    db
      .selectFrom('clients')
      .select(clientColumns)
      .where('deleted', '=', sql.lit(0))
      .where('id', '>', p.after)
      .where(
        sql<boolean>`(${p.text} = '' or replace(lower(${byBytes('id')}), ${p.text}, '') <> lower(${byBytes('id')})
        or replace(lower(${byBytes('name')}), ${p.text}, '') <> lower(${byBytes('name')}))`,
      )
      .where(sql<boolean>`(${p.named} = '' or replace(scopes, ${p.named}, '') <> scopes)`)
      .where(sql<boolean>`(${p.algorithm} = '' or replace(metadata, ${p.algorithm}, '') <> metadata)`)
      .orderBy('id')
      .limit(sql.lit(rows)),
  )
export const pageAmong = { [clientPageRows]: pageAmongOf(clientPageRows), [fewClientRows]: pageAmongOf(fewClientRows) }

const ruledWindow = 200
/** By the index of them. A list of this name in another member makes it one too many. */
const ruled = prepare('clients.ruled', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db
    .selectFrom('clients')
    .select(clientColumns)
    .where(sql<boolean>`replace(metadata, '"claims":[', '') <> metadata`)
    .where('deleted', '=', sql.lit(0))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(ruledWindow)),
)

export async function readRuled(engine: Engine): Promise<readonly ClientRow[]> {
  const found: ClientRow[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: ClientRow[] = await engine.read(ruled({ after }))
    found.push(...rows)
    after = rows.length < ruledWindow ? undefined : rows.at(-1)?.c_id
  }
  return found
}

const originsWindow = 200
/** Those with origins of their own, and what they are in. */
const withOrigins = prepare('clients.withOrigins', (db, p: Placeholders<{ after: string }>, { sql }) =>
  db
    .selectFrom('clients')
    .select(['id', 'metadata'])
    .where(sql<boolean>`replace(metadata, '"allowed_origins":[', '') <> metadata`)
    .where('deleted', '=', sql.lit(0))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(originsWindow)),
)

export async function readOrigins(
  engine: Engine,
): Promise<{ readonly id: string; readonly metadata: string | null }[]> {
  const found: { readonly id: string; readonly metadata: string | null }[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { id: string; metadata: string | null }[] = await engine.read(withOrigins({ after }))
    found.push(...rows)
    after = rows.length < originsWindow ? undefined : rows.at(-1)?.id
  }
  return found
}

const shapeNames = claimShapes.filter((shape) => shape !== 'plain')
const shapesWindow = 1000
/** Which of some clients have each shape. Members are stored in one way, and quotation marks in their values are escaped. */
const shapesOf = prepare('clients.shapes', (db, p: Placeholders<{ after: string }>, { sql }) => {
  const some = db
    .selectFrom('clients')
    .select(['id', 'metadata'])
    .where('deleted', '=', sql.lit(0))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(shapesWindow))
    .as('some')
  const isAnyOf = (shape: ClaimShape) => {
    const text = sql.lit(`"claim_shape":"${shape}"`)
    return sql<number>`max(case when replace(metadata, ${text}, '') <> metadata then 1 else 0 end)`
  }
  return db
    .selectFrom(some)
    .select([sql<string | null>`max(id)`.as('last'), ...shapeNames.map((shape) => isAnyOf(shape).as(shape))])
})

/** Looks at all clients, in windows, until each shape is found. */
export async function readShapes(engine: Engine): Promise<readonly ClaimShape[]> {
  const found = new Set<ClaimShape>()
  for (let after: string | null = ''; after !== null && found.size < shapeNames.length; ) {
    const [row] = (await engine.read(shapesOf({ after }))) as readonly ({ last: string | null } & Record<
      string,
      unknown
    >)[]
    for (const shape of shapeNames) if (row?.[shape] === 1) found.add(shape)
    after = row?.last ?? null
  }
  return [...found]
}
