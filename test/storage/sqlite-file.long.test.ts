/** A file has all but the writer in common with the database within the process, which the short run holds to the same. */
import { join } from 'node:path'
import { temporaryFolder } from '../support/lifetime.ts'
import { openDatabase } from '../support/sqlite.ts'
import { storageContract } from './contract.ts'

const folder = temporaryFolder()

let made = 0
storageContract('an SQLite file', () => {
  made += 1
  return openDatabase({ kind: 'sqlite', file: join(folder, `${made}`, 'latchkey.db') })
})
