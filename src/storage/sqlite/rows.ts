/** Row-level access to an SQLite file, for copies and backups. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  DatabaseInUse,
  knownTables,
  type Row,
  type RowOptions,
  type RowReader,
  type RowStore,
  rowsInBatch,
} from '../rows.ts'
import { arriving, type TableName, tables } from '../sql/tables.ts'
import { toFailure } from './batch.ts'
import { guard, toErrorOf } from './errors.ts'
import { openFile } from './file.ts'

export function openSqliteRows(file: string, { readOnly, alone = false }: RowOptions): RowStore {
  const db = openFile(file, { readOnly: readOnly && !alone })
  if (alone) takeAlone(db, file)

  async function inTransaction<T>(begin: string, end: string, work: () => Promise<T>): Promise<T> {
    try {
      db.exec(begin)
      const result = await work()
      db.exec(end)
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw toErrorOf(file, error)
    }
  }

  return {
    version: async () => `SQLite ${text(db, 'SELECT sqlite_version()')}`,
    sizeBytes: async () =>
      guard(file, () => Number(text(db, 'PRAGMA page_count')) * Number(text(db, 'PRAGMA page_size'))),
    snapshot: (work) => inTransaction('BEGIN', 'COMMIT', () => work(readerOf(db))),
    fill: (work) =>
      inTransaction('BEGIN IMMEDIATE', 'COMMIT', () => {
        const inserts = new Map<TableName, StatementSync>()
        return work({
          ...readerOf(db),
          async insert(table, rows) {
            const columns = Object.keys(rows[0] ?? {})
            const statement = inserts.get(table) ?? db.prepare(insertText(table, columns))
            inserts.set(table, statement)
            for (const row of rows) statement.run(...columns.map((column) => row[column] ?? null))
          },
          async clear() {
            for (const table of tables.toReversed()) db.exec(`DELETE FROM "${table}"`)
          },
          isArriving: async () => db.prepare('SELECT 1 FROM moves WHERE name = ?').get(arriving) !== undefined,
          async markArrival({ from, atMs }) {
            const insert = 'INSERT OR REPLACE INTO moves (name, moved_to, at_ms, settled) VALUES (?, ?, ?, 0)'
            db.prepare(insert).run(arriving, from, atMs)
          },
        })
      }),
    close: async () => db.close(),
  }
}

/** How long to wait for another command that uses the database. */
const aloneWithinMs = 2000

/**
 * Takes and keeps the lock that every connection to a database in WAL mode shares. It is granted only while no other
 * program has a connection, and prevents new ones.
 */
function takeAlone(db: DatabaseSync, file: string): void {
  try {
    db.exec(`PRAGMA busy_timeout = ${aloneWithinMs}; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT`)
  } catch (error) {
    db.close()
    const { code = 0 } = toFailure(error)
    if ((code & 0xff) === 5) throw new DatabaseInUse(`${file} is in use by another process.`, { cause: error })
    throw toErrorOf(file, error)
  }
}

function readerOf(db: DatabaseSync): RowReader {
  return {
    async tables() {
      const found = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
      return knownTables(found.map(({ name }) => String(name)))
    },
    count: async (table) => Number(text(db, `SELECT count(*) FROM "${table}"`)),
    async *rows(table) {
      let batch: Row[] = []
      for (const row of db.prepare(`SELECT * FROM "${table}"`).iterate()) {
        batch.push(row as Row)
        if (batch.length < rowsInBatch) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
  }
}

function insertText(table: TableName, columns: readonly string[]): string {
  const names = columns.map((column) => `"${column}"`).join(', ')
  return `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Returns the single value of a single-row query. */
function text(db: DatabaseSync, query: string): string {
  return String(Object.values(db.prepare(query).get() ?? {})[0])
}
