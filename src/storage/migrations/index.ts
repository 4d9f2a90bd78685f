import type { Migration } from 'kysely'

/**
 * In the order in which they run. Only ever append, and only additive changes (new tables, new columns that old code
 * may leave out): during a rolling upgrade two versions work on one database.
 */
export const migrations: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
}
