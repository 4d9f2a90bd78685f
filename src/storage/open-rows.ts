/** Opens a database as tables of rows. Each engine is loaded only when it is the one. */
import type { DatabaseSettings } from '../settings/settings.ts'
import type { RowOptions, RowStore } from './rows.ts'

/** A database that outlives the process. */
export type KeptDatabase = Exclude<DatabaseSettings, { readonly kind: 'sqlite-memory' }>

/** Opens a database that exists. */
export async function openRows(database: KeptDatabase, options: RowOptions): Promise<RowStore> {
  if (database.kind === 'postgres') {
    const { findServer } = await import('./postgres/hosts.ts')
    return (await import('./postgres/rows.ts')).openPostgresRows(await findServer(database.url))
  }
  return (await import('./sqlite/rows.ts')).openSqliteRows(database.file, options)
}
