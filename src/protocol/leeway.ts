/**
 * The leeway of a rotation: how long a replaced refresh token may come again, because the answer got lost or two tabs
 * refreshed at once. Only the time counts in which the service could answer: a client that an outage kept from trying
 * again is no thief.
 */

/** A time in which the service could answer. Epoch milliseconds; both ends belong to it. */
export type Uptime = { readonly fromMs: number; readonly throughMs: number }

export type LeewayRules = {
  readonly leewayMs: number
  /**
   * When the service could answer, as far as that is known back to the replacement; in any order, and they may overlap.
   * Absent: all the time.
   */
  readonly uptimes?: readonly Uptime[]
}

/**
 * Whoever can keep the service from answering gains no more than this: a weekend, after which a token counts as stolen
 * however little of the leeway was used.
 */
export const leewayAtMostMs = 3 * 86_400_000

/** Whether a token that was replaced at `replacedAtMs` may still come again. */
export function isInsideLeeway(replacedAtMs: number, rules: LeewayRules, nowMs: number): boolean {
  if (nowMs - replacedAtMs <= rules.leewayMs) return true
  if (!dependsOnOutages(replacedAtMs, rules.leewayMs, nowMs) || rules.uptimes === undefined) return false
  return servedMs(rules.uptimes, replacedAtMs, nowMs) <= rules.leewayMs
}

/** Whether the answer depends on when the service could answer, and how much of that time there was. */
export function dependsOnOutages(replacedAtMs: number, leewayMs: number, nowMs: number): boolean {
  const sinceMs = nowMs - replacedAtMs
  return leewayMs > 0 && sinceMs > leewayMs && sinceMs <= leewayAtMostMs
}

/** How much of the time between two instants the service could answer. */
export function servedMs(uptimes: readonly Uptime[], fromMs: number, throughMs: number): number {
  let servedMs = 0
  let countedThroughMs = fromMs
  for (const uptime of [...uptimes].sort((a, b) => a.fromMs - b.fromMs)) {
    const endMs = Math.min(uptime.throughMs, throughMs)
    servedMs += Math.max(0, endMs - Math.max(uptime.fromMs, countedThroughMs))
    countedThroughMs = Math.max(countedThroughMs, endMs)
  }
  return servedMs
}
