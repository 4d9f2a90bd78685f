/**
 * Browsers that signed in as a user before. Such a browser authenticates nobody; it only decides whose failures an
 * attempt counts among, so that a stranger's guesses cannot keep the owner out. Times are epoch milliseconds.
 */
import { beganAtMs, type User } from './user.ts'

export type KnownBrowser = {
  /** UUIDv7; stands, signed, in the browser's device cookie. */
  readonly id: string
  readonly userId: string
  readonly createdAtMs: number
  /** Of the last success, to the day: a browser that is used all the time need not be written all the time. */
  readonly lastUsedAtMs: number
  readonly expiresAtMs: number
  /** Failed passwords from this browser since its last success or lockout. */
  readonly failedAttempts: number
  /** Until then the browser counts as a stranger. */
  readonly lockedUntilMs: number | null
}

/** Counted from the last use. */
export const knownBrowserLifetimeMs = 180 * 86_400_000

/** So many are kept for each user, the most recently used ones. */
export const maxKnownBrowsers = 20

const dayMs = 86_400_000

/** Whether the browser still counts as one of this user's. */
export function isKnown(browser: KnownBrowser, user: User, nowMs: number): boolean {
  // A new password and an operator's lock end what was trusted before, sessions and browsers alike.
  const ended = user.sessionsEndedAtMs !== null && browser.createdAtMs <= user.sessionsEndedAtMs
  return browser.userId === user.id && nowMs < browser.expiresAtMs && !ended
}

/**
 * The browser after a success in it: a new one under `newId` when it was not known, `browser` itself when there is
 * nothing to write.
 */
export function rememberBrowser(
  browser: KnownBrowser | undefined,
  user: User,
  newId: string,
  nowMs: number,
): KnownBrowser {
  const clean = {
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + knownBrowserLifetimeMs,
    failedAttempts: 0,
    lockedUntilMs: null,
  }
  if (browser === undefined || !isKnown(browser, user, nowMs)) {
    return { id: newId, userId: user.id, createdAtMs: beganAtMs(nowMs, user.sessionsEndedAtMs), ...clean }
  }
  const isClean = browser.failedAttempts === 0 && browser.lockedUntilMs === null
  return isClean && nowMs - browser.lastUsedAtMs < dayMs ? browser : { ...browser, ...clean }
}
