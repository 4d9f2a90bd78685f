/** Statements for several requests: each value that a request has its own of becomes an array of these. */
import type { Gathered, SqlType, Statement, Value } from '../sql/statement.ts'

/** Sends a text with its values. Resolves to the values of each row, in the order of the columns. */
export type Send = (text: string, parameters: Value[]) => Promise<(readonly Value[])[]>

/** A statement's placeholders: which are arrays, and the text in which these are the columns of `gathered`. */
export type GatheredPlaces = {
  /** For `unnest`. */
  readonly arrays: string
  /** The columns in the same order. */
  readonly names: readonly string[]
  readonly text: string
}

/**
 * Returns the arguments of `unnest` for arrays of these types, by the numbers of their placeholders. The planner does not look into a
 * subquery: where it saw that all are short, it would take a plan for so few to be cheaper than the one for any number, and plan the
 * statement anew each time.
 */
export function arrayArguments(places: readonly { readonly number: number; readonly type: SqlType }[]): string {
  const [first, ...others] = places.map(({ number, type }) => `$${number}::${type}[]`)
  return [`(select ${first})`, ...others].join(', ')
}

const placesOf = ({ gathered }: Statement) => gathered?.('postgres') ?? []
const isOwn = (place: Gathered) => typeof place === 'object' && place !== null

/** Returns the statement with a column of `gathered` in the place of each value that a request has its own of. */
export function gatheredPlaces(statement: Statement): GatheredPlaces {
  const places = placesOf(statement)
  const own = places.flatMap((place, at) => (isOwn(place) ? [{ ...place, number: at + 1 }] : []))
  return {
    arrays: arrayArguments(own),
    names: own.map(({ number }) => `v${number}`),
    text: statement
      .toSql('postgres')
      .text.replaceAll(/\$(\d+)/g, (place, number) =>
        isOwn(places[number - 1] ?? null) ? `gathered.v${number}` : place,
      ),
  }
}

/** Returns the values for that text. The statements differ in their values alone. */
export function gatheredParameters(statements: readonly Statement[]): Value[] {
  const values = statements.map(({ toSql }) => toSql('postgres').parameters)
  const places = statements[0] === undefined ? [] : placesOf(statements[0])
  return places.map((place, at) => (isOwn(place) ? arrayOf(values.map((own) => own[at] ?? null)) : place))
}

/** Returns the values as the text of an array (PostgreSQL 8.15.2). */
export function arrayOf(values: readonly Value[]): string {
  const one = (value: Value) =>
    typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : (value ?? 'NULL')
  return `{${values.map(one).join(',')}}`
}
