/** Opens a database as tables of rows. Loads only the engine in use. */
import type { DatabaseSettings } from '../settings/settings.ts'
import type { RowOptions, RowStore } from './rows.ts'

/** A database that outlives the process. */
export type KeptDatabase = Exclude<DatabaseSettings, { readonly kind: 'sqlite-memory' }>

/** Opens an existing database. */
export async function openRows(database: KeptDatabase, options: RowOptions): Promise<RowStore> {
  if (database.kind === 'postgres') {
    const { findServer } = await import('./postgres/hosts.ts')
    return (await import('./postgres/rows.ts')).openPostgresRows(await findServer(database.url))
  }
  return (await import('./sqlite/rows.ts')).openSqliteRows(database.file, options)
}
