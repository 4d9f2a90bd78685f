import type { DatabaseSettings } from '../settings.ts'
import type { Adapter } from './engine.ts'
import type { Storage } from './port.ts'
import { ensureSchema } from './schema.ts'
import { sqlStorage } from './sql/storage.ts'

/**
 * Opens the database. With `migrate` it is made and brought up to date where that is needed.
 * Rejects with `StorageUnavailable`, whose message says in one line what is wrong and what to do.
 */
export async function openStorage(
  database: DatabaseSettings,
  { migrate }: { readonly migrate: boolean },
): Promise<Storage> {
  const adapter = await openAdapter(database, migrate)
  try {
    await ensureSchema(adapter, migrate)
  } catch (error) {
    await adapter.engine.close()
    throw error
  }
  return sqlStorage(adapter.engine)
}

/** Each adapter is loaded only when it is the one. */
async function openAdapter(database: DatabaseSettings, create: boolean): Promise<Adapter> {
  if (database.kind === 'postgres') return (await import('./postgres.ts')).openPostgres(database.url)
  const { openSqlite, openSqliteInMemory } = await import('./sqlite.ts')
  return database.kind === 'sqlite' ? openSqlite(database.file, { create }) : openSqliteInMemory()
}
