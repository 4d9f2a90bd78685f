/** Decides how a sign-in continues after its first factor: with a session, a second factor, or setting one up. */
import { isKnown } from './known-browser.ts'
import type { Candidate } from './lockout.ts'
import type { Passkey } from './passkey.ts'
import { rememberedMs, type SecondFactorMethod, type SecondFactors } from './second-factor.ts'

/** When a second factor is asked for, and what counts as one (`Accounts:SecondFactor`). */
export type FactorRules = {
  readonly mode: 'optional' | 'required'
  /** Whether a code by mail counts: the setting allows it, and the service sends mail. */
  readonly email: boolean
  /** Whether sign-ins through external providers are asked, too. */
  readonly external: boolean
  /** Whether passkeys count (`Accounts:Passkeys`); undefined: they do. */
  readonly passkeys?: boolean
  /** Whether a passkey is bound to a device by the word of a manufacturer alone; undefined: by its own. */
  readonly attestation?: boolean
  /** Whether the service sends mail; undefined: it does not. */
  readonly sendsMail?: boolean
}

export const askingNobody: FactorRules = Object.freeze({ mode: 'optional', email: false, external: false })

/** What was proved first. A passkey is two factors by itself. */
export type FirstFactor = 'password' | 'external' | 'passkey'

/**
 * `signin_code`: a code by mail, in place of a second factor that could not come with an import. `help`: only an operator can
 * help on.
 */
export type NextStep = 'session' | 'second_factor' | 'enrolment' | 'signin_code' | 'help' | HeldStep

/** Required actions with a page of their own, which is opened in the middle of a sign-in. */
export type HeldStep = 'update_password' | 'verify_email'

/** What was proved in this sign-in besides the first factor. */
export type Proved = {
  /** The password was set in this sign-in by a reset, which proves the mailbox alone. */
  readonly byMail?: boolean
  /** A second factor. */
  readonly second?: boolean | undefined
  /** A code by mail, or an operator's word, in place of the second factor that did not come. */
  readonly standIn?: boolean | undefined
}

/**
 * Returns the next step of a sign-in whose account may sign in: the factors that the person has, then the required actions in
 * their order, of which setting up a second factor is the last.
 */
export function nextStep(
  candidate: Candidate,
  first: FirstFactor,
  rules: FactorRules,
  nowMs: number,
  proved: Proved = {},
): NextStep {
  const { requiredActions = [], email } = candidate.user
  const factor = factorStep(candidate, first, rules, nowMs, proved)
  if (factor !== 'session' && factor !== 'enrolment') return factor
  if (requiredActions.includes('update_password')) return 'update_password'
  // Without an address there is nothing to prove.
  if (requiredActions.includes('verify_email') && email !== '')
    return rules.sendsMail === true ? 'verify_email' : 'help'
  return factor
}

function factorStep(
  candidate: Candidate,
  first: FirstFactor,
  rules: FactorRules,
  nowMs: number,
  { byMail = false, second = false, standIn = false }: Proved,
): Exclude<NextStep, HeldStep> {
  const { user, factors } = candidate
  const had = user.hadSecondFactor === true
  const hasOwn = (factors !== undefined && factors.totp !== null) || passkeysOf(candidate, rules) > 0
  const isAsked = user.requiredActions?.includes('set_up_second_factor') === true
  if (first === 'passkey' || second) return !hasOwn && (had || isAsked) ? 'enrolment' : 'session'
  const unasked = isAsked && !hasOwn ? 'enrolment' : 'session'
  // A factor is never replaced without a proof of the person, not even where a provider's word is enough to come in.
  const isReplaced = had && !hasOwn && (isAsked || first !== 'external' || rules.external)
  if (first === 'external' && !rules.external && !isReplaced) return unasked
  if (isReplaced) {
    if (standIn) return 'enrolment'
    const reaches = rules.sendsMail === true && user.email !== '' && !byMail && factors?.isMailBarred !== true
    return reaches ? 'signin_code' : 'help'
  }
  // Whoever has to have a second factor is asked for that which there is, were it a passkey without recovery codes.
  const isDue = rules.mode === 'required' || had || (isAsked && hasOwn) || isProtected(candidate, rules)
  if (!isDue) return unasked
  const offered = offeredMethods(candidate, rules, byMail)
  if (offered.length === 0) return 'enrolment'
  // A remembered browser is not asked for a factor that exists, and never counts as one. Recovery codes are none either.
  const hasFactor = offered.some((method) => method !== 'recovery')
  return hasFactor && isRemembered(candidate, nowMs) ? unasked : 'second_factor'
}

/**
 * Whether the person has a second factor that every sign-in asks for: an authenticator app, a key that another system had as one,
 * or a passkey with recovery codes. Without those codes a lost passkey would end the sign-in with the password as well.
 */
export function isProtected(candidate: Candidate, rules: FactorRules): boolean {
  const { factors } = candidate
  if (factors !== undefined && factors.totp !== null) return true
  if (passkeysOf(candidate, rules) > 0 && (candidate.secondFactorKeys ?? 0) > 0) return true
  return passkeysOf(candidate, rules) > 0 && (factors?.recoveryHashes.length ?? 0) > 0
}

/** How many passkeys count. */
function passkeysOf({ passkeys = 0 }: Candidate, rules: FactorRules): number {
  return rules.passkeys === false ? 0 : passkeys
}

/**
 * Whether a second factor was proved in this browser within 30 days, and since the person has the present one. A new
 * password or an operator's lock ends known browsers.
 */
export function isRemembered({ user, browser, factors }: Candidate, nowMs: number): boolean {
  if (browser === undefined || !isKnown(browser, user, nowMs)) return false
  const untilMs = browser.secondFactorUntilMs
  if (untilMs === null || nowMs >= untilMs) return false
  const sinceMs = factors?.totp?.sinceMs
  return sinceMs === undefined || untilMs - rememberedMs >= sinceMs
}

/**
 * Returns the ways in which the person can prove a second factor, the preferred ones first. `acr`: the class that must
 * be reached; undefined: any. `byMail`: mail was the first factor, and does not count twice.
 */
export function offeredMethods(
  candidate: Candidate,
  rules: FactorRules,
  byMail = false,
  acr?: string,
): readonly SecondFactorMethod[] {
  const { user, factors } = candidate
  const offered: SecondFactorMethod[] = []
  const resistsPhishing = acr === 'phr' || acr === 'phrh'
  if (factors?.totp != null && !resistsPhishing) offered.push('totp')
  if (passkeysOf(candidate, rules) > 0) offered.push('passkey')
  if (resistsPhishing) return offered
  const isBarred = byMail || factors?.isMailBarred === true
  if (rules.email && user.emailConfirmed && !isBarred) offered.push('email')
  if ((factors?.recoveryHashes.length ?? 0) > 0) offered.push('recovery')
  return offered
}

/** Returns the highest authentication class that the signed-in person can reach; undefined: none beyond the present. */
export function reachOf(candidate: Candidate, rules: FactorRules): 'mfa' | 'phr' | 'phrh' | undefined {
  if (passkeysOf(candidate, rules) > 0) {
    const bound = rules.attestation === true ? candidate.attestedPasskeys : candidate.boundPasskeys
    return (bound ?? 0) > 0 ? 'phrh' : 'phr'
  }
  return offeredMethods(candidate, rules).length > 0 ? 'mfa' : undefined
}

/** Returns the methods (RFC 8176) of a sign-in to which another factor was added. `mfa` comes last. */
export function withSecondFactor(methods: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...methods, ...added].filter((method) => method !== 'mfa')), 'mfa']
}

/** A proof of a second factor, checked as far as it can be before the commit. */
export type FactorProof = {
  readonly method: SecondFactorMethod
  /** A passkey before and after its use, which is stored with the session. */
  readonly passkey?: { readonly next: Passkey; readonly before: Passkey }
  /** Used up with the session. */
  readonly challenge?: { readonly id: string; readonly expiresAtMs: number }
  /**
   * Judges the proof on the factors as stored, inside the storage verb, so that a code counts once. Undefined: it is
   * wrong. `factors`: their next state; absent: unchanged.
   */
  judge(stored: SecondFactors): { readonly amr: readonly string[]; readonly factors?: SecondFactors } | undefined
}
