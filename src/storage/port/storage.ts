/**
 * The storage port. Verbs name what happens, and each is atomic: when requests race, the verb tells the winner. There
 * is no begin or commit outside `storage/`. All times are epoch milliseconds. `test/storage/contract.ts` defines every
 * promise below and runs over each adapter.
 *
 * Each verb may reject with `StorageUnavailable`; nothing was acknowledged then.
 *
 * Verbs that change something take audit events. These are stored in the same commit, and only if something changed:
 * the loser of a race leaves no entry.
 *
 * Belongs here: verbs and their promises, one file for each record, as types.
 * Belongs elsewhere: SQL, and the records themselves, whose types are in `protocol/`, `users/` and `audit/`.
 */
import type { AccessPages } from './access-pages.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Applications } from './applications.ts'
import type { Audit } from './audit.ts'
import type { Authorizations } from './authorizations.ts'
import type { Clients } from './clients.ts'
import type { Configuration } from './configuration.ts'
import type { Confirmations } from './confirmations.ts'
import type { Deletions } from './deletions.ts'
import type { DeviceCodes } from './device-codes.ts'
import type { ExternalLogins } from './external-logins.ts'
import type { Grants } from './grants.ts'
import type { Idempotency, IdempotencyKey } from './idempotency.ts'
import type { Imports } from './imports.ts'
import type { Keys } from './keys.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { Leases } from './leases.ts'
import type { LogoutNotices } from './logout-notices.ts'
import type { Mails } from './mails.ts'
import type { Passkeys } from './passkeys.ts'
import type { PasswordKinds } from './password-kinds.ts'
import type { PersonalDataStore } from './personal-data.ts'
import type { Places } from './places.ts'
import type { PushedRequests } from './pushed-requests.ts'
import type { Registrations } from './registrations.ts'
import type { Removals } from './removals.ts'
import type { Roles } from './roles.ts'
import type { Scopes } from './scopes.ts'
import type { SecondFactorStore } from './second-factors.ts'
import type { Servers } from './servers.ts'
import type { Sessions } from './sessions.ts'
import type { SpentValues } from './spent-values.ts'
import type { Statistics } from './statistics.ts'
import type { Uptimes } from './uptimes.ts'
import type { UserSearch } from './user-search.ts'
import type { Users } from './users.ts'
import type { WeakPasswords } from './weak-passwords.ts'

export type Storage = {
  readonly users: Users
  readonly userSearch: UserSearch
  readonly externalLogins: ExternalLogins
  readonly weakPasswords: WeakPasswords
  readonly passwordKinds: PasswordKinds
  readonly knownBrowsers: KnownBrowsers
  readonly deletions: Deletions
  readonly personalData: PersonalDataStore
  readonly passkeys: Passkeys
  readonly sessions: Sessions
  readonly secondFactors: SecondFactorStore
  readonly clients: Clients
  readonly scopes: Scopes
  readonly configuration: Configuration
  readonly roles: Roles
  readonly removals: Removals
  readonly idempotency: Idempotency
  readonly authorizations: Authorizations
  readonly applications: Applications
  readonly grants: Grants
  readonly accessPages: AccessPages
  readonly deviceCodes: DeviceCodes
  readonly accessTokens: AccessTokens
  readonly spentValues: SpentValues
  readonly places: Places
  readonly pushedRequests: PushedRequests
  readonly logoutNotices: LogoutNotices
  readonly mails: Mails
  readonly registrations: Registrations
  readonly confirmations: Confirmations
  readonly imports: Imports
  readonly uptimes: Uptimes
  readonly statistics: Statistics
  readonly keys: Keys
  readonly leases: Leases
  readonly audit: Audit
  readonly servers: Servers
  /**
   * Returns the same storage for one request under a key: its first change stores the key, or nothing if another request
   * has used it. The verb rejects with `IdempotencyKeyTaken` then.
   */
  keyed(key: IdempotencyKey): Storage
  /**
   * Resolves if the database accepts writes. A successful commit in the last `maxAgeMs` (default: any time) is
   * sufficient evidence. Otherwise, and after a failed commit, writes a row and deletes it. Rejects if the database
   * file was removed or replaced; writes are then refused.
   */
  checkWrites(maxAgeMs?: number): Promise<void>
  /** Returns the migrations that this version needs and the database lacks; empty: none. One cheap read. */
  pendingMigrations(): Promise<readonly string[]>
  /**
   * Removes at most `limit` expired rows of each kind. Returns their number. Clients of an expired session are not told.
   * Clients of a session that was deleted without telling them are told now. Removes a derivation secret if it was
   * replaced more than `secretsKeptMs` ago (default and minimum: a day) and a complete walk over all grants, possibly
   * spread over many calls, found no chain that uses it.
   */
  sweep(nowMs: number, limit: number, secretsKeptMs?: number): Promise<number>
  /** Finishes accepted writes, then closes the database. */
  close(): Promise<void>
}
