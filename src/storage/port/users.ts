/** What is read of people, what their verbs answer, and how much of it. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'
import type { Passkey } from '../../users/passkey.ts'
import type { SecondFactors } from '../../users/second-factor.ts'
import type { Session } from '../../users/session.ts'
import type { User } from '../../users/user.ts'

/** `keepsSetUp`: the installation can still be set up in a browser. */
export type Creation = { readonly keepsSetUp?: boolean }

/** `force`: the last administrator may go. */
export type KeepingAdministrator = { readonly force?: boolean }

/** Thrown by a verb that would have left nobody to administer the service; nothing was stored. */
export class LastAdministrator extends Error {
  override readonly name = 'LastAdministrator'

  constructor() {
    super('Nobody else could administer this service any more.')
  }
}

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
  /** The sign-in goes on without a session: what it may use once is spent as with one. */
  readonly spends?: true
  /** The use of a passkey, stored with the session; absent: none was used. */
  readonly passkey?: PasskeyUse
  /** The second factors' next state; absent: unchanged. */
  readonly factors?: SecondFactors
  /** Recorded with the changes; noted if nothing changes. */
  readonly events?: AuditEvents
}

/** The rows of one page of people. */
export const userPageRows = 500
/** The rows of a page for who needs only the first ones. */
export const fewUserRows = 64
export type UserRows = typeof userPageRows | typeof fewUserRows
/** What people can be listed by: descending where it begins with `-`. */
export const userOrders = ['username', '-username', 'created_at', '-created_at'] as const
export type UserOrder = (typeof userOrders)[number]

/** What few people are, so that they have an index of their own. `locked`: perhaps; the rule has the last word. */
export type UserState = 'locked' | 'unconfirmed'

/** A place among people by time; `id` empty: before everybody of that moment. */
export type TimePlace = { readonly createdAtMs: number; readonly id: string }

/** What no index of people says of them. `text`: the id of a group, or a source; `atMs`: epoch milliseconds. */
export type UserCondition =
  | { readonly is: 'withFactor' | 'withoutFactor' }
  | { readonly is: 'signedInSince' | 'notSignedInSince'; readonly atMs: number }
  | { readonly is: 'inGroup' | 'from'; readonly text: string }
/** People who are looked through at once for such a condition. */
export const userWindow = 2000

/** `exact` false: there are more. */
export type BoundedCount = { readonly count: number; readonly exact: boolean }
/** Bounds what counting people reads. */
export const peopleCountedTo = 1000

/** People with a role who are returned at once. */
export const holdersAtMost = 5000

/** A person under one of the keys that find them (`searchKeys`). */
export type Found = { readonly key: string; readonly user: User }

/** A place in the index, such as that of the last row of the page before. */
export type IndexPlace = { readonly key: string; readonly userId: string }

export type SearchFill = {
  /** People up to this id are in the index. */
  readonly afterId: string
  readonly people: number
  readonly beganAtMs: number
  readonly isDone: boolean
}

export type FactorChange = {
  /** The next state; absent: unchanged. Recovery codes end with the last factor, whatever it says. */
  readonly factors?: SecondFactors
  /** No browser counts as remembered any more. They also end with the last factor. */
  readonly forgetsRemembered?: boolean
  /** Passkeys that are a second factor alone end. */
  readonly removesKeys?: boolean
  readonly events?: AuditEvents
}

/** What the service lets people sign in with, beside a password. */
export type UsableWays = {
  readonly passkeys: boolean
  /** Names as they are stored with a login. */
  readonly providers: readonly string[]
}

/** `hash` null: the user has no password any more. */
export type WeakPassword = { readonly userId: string; readonly hash: string | null }

export type PasswordKind = {
  /** The text of the hash up to its salt. */
  readonly beginning: string
  /** One of the hashes. */
  readonly sample: string
}

/** Bounds what counting reads. */
export const kindCountedTo = 10_000

/** Holders of a role whom a refusal to delete it names. */
export const namedHoldersAtMost = 100
