/** What codes and links by mail confirm. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Confirmation, ConfirmationDetails, FoundConfirmation } from '../../users/confirmation.ts'
import type { NameConflict } from '../../users/registration.ts'
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

export type Confirmations = {
  /**
   * Stores it in place of the one with the same purpose and subject. Of concurrent ones exactly one remains. `supersedes`:
   * another subject, whose confirmation of this purpose is removed. While an undo or a change of an address is pending, the
   * address that it restores or replaces is nobody else's, neither as an address nor as a name.
   */
  put(confirmation: Confirmation, events?: AuditEvents, supersedes?: string): Promise<void>
  /** Returns the undos of the user, whether expired or not, until they are removed. */
  undos(userId: string): Promise<Confirmation[]>
  /** Returns it with its user, whether used, expired or not, until it is removed. */
  find(id: string): Promise<FoundConfirmation | undefined>
  /**
   * Counts a code before it is compared. False: `maxCodeAttempts` were counted already, or it was used or removed. So
   * parallel guesses cannot exceed the limit.
   */
  countAttempt(id: string): Promise<boolean>
  /**
   * Uses code and link. What follows is left to the browser with the secret of `browserHash`, until `expiresAtMs`. True
   * for exactly one caller. `details`: what it stands for from now on; undefined: as before.
   */
  confirm(
    id: string,
    browserHash: string,
    nowMs: number,
    expiresAtMs: number,
    events?: AuditEvents,
    details?: ConfirmationDetails,
  ): Promise<boolean>
  /**
   * Creates the user and removes the confirmation, both or neither. `gone`: it was used, replaced or removed. `inviter`: who
   * sent it, as decided on; `inviter_changed`: that person was changed meanwhile.
   */
  register(
    id: string,
    user: User,
    events?: AuditEvents,
    inviter?: Pick<User, 'id' | 'version'>,
  ): Promise<'created' | 'gone' | 'inviter_changed' | NameConflict>
  /** Returns the newest 1,000 invitations that have not ended, oldest first. */
  invitations(nowMs: number): Promise<Confirmation[]>
  /**
   * Runs `decide` on the stored user, commits its result and removes the confirmation, both or neither. Retries after a
   * concurrent change, so `decide` must be pure. Undefined, and nothing changed: the confirmation was used, replaced or
   * removed, the user was deleted, or `decide` returned undefined. A new `sessionsEndedAtMs` deletes existing sessions
   * and known browsers. Other confirmations of the user are removed, an undo excepted.
   */
  changeUser(id: string, userId: string, decide: (user: User) => Change | undefined): Promise<User | undefined>
  /** Like `changeUser`, for changes of name or address. */
  changeNames(
    id: string,
    userId: string,
    decide: (user: User) => NamesChange | undefined,
  ): Promise<User | NameConflict | undefined>
  /** Removes it. True for exactly one caller. */
  remove(id: string, events?: AuditEvents): Promise<boolean>
}
