/** What a request leaves in the audit trail. */
import type { FastifyRequest } from 'fastify'
import type { AuditDetails, AuditEvent, AuditKind } from '../audit/entry.ts'
import type { Refusal } from '../protocol/refusals.ts'

export type AuditParties = { readonly userId?: string | undefined; readonly clientId?: string | undefined }

export function auditEvent(
  request: FastifyRequest,
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
    traceId: request.id,
    address: request.ip,
    details,
  }
}

export function refusalEvent(request: FastifyRequest, atMs: number, refusal: Refusal): AuditEvent {
  const { reason, error, id, detail } = refusal
  const members = Object.entries(detail).map(([name, value]) => [name, bounded(value)])
  return auditEvent(request, atMs, 'refusal', {}, { reason, error, id, ...Object.fromEntries(members) })
}

/** What a stranger sent takes no more room than what is needed to recognise it. */
const charactersAtMost = 512
const itemsAtMost = 20

function bounded(value: unknown): AuditDetails[string] {
  if (Array.isArray(value)) return value.slice(0, itemsAtMost).map((item) => text(item))
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return text(value)
}

function text(value: unknown): string {
  const written = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return written.slice(0, charactersAtMost)
}
