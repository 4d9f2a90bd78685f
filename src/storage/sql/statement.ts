/** The interface between statements and the engines that run them. */

export type Dialect = 'sqlite' | 'postgres'

/** A database value. Flags are 0 and 1, lists are JSON text. */
export type Value = string | number | null

/** A prepared statement with its values. */
export type Statement<Row = unknown> = {
  /** Returns the SQL text and the values in the order of its placeholders. */
  toSql(dialect: Dialect): { readonly text: string; readonly parameters: Value[]; readonly toRow?: ToRow | undefined }
  /** Whether the commit rolls back if this statement changes no row. */
  readonly mustChange: boolean
  /** Present if no other statement of the commit depends on it, and it on none: their order does not matter. */
  readonly independent?: true
  /** Present if an engine may run it for several requests at once: returns what each placeholder stands for, in their order. */
  readonly gathered?: (dialect: Dialect) => readonly Gathered[]
  /** Present besides if it changes one row at most: the column that names the row, and its value there. */
  readonly changed?: { readonly column: string; readonly key: Value }
  /** Carries the row type only; never set. */
  readonly row?: Row
}

export type SqlType = 'text' | 'bigint'

/** The SQL types of values. The compiler knows them: columns are texts and whole numbers. */
export type SqlTypes<Values> = {
  readonly [Name in keyof Values & string]: NonNullable<Values[Name]> extends number ? 'bigint' : 'text'
}

/** The SQL type of a value that each request has its own of, or what is the same in all. */
export type Gathered = { readonly type: SqlType } | Value

/**
 * Builds a row from its values, in the order of the columns. An object literal gives every row of a statement the same
 * shape; a driver that assigns members by name creates slow dictionary objects instead.
 */
export type ToRow = (values: readonly Value[]) => unknown

/** A compiled statement. */
export type CompiledStatement = {
  readonly text: string
  /** Returns the values in the order of the placeholders, constants included. */
  readonly toParameters: <T extends Value | object>(values: Readonly<Record<string, T>>) => (T | Value | undefined)[]
  /** Present if the statement returns rows. */
  readonly toRow?: ToRow
}
