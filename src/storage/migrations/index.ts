import type { Migration } from 'kysely'

/**
 * In the order in which they run; only ever append. A name is four digits and what it does. The first digit is the major
 * version of the schema: 0002 … 0999 may only add (new tables; new columns that old code may leave out when it writes
 * and need not know when it reads), because during a rolling upgrade two versions work on one database. A program
 * works on a database with additions that it does not know. What changes or removes something begins the next thousand
 * (1000), on which older programs refuse to start.
 */
export const migrations: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
  '0002-audit-trail': () => import('./0002-audit-trail.ts'),
  '0003-known-browsers': () => import('./0003-known-browsers.ts'),
  '0004-normal-forms': () => import('./0004-normal-forms.ts'),
  '0005-refusal-chains': () => import('./0005-refusal-chains.ts'),
  '0006-uptimes': () => import('./0006-uptimes.ts'),
  '0007-servers': () => import('./0007-servers.ts'),
  '0008-look-alikes-and-secrets': () => import('./0008-look-alikes-and-secrets.ts'),
}
