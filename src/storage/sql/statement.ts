/** What a statement is to the engines that run it. */

export type Dialect = 'sqlite' | 'postgres'

/** What goes in and out of a database here. Flags are 0 and 1, lists are JSON text. */
export type Value = string | number | null

/** A prepared statement with its values. */
export type Statement<Row = unknown> = {
  /** SQL text and the values in the order of its placeholders. */
  toSql(dialect: Dialect): { readonly text: string; readonly parameters: Value[]; readonly toRow?: ToRow | undefined }
  /** Takes the whole commit back when this statement changes no row. */
  readonly mustChange: boolean
  /** The type of the rows it gives; never set. */
  readonly row?: Row
}

/**
 * Makes a row of its values, in the order of the columns: an object literal, so that every row of a statement has one
 * shape. A driver that puts objects together from names gives each a dictionary, which costs as much as the query.
 */
export type ToRow = (values: readonly Value[]) => unknown

/** A statement as it was compiled. */
export type CompiledStatement = {
  readonly text: string
  /** The values in the order of the placeholders of the text, some of which are constants. */
  readonly toParameters: (values: Readonly<Record<string, Value>>) => (Value | undefined)[]
  /** Of a statement that gives rows. */
  readonly toRow?: ToRow
}
