/** The database within the process has all but the writer in common with a file, which the short run holds to the same. */
import { openStorage } from '../../src/storage/open.ts'
import { storageContract } from './contract.ts'

storageContract('SQLite in memory', () => openStorage({ kind: 'sqlite-memory' }, { migrate: true }))
