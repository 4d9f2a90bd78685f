/**
 * Statements are written with Kysely, which checks them against the types of the tables, and are compiled once: building a
 * query tree costs more than running the query. The build compiles them before the program runs, because loading Kysely
 * slows the start; from sources `compile.ts` does it at the first use. What runs is SQL text and a mapping from named values to
 * positions.
 */
import type { AliasedRawBuilder, Compilable, Expression, Kysely, RawBuilder, Sql } from 'kysely'
import type { CompiledStatement, Dialect, Gathered, SqlTypes, Statement, Value } from './statement.ts'
import type { Database } from './tables.ts'

/** Stands for the named values while a statement is compiled. */
export type Placeholders<Values> = { readonly [Name in keyof Values & string]: RawBuilder<Values[Name]> }

/** Helpers for building a statement. */
export type Tools = {
  readonly sql: Sql
  /** Whether a column equals one of the texts in a JSON array. The dialects spell this differently. */
  isOneOf(column: string, list: Expression<string>): RawBuilder<boolean>
  /** The texts in a JSON array as rows `each`, with a column `value`. */
  eachOf(list: Expression<string>): AliasedRawBuilder<{ value: string }, 'each'>
  /** The JSON text of a member of the object in the column; null: it has none. */
  jsonMember(column: string, name: Expression<string>): RawBuilder<string | null>
  /** The column, compared byte by byte (UTF-8) whatever the collation of the database is. */
  byBytes(column: string): RawBuilder<string>
  /** The time by the clock of the database, in epoch milliseconds. */
  readonly databaseNowMs: RawBuilder<number>
  /**
   * A condition on several columns, of which `bound` repeats what it says of the time alone: PostgreSQL chooses the partitions to
   * read by that.
   */
  inPartitions(bound: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<boolean>
  /**
   * Locks the selected rows against changes until the commit: writers wait, readers do not. A no-op in SQLite, which
   * has one writer at a time.
   */
  keepingRows<Query extends KeepingRows>(query: Query): Query
}

/** The part of a Kysely query that `keepingRows` needs. */
type KeepingRows = { forShare(): unknown }

export type Build<Values, Row> = (db: Kysely<Database>, values: Placeholders<Values>, tools: Tools) => Compilable<Row>

/** All registered statements, for the compiler. */
export const builds = new Map<string, Build<never, unknown>>()

/** Finds a compiled statement by its name. */
export type Lookup = (name: string) => CompiledStatement | undefined

const lookups: Partial<Record<Dialect, Lookup>> = {}

/** Sets where the statements of a dialect are found. Called by its engine, which alone is loaded. */
export function findStatements(dialect: Dialect, lookup: Lookup): void {
  lookups[dialect] = lookup
}

/**
 * Registers a statement under a name made of its file and its constant. Throws if the name is taken. `gathered`: the SQL types of
 * its values. An engine may then run it for several requests at once. `changed`: the column, and value of the same name, that
 * identifies the one row that it changes. The values of that row stand before the first condition in its text.
 */
export function prepare<Values extends Record<string, Value>, Row>(
  name: string,
  build: Build<Values, Row>,
  gathered?: SqlTypes<NoInfer<Values>>,
  changed?: keyof Values & string,
): (values: Values) => Statement<Row> {
  if (builds.has(name)) throw new Error(`There are two statements called ${name}: rename one of them.`)
  builds.set(name, build as Build<never, unknown>)
  const compiledFor = (dialect: Dialect): CompiledStatement => {
    const compiled = lookups[dialect]?.(name)
    if (!compiled) throw new Error(`The statement ${name} was not compiled for ${dialect}.`)
    return compiled
  }
  const own = gathered && Object.fromEntries(Object.entries(gathered).map(([name, type]) => [name, { type }]))
  const places = own && ((dialect: Dialect) => compiledFor(dialect).toParameters(own) as Gathered[])
  return (values) => ({
    mustChange: false,
    ...(places && { gathered: places }),
    ...(changed !== undefined && { changed: { column: changed, key: values[changed] as Value } }),
    toSql(dialect) {
      const compiled = compiledFor(dialect)
      // The compiled names are those of `Values`.
      const parameters = compiled.toParameters(values) as Value[]
      return { text: compiled.text, parameters, toRow: compiled.toRow }
    },
  })
}

/** Returns the statement marked as a condition: the commit rolls back if it changes no row. */
export function mustChange(statement: Statement): Statement {
  const { toSql, gathered, changed } = statement
  return { mustChange: true, toSql, ...(gathered && { gathered }), ...(changed && { changed }) }
}

/** Returns the named placeholders as the values of an insert or the assignments of an update. */
export function pick<Values, Name extends keyof Values & string>(
  values: Placeholders<Values>,
  names: readonly Name[],
): Pick<Placeholders<Values>, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Placeholders<Values>, Name>
}

/** Returns the named placeholders as columns of a select, for a conditional insert. */
export function selected<Values, Name extends keyof Values & string>(
  values: Placeholders<Values>,
  names: readonly Name[],
) {
  return names.map((name) => values[name].as(name))
}
