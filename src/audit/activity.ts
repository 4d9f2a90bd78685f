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

export const activitySteps = { hour: 3_600_000, day: 86_400_000 } as const

export type ActivityStep = keyof typeof activitySteps

/** Undefined: the event is not counted. */
export function activityOf({
  kind,
  clientId,
  details,
}: Pick<AuditEvents[number], 'kind' | 'clientId' | 'details'>): ActivityKind | undefined {
  // Whoever looks at the pictures causes those.
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

/** Returns the beginning of the step that has the time. */
export function startOf(step: ActivityStep, atMs: number): number {
  return Math.floor(atMs / activitySteps[step]) * activitySteps[step]
}
