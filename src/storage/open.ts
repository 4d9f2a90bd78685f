import { once } from 'node:events'
import { extname } from 'node:path'
import type { DatabaseSettings } from '../settings.ts'
import type { Adapter } from './engine.ts'
import { type Storage, StorageUnavailable } from './port.ts'
import { ensureSchema, isBehind } from './schema.ts'
import { sqlStorage } from './sql/storage.ts'

/**
 * Opens the database. With `migrate` it is made and brought up to date where that is needed; with `apart` this happens
 * in a thread of its own, so that a process that stays does not keep the 24 MB that migrating takes.
 * Rejects with `StorageUnavailable`, whose message says in one line what is wrong and what to do.
 */
export async function openStorage(
  database: DatabaseSettings,
  { migrate, apart = false }: { readonly migrate: boolean; readonly apart?: boolean },
): Promise<Storage> {
  const adapter = await openAdapter(database, migrate)
  try {
    if (migrate && apart && database.kind !== 'sqlite-memory' && (await isBehind(adapter))) {
      await migrateApart(database)
    }
    await ensureSchema(adapter, migrate)
  } catch (error) {
    await adapter.engine.close()
    throw error
  }
  return sqlStorage(adapter.engine)
}

async function migrateApart(database: DatabaseSettings): Promise<void> {
  const { Worker } = await import('node:worker_threads')
  const file = new URL(`./migrate-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: database, execArgv: [] })
  const [answer] = (await once(worker, 'message')) as ['done' | { readonly unavailable: string }]
  await worker.terminate()
  if (answer !== 'done') throw new StorageUnavailable(answer.unavailable)
}

/** Each adapter is loaded only when it is the one. */
async function openAdapter(database: DatabaseSettings, create: boolean): Promise<Adapter> {
  if (database.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(database.url)
  const { openSqlite, openSqliteInMemory } = await import('./sqlite.ts')
  return database.kind === 'sqlite' ? openSqlite(database.file, { create }) : openSqliteInMemory()
}
