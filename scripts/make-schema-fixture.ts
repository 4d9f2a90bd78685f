/**
 * Keeps what this version of the schema looks like with one of everything in it, so that every later version can prove
 * that it still reads it: `test/fixtures/schema-NNNN.sqlite`, the same as SQL for PostgreSQL, and the records as JSON.
 * To be run once for each release that has a new migration; what was made is never made again.
 */
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { migrations } from '../src/storage/migrations/index.ts'
import { openStorage } from '../src/storage/open.ts'
import { openRows } from '../src/storage/open-rows.ts'
import type { Row } from '../src/storage/rows.ts'
import { oneOfEverything, storeEverything } from '../test/fixtures/everything.ts'

const latest = Object.keys(migrations).at(-1)?.slice(0, 4)
const target = (extension: string) =>
  fileURLToPath(new URL(`../test/fixtures/schema-${latest}.${extension}`, import.meta.url))

/** The tables in which Kysely remembers what has run, as it makes them. */
const kyselyTables = [
  'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)',
  'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
  `insert into "kysely_migration_lock" ("id", "is_locked") values ('migration_lock', 0)`,
]

/** What changes the schema of PostgreSQL, in the order of the migrations. A script of it is one transaction. */
async function postgresSchema(): Promise<string[]> {
  const sent: string[] = [...kyselyTables]
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: LogEvent) => {
      if (/^\s*(?:select|set|reset) /.test(query.sql)) return
      const text = query.sql.replaceAll(/\$(\d+)/g, (_, number) => literal(query.parameters[Number(number) - 1]))
      sent.push(text.replace(' concurrently', ''))
    },
  })
  for (const [name, load] of Object.entries(migrations)) {
    await (await load()).up(db)
    sent.push(insertion('kysely_migration', { name, timestamp: '2026-01-01T00:00:00.000Z' }))
  }
  return sent
}

function insertion(table: string, row: Row): string {
  const names = Object.keys(row).map((name) => `"${name}"`)
  const values = Object.values(row).map(literal)
  return `insert into "${table}" (${names.join(', ')}) values (${values.join(', ')})`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

async function make(folder: string): Promise<void> {
  const everything = oneOfEverything()
  const file = join(folder, 'made.db')
  const storage = await openStorage({ kind: 'sqlite', file }, { migrate: true })
  await storeEverything(storage, everything)
  await storage.close()

  const statements = await postgresSchema()
  const store = await openRows({ kind: 'sqlite', file }, { readOnly: true })
  await store.snapshot(async (reader) => {
    for (const table of await reader.tables()) {
      for await (const rows of reader.rows(table)) statements.push(...rows.map((row) => insertion(table, row)))
    }
  })
  await store.close()

  const db = new DatabaseSync(file)
  // Smaller than usual: this is kept for ever.
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM')
  db.close()
  chmodSync(file, 0o644)
  renameSync(file, target('sqlite'))
  writeFileSync(target('sql'), `${statements.join(';\n')};\n`)
  writeFileSync(target('json'), `${JSON.stringify(everything, null, 2)}\n`)
}

if (existsSync(target('sqlite'))) {
  console.error(`${target('sqlite')} is there already, and stays as it is.`)
  process.exitCode = 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-fixture-'))
  try {
    await make(folder)
    console.log(`Made ${target('sqlite')}, and beside it .sql and .json.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
