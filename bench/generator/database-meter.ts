/** What PostgreSQL says about its own work. */
import postgres from 'postgres'
import { familyCpuUs } from '../machine.ts'
import type { CountedDatabase, DatabaseWork } from '../records.ts'
import type { Passed } from '../relay.ts'

export type DatabaseCounters = DatabaseWork

/** Undefined without a database to count at. Counters only ever grow; `connections` is a state. */
export async function openDatabaseMeter(counted: CountedDatabase | undefined) {
  if (counted === undefined) return undefined
  const sql = postgres(counted.address, { max: 1, fetch_types: false, onnotice: () => {} })
  const [version] = await sql`select current_setting('server_version_num')::integer as number`
  // PostgreSQL 18 counts them among all input and output.
  const flushes =
    version?.number >= 180_000
      ? "(select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal')"
      : '(select wal_sync from pg_stat_wal)'
  const countEntries = async () => Number((await sql`select count(*) as rows from audit_entries`)[0]?.rows)
  return {
    async read(): Promise<DatabaseCounters> {
      // Each writing transaction takes a number, and nothing else does.
      const [row] = await sql.unsafe(
        `select pg_snapshot_xmax(pg_current_snapshot())::text as writes,
          (pg_current_wal_insert_lsn() - '0/0')::text as wal, ${flushes}::text as flushes,
          (select count(*) from pg_stat_activity where application_name = 'latchkey' and datname = current_database())::text as connections`,
      )
      return {
        cpuUs: familyCpuUs(counted.pid),
        writes: Number(row?.writes),
        walBytes: Number(row?.wal),
        flushes: Number(row?.flushes),
        connections: Number(row?.connections),
        entries: counted.counters === undefined ? null : await countEntries(),
        passed: counted.counters === undefined ? null : ((await (await fetch(counted.counters)).json()) as Passed),
      }
    },
    close: () => sql.end(),
  }
}

export function workBetween(
  before: DatabaseCounters | undefined,
  after: DatabaseCounters | undefined,
): DatabaseWork | null {
  if (before === undefined || after === undefined) return null
  return {
    cpuUs: before.cpuUs === null || after.cpuUs === null ? null : after.cpuUs - before.cpuUs,
    writes: after.writes - before.writes,
    walBytes: after.walBytes - before.walBytes,
    flushes: after.flushes - before.flushes,
    connections: after.connections,
    entries: before.entries === null || after.entries === null ? null : after.entries - before.entries,
    passed: before.passed && after.passed && passedBetween(before.passed, after.passed),
  }
}

const passedBetween = (before: Passed, after: Passed): Passed => ({
  roundTrips: after.roundTrips - before.roundTrips,
  toDatabase: after.toDatabase - before.toDatabase,
  fromDatabase: after.fromDatabase - before.fromDatabase,
})
