/**
 * Compiles statements for one dialect. From sources a statement is compiled when it is first used; the build compiles each
 * of them (`scripts/statements.ts`), so that what is released loads no Kysely for them.
 */
import {
  DummyDriver,
  type IdentifierNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { builds, type Lookup, type Placeholders, type Tools } from './prepared.ts'
import type { CompiledStatement, Dialect, Value } from './statement.ts'
import type { Database } from './tables.ts'

/** A statement as data. */
export type Compiled = {
  readonly text: string
  /** In the order of the placeholders. */
  readonly parameters: readonly (Named | Constant)[]
  /** The columns of a row; undefined if the statement is no select. */
  readonly columns: readonly string[] | undefined
}
type Named = { readonly name: string }
type Constant = { readonly value: Value }

/** Returns the statements of a dialect by name. */
export function compiling(dialect: Dialect): Lookup {
  const compiled = new Map<string, CompiledStatement>()
  return (name) => {
    const found = compiled.get(name)
    if (found !== undefined) return found
    const data = compile(name, dialect)
    const made = data && toStatement(data)
    if (made !== undefined) compiled.set(name, made)
    return made
  }
}

function toStatement({ text, parameters, columns }: Compiled): CompiledStatement {
  return {
    text,
    toParameters: (values) => parameters.map((at) => ('name' in at ? values[at.name] : at.value)),
    ...(columns && { toRow: (row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) }),
  }
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Undefined: no statement has that name. */
export function compile(name: string, dialect: Dialect): Compiled | undefined {
  const placeholders = new Proxy({} as Placeholders<never>, {
    get: (_, value) => sql`${sql.val(new Placeholder(String(value)))}`,
  })
  const query = builds.get(name)?.(builders[dialect], placeholders, tools[dialect])
  if (query === undefined) return undefined
  const { sql: text, parameters, query: node } = query.compile()
  return {
    text,
    parameters: parameters.map((at) => (at instanceof Placeholder ? { name: at.name } : { value: at as Value })),
    columns: columnsOf(node),
  }
}

/** Returns the column names of a statement's result, in order; undefined for one without a result. */
function columnsOf(node: RootOperationNode): string[] | undefined {
  if (node.kind !== 'SelectQueryNode') return undefined
  return node.selections?.map(({ selection }) => {
    if (selection.kind === 'AliasNode' && selection.alias.kind === 'IdentifierNode') return nameIn(selection.alias)
    if (selection.kind === 'ReferenceNode' && selection.column.kind === 'ColumnNode')
      return nameIn(selection.column.column)
    throw new Error(`a ${selection.kind} needs an alias to be selected`)
  })
}

const nameIn = (node: object): string => (node as IdentifierNode).name

const tools: Record<Dialect, Tools> = {
  sqlite: {
    sql,
    isOneOf: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
    eachOf: (list) => sql<{ value: string }>`json_each(${list})`.as('each'),
    jsonMember: (column, name) => sql`${sql.ref(column)} -> ${name}`,
    byBytes: (column) => sql`${sql.ref(column)}`,
    inPartitions: (_, condition) => sql<boolean>`${condition}`,
    databaseNowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    keepingRows: (query) => query,
  },
  postgres: {
    sql,
    // An array, because in the condition of an outer join no index is used for `in` with a subquery. Cast twice,
    // because a driver that sees a JSON parameter would encode the text again.
    isOneOf: (column, list) =>
      sql`${sql.ref(column)} = any(array(select jsonb_array_elements_text(cast(cast(${list} as text) as jsonb))))`,
    eachOf: (list) =>
      sql<{ value: string }>`jsonb_array_elements_text(cast(cast(${list} as text) as jsonb))`.as(
        sql<'each'>`each(value)`,
      ),
    jsonMember: (column, name) => sql`cast(cast(${sql.ref(column)} as json) -> ${name} as text)`,
    byBytes: (column) => sql`${sql.ref(column)} collate "C"`,
    inPartitions: (bound, condition) => sql<boolean>`${bound} and ${condition}`,
    databaseNowMs: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    keepingRows: (query) => query.forShare() as typeof query,
  },
}

/** These compile and never connect. */
const builders: Record<Dialect, Kysely<Database>> = {
  sqlite: new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}
