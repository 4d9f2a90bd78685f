/**
 * Belongs here: opening a database, bringing its schema up to date, and what both engines share.
 * Belongs elsewhere: promises of the port (`port/`), statements (`sql/`), one engine alone (`sqlite/`, `postgres/`),
 * rules (`protocol/`, `users/`).
 */
import type { DatabaseSettings } from '../settings/settings.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { StorageTracing } from '../telemetry/tracing.ts'
import { startThread } from '../thread.ts'
import type { Adapter } from './engine.ts'
import type { Storage } from './port/storage.ts'
import { StorageUnavailable } from './port/unavailable.ts'
import {
  compareSchema,
  ensureSchema,
  isBehind,
  requireDatabase,
  type SchemaOptions,
  type SchemaState,
} from './schema.ts'
import { type SqlStorageOptions, sqlStorage } from './sql/storage.ts'

export type StorageOptions = SqlStorageOptions & {
  /** Whether to migrate an outdated schema. */
  readonly migrate: boolean
  /** Whether to create a missing database; default: as `migrate`. */
  readonly create?: boolean
  readonly apart?: boolean
  /** Whether to find out if a pooler breaks what the settings ask for. Default: false. */
  readonly checkWay?: boolean
  /** Receives the sizes of group commits and queues. Default: none. */
  readonly metrics?: Metrics
  /** Receives spans of statements that work for several verbs. Default: none. */
  readonly tracing?: StorageTracing
  /** Runs each reading, and may run it again. Default: once. */
  readonly asking?: <T>(reading: () => Promise<T>) => Promise<T>
}

/**
 * Opens the database. With `apart`, migrations run in a separate thread, so that a long-lived process does not keep
 * their memory. Rejects with `StorageUnavailable`; its message is one line with the problem and the remedy.
 */
export async function openStorage(
  database: DatabaseSettings,
  { migrate, create = migrate, apart = false, checkWay = false, metrics, tracing, asking, ...queue }: StorageOptions,
): Promise<Storage> {
  const adapter = await openAdapter(database, create, { ...(metrics && { metrics }), ...(tracing && { tracing }) })
  const checked = checkWay ? adapter.checkWay?.() : undefined
  checked?.catch(() => {})
  try {
    if (migrate && !create) await requireDatabase(adapter)
    if (migrate && apart && database.kind !== 'sqlite-memory' && (await isBehind(adapter))) {
      await migrateApart(database)
    }
    await ensureSchema(adapter, migrate)
    await checked
  } catch (error) {
    await adapter.engine.close()
    throw error
  }
  if (asking === undefined) return sqlStorage(adapter, queue)
  const { engine } = adapter
  return sqlStorage({ ...adapter, engine: { ...engine, read: (one) => asking(() => engine.read(one)) } }, queue)
}

/** Returns the state of the schema. Changes nothing and accepts every version. */
export async function readSchema(database: DatabaseSettings): Promise<SchemaState> {
  const adapter = await openAdapter(database, false)
  try {
    return compareSchema(await adapter.appliedMigrations())
  } finally {
    await adapter.engine.close()
  }
}

/** Creates a missing database and migrates its schema. Resolves to the migrations that ran. */
export async function migrateDatabase(database: DatabaseSettings, options: SchemaOptions = {}): Promise<string[]> {
  const adapter = await openAdapter(database, true)
  try {
    return await ensureSchema(adapter, true, options)
  } finally {
    await adapter.engine.close()
  }
}

type MigrationAnswer = 'done' | { readonly unavailable: string; readonly isPassing: boolean }

async function migrateApart(database: DatabaseSettings): Promise<void> {
  const thread = startThread<DatabaseSettings, MigrationAnswer>(import.meta.url, 'migrate-worker', {
    likeProcess: true,
  })
  const answer = await thread.ask<MigrationAnswer>(database)
  thread.terminate()
  if (answer !== 'done') throw new StorageUnavailable(answer.unavailable, answer)
}

/** Loads only the adapter in use. */
async function openAdapter(
  database: DatabaseSettings,
  create: boolean,
  reports: Pick<StorageOptions, 'metrics' | 'tracing'> = {},
): Promise<Adapter> {
  if (database.kind === 'postgres') {
    const { url, preparedStatements = true } = database
    return (await import('./postgres/engine.ts')).openPostgres(url, { preparedStatements, ...reports })
  }
  const { openSqlite, openSqliteInMemory } = await import('./sqlite/engine.ts')
  return database.kind === 'sqlite'
    ? openSqlite(database.file, { create, ...(reports.metrics && { metrics: reports.metrics }) })
    : openSqliteInMemory()
}
