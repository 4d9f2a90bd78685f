/** The accounts of people at external providers. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { ExternalLogin } from '../../users/user.ts'

export type ExternalLogins = {
  /** Oldest first. */
  list(userId: string): Promise<ExternalLogin[]>
  /**
   * Binds the account at a provider to an existing user. `taken`: it is bound to another user. `another`: the user has
   * another account at this provider. `bound`: it is bound to this user already. Only 'linked' stores anything.
   */
  link(login: ExternalLogin, events?: AuditEvents): Promise<'linked' | 'taken' | 'another' | 'bound' | 'no_user'>
  /**
   * Removes the user's accounts at a provider, unless the user could not sign in without them: no password, no passkey,
   * no other provider. Of two concurrent removals of the last two ways, one is 'last'.
   */
  unlink(userId: string, provider: string, events?: AuditEvents): Promise<'unlinked' | 'last' | 'not_found'>
}
