/** A PostgreSQL as it runs in production, on a disk, for measurements that count what it does. */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { startServer } from '../test/support/postgres.ts'
import { newFolder } from './servers.ts'

export type DurablePostgres = {
  readonly version: string
  /** Of the process that starts all others. */
  readonly pid: number
  /** The address of a new database with the schema in place. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

/** Where the system's own PostgreSQL is, if there is one; it is preferred to that of the development packages. */
const systemPrograms = '/usr/lib/postgresql/15/bin'

const settings: readonly string[] = [
  'fsync=on',
  'full_page_writes=on',
  'autovacuum=on',
  'wal_level=replica',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'max_connections=200',
]

export async function startDurablePostgres(): Promise<DurablePostgres> {
  const programs = existsSync(join(systemPrograms, 'initdb')) ? systemPrograms : undefined
  const server = await startServer({ settings, onDisk: true, programs })
  const address = await server.createDatabase()
  return {
    version: await ask(address, async (sql) => String((await sql`show server_version`)[0]?.server_version)),
    pid: Number(readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    createDatabase: () => server.createDatabase(),
    stop: () => server.stop(),
  }
}

export type TableSize = {
  readonly table: string
  readonly rows: number
  /** With what is stored out of line. */
  readonly tableBytes: number
  readonly indexBytes: number
}

/** Exact numbers of rows, so the tables should be small enough to count. */
export function tableSizes(address: string, tables: readonly string[]): Promise<TableSize[]> {
  return ask(address, async (sql) => {
    const sizes: TableSize[] = []
    for (const table of tables) {
      const [row] = await sql`select (select count(*) from ${sql(table)})::text as rows,
        pg_table_size(${table})::text as table_bytes, pg_indexes_size(${table})::text as index_bytes`
      const { rows, table_bytes, index_bytes } = row as Record<string, string>
      sizes.push({
        table,
        rows: Number(rows),
        tableBytes: Number(table_bytes),
        indexBytes: Number(index_bytes),
      })
    }
    return sizes
  })
}

async function ask<T>(address: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(address, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** What forcing one page to the disk takes, microseconds: the median. */
export function flushUs(): number {
  const file = join(newFolder(), 'page')
  const open = openSync(file, 'w')
  const page = Buffer.alloc(8192, 1)
  const times: number[] = []
  try {
    for (let at = 0; at < 500; at += 1) {
      const startedAt = performance.now()
      writeSync(open, page, 0, page.length, 0)
      fdatasyncSync(open)
      times.push((performance.now() - startedAt) * 1000)
    }
  } finally {
    closeSync(open)
    rmSync(file)
  }
  return times.sort((a, b) => a - b)[times.length / 2] as number
}
