/** The effects of a sign-in attempt. */
import { cancelDeletion } from './changes.ts'
import { isUnconfirmed, type SignInRules } from './eligibility.ts'
import { type KnownBrowser, rememberBrowser } from './known-browser.ts'
import { afterSuccess, type Candidate, countFailure, mayAttempt, maySignInByProvider } from './lockout.ts'
import { noSecondFactors, type SecondFactors } from './second-factor.ts'
import { type Session, surplusSessions } from './session.ts'
import { askingNobody, type FirstFactor, type NextStep, nextStep, type Proved } from './sign-in-steps.ts'
import { beganAtMs, type User } from './user.ts'

/** What a success stores: a session, and the id under which the browser becomes known if it is not yet. */
export type PreparedSignIn = { readonly session: Session; readonly newBrowserId: string }

export type SignedInNow = {
  readonly outcome: 'signed_in'
  readonly session: Session
  readonly browser: KnownBrowser
  readonly user?: User
  /** The language of the person's profile (BCP 47). */
  readonly locale?: string
  /** How many other sessions end because the user has too many; undefined: none. */
  readonly endedSessions?: number
  /** Whether the sign-in cancels the deletion of the account. */
  readonly cancelsDeletion?: true
  readonly factors?: SecondFactors
}

/** The first factor was right, and the sign-in goes on: with a second factor, or by setting one up. */
export type HalfSignedIn = {
  readonly outcome: Exclude<NextStep, 'session' | 'help'>
  /** After the end of what existed before, such as by the reset that this sign-in follows. */
  readonly startedAtMs: number
  /** With the password hashed anew, if the stored hash is outdated. */
  readonly user?: User
  readonly factors?: SecondFactors
}

/** The first factor was right, and nothing that the person could prove leads on: an operator has to help. */
export type NeedingHelp = { readonly outcome: 'needs_help'; readonly factors?: SecondFactors }

export type PasswordSignIn =
  | SignedInNow
  | HalfSignedIn
  /** Answered like a wrong password, so that the two are indistinguishable. */
  | { readonly outcome: 'locked' }
  | { readonly outcome: 'wrong_password'; readonly user: User; readonly browser?: KnownBrowser }
  /** The password was right, but the e-mail address is unconfirmed. */
  | { readonly outcome: 'not_allowed' }
  | NeedingHelp

/**
 * Decides a password attempt on the user and browser as stored. Runs inside the storage verb, so that parallel guesses
 * are judged one after another. During a lockout, attempts by strangers are neither judged nor counted. `newHash`: the
 * password hashed with current parameters, if the stored hash is outdated.
 */
export function decidePasswordSignIn(
  candidate: Candidate,
  attempt: { readonly passwordMatches: boolean; readonly checkedHash: string | null; readonly newHash: string | null },
  prepared: PreparedSignIn,
  rules: SignInRules,
  nowMs: number,
): PasswordSignIn {
  const { user } = candidate
  if (!mayAttempt(candidate, nowMs)) return { outcome: 'locked' }
  // If the password changed during the check, the check proves nothing.
  if (!attempt.passwordMatches || user.passwordHash !== attempt.checkedHash) {
    return { outcome: 'wrong_password', ...countFailure(candidate, rules, nowMs) }
  }
  if (isUnconfirmed(user, rules)) return { outcome: 'not_allowed' }
  const step = nextStep(candidate, 'password', rules.secondFactor ?? askingNobody, nowMs)
  if (step === 'help') return { outcome: 'needs_help' }
  if (step !== 'session') {
    const half = { outcome: step, startedAtMs: beganAtMs(nowMs, user.sessionsEndedAtMs) }
    if (attempt.newHash === null) return half
    return { ...half, user: { ...user, passwordHash: attempt.newHash, updatedAtMs: nowMs } }
  }
  const signedIn = admit(candidate, prepared, nowMs)
  const admitted = signedIn.user ?? user
  const reset = afterSuccess({ ...candidate, user: admitted }, nowMs)
  if (reset === undefined && attempt.newHash === null) return signedIn
  const passwordHash = attempt.newHash ?? user.passwordHash
  return { ...signedIn, user: { ...(reset ?? admitted), passwordHash, updatedAtMs: nowMs } }
}

export type Entry =
  | SignedInNow
  | HalfSignedIn
  /** Locked, or disabled by an operator. */
  | { readonly outcome: 'locked' }
  /** The e-mail address is unconfirmed. */
  | { readonly outcome: 'not_allowed' }
  | NeedingHelp

/**
 * Decides a sign-in without a password check: its first factor was proved elsewhere. As with passwords, failed passwords
 * of strangers do not lock out a known browser. `byMail`: the mailbox alone was proved, as by a reset.
 */
export function decideEntry(
  candidate: Candidate,
  { first, byMail = false, standIn }: { readonly first: FirstFactor } & Proved,
  prepared: PreparedSignIn,
  rules: SignInRules,
  nowMs: number,
): Entry {
  const { user, factors } = candidate
  if (!maySignInByProvider(candidate, rules, nowMs)) return { outcome: 'locked' }
  if (isUnconfirmed(user, rules)) return { outcome: 'not_allowed' }
  const step = nextStep(candidate, first, rules.secondFactor ?? askingNobody, nowMs, { byMail, standIn })
  // Whoever reads the person's mail could otherwise pass the second factor of a later sign-in as well.
  const stored = factors ?? noSecondFactors(user.id)
  const isBarredNow = byMail && !stored.isMailBarred && (step !== 'session' || rules.secondFactor?.email === true)
  const barred = isBarredNow && { factors: { ...stored, isMailBarred: true } }
  if (step === 'session') return { ...admit(candidate, prepared, nowMs), ...barred }
  if (step === 'help') return { outcome: 'needs_help', ...barred }
  return { outcome: step, startedAtMs: beganAtMs(nowMs, user.sessionsEndedAtMs), ...barred }
}

/**
 * Returns the successful sign-in of a candidate: its session, and the browser that is known from now on. It cancels the
 * deletion that the owner asked for.
 */
export function admit(
  { user, browser, sessions = 0 }: Candidate,
  { session, newBrowserId }: PreparedSignIn,
  nowMs: number,
): SignedInNow {
  // Clocks differ between machines. A session that starts during a lockout must not appear older than the attack.
  const authenticatedAtMs = Math.max(session.authenticatedAtMs, (user.lockoutBeganAtMs ?? 0) + 1)
  const createdAtMs = beganAtMs(session.createdAtMs, user.sessionsEndedAtMs)
  const endedSessions = surplusSessions(sessions)
  return {
    outcome: 'signed_in',
    session: { ...session, authenticatedAtMs, createdAtMs },
    browser: rememberBrowser(browser, user, newBrowserId, nowMs, session.userAgent),
    ...(user.claims.locale !== undefined && { locale: user.claims.locale }),
    ...(endedSessions > 0 && { endedSessions }),
    ...(user.deletionDueAtMs !== null && { cancelsDeletion: true, user: cancelDeletion(user, nowMs) }),
  }
}

/**
 * Returns a new session for a person who is signed in and stays so, such as after a change of the password. It is no sign-in
 * and cancels nothing that the owner asked for.
 */
export function renew(candidate: Candidate, prepared: PreparedSignIn, nowMs: number): SignedInNow {
  return admit({ ...candidate, user: { ...candidate.user, deletionDueAtMs: null } }, prepared, nowMs)
}
