/**
 * The leeway of a rotation: how long a replaced refresh token is accepted again, because its answer was lost or two
 * tabs refreshed at once. Only time counts in which the service was able to answer: a client whose retry was delayed by
 * an outage is not treated as a thief.
 */

/** A period in which the service was able to answer. Epoch milliseconds, both ends inclusive. */
export type Uptime = { readonly fromMs: number; readonly throughMs: number }

export type LeewayRules = {
  readonly leewayMs: number
  /** Known uptimes back to the replacement, in any order, possibly overlapping. Absent: no outages. */
  readonly uptimes?: readonly Uptime[]
  /** When the token was sent: what the service took to decide does not count. Absent: now. */
  readonly presentedAtMs?: number
}

/**
 * Bounds what an attacker gains by keeping the service from answering: three days, after which a replaced token counts
 * as stolen, however little of the leeway was used.
 */
export const leewayAtMostMs = 3 * 86_400_000

/** Whether a token that was replaced at `replacedAtMs` is still accepted. */
export function isInsideLeeway(replacedAtMs: number, rules: LeewayRules, nowMs: number): boolean {
  // Without a leeway, a token that was sent before its replacement counts as replaced all the same.
  const atMs = rules.leewayMs === 0 ? nowMs : (rules.presentedAtMs ?? nowMs)
  if (atMs - replacedAtMs <= rules.leewayMs) return true
  if (!dependsOnOutages(replacedAtMs, rules.leewayMs, atMs) || rules.uptimes === undefined) return false
  return servedMs(rules.uptimes, replacedAtMs, atMs) <= rules.leewayMs
}

/** Whether the answer depends on outages, and so on the known uptimes. */
export function dependsOnOutages(replacedAtMs: number, leewayMs: number, nowMs: number): boolean {
  const sinceMs = nowMs - replacedAtMs
  return leewayMs > 0 && sinceMs > leewayMs && sinceMs <= leewayAtMostMs
}

/** Returns how much of the period the service was able to answer, in milliseconds. */
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
