/** Reads PostgreSQL's replication state: whether a promoted replica would have every acknowledged commit. */
import postgres from 'postgres'
import { isMissingTable } from './errors.ts'
import { findServer } from './hosts.ts'
import { rareConnectionOptions } from './options.ts'

/** Longer than a replica takes that is there. */
const hangingMs = 3000

export type Replication = {
  /** The value for the service's sessions: `on`, `remote_apply`, `remote_write`, `local` or `off`. */
  readonly synchronousCommit: string
  /** `synchronous_standby_names`; empty: commits wait for no replica. */
  readonly synchronousNames: string
  /** Attached replicas. `state`: `sync`, `quorum`, `potential` or `async`; null if the account may not read it. */
  readonly replicas: readonly { readonly name: string; readonly state: string | null }[]
  /** How many commits of the service have waited for a synchronous replica for seconds. */
  readonly waiting: number
  /** Whether Patroni decides which replica is promoted. */
  readonly isPatroni: boolean
}

/**
 * Returns undefined if the server does not report it: an engine with its own replication, or an account without the
 * privilege.
 */
export async function readReplication(url: string): Promise<Replication | undefined> {
  const sql = postgres(await findServer(url), { ...rareConnectionOptions, fetch_types: false })
  try {
    const [settings] = await sql`
      select current_setting('synchronous_commit') as commits, current_setting('synchronous_standby_names') as names`
    // Excludes base backups and logical replication of single tables.
    const replicas = await sql`
      select sender.application_name as name, sender.sync_state as state
      from pg_stat_replication as sender left join pg_replication_slots as slot on slot.active_pid = sender.pid
      where sender.state is distinct from 'backup' and slot.slot_type is distinct from 'logical'
      order by sender.application_name`
    const [patroni] = await sql`
      select exists (select from pg_stat_activity where application_name = 'Patroni') as found`
    return {
      synchronousCommit: String(settings?.commits),
      synchronousNames: String(settings?.names),
      replicas: replicas.map(({ name, state }) => ({
        name: String(name),
        state: state === null ? null : String(state),
      })),
      waiting: await countWaiting(sql, hangingMs),
      isPatroni: patroni?.found === true,
    }
  } catch {
    return undefined
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Returns how many commits of the service, by any of its processes, have waited for a synchronous replica for longer than
 * `longerThanMs`. 0 for an engine that does not report it.
 */
export async function countWaiting(sql: postgres.Sql, longerThanMs: number): Promise<number> {
  try {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where wait_event = 'SyncRep' and datname = current_database()
        and clock_timestamp() - query_start > make_interval(secs => ${longerThanMs / 1000})`
    return Number(row?.waiting ?? 0)
  } catch (error) {
    if (isMissingTable(error)) return 0
    throw error
  }
}
