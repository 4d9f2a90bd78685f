/** SQLite files for tests, with the schema in place: copies of one that each process makes once. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrateDatabase } from '../../src/storage/open.ts'

let template: Promise<string> | undefined

/** Makes the database `file`, and its folder. */
export async function makeDatabaseFile(file: string): Promise<void> {
  template ??= makeTemplate()
  const made = await template
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyFileSync(made, file)
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'template.db')
  await migrateDatabase({ kind: 'sqlite', file })
  return file
}
