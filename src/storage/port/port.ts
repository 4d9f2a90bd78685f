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
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'
import type { Authorization, Grant, RefreshChain } from '../../protocol/grant.ts'
import type { Scope } from '../../protocol/scope.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'
import type { Candidate } from '../../users/lockout.ts'
import type { NameConflict } from '../../users/registration.ts'
import type { Session } from '../../users/session.ts'
import type { ExternalLogin, User } from '../../users/user.ts'
import type { Audit } from './audit.ts'
import type { Clients, Scopes } from './client.ts'
import type { Servers } from './server.ts'
import type { Uptimes } from './uptime.ts'

/** The database cannot be reached, is locked for too long, or refuses writes. Becomes 503 with `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  /** Whether it may be over soon without anybody's doing: the server is away, starts, or has too much to do. */
  readonly isPassing: boolean

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options)
    this.isPassing = isPassing
  }
}

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

export type Sessions = {
  /** With its user, whatever the state of either: whether it is alive is a rule, not a query. */
  find(id: string): Promise<{ session: Session; user: User } | undefined>
  /** Moves the expiry on. Does nothing when the session has gone. */
  renew(id: string, expiresAtMs: number, lastSeenAtMs: number): Promise<void>
  delete(id: string, events?: AuditEvents): Promise<void>
}

/** Everything that `/connect/authorize` decides on, read in one round trip. */
export type AuthorizeFacts = {
  readonly client: Client | undefined
  /** The registered ones among the requested scopes. */
  readonly scopes: readonly Scope[]
  readonly signedIn: { readonly session: Session; readonly user: User } | undefined
  /** The consent of this user to this client for exactly the requested scope set. */
  readonly authorization: Authorization | undefined
}

export type Authorizations = {
  /** `sessionId` null: no session cookie came. */
  findForRequest(query: {
    readonly clientId: string
    readonly scopes: readonly string[]
    readonly sessionId: string | null
  }): Promise<AuthorizeFacts>
  /**
   * Stores a consent; resolves to the one that stands for this user, client and scope set, be it this or an earlier one.
   * 'gone': the user or the client was deleted meanwhile.
   */
  store(authorization: Authorization, events?: AuditEvents): Promise<Authorization | 'gone'>
  /** Oldest first. */
  list(userId: string): Promise<Authorization[]>
  /** Forgets the consent; grants that rest on it are dead from then on. False: there was none. */
  revoke(id: string, events?: AuditEvents): Promise<boolean>
}

/**
 * Called at most once, when the commit is on its way to the disk: time for work that does not depend on the outcome. An
 * engine that has nothing to gain from it does not call. Must not throw.
 */
export type UnderWay = () => void

/** Everything that the token endpoint decides on, read in one round trip. */
export type ExchangeFacts = {
  readonly client: Client | undefined
  readonly user: User | undefined
  /** Present: the code was redeemed before. */
  readonly grant: Grant | undefined
  /** False when the consent that the grant would rest on was revoked; true when it stands or none is needed. */
  readonly authorizationStands: boolean
}

export type Grants = {
  /** For a code: by its id and the client, user and consent that are sealed in it. */
  findForExchange(query: {
    readonly grantId: string
    readonly clientId: string
    readonly userId: string
    readonly authorizationId: string | null
  }): Promise<ExchangeFacts>
  /** For a refresh token: by the grant id in front of it. `clientId` is the client that asks, which may be another one. */
  findForRefresh(grantId: string, clientId: string): Promise<ExchangeFacts>
  /**
   * Redeems a code: stores the grant under the code's id. True for exactly one caller, however many race
   * (RFC 6749 §4.1.2). False also when the user, client or consent has gone meanwhile.
   */
  redeem(grant: Grant, events?: AuditEvents, underWay?: UnderWay): Promise<boolean>
  /**
   * Moves the chain on from `fromGeneration`. True for exactly one caller, and never once the grant was revoked
   * (RFC 9700 §4.14.2).
   */
  rotate(
    grantId: string,
    fromGeneration: number,
    next: RefreshChain,
    grantExpiresAtMs: number,
    events?: AuditEvents,
    underWay?: UnderWay,
  ): Promise<boolean>
  /** Ends the grant and all that hangs on it. The first time stands; does nothing for an unknown grant. */
  revoke(grantId: string, nowMs: number, events?: AuditEvents): Promise<void>
}

export type AccessTokens = {
  /** Remembers a revoked access token until it would have expired anyway. */
  revoke(jti: string, expiresAtMs: number, events?: AuditEvents): Promise<void>
  /** True when the token's own `jti` or its grant was revoked, or the grant has gone. */
  isRevoked(jti: string, grantId: string): Promise<boolean>
}

export type SpentValues = {
  /** Marks a one-time value as used. True for exactly one caller until `expiresAtMs`, when the value itself is too old. */
  spend(id: string, expiresAtMs: number, events?: AuditEvents): Promise<boolean>
}

/** A row of the key ring. What state it is in follows from the times. */
export type StoredKey = {
  /** `kid` of a signing key, the id of a secret. */
  readonly id: string
  readonly use: 'sign' | 'antiforgery' | 'refresh' | 'code' | 'external' | 'device' | 'audit'
  /** `RS256`, `PS256`, `ES256`, `EdDSA`; `secret` for 32 random bytes. */
  readonly algorithm: string
  /** JSON text of the public JWK; null for a secret. */
  readonly publicJwk: string | null
  /** The private part, encrypted under the master key. */
  readonly wrapped: string
  /** From here on it is published. */
  readonly createdAtMs: number
  /** From here on it is used for what is new. */
  readonly activeAtMs: number
  /** From here on nothing can depend on it; null while no successor is known. */
  readonly expiresAtMs: number | null
}

/** The end of a key that is replaced. `fromMs` is the end that it had when that was decided. */
export type KeyEnd = { readonly id: string; readonly fromMs: number | null; readonly expiresAtMs: number }

export type Keys = {
  /** Oldest first. */
  list(): Promise<StoredKey[]>
  /**
   * Adds each key unless the ring already has one of the same use and algorithm. Of several nodes that start on an
   * empty database one wins for each. Resolves to the ring as it then stands.
   */
  addFirst(keys: readonly StoredKey[], events?: AuditEvents): Promise<StoredKey[]>
  /**
   * Adds the successors and sets the end of those that they replace, all or nothing. False: another process has changed
   * one of the ends meanwhile, so of several that replace the same keys at once exactly one is told true.
   */
  rotate(added: readonly StoredKey[], ends: readonly KeyEnd[], events?: AuditEvents): Promise<boolean>
}
