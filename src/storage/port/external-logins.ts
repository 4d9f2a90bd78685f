/** The accounts of people at external providers. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { ExternalLogin } from '../../users/user.ts'

/** What the service lets people sign in with, beside a password. */
export type UsableWays = {
  readonly passkeys: boolean
  /** Names as they are stored with a login. */
  readonly providers: readonly string[]
}

export type ExternalLogins = {
  /** Oldest first. */
  list(userId: string): Promise<ExternalLogin[]>
  /**
   * Binds the account at a provider to an existing user. `taken`: it is bound to another user. `another`: the user has
   * another account at this provider. `bound`: it is bound to this user already. `no_user`: there is no such user,
   * or all sessions ended after `endedAtMs`, the end that was read with the session. Only 'linked' stores anything.
   */
  link(
    login: ExternalLogin,
    events?: AuditEvents,
    endedAtMs?: number | null,
  ): Promise<'linked' | 'taken' | 'another' | 'bound' | 'no_user'>
  /**
   * Removes the user's accounts at a provider, unless the user could not sign in without them: no password, and no passkey
   * and no other provider that is usable. Of two concurrent removals of the last two ways, one is 'last'.
   */
  unlink(
    userId: string,
    provider: string,
    usable: UsableWays,
    events?: AuditEvents,
  ): Promise<'unlinked' | 'last' | 'not_found'>
}
