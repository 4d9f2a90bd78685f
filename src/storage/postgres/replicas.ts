/** Reads PostgreSQL's replication state: whether a promoted replica would have every acknowledged commit. */
import postgres from 'postgres'
import { findServer } from './hosts.ts'
import { connectionOptions } from './options.ts'

export type Replication = {
  /** The value for the service's sessions: `on`, `remote_apply`, `remote_write`, `local` or `off`. */
  readonly synchronousCommit: string
  /** `synchronous_standby_names`; empty: commits wait for no replica. */
  readonly synchronousNames: string
  /** Attached replicas. `state`: `sync`, `quorum`, `potential` or `async`; null if the account may not read it. */
  readonly replicas: readonly { readonly name: string; readonly state: string | null }[]
}

/**
 * Returns undefined if the server does not report it: an engine with its own replication, or an account without the
 * privilege.
 */
export async function readReplication(url: string): Promise<Replication | undefined> {
  const sql = postgres(await findServer(url), {
    ...connectionOptions,
    max: 1,
    fetch_types: false,
    connection: { application_name: 'latchkey', statement_timeout: 5000 },
  })
  try {
    const [settings] = await sql`
      select current_setting('synchronous_commit') as commits, current_setting('synchronous_standby_names') as names`
    // Excludes base backups and logical replication of single tables.
    const replicas = await sql`
      select sender.application_name as name, sender.sync_state as state
      from pg_stat_replication as sender left join pg_replication_slots as slot on slot.active_pid = sender.pid
      where sender.state is distinct from 'backup' and slot.slot_type is distinct from 'logical'
      order by sender.application_name`
    return {
      synchronousCommit: String(settings?.commits),
      synchronousNames: String(settings?.names),
      replicas: replicas.map(({ name, state }) => ({
        name: String(name),
        state: state === null ? null : String(state),
      })),
    }
  } catch {
    return undefined
  } finally {
    await sql.end({ timeout: 1 })
  }
}
