/**
 * What the service asks of a database. Verbs name what happens; every verb is atomic, and where requests race the
 * verb says who won. There is no begin or commit outside `storage/`. All times are epoch milliseconds.
 * `test/storage/contract.ts` is the definition of every promise below, and runs over each adapter.
 *
 * Each verb may reject with `StorageUnavailable`; nothing was acknowledged then.
 *
 * A verb that acts takes the audit events that it is recorded with. They are stored in the same commit, and only when the
 * verb changed something: who lost a race leaves no entry.
 */
import type { AccessTokens } from './access-tokens.ts'
import type { Audit } from './audit.ts'
import type { Authorizations } from './authorizations.ts'
import type { Clients } from './clients.ts'
import type { Grants } from './grants.ts'
import type { Keys } from './keys.ts'
import type { Scopes } from './scopes.ts'
import type { Servers } from './servers.ts'
import type { Sessions } from './sessions.ts'
import type { SpentValues } from './spent-values.ts'
import type { Uptimes } from './uptimes.ts'
import type { Users } from './users.ts'

export type Storage = {
  readonly users: Users
  readonly sessions: Sessions
  readonly clients: Clients
  readonly scopes: Scopes
  readonly authorizations: Authorizations
  readonly grants: Grants
  readonly accessTokens: AccessTokens
  readonly spentValues: SpentValues
  readonly uptimes: Uptimes
  readonly keys: Keys
  readonly audit: Audit
  readonly servers: Servers
  /**
   * Resolves when the database takes writes. While commits succeed they are the proof, and this does nothing. After a
   * failed commit, before the first one, and when the last one was more than `maxAgeMs` ago (default: however long),
   * it writes a row and takes it back. Rejects, too, when the database file was removed or replaced: then nothing more
   * is written to it.
   */
  checkWrites(maxAgeMs?: number): Promise<void>
  /** The changes of the schema that this version needs and the database lacks; empty: it is complete. One cheap read. */
  pendingMigrations(): Promise<readonly string[]>
  /**
   * Removes at most `limit` rows of each kind that nothing can ask for any more; the number removed. Derivation secrets
   * go when they were replaced more than `secretsKeptMs` ago (at least a day, the default) and a walk along all grants,
   * over one call or many, met no chain of theirs.
   */
  sweep(nowMs: number, limit: number, secretsKeptMs?: number): Promise<number>
  /** Finishes the writes that were accepted, then lets go of the database. */
  close(): Promise<void>
}
