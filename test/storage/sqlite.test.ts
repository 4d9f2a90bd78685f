import { openDatabase } from '../support/sqlite.ts'
import { storageContract } from './contract.ts'

// The contract on a file, which has a writer of its own, and on PostgreSQL is in the long run.
storageContract('SQLite', () => openDatabase({ kind: 'sqlite-memory' }))
