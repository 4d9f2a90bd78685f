/** People, their external logins and the browsers that they signed in with. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { Session } from '../../users/session.ts'
import type { ExternalLogin, User } from '../../users/user.ts'

export type Users = {
  find(id: string): Promise<User | undefined>
  /** By user name, under `normalizeName`. */
  findByName(name: string): Promise<User | undefined>
  /** By user name, ascending by normal form. */
  list(): Promise<User[]>
  /**
   * Of simultaneous identical registrations exactly one is 'created'. E-mail addresses are unique too, and a name is
   * taken as well when it is somebody else's e-mail address, an address when it is somebody else's name. (Of two that
   * cross in that last way at the same moment PostgreSQL may create both; `findForSignIn` is unambiguous even so.)
   * What a name looks like (`skeletonOf`) is unique as well.
   */
  create(user: User, events?: AuditEvents): Promise<'created' | NameConflict>
  /**
   * Runs `decide` on the user as stored and commits what it returns on exactly that version; decided anew when another
   * change came between, so `decide` must be pure. `undefined` from `decide` changes nothing.
   * Resolves to the user as it now is, or undefined when there is none. A new `sessionsEndedAtMs` removes the sessions and
   * known browsers that are there, in the same commit. Names and addresses: `updateNames`.
   */
  update(id: string, decide: (user: User) => User | undefined, events?: AuditEvents): Promise<User | undefined>
  /** `update` for changes of the name or the address: of simultaneous changes to one name exactly one is made. */
  updateNames(
    id: string,
    decide: (user: User) => User | undefined,
    events?: AuditEvents,
  ): Promise<User | NameConflict | undefined>
  /** What goes with the user when it is deleted, as far as it still counts at `nowMs`. */
  dependents(id: string, nowMs: number): Promise<UserDependents>
  /** Removes the user with everything that hangs on it. False: there was none. */
  delete(id: string, events?: AuditEvents): Promise<boolean>
  /**
   * The user with that one of the browsers which signed in as this user before, in one round trip. A text that is one
   * user's name and another's e-mail address leads to the former.
   */
  findForSignIn(who: SignInName, browserIds: readonly string[]): Promise<Candidate | undefined>
  /**
   * One judged sign-in attempt. `decide` is pure and runs on user and browser as they are at the commit (first on those
   * that were read before, anew on the current rows when the user was stale), so parallel attempts cannot slip past a
   * limit. The changed user, the browser, the new session and the end of those beyond `maxSessions` are committed together.
   * Undefined: the user is gone.
   */
  recordSignIn<D extends SignInOutcome>(
    candidate: Candidate,
    decide: (candidate: Candidate) => D,
  ): Promise<D | undefined>
  /** Forgets the browsers that signed in as this user; how many there were. `events` only when there were any. */
  forgetBrowsers(id: string, events?: AuditEvents): Promise<number>
  findByExternalLogin(provider: string, subject: string): Promise<User | undefined>
  /**
   * Creates the user, binds the external login and stores session and browser (null: nobody comes in), all or nothing. Of
   * simultaneous identical registrations one is 'registered'; the others get 'bound' with the user that the login is
   * bound to, and nothing of theirs is stored.
   */
  registerExternal(
    user: User,
    login: ExternalLogin,
    entry: { readonly session: Session; readonly browser?: KnownBrowser } | null,
    events?: AuditEvents,
  ): Promise<
    | { readonly outcome: 'registered'; readonly user: User }
    | { readonly outcome: 'bound'; readonly user: User }
    | { readonly outcome: NameConflict }
  >
}

export type UserDependents = {
  readonly sessions: number
  /** With a refresh token that counts. */
  readonly grants: number
  readonly consents: number
  readonly externalLogins: number
}

/** Who somebody says they are: `name` is a user name or an e-mail address. Or who a provider says they are. */
export type SignInName = { readonly name: string } | { readonly provider: string; readonly subject: string }

export type SignInOutcome = {
  readonly outcome: string
  /** The user's next state; absent: unchanged. */
  readonly user?: User
  /** The session that the attempt earned; absent: none. */
  readonly session?: Session
  /** So many sessions end in its favour, those that were seen least recently; absent: none. */
  readonly endedSessions?: number
  /** The browser's next state, or one that is known from now on; absent, or the very one that was given: unchanged. */
  readonly browser?: KnownBrowser
  /** Recorded with what the attempt changes; noted when it changes nothing. */
  readonly events?: AuditEvents
}
