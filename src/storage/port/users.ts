/** Users, their external logins and their known browsers. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { Passkey } from '../../users/passkey.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { SecondFactors } from '../../users/second-factor.ts'
import type { Session } from '../../users/session.ts'
import type { ExternalLogin, User } from '../../users/user.ts'
import type { SpentValue } from './spent-values.ts'
import type { UserRows } from './user-search.ts'

export type Users = {
  find(id: string): Promise<User | undefined>
  /** By user name, compared by `normalizeName`. */
  findByName(name: string): Promise<User | undefined>
  /** Returns why the names could not be given to a new user now, or to the one with `id`; empty: they are free. One read. */
  conflicts(names: Pick<User, 'name' | 'email'> & { readonly id?: string }): Promise<readonly NameConflict[]>
  /** Ascending by normal form of the user name. */
  list(): Promise<User[]>
  /**
   * Returns at most `atMost` (default: `userPageRows`) people after `after` whose name or address begins with `start`, ascending by the normal
   * form of it, byte by byte. All three are normal forms (`normalizeName`); empty: no bound.
   */
  page(by: 'name' | 'email', start: string, after: string, atMost?: UserRows): Promise<User[]>
  /**
   * Creates a user. Of concurrent identical registrations exactly one is 'created'. E-mail addresses and name skeletons
   * (`skeletonOf`) are unique, too, and a name conflicts with another user's e-mail address and vice versa. (PostgreSQL
   * may create both of two concurrent users that conflict in this last way; `findForSignIn` stays unambiguous.)
   */
  create(user: User, events?: AuditEvents): Promise<'created' | NameConflict>
  /**
   * Runs `decide` on the stored user and commits its result on exactly that version. Retries after a concurrent change,
   * so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Resolves to the current user; undefined:
   * there is none. A new `sessionsEndedAtMs` deletes existing sessions, pending confirmations and known browsers in the same commit. For names
   * and addresses use `updateNames`. Rejects with `LastAdministrator` if nobody else could administer the service.
   */
  update(
    id: string,
    decide: (user: User) => User | undefined,
    events?: AuditEvents,
    options?: KeepingAdministrator,
  ): Promise<User | undefined>
  /**
   * Like `update`, for changes of name or address: of concurrent changes to the same name exactly one succeeds. A new
   * address removes all confirmations of the user.
   */
  updateNames(
    id: string,
    decide: (user: User) => User | undefined,
    events?: AuditEvents,
    options?: KeepingAdministrator,
  ): Promise<User | NameConflict | undefined>
  /** Counts what is deleted with the user, as far as it is valid at `nowMs`. */
  dependents(id: string, nowMs: number): Promise<UserDependents>
  /**
   * Deletes the user with everything that depends on it. Returns false if there was none, or none of the version that
   * `decidedOn` names. Rejects with `LastAdministrator` like `update`.
   */
  delete(
    id: string,
    events?: AuditEvents,
    options?: KeepingAdministrator & { readonly decidedOn?: number },
  ): Promise<boolean>
  /**
   * Reads the user, and the given browser that signed in as this user before, in one round trip. A text that is one
   * user's name and another's e-mail address finds the former.
   */
  findForSignIn(who: SignInName, browserIds: readonly string[]): Promise<Candidate | undefined>
  /**
   * Records a sign-in attempt. `decide` is pure and runs on user and browser as they are at the commit: first on the
   * given ones, and again on current rows if the user has changed. Parallel attempts therefore cannot exceed a limit.
   * Commits the changed user, the browser, the new session and the end of sessions beyond `maxSessions` together.
   * Returns undefined if the user was deleted.
   */
  recordSignIn<D extends SignInOutcome>(
    candidate: Candidate,
    decide: (candidate: Candidate) => D,
  ): Promise<D | undefined>
  /**
   * Like `recordSignIn`, for a sign-in that may become a session once: with the session, each of `once` is spent. 'spent':
   * one was before, or the passkey was used or removed meanwhile, and nothing was stored.
   */
  completeSignIn<D extends SignInOutcome>(
    candidate: Candidate,
    decide: (candidate: Candidate) => D,
    once: readonly SpentValue[],
  ): Promise<D | 'spent' | undefined>
  /** Deletes the user's known browsers and returns their number. Records `events` only if there were any. */
  forgetBrowsers(id: string, events?: AuditEvents): Promise<number>
  findByExternalLogin(provider: string, subject: string): Promise<User | undefined>
  /**
   * Creates the user, binds the external login and stores session and browser (null: no sign-in), all or nothing. Of
   * concurrent identical registrations one is 'registered'. The others are 'bound', with the user that the login is
   * bound to, and store nothing. 'made_before': the account at the provider made a user who is still there, bound or not.
   */
  registerExternal(
    user: User,
    login: ExternalLogin,
    entry: { readonly session: Session; readonly browser?: KnownBrowser } | null,
    events?: AuditEvents,
  ): Promise<
    | { readonly outcome: 'registered'; readonly user: User }
    | { readonly outcome: 'bound'; readonly user: User }
    | { readonly outcome: 'made_before' }
    | { readonly outcome: NameConflict }
  >
}

/** `force`: the last administrator may go. */
export type KeepingAdministrator = { readonly force?: boolean }

export type UserDependents = {
  readonly sessions: number
  /** With a valid refresh token. */
  readonly grants: number
  readonly consents: number
  readonly externalLogins: number
}

/** The claimed identity: a user name or e-mail address, a known user, or an identity at a provider. */
export type SignInName =
  | { readonly name: string }
  | { readonly userId: string }
  | { readonly provider: string; readonly subject: string }

/** A passkey before and after it was used. */
export type PasskeyUse = { readonly next: Passkey; readonly before: Passkey }

export type SignInOutcome = {
  readonly outcome: string
  /** The user's next state; absent: unchanged. */
  readonly user?: User
  /** The new session; absent: none. */
  readonly session?: Session
  /** Number of least recently seen sessions to end; absent: none. */
  readonly endedSessions?: number
  /** The browser's next state, or a newly known one. Absent or identical: unchanged. */
  readonly browser?: KnownBrowser
  /** The use of a passkey, stored with the session; absent: none was used. */
  readonly passkey?: PasskeyUse
  /** The second factors' next state; absent: unchanged. */
  readonly factors?: SecondFactors
  /** Recorded with the changes; noted if nothing changes. */
  readonly events?: AuditEvents
}
