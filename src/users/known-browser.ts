/**
 * Browsers that signed in as a user before. Being known does not authenticate a browser. It has its own budget of failed
 * passwords, so that a stranger's guesses cannot lock the owner out. Times are epoch milliseconds.
 */
import { beganAtMs, type User } from './user.ts'

export type KnownBrowser = {
  /** UUIDv7; part of the browser's signed device cookie. */
  readonly id: string
  readonly userId: string
  readonly createdAtMs: number
  /** Day of the last success. Rounded, so that frequent use does not cause frequent writes. */
  readonly lastUsedAtMs: number
  readonly expiresAtMs: number
  /** Failed passwords in this browser since its last success or lockout. */
  readonly failedAttempts: number
  /** The browser counts as a stranger until this time. */
  readonly lockedUntilMs: number | null
  /** As the browser called itself at the last sign-in that was stored; null: not recorded. */
  readonly userAgent: string | null
  /** No second factor is asked for in this browser until this time; null: it was not asked to be remembered. */
  readonly secondFactorUntilMs: number | null
}

/** Counted from the last use. */
export const knownBrowserLifetimeMs = 180 * 86_400_000

/** Maximum per user; the most recently used ones are kept. */
export const maxKnownBrowsers = 20

const dayMs = 86_400_000

/** Whether the browser still counts as known for this user. */
export function isKnown(browser: KnownBrowser, user: User, nowMs: number): boolean {
  // A new password or an operator's lock ends earlier trust: sessions and known browsers.
  const ended = user.sessionsEndedAtMs !== null && browser.createdAtMs <= user.sessionsEndedAtMs
  return browser.userId === user.id && nowMs < browser.expiresAtMs && !ended
}

/**
 * Returns the browser after a successful sign-in: a new one under `newId` if it was unknown, and `browser` itself if
 * there is nothing to write.
 */
export function rememberBrowser(
  browser: KnownBrowser | undefined,
  user: User,
  newId: string,
  nowMs: number,
  userAgent: string,
): KnownBrowser {
  const clean = {
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + knownBrowserLifetimeMs,
    failedAttempts: 0,
    lockedUntilMs: null,
    userAgent,
  }
  if (browser === undefined || !isKnown(browser, user, nowMs)) {
    return {
      id: newId,
      userId: user.id,
      createdAtMs: beganAtMs(nowMs, user.sessionsEndedAtMs),
      ...clean,
      secondFactorUntilMs: null,
    }
  }
  const isClean = browser.failedAttempts === 0 && browser.lockedUntilMs === null
  return isClean && nowMs - browser.lastUsedAtMs < dayMs ? browser : { ...browser, ...clean }
}
