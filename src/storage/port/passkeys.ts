/** Passkeys in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Passkey, PasskeyCandidate } from '../../users/passkey.ts'
import type { UsableWays } from './external-logins.ts'
import type { SpentValue } from './spent-values.ts'

export type Passkeys = {
  /** The passkeys of a person, ascending by creation. */
  list(userId: string): Promise<Passkey[]>
  /**
   * Reads the passkey with its person, and the given browser that signed in as this person before, in one round trip.
   */
  findForSignIn(credentialId: string, browserIds: readonly string[]): Promise<PasskeyCandidate | undefined>
  /**
   * Stores a passkey and uses up its challenge. `taken`: the credential is registered already; `too_many`: the person
   * has `maxPasskeys`, however many arrive at once; `spent`: the challenge was used before; `no_user`: the person was
   * deleted, or all sessions ended after `endedAtMs`, the end that was read with the session. Only 'added' stores
   * anything.
   */
  add(
    passkey: Passkey,
    challenge: SpentValue,
    events?: AuditEvents,
    endedAtMs?: number | null,
  ): Promise<'added' | 'taken' | 'too_many' | 'spent' | 'no_user'>
  /** Returns the passkey as it is now; undefined: the person has none of that id. */
  rename(userId: string, id: string, name: string): Promise<Passkey | undefined>
  /**
   * Removes a passkey, unless the person could not sign in without it: no password, no external login at a provider that
   * is usable, no other passkey. Of two concurrent removals of the last two ways, one is 'last'.
   */
  remove(
    userId: string,
    id: string,
    usable: Pick<UsableWays, 'providers'>,
    events?: AuditEvents,
  ): Promise<'removed' | 'last' | 'not_found'>
}
