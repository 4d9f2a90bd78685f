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
}

export const askingNobody: FactorRules = Object.freeze({ mode: 'optional', email: false, external: false })

/** What was proved first. A passkey is two factors by itself. */
export type FirstFactor = 'password' | 'external' | 'passkey'

export type NextStep = 'session' | 'second_factor' | 'enrolment'

/**
 * Returns the next step of a sign-in whose account may sign in. `byMail`: the password was set in this sign-in by a
 * reset, which proves the mailbox alone.
 */
export function nextStep(
  candidate: Candidate,
  first: FirstFactor,
  rules: FactorRules,
  nowMs: number,
  byMail = false,
): NextStep {
  if (first === 'passkey') return 'session'
  if (first === 'external' && !rules.external) return 'session'
  const isRequired = rules.mode === 'required'
  if (!isRequired && !isProtected(candidate, rules)) return 'session'
  const offered = offeredMethods(candidate, rules, byMail)
  if (offered.length === 0) return 'enrolment'
  // A remembered browser is not asked for a factor that exists, and never counts as one. Recovery codes are none either.
  const hasFactor = offered.some((method) => method !== 'recovery')
  return hasFactor && isRemembered(candidate, nowMs) ? 'session' : 'second_factor'
}

/**
 * Whether the person has a second factor that every sign-in asks for: an authenticator app, or a passkey with recovery
 * codes. Without those codes a lost passkey would end the sign-in with the password as well.
 */
export function isProtected(candidate: Candidate, rules: FactorRules): boolean {
  const { factors } = candidate
  if (factors !== undefined && factors.totp !== null) return true
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
