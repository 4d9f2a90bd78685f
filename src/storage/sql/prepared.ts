/**
 * Statements are written with Kysely, which checks them against the types of the tables, and are compiled before the program
 * runs (`compile.ts`): building a query tree costs more than running the query, and loading Kysely slows the start. At run
 * time a statement is SQL text and a mapping from named values to positions.
 */
import type { Compilable, Expression, Kysely, RawBuilder, Sql } from 'kysely'
import type { Statement, Value } from './statement.ts'
import { statements } from './statements.generated.ts'
import type { Database } from './tables.ts'

/** Stands for the named values while a statement is built. */
export type Placeholders<Values> = { readonly [Name in keyof Values & string]: RawBuilder<Values[Name]> }

/** What else a statement is built with. */
export type Tools = {
  readonly sql: Sql
  /** Whether a column has one of the texts of a JSON array: one of the two things that the dialects spell differently. */
  isOneOf(column: string, list: Expression<string>): RawBuilder<boolean>
  /**
   * Keeps the rows that the query reads as they are until the commit: who changes them waits, who reads them so does not.
   * SQLite has one writer at a time anyway.
   */
  keepingRows<Query extends KeepingRows>(query: Query): Query
}

/** The part of a Kysely query that `keepingRows` needs. */
type KeepingRows = { forShare(): unknown }

export type Build<Values, Row> = (db: Kysely<Database>, values: Placeholders<Values>, tools: Tools) => Compilable<Row>

/** How every statement is built, for the compiler. */
export const builds = new Map<string, Build<never, unknown>>()

/**
 * A statement under its name: the file and what it is called there. After a change, run `compile.ts`. Throws when another
 * statement has the name.
 */
export function prepare<Values extends Record<string, Value>, Row>(
  name: string,
  build: Build<Values, Row>,
): (values: Values) => Statement<Row> {
  if (builds.has(name)) throw new Error(`There are two statements called ${name}: rename one of them.`)
  builds.set(name, build as Build<never, unknown>)
  return (values) => ({
    mustChange: false,
    toSql(dialect) {
      const compiled = statements[dialect][name]
      if (!compiled) throw new Error(`The statement ${name} was not compiled: run src/storage/sql/compile.ts.`)
      // The names in it are those of `Values`.
      const parameters = compiled.toParameters(values) as Value[]
      return { text: compiled.text, parameters, toRow: compiled.toRow }
    },
  })
}

/** The same statement, on which the whole commit depends. */
export function mustChange(statement: Statement): Statement {
  return { mustChange: true, toSql: statement.toSql }
}

/** The named placeholders as the values of an insert or the assignments of an update. */
export function pick<Values, Name extends keyof Values & string>(
  values: Placeholders<Values>,
  names: readonly Name[],
): Pick<Placeholders<Values>, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Placeholders<Values>, Name>
}

/** The named placeholders as the columns of a select: what a conditional insert stores. */
export function selected<Values, Name extends keyof Values & string>(
  values: Placeholders<Values>,
  names: readonly Name[],
) {
  return names.map((name) => values[name].as(name))
}
