/** Resolves and names the database of a `latchkey db` command. */

import { Refused } from '../server/refused.ts'
import { database as databaseKind, Fault } from '../settings/kinds.ts'
import type { DatabaseSettings, Settings } from '../settings/settings.ts'
import type { KeptDatabase } from '../storage/open-rows.ts'
import type { TableCount } from '../storage/rows.ts'
import { type CommandContext, Misused } from './context.ts'

/** What a command needs to work on the database of the settings. */
export type Transfer = {
  readonly context: CommandContext
  readonly settings: Settings
  readonly database: KeptDatabase
  /** Reports progress on standard error; standard output is reserved for the result. */
  readonly report: (line: string) => void
  /** Prints `value` as JSON with `--json`, otherwise `text`. */
  readonly print: (value: unknown, text: string) => void
}

export function requireKept(database: DatabaseSettings, where: string): KeptDatabase {
  if (database.kind !== 'sqlite-memory') return database
  throw new Refused(`${where} is sqlite::memory:, which only the server itself can see. Name a file or a server.`)
}

/**
 * Parses the address after an option such as `--from`. The address may hold a password, so messages do not repeat it.
 */
export function databaseAt(option: string, address: string, folder: string): KeptDatabase {
  const database = databaseKind.read(address, folder)
  if (database instanceof Fault) throw new Misused(`${option} ${database.must}.`)
  const kept = requireKept(database, option)
  // A command sends few statements, and the address may be that of any pooler.
  return kept.kind === 'postgres' ? { ...kept, preparedStatements: false } : kept
}

export function tablesJson(counts: readonly TableCount[]): Record<string, number> {
  return Object.fromEntries(counts.map(({ table, rows }) => [table, rows]))
}
