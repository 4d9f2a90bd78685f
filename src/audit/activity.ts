/** What is counted of events, for pictures over time. Pure. */
import { consoleClientId } from '../protocol/client/client.ts'
import type { AuditEvents } from './entry.ts'
import { isRoutine } from './kinds.ts'

/** `refusal`: a request that its sender has to correct. `error`: one that the service could not answer. */
export const activityKinds = ['sign_in', 'sign_in_failed', 'tokens_issued', 'refusal', 'error'] as const

export type ActivityKind = (typeof activityKinds)[number]

export type ActivityCounts = Readonly<Record<ActivityKind, number>>

/** `startsAtMs`: the beginning of an hour or day in UTC, in epoch milliseconds. */
export type Activity = ActivityCounts & { readonly startsAtMs: number }

export const noActivity: ActivityCounts = { sign_in: 0, sign_in_failed: 0, tokens_issued: 0, refusal: 0, error: 0 }

/** What a client did in a day of UTC. A sign-in is an issue of tokens for a code or a device code of a person. */
export type ClientActivity = {
  readonly clientId: string
  /** The beginning of the day, in epoch milliseconds. */
  readonly startsAtMs: number
  readonly signIns: number
  readonly tokens: number
  /** When it last got tokens. */
  readonly lastAtMs: number
}

export const activitySteps = { hour: 3_600_000, day: 86_400_000 } as const

export type ActivityStep = keyof typeof activitySteps

/** Undefined: the event is not counted. */
export function activityOf({
  kind,
  clientId,
  details,
}: Pick<AuditEvents[number], 'kind' | 'clientId' | 'details'>): ActivityKind | undefined {
  // A look at the figures in the console would count itself.
  if (clientId === consoleClientId && isRoutine(kind, details)) return undefined
  switch (kind) {
    case 'sign_in':
    case 'sign_in_failed':
    case 'tokens_issued':
      return kind
    case 'refusal':
      return details.error === 'server_error' || details.error === 'temporarily_unavailable' ? 'error' : 'refusal'
    default:
      return undefined
  }
}

/** Undefined: the event does not count for a client. Refusals never do, because strangers can name any client in a request. */
export function clientActivityOf({
  kind,
  clientId,
  userId,
  details,
  atMs,
}: Pick<AuditEvents[number], 'kind' | 'clientId' | 'userId' | 'details' | 'atMs'>): ClientActivity | undefined {
  if (kind !== 'tokens_issued' || clientId === null) return undefined
  const isSignIn = userId !== null && typeof details.type === 'string' && signInGrants.includes(details.type)
  return { clientId, startsAtMs: startOf('day', atMs), signIns: isSignIn ? 1 : 0, tokens: 1, lastAtMs: atMs }
}

/** Grant types that a person has just signed in with. */
const signInGrants: readonly string[] = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']

/** Returns the sum of two counts of one client and day. */
export const withClientActivity = (one: ClientActivity, other: ClientActivity): ClientActivity => ({
  ...one,
  signIns: one.signIns + other.signIns,
  tokens: one.tokens + other.tokens,
  lastAtMs: Math.max(one.lastAtMs, other.lastAtMs),
})

/** Returns the beginning of the step that has the time. */
export function startOf(step: ActivityStep, atMs: number): number {
  return Math.floor(atMs / activitySteps[step]) * activitySteps[step]
}
