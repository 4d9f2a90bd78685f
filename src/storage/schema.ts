import type { Adapter } from './engine.ts'
import { migrations } from './migrations/index.ts'
import { StorageUnavailable } from './port/unavailable.ts'

/** The migrations of a database, compared with those of this program. */
export type SchemaState = {
  readonly applied: readonly string[]
  /** Known to this program but not applied yet. */
  readonly pending: readonly string[]
  /** Applied by another version and unknown to this program. */
  readonly unknown: readonly string[]
}

export type SchemaOptions = {
  /** Called with the name of each migration before it runs. */
  readonly report?: (migration: string) => void
  /** The last migration to run; default: the latest. */
  readonly upTo?: string
}

export function compareSchema(applied: readonly string[]): SchemaState {
  const known = Object.keys(migrations)
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/**
 * Ensures that this program can use the schema: all its migrations are applied, and unknown ones only added. If so,
 * costs one read. Resolves to the migrations that ran. Rejects with `StorageUnavailable` if the schema has another
 * major version, or is behind and `migrate` is false.
 */
export async function ensureSchema(
  adapter: Adapter,
  migrate: boolean,
  { report, upTo }: SchemaOptions = {},
): Promise<string[]> {
  const { pending } = await usableSchema(adapter)
  if (pending.length === 0) return []
  if (!migrate) {
    throw new StorageUnavailable(
      'The database is not set up for this version of Latchkey. Start the server once to bring the schema up to date.',
    )
  }
  const wanted = pending.filter((name) => upTo === undefined || name <= upTo)
  return adapter.withSchemaDialect(async (dialect) => {
    const { Kysely, Migrator } = await import('kysely')
    const db = new Kysely<unknown>({ dialect })
    const run: string[] = []
    // Each migration has its own transaction, or none. Holding the locks of several would deadlock with requests that the
    // previous version still serves.
    for (let goesOn = wanted.length > 0; goesOn; ) {
      const isHeldUp = (error: unknown) => error instanceof RunMeanwhile || adapter.isHeldUp(error)
      const name = await retryHeldUp(isHeldUp, async () => {
        const [next = ''] = compareSchema(await adapter.appliedMigrations()).pending
        const isOnline = adapter.migratesOnline && (await migrations[next]?.())?.online === true
        const provider = { getMigrations: () => load(next, report) }
        const migrator = new Migrator({ db, provider, disableTransactions: isOnline })
        const { error, results = [] } = await migrator.migrateUp()
        if (error) throw error
        return results[0]?.migrationName
      })
      if (name !== undefined) run.push(name)
      goesOn = name !== undefined && (upTo === undefined || name < upTo)
    }
    return run
  })
}

/** How long requests, or another process's migrations, may hold up a migration. */
const heldUpAtMostMs = 120_000

/** Retries work that gave way to others. The delay grows up to half a second. */
async function retryHeldUp<T>(isHeldUp: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isHeldUp(error) || performance.now() - startedAtMs > heldUpAtMostMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, 20 * tries)))
  }
}

/** Rejects with `StorageUnavailable` if the database contains nothing of Latchkey. One cheap read. */
export async function requireDatabase({ appliedMigrations, place }: Adapter): Promise<void> {
  if ((await appliedMigrations()).length === 0)
    throw noDatabase(`${place} is empty: there is no Latchkey database in it.`)
}

/** `what`: a sentence that says what was looked for and where. */
export function noDatabase(what: string): StorageUnavailable {
  return new StorageUnavailable(
    `${what} Run the command in the folder of the service, or name its settings with --config or Database:Url. ` +
      'To create a new database, start the server or run: latchkey db migrate',
  )
}

/** Whether migrations are pending. Rejects like `ensureSchema` if the schema has another major version. */
export async function isBehind(adapter: Adapter): Promise<boolean> {
  return (await usableSchema(adapter)).pending.length > 0
}

/** The first digit of a migration's name is the major version of the schema; see `migrations/index.ts`. */
const majorOf = (migration: string): string | undefined => /^(\d)\d{3}-/.exec(migration)?.[1]

export const schemaMajor = Number(majorOf(Object.keys(migrations).at(-1) ?? ''))

async function usableSchema(adapter: Adapter): Promise<SchemaState> {
  const state = compareSchema(await adapter.appliedMigrations())
  const foreign = state.unknown.find((name) => majorOf(name) !== String(schemaMajor))
  if (foreign !== undefined) {
    throw new StorageUnavailable(
      `The database was upgraded by a newer version of Latchkey, with a schema that this one cannot work on (it has the migration ${foreign}): run that version or a later one.`,
    )
  }
  const [lacking] = state.pending
  if (state.unknown.length > 0 && lacking !== undefined) {
    throw new StorageUnavailable(
      `The database was upgraded by a newer version of Latchkey (it has the migration ${state.unknown[0]}), but lacks the migration ${lacking}: run the newest version, which knows both.`,
    )
  }
  return state
}

/** Another process has run the migration that was next. */
class RunMeanwhile extends Error {
  constructor(migration: string) {
    super(`${migration} has been run meanwhile`)
  }
}

/** Rejects with `RunMeanwhile` instead of running the one after `next` in the way that `next` is run. */
async function load(next: string, report: SchemaOptions['report']) {
  const loaded = await Promise.all(
    Object.entries(migrations).map(async ([name, get]) => {
      const migration = await get()
      const up: typeof migration.up = async (db) => {
        if (name !== next) throw new RunMeanwhile(next)
        report?.(name)
        await migration.up(db)
      }
      return [name, { up }] as const
    }),
  )
  return Object.fromEntries(loaded)
}
