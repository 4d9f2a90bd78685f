/** A database as tables of rows: to count, copy, back up and restore everything, whatever it means. */
import { StorageUnavailable } from './port/port.ts'
import { type TableName, tables } from './sql/tables.ts'

export type Row = Readonly<Record<string, string | number | null>>

export type RowReader = {
  /** Those that exist, of the ones known here, in an order in which rows can be added. */
  tables(): Promise<TableName[]>
  count(table: TableName): Promise<number>
  /** Every row, in batches and in no particular order. */
  rows(table: TableName): AsyncIterable<readonly Row[]>
}

export type RowWriter = Pick<RowReader, 'tables' | 'count'> & {
  /** `rows` must not be empty, and all have the same columns. */
  insert(table: TableName, rows: readonly Row[]): Promise<void>
  /** Removes every row of every table. */
  clear(): Promise<void>
}

/** Everything rejects with `StorageUnavailable` when the database cannot be used. */
export type RowStore = {
  /** Name and version of the database engine. */
  version(): Promise<string>
  sizeBytes(): Promise<number>
  /** Runs `work` on one state of the database, which does not change meanwhile; those who write are not held up. */
  snapshot<T>(work: (reader: RowReader) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction as the only writer: when it resolves all is stored, when it rejects nothing is. */
  fill<T>(work: (writer: RowWriter) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type TableCount = { readonly table: TableName; readonly rows: number }

export const rowsInBatch = 500

/** Another process has the database open. */
export class DatabaseInUse extends StorageUnavailable {}

export type RowOptions = {
  /** It will not be filled. */
  readonly readOnly: boolean
  /**
   * Nobody else may open the database until it is closed; rejects with `DatabaseInUse` when somebody has. For an SQLite
   * file; the processes at a PostgreSQL say themselves that they are there (`Storage.servers`).
   */
  readonly alone?: boolean
}

export async function countAll(reader: Pick<RowReader, 'tables' | 'count'>): Promise<TableCount[]> {
  const counts: TableCount[] = []
  for (const table of await reader.tables()) counts.push({ table, rows: await reader.count(table) })
  return counts
}

/**
 * Copies every row into a writer that has the same schema and no rows; tells of each table when it is done. Rejects when
 * the copy has not as many rows as the original, so that the transaction around it takes everything back.
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

/** The known ones among the tables that a database says it has. */
export function knownTables(found: readonly string[]): TableName[] {
  return tables.filter((table) => found.includes(table))
}
