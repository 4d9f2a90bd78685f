/** Audit events of requests. */

import type { Refusal } from '../protocol/refusals/index.ts'
import type { AuditDetails, AuditEvent, AuditKind } from './entry.ts'

/** The request that caused an event. `address`: empty if unknown. */
export type RequestOrigin = { readonly traceId: string; readonly address: string }

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
    details,
  }
}

/** The details are bounded and printable and hold no secret; the rule that refuses ensures that. */
export function refusalEvent(request: RequestOrigin, atMs: number, refusal: Refusal): AuditEvent {
  const { reason, error, id, detail } = refusal
  const clientId = typeof detail.client === 'string' ? detail.client : undefined
  return auditEvent(request, atMs, 'refusal', { clientId }, { reason, error, id, ...detail })
}
