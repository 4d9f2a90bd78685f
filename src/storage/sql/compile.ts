/**
 * Compiles every statement for both dialects into `statements.generated.ts`. Must be run after each change of a
 * statement; a test compares the file with the statements.
 */
import { readFileSync, writeFileSync } from 'node:fs'
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
import { builds, type Placeholders, type Tools } from './prepared.ts'
import type { CompiledStatement, Dialect } from './statement.ts'
import './storage.ts'
import type { Database } from './tables.ts'

const generated = new URL('./statements.generated.ts', import.meta.url)

/** Returns the expected content of `statements.generated.ts`. */
export function compileStatements(): string {
  const compiled = { sqlite: compileAll('sqlite'), postgres: compileAll('postgres') }
  return `// Made by compile.ts from the statements in this folder.
import type { CompiledStatement, Dialect } from './statement.ts'

export const statements: Readonly<Record<Dialect, Readonly<Record<string, CompiledStatement>>>> = ${toSource(compiled)}
`
}

/** Returns its actual content. */
export function readStatements(): string {
  return readFileSync(generated, 'utf8')
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function compileAll(dialect: Dialect): Record<string, Compiled> {
  const names = [...builds.keys()].sort()
  return Object.fromEntries(names.map((name) => [name, compile(name, dialect)]))
}

function compile(name: string, dialect: Dialect): Compiled {
  const placeholders = new Proxy({} as Placeholders<never>, {
    get: (_, value) => sql`${sql.val(new Placeholder(String(value)))}`,
  })
  const query = builds.get(name)?.(builders[dialect], placeholders, tools[dialect])
  const { sql: text, parameters, query: node } = (query as NonNullable<typeof query>).compile()
  return {
    text,
    toParameters: code(`(${parameters.some(isNamed) ? 'v' : ''}) => [${parameters.map(toExpression).join(', ')}]`),
    ...(dialect === 'sqlite' && { toRow: makerOf(columnsOf(node)) }),
  }
}

/** The source of each member of a `CompiledStatement`: text as it is, functions marked as code. */
type Compiled = { readonly [Name in keyof CompiledStatement]: string | undefined }

const isNamed = (at: unknown): at is Placeholder => at instanceof Placeholder

const toExpression = (at: unknown): string => (isNamed(at) ? `v.${at.name}` : JSON.stringify(at))

/** Returns the source of a function that builds an object from the values of a row. */
function makerOf(columns: readonly string[] | undefined): string | undefined {
  return columns && code(`(v) => ({ ${columns.map((name, at) => `${name}: v[${at}]`).join(', ')} })`)
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

const codeMark = 'code: '

const code = (source: string): string => `${codeMark}${source}`

/** JSON, with functions as code. */
function toSource(compiled: Record<Dialect, Record<string, Compiled>>): string {
  const json = JSON.stringify(compiled, null, 2)
  return json.replaceAll(/"code: (?:[^"\\]|\\.)*"/g, (text) => (JSON.parse(text) as string).slice(codeMark.length))
}

const tools: Record<Dialect, Tools> = {
  sqlite: {
    sql,
    isOneOf: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
    eachOf: (list) => sql<{ value: string }>`json_each(${list})`.as('each'),
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

if (import.meta.main) writeFileSync(generated, compileStatements())
