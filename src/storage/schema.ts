import type { Adapter } from './engine.ts'
import { migrations } from './migrations/index.ts'
import { StorageUnavailable } from './port/port.ts'

/** The migrations of a database, compared with those that this program knows. */
export type SchemaState = {
  readonly applied: readonly string[]
  /** Known here, not yet done there. */
  readonly pending: readonly string[]
  /** Done there by another version, not known here. */
  readonly unknown: readonly string[]
}

export type SchemaOptions = {
  /** Is told the name of each migration before it runs. */
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
 * Sees to it that this program can work on the schema: everything it knows is there, and what it does not know was only
 * added. When that is so already, it costs one read. Resolves to the migrations that were run.
 * Rejects with `StorageUnavailable` when the schema is of another major version, or behind and `migrate` is false.
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
      'The database has not been set up for this version of Latchkey: start the server once, it brings the schema up to date.',
    )
  }
  const wanted = pending.filter((name) => upTo === undefined || name <= upTo)
  return adapter.withSchemaDialect(async (dialect) => {
    const { Kysely, Migrator } = await import('kysely')
    const provider = { getMigrations: () => load(report) }
    const migrator = new Migrator({ db: new Kysely<unknown>({ dialect }), provider })
    const run: string[] = []
    // Each in a transaction of its own: one that held the locks of several migrations would deadlock with the requests that
    // the version before still serves.
    for (let goesOn = wanted.length > 0; goesOn; ) {
      const name = await patiently(adapter.isHeldUp, async () => {
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

/** How long a migration may be held up by requests, and by the migrations of another process. */
const patienceMs = 120_000

/** Tries again what gave way to others; each try waits a little longer, up to half a second. */
async function patiently<T>(isHeldUp: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isHeldUp(error) || performance.now() - startedAtMs > patienceMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, 20 * tries)))
  }
}

/** Rejects with `StorageUnavailable` when there is nothing of Latchkey in the database. One cheap read. */
export async function requireDatabase({ appliedMigrations, place }: Adapter): Promise<void> {
  if ((await appliedMigrations()).length === 0)
    throw noDatabase(`${place} is empty: there is no Latchkey database in it.`)
}

/** `what`: a sentence that says what was looked for, and where. */
export function noDatabase(what: string): StorageUnavailable {
  return new StorageUnavailable(
    `${what} Run the command in the folder of the service, or name its settings with --config or Database:Url. ` +
      'To create a new database, start the server or run: latchkey db migrate',
  )
}

/** Whether there is a migration to do. Rejects as `ensureSchema` does when the schema is of another major version. */
export async function isBehind(adapter: Adapter): Promise<boolean> {
  return (await usableSchema(adapter)).pending.length > 0
}

/** The first digit of a migration's name is the major version of the schema: see `migrations/index.ts`. */
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

async function load(report: SchemaOptions['report']) {
  const loaded = await Promise.all(
    Object.entries(migrations).map(async ([name, get]) => {
      const migration = await get()
      const up: typeof migration.up = async (db) => {
        report?.(name)
        await migration.up(db)
      }
      return [name, { up }] as const
    }),
  )
  return Object.fromEntries(loaded)
}
