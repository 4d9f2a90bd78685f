/** The second half of a sign-in: what a proof of a second factor leads to. */
import { isUnconfirmed, maySignIn, type SignInRules } from './eligibility.ts'
import { isKnown } from './known-browser.ts'
import { afterSuccess, type Candidate, mayAttempt } from './lockout.ts'
import { withoutAsked } from './required-actions.ts'
import {
  countDaily,
  countWrongCode,
  isDaySpent,
  isPaused,
  noSecondFactors,
  rememberedMs,
  type SecondFactors,
} from './second-factor.ts'
import { admit, type PreparedSignIn, type SignedInNow } from './sign-in.ts'
import {
  askingNobody,
  type FactorProof,
  type FactorRules,
  type FirstFactor,
  type HeldStep,
  type NextStep,
  nextStep,
  offeredMethods,
  withSecondFactor,
} from './sign-in-steps.ts'
import type { User } from './user.ts'

/** A sign-in whose first factor was right. It gives access to nothing. Times are epoch milliseconds. */
export type HalfSignIn = {
  /** UUIDv7. It becomes a session once. */
  readonly id: string
  readonly userId: string
  /**
   * sign_in: the second factor leads to a new session. enrolment: setting one up does. step_up: there is a session, and
   * the second factor is added to it. The others: what the next step of the sign-in is.
   */
  readonly purpose: 'sign_in' | 'enrolment' | 'step_up' | 'signin_code' | HeldStep
  /** What was proved so far: RFC 8176 values, or the name of an external provider. */
  readonly methods: readonly string[]
  /** When the first factor was proved. */
  readonly authenticatedAtMs: number
  readonly startedAtMs: number
  readonly persistent: boolean
  /** The password was set in this sign-in by a reset by mail. */
  readonly byMail: boolean
  /** A second factor was proved in this sign-in. */
  readonly second?: boolean
  /** A code by mail was, in place of the second factor that did not come with an import, or an operator vouches. */
  readonly standIn?: boolean
  /** The session to which the factor is added; null: none. */
  readonly sessionId: string | null
  /** Whether a code by mail counted when the sign-in began; undefined: it began in an earlier version. */
  readonly mailCounts?: boolean
  /** The authentication class that must be reached; null: any. */
  readonly acr: string | null
  /** A local path. */
  readonly returnUrl: string
}

/** How long the second half may take. */
export const halfSignInMs = 10 * 60_000

/** What may follow a second factor. */
export type FollowingStep = Exclude<NextStep, 'session' | 'help'>

export type SecondFactorSignIn =
  | (SignedInNow & { readonly factors: SecondFactors })
  /** The proof was right, and the sign-in goes on with `step`. */
  | {
      readonly outcome: 'continues'
      readonly step: FollowingStep
      readonly factors: SecondFactors
      /** What was proved (RFC 8176). */
      readonly amr: readonly string[]
    }
  | { readonly outcome: 'wrong_code'; readonly factors: SecondFactors }
  /** Too many codes were wrong. This one was not checked. `forToday`: codes of six digits are no longer checked today. */
  | { readonly outcome: 'paused'; readonly forToday?: true }
  /** The first half counts no more: a lock, a new password, another factor, or too much time. */
  | { readonly outcome: 'ended' }

/**
 * Returns the rules for the second half. The settings may have changed since the first: where they ask for less now, those
 * of the first half hold.
 */
export function factorRulesOf(half: HalfSignIn, { secondFactor = askingNobody }: SignInRules): FactorRules {
  const rules = { ...secondFactor, email: secondFactor.email && half.mailCounts !== false }
  return half.purpose === 'enrolment' ? { ...rules, mode: 'required', external: true } : rules
}

/** Whether the first half of the sign-in still counts for the user as stored. */
export function isHalfAlive(half: HalfSignIn, candidate: Candidate, rules: SignInRules, nowMs: number): boolean {
  const { user } = candidate
  if (user.id !== half.userId || nowMs >= half.startedAtMs + halfSignInMs) return false
  // Equality counts as ended: events within a millisecond cannot be ordered.
  if (user.sessionsEndedAtMs !== null && half.startedAtMs <= user.sessionsEndedAtMs) return false
  if (isUnconfirmed(user, rules)) return false
  // A step within a session needs what the session needs.
  if (half.purpose === 'step_up') return maySignIn(user, rules, half.authenticatedAtMs, nowMs)
  return mayAttempt(candidate, nowMs)
}

/** Decides on the user, browser and factors as stored. Runs inside the storage verb. */
export function decideSecondFactor(
  candidate: Candidate,
  half: HalfSignIn,
  proof: FactorProof,
  prepared: PreparedSignIn,
  {
    rules,
    remember,
    meetsRequest,
    nowMs,
  }: {
    readonly rules: SignInRules
    readonly remember: boolean
    /** Whether a sign-in with these methods has the class that must be reached. */
    readonly meetsRequest: (methods: readonly string[]) => boolean
    readonly nowMs: number
  },
): SecondFactorSignIn {
  const isProof = half.purpose === 'sign_in' || half.purpose === 'step_up' || half.purpose === 'signin_code'
  if (!isProof || !isHalfAlive(half, candidate, rules, nowMs)) return { outcome: 'ended' }
  const factors = candidate.factors ?? noSecondFactors(half.userId)
  if (isPaused(factors, nowMs)) return { outcome: 'paused' }
  const isGuessable = proof.method === 'totp' || proof.method === 'email'
  const { user, browser } = candidate
  const guesser = { user, browserId: browser && isKnown(browser, user, nowMs) ? browser.id : undefined }
  if (isGuessable && isDaySpent(factors, guesser, nowMs)) return { outcome: 'paused', forToday: true }
  const offered: readonly string[] =
    half.purpose === 'signin_code'
      ? stepOf(half, candidate, rules, nowMs) === 'signin_code'
        ? ['email']
        : []
      : offeredMethods(candidate, factorRulesOf(half, rules), half.byMail, half.acr ?? undefined)
  const proved = offered.includes(proof.method) ? proof.judge(factors) : undefined
  if (proved === undefined || !meetsRequest(withSecondFactor(half.methods, proved.amr))) {
    // An assertion cannot be guessed.
    if (proof.method === 'passkey') return { outcome: 'wrong_code', factors }
    const wrongCodes = isGuessable ? countDaily(factors, guesser, nowMs) : factors.wrongCodes
    return { outcome: 'wrong_code', factors: { ...countWrongCode(factors, nowMs), wrongCodes } }
  }
  const isMailBarred = half.byMail || factors.isMailBarred
  const next: SecondFactors = {
    ...(proved.factors ?? factors),
    mailCode: null,
    // Whoever proves another factor is more than the owner of the mailbox.
    isMailBarred: isMailBarred && proof.method === 'email',
    failedAttempts: 0,
  }
  if (half.purpose !== 'step_up') {
    const added = half.purpose === 'signin_code' ? { standIn: true } : { second: true }
    const step = stepOf({ ...half, ...added }, { ...candidate, factors: next }, rules, nowMs)
    if (step === 'help') return { outcome: 'ended' }
    if (step !== 'session') return { outcome: 'continues', step, factors: next, amr: proved.amr }
  }
  return enterWith(candidate, half, proved.amr, prepared, { factors: next, remember, nowMs })
}

/** Returns what a sign-in goes on with that has proved what is in `half`. */
export function stepOf(half: HalfSignIn, candidate: Candidate, rules: SignInRules, nowMs: number): NextStep {
  return nextStep(candidate, firstOf(half), factorRulesOf(half, rules), nowMs, half)
}

function firstOf({ methods }: HalfSignIn): FirstFactor {
  // A passkey is two factors by itself.
  if (methods.includes('user')) return 'passkey'
  // A new account without a password was entered with a code by mail.
  return methods.some((method) => method === 'pwd' || method === 'otp') ? 'password' : 'external'
}

/** Decides on a sign-in that did the last of what was asked of it. Undefined: it counts no more, or there is more to do. */
export function decideHeld(
  candidate: Candidate,
  half: HalfSignIn,
  prepared: PreparedSignIn,
  { rules, nowMs }: { readonly rules: SignInRules; readonly nowMs: number },
): SecondFactorSignIn {
  const factors = candidate.factors ?? noSecondFactors(half.userId)
  if (!isHalfAlive(half, candidate, rules, nowMs)) return { outcome: 'ended' }
  const step = stepOf(half, candidate, rules, nowMs)
  if (step === 'help') return { outcome: 'ended' }
  if (step !== 'session') return { outcome: 'continues', step, factors, amr: [] }
  return enterWith(candidate, half, [], prepared, { factors, remember: false, nowMs })
}

/** Decides on a sign-in whose person sets up the first second factor. `proof`: that of the waiting app. */
export function decideEnrolment(
  candidate: Candidate,
  half: HalfSignIn,
  proof: FactorProof,
  prepared: PreparedSignIn,
  { rules, nowMs }: { readonly rules: SignInRules; readonly nowMs: number },
): SecondFactorSignIn {
  if (!isHalfAlive(half, candidate, rules, nowMs) || !mayEnrol(half, candidate, rules, nowMs)) {
    return { outcome: 'ended' }
  }
  const factors = candidate.factors ?? noSecondFactors(half.userId)
  if (isPaused(factors, nowMs)) return { outcome: 'paused' }
  const proved = proof.judge(factors)
  if (proved === undefined) return { outcome: 'wrong_code', factors: countWrongCode(factors, nowMs) }
  const next = proved.factors ?? factors
  return enterWith(candidate, half, proved.amr, prepared, { factors: next, remember: false, nowMs })
}

/**
 * Whether a half-finished sign-in may set up a second factor: only while the person has none, so that a password alone
 * never replaces one.
 */
export function mayEnrol(half: HalfSignIn, candidate: Candidate, rules: SignInRules, nowMs: number): boolean {
  return half.purpose === 'enrolment' && stepOf(half, candidate, rules, nowMs) === 'enrolment'
}

function enterWith(
  candidate: Candidate,
  half: HalfSignIn,
  added: readonly string[],
  prepared: PreparedSignIn,
  { factors, remember, nowMs }: { readonly factors: SecondFactors; readonly remember: boolean; readonly nowMs: number },
): SignedInNow & { readonly factors: SecondFactors } {
  // The time of the first factor: `max_age` and recent sign-ins count from the password, not from the code.
  const session = {
    ...prepared.session,
    methods: added.length > 0 ? withSecondFactor(half.methods, added) : half.methods,
    authenticatedAtMs: half.authenticatedAtMs,
    persistent: half.persistent,
  }
  const entered = admit(candidate, { ...prepared, session }, nowMs)
  const browser = remember ? { ...entered.browser, secondFactorUntilMs: nowMs + rememberedMs } : entered.browser
  const admitted = entered.user ?? candidate.user
  const reset = afterSuccess({ ...candidate, user: admitted }, nowMs)
  // A new app changes the user's version, so that no sign-in commits that was decided without it.
  const isNew = factors.totp?.sealedSecret !== candidate.factors?.totp?.sealedSecret
  const changed = reset ?? (isNew ? { ...admitted, updatedAtMs: nowMs } : entered.user)
  const user = setUpDone(changed ?? admitted, factors) ?? changed
  return { ...entered, browser, factors, ...(user && { user }) }
}

/** Returns the user of whom nothing more is asked, since a second factor is there; undefined: nothing was, or none is. */
function setUpDone(user: User, { totp, recoveryHashes }: SecondFactors): User | undefined {
  const isAsked = user.hadSecondFactor === true || user.requiredActions?.includes('set_up_second_factor') === true
  const has = totp !== null || recoveryHashes.length > 0
  return isAsked && has ? withoutAsked(user, 'set_up_second_factor', 'had_second_factor') : undefined
}
