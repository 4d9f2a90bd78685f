/** A file has all but the writer in common with the database within the process, which the short run holds to the same. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDatabase } from '../support/sqlite.ts'
import { storageContract } from './contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-sqlite-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
storageContract('an SQLite file', () => {
  made += 1
  return openDatabase({ kind: 'sqlite', file: join(folder, `${made}`, 'latchkey.db') })
})
