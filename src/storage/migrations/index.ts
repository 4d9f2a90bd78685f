import type { Migration } from 'kysely'

/**
 * In the order in which they run; only ever append. A name is four digits and what it does. The first digit is the major
 * version of the schema: 0002 … 0999 may only add (new tables; new columns that old code may leave out when it writes
 * and need not know when it reads), because during a rolling upgrade two versions work on one database. A program
 * works on a database with additions that it does not know. A migration runs in a transaction of its own while requests are
 * served, and changes one table that is in use: with two it could deadlock with a request that reads both. What changes or
 * removes something begins the next thousand (1000), on which older programs refuse to start.
 */
export const migrations: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
  '0002-audit-trail': () => import('./0002-audit-trail.ts'),
  '0003-known-browsers': () => import('./0003-known-browsers.ts'),
  '0004-normal-forms': () => import('./0004-normal-forms.ts'),
  '0005-refusal-chains': () => import('./0005-refusal-chains.ts'),
  '0006-uptimes': () => import('./0006-uptimes.ts'),
  '0007-servers': () => import('./0007-servers.ts'),
  '0008-name-skeletons': () => import('./0008-name-skeletons.ts'),
  '0009-client-secrets': () => import('./0009-client-secrets.ts'),
  '0010-fill-name-skeletons': () => import('./0010-fill-name-skeletons.ts'),
  '0011-unique-name-skeletons': () => import('./0011-unique-name-skeletons.ts'),
}
