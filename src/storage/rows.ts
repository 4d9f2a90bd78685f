/** A database as tables of rows: to count, copy, back up and restore everything without interpreting it. */
import type { Arrival } from './port/servers.ts'
import { StorageUnavailable } from './port/unavailable.ts'
import { type TableName, tables } from './sql/tables.ts'

export type Row = Readonly<Record<string, string | number | null>>

export type RowReader = {
  /** Returns the existing known tables, in insertion order. */
  tables(): Promise<TableName[]>
  count(table: TableName): Promise<number>
  /** Yields every row, in batches and in no particular order. */
  rows(table: TableName): AsyncIterable<readonly Row[]>
}

export type RowWriter = Pick<RowReader, 'tables' | 'count'> & {
  /** `rows` must not be empty, and all rows have the same columns. */
  insert(table: TableName, rows: readonly Row[]): Promise<void>
  /** Deletes every row of every table. */
  clear(): Promise<void>
  /** Whether a copy into this database began that has not ended (`Servers.findArrival`). */
  isArriving(): Promise<boolean>
  markArrival(arrival: Arrival): Promise<void>
}

/** Every method rejects with `StorageUnavailable` if the database cannot be used. */
export type RowStore = {
  /** Returns name and version of the database engine. */
  version(): Promise<string>
  sizeBytes(): Promise<number>
  /** Runs `work` on a snapshot of the database. Writers are not blocked. */
  snapshot<T>(work: (reader: RowReader) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction as the only writer: stores everything when it resolves, nothing when it rejects. */
  fill<T>(work: (writer: RowWriter) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type TableCount = { readonly table: TableName; readonly rows: number }

export const rowsInBatch = 500

/** Another process has the database open. */
export class DatabaseInUse extends StorageUnavailable {}

export type RowOptions = {
  /** Whether the database will not be filled. */
  readonly readOnly: boolean
  /**
   * Prevents others from opening the database until it is closed; rejects with `DatabaseInUse` if another process has
   * it open. For SQLite files; processes that use PostgreSQL announce themselves (`Storage.servers`).
   */
  readonly alone?: boolean
}

export async function countAll(reader: Pick<RowReader, 'tables' | 'count'>): Promise<TableCount[]> {
  const counts: TableCount[] = []
  for (const table of await reader.tables()) counts.push({ table, rows: await reader.count(table) })
  return counts
}

/**
 * Copies every row into a writer with the same schema and no rows. Reports each finished table. Rejects if the number
 * of rows differs, so that the surrounding transaction rolls back.
 */
export async function copyRows(
  reader: RowReader,
  writer: RowWriter,
  report: (count: TableCount) => void,
): Promise<TableCount[]> {
  for (const table of await reader.tables()) {
    let rows = 0
    for await (const batch of reader.rows(table)) {
      await writer.insert(table, batch).catch((error) => {
        throw isContradiction(error) ? new StorageUnavailable(`${table} ${contradicts} (${error.message}).`) : error
      })
      rows += batch.length
    }
    report({ table, rows })
  }
  const expected = await countAll(reader)
  for (const { table, rows } of expected) {
    const copied = await writer.count(table)
    if (copied !== rows) throw new Error(`Of ${rows} rows of ${table}, ${copied} were copied; all was taken back.`)
  }
  return expected
}

const contradicts = 'cannot be copied, because its rows contradict one another or those they refer to'

/** A violated constraint: SQLITE_CONSTRAINT, or SQLSTATE class 23. */
function isContradiction(error: { readonly errcode?: number; readonly code?: string }): boolean {
  return ((error.errcode ?? 0) & 0xff) === 19 || /^23/.test(error.code ?? '')
}

/** Returns the known tables among those found, in insertion order. */
export function knownTables(found: readonly string[]): TableName[] {
  return tables.filter((table) => found.includes(table))
}
