/** What a person has beside the password: authenticator apps and recovery codes, and the budgets of wrong codes. */
import { beganAtMs, type User } from './user.ts'

export type AuthenticatorApp = {
  /** Sealed under a secret of the key ring. */
  readonly sealedSecret: string
  readonly sinceMs: number
  /** The time step (RFC 6238 §4.2) of the last accepted code. A code of this or an earlier step is refused. */
  readonly lastStep: number
  /** Absent: it has none. */
  readonly name?: string
}

/** The second factors of one user, as stored. Times are epoch milliseconds. */
export type SecondFactors = {
  readonly userId: string
  /** The authenticator app; null: none. */
  readonly totp: AuthenticatorApp | null
  /** Apps beside it, as another system had them. Absent: none. */
  readonly furtherApps?: readonly AuthenticatorApp[]
  /** An authenticator app that was not confirmed by a code yet. */
  readonly pendingTotp: { readonly sealedSecret: string; readonly untilMs: number } | null
  /** Keyed hashes of the unused recovery codes. */
  readonly recoveryHashes: readonly string[]
  /** When they were made; null: there are none, or the time is not known. */
  readonly recoverySinceMs: number | null
  /** The code that was mailed last for a sign-in in progress. */
  readonly mailCode: { readonly hash: string; readonly signInId: string; readonly untilMs: number } | null
  /** Mail does not count as a second factor until another one was used: the password was reset by mail. */
  readonly isMailBarred: boolean
  /** Wrong codes since the last right one or pause, in all browsers. */
  readonly failedAttempts: number
  /** No code is checked until this time. */
  readonly pausedUntilMs: number | null
  /** Wrong codes of six digits within a day; null: none. */
  readonly wrongCodes: WrongCodes | null
  /** Incremented by every change. A change commits only on the version it was decided on. */
  readonly version: number
}

/** Counts strangers together, and each known browser by its id. */
export type WrongCodes = {
  readonly sinceMs: number
  readonly strangers: number
  readonly browsers: Readonly<Record<string, number>>
}

/** How a second factor can be proved. */
export const secondFactorMethods = ['totp', 'passkey', 'email', 'recovery'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** Wrong codes that start a pause, counted for the person over all browsers. */
export const maxWrongCodes = 5
export const pauseMs = 5 * 60_000

/** Wrong codes of six digits in a day, after which such codes are no longer checked: of strangers, and of each known browser. */
export const maxWrongCodesADay = 50
const dayMs = 86_400_000

/** How long a browser is remembered after a second factor was proved in it. */
export const rememberedMs = 30 * 86_400_000

/** How long a new authenticator app may wait for its first code. */
export const pendingTotpMs = 15 * 60_000

export const recoveryCodeCount = 10

/** At this number of unused recovery codes or fewer, pages and mails advise to make new ones. */
export const fewRecoveryCodes = 3

export function noSecondFactors(userId: string): SecondFactors {
  return {
    userId,
    totp: null,
    pendingTotp: null,
    recoveryHashes: [],
    recoverySinceMs: null,
    mailCode: null,
    isMailBarred: false,
    failedAttempts: 0,
    pausedUntilMs: null,
    wrongCodes: null,
    version: 0,
  }
}

/** Whether too many codes were wrong, so that none is checked now. */
export function isPaused({ pausedUntilMs }: Pick<SecondFactors, 'pausedUntilMs'>, nowMs: number): boolean {
  return pausedUntilMs !== null && nowMs < pausedUntilMs
}

/** Returns the factors after a wrong code. */
export function countWrongCode(factors: SecondFactors, nowMs: number): SecondFactors {
  const failedAttempts = factors.failedAttempts + 1
  if (failedAttempts < maxWrongCodes) return { ...factors, failedAttempts }
  return { ...factors, failedAttempts: 0, pausedUntilMs: nowMs + pauseMs }
}

/** Who enters a code: a browser that the user signed in with before, by its id; undefined: a stranger. */
type Guesser = { readonly user: Pick<User, 'sessionsEndedAtMs'>; readonly browserId: string | undefined }

/**
 * Whether a code of six digits is no longer checked today. Recovery codes and passkeys cannot be guessed and are checked
 * still, so that nobody who guesses locks the owner out.
 */
export function isDaySpent(
  { wrongCodes }: Pick<SecondFactors, 'wrongCodes'>,
  guesser: Guesser,
  nowMs: number,
): boolean {
  const today = currentDay(wrongCodes, guesser, nowMs)
  return countOf(today, guesser.browserId) >= maxWrongCodesADay
}

/** Returns the wrong codes of the day with one more. */
export function countDaily(
  { wrongCodes }: Pick<SecondFactors, 'wrongCodes'>,
  guesser: Guesser,
  nowMs: number,
): WrongCodes {
  const today = currentDay(wrongCodes, guesser, nowMs)
  const { browserId } = guesser
  if (browserId === undefined) return { ...today, strangers: today.strangers + 1 }
  return { ...today, browsers: { ...today.browsers, [browserId]: countOf(today, browserId) + 1 } }
}

function countOf(today: WrongCodes, browserId: string | undefined): number {
  return browserId === undefined ? today.strangers : (today.browsers[browserId] ?? 0)
}

/** Begins anew after a day, and with a new password: whoever guessed knew the old one. */
function currentDay(counted: WrongCodes | null, { user }: Guesser, nowMs: number): WrongCodes {
  const isOver =
    counted === null || nowMs >= counted.sinceMs + dayMs || counted.sinceMs <= (user.sessionsEndedAtMs ?? -1)
  return isOver ? { sinceMs: beganAtMs(nowMs, user.sessionsEndedAtMs), strangers: 0, browsers: {} } : counted
}

/** Returns the factors with a new authenticator app that waits for its first code. Replaces one that waits. */
export function beginTotp(factors: SecondFactors, sealedSecret: string, nowMs: number): SecondFactors {
  return { ...factors, pendingTotp: { sealedSecret, untilMs: nowMs + pendingTotpMs } }
}

/** Returns the secret that waits for its first code; undefined: none, or for too long. */
export function pendingSecret({ pendingTotp }: SecondFactors, nowMs: number): string | undefined {
  return pendingTotp !== null && nowMs < pendingTotp.untilMs ? pendingTotp.sealedSecret : undefined
}

/** Returns the factors with the waiting authenticator app, which a code of `step` confirmed. */
export function confirmTotp(factors: SecondFactors, step: number, nowMs: number): SecondFactors {
  if (factors.pendingTotp === null) throw new Error('no authenticator app waits for its first code')
  const { sealedSecret } = factors.pendingTotp
  // A new app replaces those of before.
  const { furtherApps: _, ...others } = factors
  return {
    ...others,
    totp: { sealedSecret, sinceMs: nowMs, lastStep: step },
    pendingTotp: null,
    failedAttempts: 0,
  }
}

/** Returns the factors without any: the person signs in with the password alone, or sets one up again. */
export function resetFactors(factors: SecondFactors): SecondFactors {
  return { ...noSecondFactors(factors.userId), version: factors.version }
}

/** The authenticator apps, the first one first. */
export function appsOf(factors: Pick<SecondFactors, 'totp' | 'furtherApps'> | undefined): readonly AuthenticatorApp[] {
  return factors?.totp == null ? [] : [factors.totp, ...(factors.furtherApps ?? [])]
}

/**
 * Returns when the app proved a code last, to the length of a step; null: never here. The period is sealed with the secret, so it is
 * inferred: a step of 60 seconds has half the number of one of 30, which would be decades before the app was here.
 */
export function lastUseMs({ lastStep, sinceMs }: AuthenticatorApp): number | null {
  if (lastStep === 0) return null
  const usedAtMs = lastStep * 30_000
  return usedAtMs < sinceMs * 0.75 ? 2 * usedAtMs : usedAtMs
}

/** Returns the factors with the apps; there is one at least. */
export function withApps(factors: SecondFactors, [first, ...others]: readonly AuthenticatorApp[]): SecondFactors {
  if (first === undefined) throw new Error('no authenticator app is left')
  const { furtherApps: _, ...rest } = factors
  return { ...rest, totp: first, ...(others.length > 0 && { furtherApps: others }) }
}

/** Returns the factors without the authenticator apps. Recovery codes end with the last factor that they stand in for. */
export function removeTotp({ furtherApps: _, ...factors }: SecondFactors, hasPasskeys: boolean): SecondFactors {
  const recoveryHashes = hasPasskeys ? factors.recoveryHashes : []
  const recoverySinceMs = hasPasskeys ? factors.recoverySinceMs : null
  return { ...factors, totp: null, pendingTotp: null, recoveryHashes, recoverySinceMs }
}
