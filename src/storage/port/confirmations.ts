import type { AuditEvents } from '../../audit/entry.ts'
import type { Confirmation } from '../../users/confirmation.ts'
import type { User } from '../../users/user.ts'

/** What a confirmation changes. */
export type Change = {
  readonly user: User
  /**
   * Removes passkeys, linked accounts, second factors and consents that were added then or later; zero: all. Undefined:
   * none.
   */
  readonly dropsSinceMs?: number | undefined
  readonly events?: AuditEvents
}

/** What a confirmation changes of name or address. */
export type NamesChange = Change & {
  /** Stored in the same commit: with an undo the owner of the former address takes the change back. */
  readonly following?: readonly Confirmation[]
  /** Removes the undos of all changes. */
  readonly endsUndos?: boolean
}
