/** Audit events of requests. */

import type { Refusal } from '../protocol/refusals/index.ts'
import { describeAgent } from '../users/user-agent.ts'
import type { AuditDetails, AuditEvent, AuditKind } from './entry.ts'

/** The request that caused an event. `address`: empty if unknown. */
export type RequestOrigin = {
  readonly traceId: string
  readonly address: string
  readonly headers?: { readonly 'user-agent'?: string | undefined }
}

/** What programs cause, for the most part and often. */
const withoutDevice: ReadonlySet<AuditKind> = new Set([
  ...(['tokens_issued', 'token_revoked', 'code_replayed', 'refresh_token_replayed', 'refusal'] as const),
])

export type AuditParties = { readonly userId?: string | undefined; readonly clientId?: string | undefined }

export function auditEvent(
  request: RequestOrigin,
  atMs: number,
  kind: AuditKind,
  { userId = '', clientId = '' }: AuditParties,
  details: AuditDetails = {},
): AuditEvent {
  return {
    atMs,
    kind,
    userId: userId === '' ? null : userId,
    clientId: clientId === '' ? null : clientId,
    traceId: request.traceId,
    address: request.address === '' ? null : request.address,
    details: { ...deviceOf(request, kind), ...details },
  }
}

/** The browser and the system, as far as they are recognised: names of a short list, nothing that the request has. */
function deviceOf({ headers }: RequestOrigin, kind: AuditKind): AuditDetails {
  const agent = headers?.['user-agent']
  if (agent === undefined || withoutDevice.has(kind)) return {}
  const { browser, system } = describeAgent(agent)
  return { ...(browser !== null && { browser }), ...(system !== null && { system }) }
}

/** The details are bounded and printable and hold no secret; the rule that refuses ensures that. */
export function refusalEvent(request: RequestOrigin, atMs: number, refusal: Refusal): AuditEvent {
  const { reason, error, id, detail } = refusal
  const clientId = typeof detail.client === 'string' ? detail.client : undefined
  return auditEvent(request, atMs, 'refusal', { clientId }, { reason, error, id, ...detail })
}
