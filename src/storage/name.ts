import type { DatabaseSettings } from '../settings/settings.ts'
import { place } from './postgres/address.ts'

/** Names a database for operators: without user name and password. */
export function databaseName(database: DatabaseSettings): string {
  if (database.kind === 'sqlite') return database.file
  if (database.kind === 'sqlite-memory') return 'sqlite::memory:'
  return `postgres://${place(database.url)}`
}
