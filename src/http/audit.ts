/** Audit events of requests. */
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import type { Request } from './request.ts'

export type AuditParties = { readonly userId?: string | undefined; readonly clientId?: string | undefined }

export function auditEvent(
  request: Request,
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
export function refusalEvent(request: Request, atMs: number, refusal: Refusal): AuditEvent {
  const { reason, error, id, detail } = refusal
  const clientId = typeof detail.client === 'string' ? detail.client : undefined
  return auditEvent(request, atMs, 'refusal', { clientId }, { reason, error, id, ...detail })
}
