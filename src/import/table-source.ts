/** What a place has of tables: an SQLite file or a folder of CSV files. */
import type { SourcePlace } from '../storage/port/imports.ts'

/** Values as texts; null: none. Bytes are `\x` and hexadecimal digits. */
export type TableRow = Readonly<Record<string, string | null>>

/** With the line in its file, or the number of the row. `fault`: why it cannot be read, as a whole sentence. */
export type ReadRow = { readonly line: number } & ({ readonly row: TableRow } | { readonly fault: string })

/** `fault`: names the table, too. */
export type UnreadRow = { readonly line: number; readonly fault: string; readonly place?: SourcePlace }

export type TableSource = {
  /** The names of its tables, as it has them. */
  readonly names: readonly string[]
  /** Returns the columns of one of them. Throws `UnreadableSource` for what is no table of its own. */
  columns(table: string): Promise<readonly string[]>
  rows(table: string): AsyncIterable<ReadRow>
  /** What an operator should know of the source, as a whole sentence; undefined: nothing. */
  readonly warning?: string
  close(): void
}
