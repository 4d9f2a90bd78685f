/** SQLite databases for tests, with the schema in place: copies of one that each run makes once. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import type { Adapter } from '../../src/storage/engine.ts'
import { migrateDatabase, openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { type SqlStorageOptions, sqlStorage } from '../../src/storage/sql/storage.ts'
import { openSqliteInMemory } from '../../src/storage/sqlite/engine.ts'

/** Names the file that the processes of a run copy. */
const shared = 'LATCHKEY_TEST_SQLITE'

let template: Promise<string> | undefined
let content: Promise<Uint8Array> | undefined

/** Makes the database `file`, and its folder. */
export async function makeDatabaseFile(file: string): Promise<void> {
  const made = await templateFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyFileSync(made, file)
}

/** A database in memory. */
export async function openInMemory(): Promise<Adapter> {
  content ??= templateFile().then(withoutLog)
  return openSqliteInMemory(await content)
}

/** The database that settings name: a new one, or what is there. */
export async function openDatabase(database: DatabaseSettings, options: SqlStorageOptions = {}): Promise<Storage> {
  if (database.kind === 'sqlite-memory') return sqlStorage(await openInMemory(), options)
  if (database.kind === 'sqlite' && !existsSync(database.file)) await makeDatabaseFile(database.file)
  return openStorage(database, { migrate: true, ...options })
}

/** Changes a database file behind the back of whoever else has it open. */
export function executeSqlite(file: string, ...texts: readonly string[]): void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  for (const text of texts) db.exec(text)
  db.close()
}

/** Makes the file for a whole run. Processes with `env` copy it; it is removed with this process at the latest. */
export async function shareTemplate(): Promise<Readonly<Record<string, string>>> {
  return { [shared]: await makeTemplate() }
}

function templateFile(): Promise<string> {
  const { [shared]: file } = process.env
  template ??= file === undefined ? makeTemplate() : Promise.resolve(file)
  return template
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'template.db')
  await migrateDatabase({ kind: 'sqlite', file })
  return file
}

/** The content of the file as that of a database without a write-ahead log, of which there is none in memory. */
function withoutLog(file: string): Uint8Array {
  const bytes = readFileSync(file)
  // The versions that a writer and a reader must know: 1 is that of rollback journals, 2 that of WAL.
  bytes.fill(1, 18, 20)
  return bytes
}
