/** Every promise about the trail holds when it is in partitions. */
import { after, describe } from 'node:test'
import postgres from 'postgres'
import { openStorage } from '../../src/storage/open.ts'
import { ownTables, tables } from '../../src/storage/sql/tables.ts'
import { auditContract } from '../storage/contract-audit.ts'
import { issueContract } from '../storage/contract-issue.ts'
import { now } from '../storage/records.ts'
import { storages } from '../storage/storage-for.ts'
import { postgresServer } from '../support/postgres.ts'

describe('storage on PostgreSQL with a divided trail', async () => {
  const server = await postgresServer()
  const url = await server.createDatabase()
  const day = 86_400_000
  const storage = await openStorage({ kind: 'postgres', url }, { migrate: true })
  // The times of the records are in partitions with both ends.
  await storage.audit.partitions.divide(day, now - 20 * day)
  await storage.audit.partitions.extend(now)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  after(async () => {
    await Promise.all([storage.close(), sql.end()])
    await server.stop()
  })
  const emptied = [...tables, ...ownTables].map((table) => `delete from ${table}`)
  const empty = async () => {
    await sql.unsafe(['set session_replication_role = replica', ...emptied].join(';'))
  }
  const storageFor = storages(() => openStorage({ kind: 'postgres', url }, { migrate: false }), empty)
  auditContract(storageFor)
  issueContract(storageFor)
})
