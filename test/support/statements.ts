/** The statements of the service as they are sent to each database. */
import { type Compiled, compile } from '../../src/storage/sql/compile.ts'
import { builds } from '../../src/storage/sql/prepared.ts'
import type { Dialect } from '../../src/storage/sql/statement.ts'
import '../../src/storage/sql/storage.ts'

const statementsOf = (dialect: Dialect): Readonly<Record<string, Compiled>> =>
  Object.fromEntries([...builds.keys()].map((name) => [name, compile(name, dialect) as Compiled]))

export const statements: Readonly<Record<Dialect, Readonly<Record<string, Compiled>>>> = {
  sqlite: statementsOf('sqlite'),
  postgres: statementsOf('postgres'),
}
