/** Which database a `latchkey db` command is about, and how it is named to the operator. */

import { Refused } from '../server/refused.ts'
import { database as databaseKind, Fault } from '../settings/kinds.ts'
import type { DatabaseSettings, Settings } from '../settings/settings.ts'
import type { KeptDatabase } from '../storage/open-rows.ts'
import type { TableCount } from '../storage/rows.ts'
import { type CommandContext, Misused } from './context.ts'

/** What a command on the database of the settings works with. */
export type Transfer = {
  readonly context: CommandContext
  readonly settings: Settings
  readonly database: KeptDatabase
  /** Writes a line about what is going on; standard output is kept for the result. */
  readonly report: (line: string) => void
  /** Prints `value` as JSON after `--json`, otherwise the text. */
  readonly print: (value: unknown, text: string) => void
}

export function requireKept(database: DatabaseSettings, where: string): KeptDatabase {
  if (database.kind !== 'sqlite-memory') return database
  throw new Refused(`${where} is sqlite::memory:, which only the server itself can see. Name a file or a server.`)
}

/** The address after an option such as `--from`. It may hold a password, and is not repeated. */
export function databaseAt(option: string, address: string, folder: string): KeptDatabase {
  const database = databaseKind.read(address, folder)
  if (database instanceof Fault) throw new Misused(`${option} ${database.must}.`)
  return requireKept(database, option)
}

export function tablesJson(counts: readonly TableCount[]): Record<string, number> {
  return Object.fromEntries(counts.map(({ table, rows }) => [table, rows]))
}
