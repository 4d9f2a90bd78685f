import type { Adapter } from './engine.ts'
import { migrations } from './migrations/index.ts'
import { StorageUnavailable } from './port.ts'

/**
 * Sees to it that the schema is the one this program was written for. When it is, that costs one read.
 * Rejects with `StorageUnavailable` when it is newer, or older and `migrate` is false.
 */
export async function ensureSchema(adapter: Adapter, migrate: boolean): Promise<void> {
  const applied = await adapter.appliedMigrations()
  refuseUnknown(applied)
  if (isComplete(applied)) return
  if (!migrate) {
    throw new StorageUnavailable(
      'The database has not been set up for this version of Latchkey: start the server once, it brings the schema up to date.',
    )
  }
  await adapter.withSchemaDialect(async (dialect) => {
    const { Kysely, Migrator } = await import('kysely')
    const db = new Kysely<unknown>({ dialect })
    const { error } = await new Migrator({ db, provider: { getMigrations: load } }).migrateToLatest()
    if (error) throw error
  })
}

/** Whether there is a migration to do. Rejects as `ensureSchema` does when the schema is newer. */
export async function isBehind(adapter: Adapter): Promise<boolean> {
  const applied = await adapter.appliedMigrations()
  refuseUnknown(applied)
  return !isComplete(applied)
}

function isComplete(applied: readonly string[]): boolean {
  return Object.keys(migrations).every((name) => applied.includes(name))
}

function refuseUnknown(applied: readonly string[]): void {
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown) {
    throw new StorageUnavailable(
      `The database was upgraded by a newer version of Latchkey (it has the migration ${unknown}): run that version or a later one.`,
    )
  }
}

async function load() {
  const loaded = await Promise.all(Object.entries(migrations).map(async ([name, get]) => [name, await get()] as const))
  return Object.fromEntries(loaded)
}
