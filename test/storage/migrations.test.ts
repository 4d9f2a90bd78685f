/** What holds for each migration, whatever it does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { migrations } from '../../src/storage/migrations/index.ts'

/** The statements of a migration as PostgreSQL gets them, which finds every table empty. */
async function statementsOf(name: string): Promise<{ readonly online: boolean; readonly statements: string[] }> {
  const statements: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: LogEvent) => {
      statements.push(query.sql)
    },
  })
  const { up, online = false } = (await migrations[name]?.()) ?? assert.fail(name)
  await up(db)
  return { online, statements }
}

const tablesIn = (statements: readonly string[], pattern: RegExp): ReadonlySet<string> =>
  new Set(statements.flatMap((text) => pattern.exec(text)?.[1] ?? []))

describe('each migration', () => {
  it('in a transaction changes one table in use at most: with two, it could deadlock with a request', async () => {
    for (const name of Object.keys(migrations)) {
      const { online, statements } = await statementsOf(name)
      if (online) continue
      const made = tablesIn(statements, /^create table "(\w+)"/)
      const changed = tablesIn(
        statements,
        /^(?:alter table|update|delete from|insert into|create (?:unique )?index .*? on) "(\w+)"/,
      )
      const inUse = [...changed].filter((table) => !made.has(table))
      assert.ok(inUse.length <= 1, `${name}: ${inUse.join(', ')}`)
    }
  })

  it('comes after those of lower numbers', () => {
    const names = Object.keys(migrations)
    assert.deepEqual(names, names.toSorted())
    assert.equal(new Set(names.map((name) => name.slice(0, 4))).size, names.length)
  })
})
