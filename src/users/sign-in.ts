/** What one attempt to sign in changes. */
import type { SignInRules } from './eligibility.ts'
import { type KnownBrowser, rememberBrowser } from './known-browser.ts'
import { afterSuccess, type Candidate, countFailure, mayAttempt } from './lockout.ts'
import { type Session, surplusSessions } from './session.ts'
import { beganAtMs, type User } from './user.ts'

/** What a success gives: a session, and an id under which the browser is known from then on when it was not yet. */
export type Entry = { readonly session: Session; readonly newBrowserId: string }

export type SignedInNow = {
  readonly outcome: 'signed_in'
  readonly session: Session
  readonly browser: KnownBrowser
  readonly user?: User
  /** So many other sessions end with this sign-in, because the person has too many; absent: none. */
  readonly endedSessions?: number
}

export type PasswordSignIn =
  | SignedInNow
  /** Told to nobody apart from a wrong password: the answers must not be distinguishable. */
  | { readonly outcome: 'locked' }
  | { readonly outcome: 'wrong_password'; readonly user: User; readonly browser?: KnownBrowser }
  /** The password was right, but the e-mail address is not confirmed. */
  | { readonly outcome: 'not_allowed' }

/**
 * Decides one password attempt on the user and the browser as stored. Runs inside the storage verb, so that parallel
 * guesses are judged one after the other. While the account is locked a stranger's attempts are not judged and do not
 * count.
 * `newHash`: the password hashed with today's parameters, when the stored hash is of older ones.
 */
export function decidePasswordSignIn(
  candidate: Candidate,
  attempt: { readonly passwordMatches: boolean; readonly checkedHash: string | null; readonly newHash: string | null },
  entry: Entry,
  rules: SignInRules,
  nowMs: number,
): PasswordSignIn {
  const { user } = candidate
  if (!mayAttempt(candidate, nowMs)) return { outcome: 'locked' }
  // A password that was changed while the old one was being checked proves nothing.
  if (!attempt.passwordMatches || user.passwordHash !== attempt.checkedHash) {
    return { outcome: 'wrong_password', ...countFailure(candidate, rules, nowMs) }
  }
  if (rules.requireConfirmedEmail && !user.emailConfirmed) return { outcome: 'not_allowed' }
  const signedIn = letIn(candidate, entry, nowMs)
  const reset = afterSuccess(candidate, nowMs)
  if (reset === undefined && attempt.newHash === null) return signedIn
  const passwordHash = attempt.newHash ?? user.passwordHash
  return { ...signedIn, user: { ...(reset ?? user), passwordHash, updatedAtMs: nowMs } }
}

/** The sign-in that a candidate earned: the session, and the browser known from now on. */
export function letIn(
  { user, browser, sessions = 0 }: Candidate,
  { session, newBrowserId }: Entry,
  nowMs: number,
): SignedInNow {
  // Clocks differ between machines; a session that was let in during a lockout must not look older than that.
  const authenticatedAtMs = Math.max(session.authenticatedAtMs, (user.lockoutBeganAtMs ?? 0) + 1)
  const createdAtMs = beganAtMs(session.createdAtMs, user.sessionsEndedAtMs)
  const endedSessions = surplusSessions(sessions)
  return {
    outcome: 'signed_in',
    session: { ...session, authenticatedAtMs, createdAtMs },
    browser: rememberBrowser(browser, user, newBrowserId, nowMs),
    ...(endedSessions > 0 && { endedSessions }),
  }
}
