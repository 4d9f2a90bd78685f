/** Where people and other records came from, and what the source said of them at its last import. */
import type { Engine } from '../engine.ts'
import { type ImportOrigin, originsAtOnce } from '../port/imports.ts'
import { type Placeholders, pick, prepare } from './prepared.ts'
import type { Statement } from './statement.ts'
import { columns, type ImportOriginsTable, listToText } from './tables.ts'

type Of = { kind: string; origin: string }

const upsert = prepare('import-origins.upsert', (db, p: Placeholders<ImportOriginsTable>) =>
  db
    .insertInto('import_origins')
    .values(pick(p, columns.import_origins))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'origin', 'source_key']).doUpdateSet(pick(p, ['id', 'marks', 'seen_at_ms'])),
    ),
)
const some = prepare('import-origins.some', (db, p: Placeholders<Of & { keys: string }>, { isOneOf }) =>
  db
    .selectFrom('import_origins')
    .select(columns.import_origins)
    .where('kind', '=', p.kind)
    .where('origin', '=', p.origin)
    .where(isOneOf('source_key', p.keys)),
)
const unseen = prepare(
  'import-origins.unseen',
  (db, p: Placeholders<Of & { before_ms: number; after_key: string }>, { sql, byBytes }) =>
    db
      .selectFrom('import_origins')
      .select(columns.import_origins)
      .where('kind', '=', p.kind)
      .where('origin', '=', p.origin)
      .where('marks', 'is not', null)
      .where('seen_at_ms', '<', p.before_ms)
      .where(byBytes('source_key'), '>', p.after_key)
      .orderBy(byBytes('source_key'))
      .limit(sql.lit(originsAtOnce)),
)
const number = prepare('import-origins.number', (db, p: Placeholders<Of>, { sql }) =>
  db
    .selectFrom('import_origins')
    .select(sql<number>`cast(count(*) as integer)`.as('n'))
    .where('kind', '=', p.kind)
    .where('origin', '=', p.origin)
    .where('marks', 'is not', null),
)
const strangers = prepare(
  'import-origins.strangers',
  (db, p: Placeholders<{ origin: string; after_id: string }>, { sql, byBytes }) =>
    db
      .selectFrom('users')
      .select(['id', 'name'])
      .where(byBytes('id'), '>', p.after_id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('import_origins as o')
              .select('o.id')
              .whereRef('o.id', '=', 'users.id')
              .where('o.kind', '=', sql.lit('person'))
              .where('o.origin', '=', p.origin),
          ),
        ),
      )
      .orderBy(byBytes('id'))
      .limit(sql.lit(originsAtOnce)),
)
const leave = prepare('import-origins.leave', (db, p: Placeholders<Of & { source_key: string }>, { sql }) =>
  db
    .updateTable('import_origins')
    .set({ seen_at_ms: sql.lit(0) })
    .where('kind', '=', p.kind)
    .where('origin', '=', p.origin)
    .where('source_key', '=', p.source_key),
)
const forget = prepare('import-origins.forget', (db, p: Placeholders<Of & { source_key: string }>) =>
  db
    .deleteFrom('import_origins')
    .where('kind', '=', p.kind)
    .where('origin', '=', p.origin)
    .where('source_key', '=', p.source_key),
)

const ofPerson = prepare('import-origins.ofPerson', (db, p: Placeholders<{ id: string }>, { sql }) =>
  db
    .selectFrom('import_origins')
    .select('id')
    .where('id', '=', p.id)
    .where('kind', '=', sql.lit('person'))
    .limit(sql.lit(1)),
)

/** What is hashed could be guessed. That it was here stays, so that a later import does not bring it back. */
export const forgetMarks = prepare('import-origins.forgetMarks', (db, p: Placeholders<{ id: string; kind: string }>) =>
  db.updateTable('import_origins').set({ marks: null }).where('id', '=', p.id).where('kind', '=', p.kind),
)

export function storeOrigin({ kind, origin, key, id, marks, seenAtMs }: ImportOrigin): Statement {
  const text = marks === null ? null : JSON.stringify(marks)
  return upsert({ kind, origin, source_key: key, id, marks: text, seen_at_ms: seenAtMs })
}

export function sqlImportOrigins(engine: Engine) {
  return {
    /** Returns where records of a kind came from, by their keys in the source. At most `originsAtOnce` keys. */
    async origins(
      kind: ImportOrigin['kind'],
      origin: string,
      keys: readonly string[],
    ): Promise<ReadonlyMap<string, ImportOrigin>> {
      const rows = await engine.read(some({ kind, origin, keys: listToText(keys) }))
      return new Map(rows.map((row) => [row.source_key, toOrigin(row)]))
    },
    /** Whether an import brought the person, or changed them. */
    async isOfImport(userId: string): Promise<boolean> {
      return (await engine.read(ofPerson({ id: userId }))).length > 0
    },
    /** Returns the number of records of a kind that came from a source and were not deleted here. */
    async numberOf(kind: ImportOrigin['kind'], origin: string): Promise<number> {
      return (await engine.read(number({ kind, origin })))[0]?.n ?? 0
    },
    /** Returns at most `originsAtOnce` of those that no run found in the source since `beforeMs`, by their keys after `afterKey`. */
    async unseen(
      kind: ImportOrigin['kind'],
      origin: string,
      beforeMs: number,
      afterKey = '',
    ): Promise<readonly ImportOrigin[]> {
      return (await engine.read(unseen({ kind, origin, before_ms: beforeMs, after_key: afterKey }))).map(toOrigin)
    },
    /** Returns at most `originsAtOnce` people who did not come from the source, ascending by id after `afterId`. */
    strangers: (origin: string, afterId = ''): Promise<readonly { readonly id: string; readonly name: string }[]> =>
      engine.read(strangers({ origin, after_id: afterId })),
    /** Remembers that a record is about to leave because the source does not have it any more: it may come back with it. */
    async leave({ kind, origin, key }: ImportOrigin): Promise<void> {
      await engine.commit([leave({ kind, origin, source_key: key })])
    },
    /** Remembers where a record came from, or that a source was read to its end. */
    async rememberOrigin(origin: ImportOrigin): Promise<void> {
      await engine.commit([storeOrigin(origin)])
    },
    /** Forgets where a record came from. */
    async forgetOrigin({ kind, origin, key }: ImportOrigin): Promise<void> {
      await engine.commit([forget({ kind, origin, source_key: key })])
    },
  }
}

function toOrigin(row: ImportOriginsTable): ImportOrigin {
  const { kind, origin, source_key: key, id, marks, seen_at_ms: seenAtMs } = row
  return { kind: kind as ImportOrigin['kind'], origin, key, id, marks: marks && JSON.parse(marks), seenAtMs }
}
