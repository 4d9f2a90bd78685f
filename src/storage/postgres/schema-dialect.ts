/** The dialect of migrations: what they need of a session is set within each transaction, so that a pooler may share it. */
import { CompiledQuery, type DatabaseConnection, PostgresAdapter, type TransactionSettings } from 'kysely'
import { PostgresJSDialect, PostgresJSDriver } from 'kysely-postgres-js'
import type postgres from 'postgres'

/**
 * How long a migration waits for a lock. Requests queue behind it. It must give up before PostgreSQL resolves a
 * deadlock, which it does after a second and at the expense of a request.
 */
const lockMs = 200

/** How long a migration waits for those of another process. */
const turnMs = 3_600_000

/** The key of the advisory lock that Kysely takes for a session; previous versions take it so. */
const turnKey = '3853314791062309107'

export function schemaDialect(sql: postgres.Sql): PostgresJSDialect {
  return new SchemaDialect({ postgres: sql }, sql)
}

class SchemaDialect extends PostgresJSDialect {
  readonly #sql: postgres.Sql

  constructor(config: { postgres: postgres.Sql }, sql: postgres.Sql) {
    super(config)
    this.#sql = sql
  }

  override createAdapter(): PostgresAdapter {
    return new TurnlessAdapter()
  }

  override createDriver(): PostgresJSDriver {
    return new SchemaDriver({ postgres: this.#sql })
  }
}

/** A lock of the session would stay behind in a pooler. The transaction takes the turn instead. */
class TurnlessAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

class SchemaDriver extends PostgresJSDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
    try {
      await run(`select ${['statement_timeout', 'idle_in_transaction_session_timeout'].map(unlimited).join(', ')}`)
      await run(`set local lock_timeout = ${turnMs}`)
      await run(`select pg_advisory_xact_lock(${turnKey})`)
      await run(`set local lock_timeout = ${lockMs}`)
    } catch (error) {
      await this.rollbackTransaction(connection)
      throw error
    }
  }
}

const unlimited = (name: string): string => `set_config('${name}', '0', true)`
