/** Recorded refusals: found in the audit trail, and explained. */

import { nearest } from '../protocol/nearest.ts'
import { explain } from '../protocol/refusals/explanation.ts'
import {
  boundDetail,
  type Detail,
  type DetailValue,
  printable,
  type Unbounded,
} from '../protocol/refusals/refusal-detail.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from './record.ts'

/** A recorded refusal. */
export type RefusalRecord = {
  readonly traceId: string
  /** ISO 8601 in UTC. */
  readonly time: string
  /** The name of the rule in the catalogue of the version that refused. */
  readonly reason: string
  readonly detail: Detail
}

/** A request has one refusal, but a trace that began elsewhere (`traceparent`) may span several requests. */
const recordsAtMost = 20

type Records = Pick<Storage, 'audit' | 'clients' | 'scopes'>

/** Returns the refusals of a request from the audit trail, with what the database can add. */
export function refusalsInTrail(storage: Records, traceId: string): Promise<RefusalRecord[]> {
  return found(storage, { traceId }, recordsAtMost)
}

/** Returns the last refusals of a client, newest first. */
export async function refusalsOfClient(storage: Records, clientId: string, limit: number): Promise<RefusalRecord[]> {
  return (await found(storage, { clientId }, limit)).reverse()
}

async function found(storage: Records, filter: AuditFilter, limit: number): Promise<RefusalRecord[]> {
  const entries = await storage.audit.newest({ ...filter, kind: 'refusal' }, limit, 'refusals')
  const names = namesOf(storage)
  return Promise.all(
    entries.map(async ({ atMs, traceId, details }) => {
      const { reason, error: _error, id: _id, ...detail } = details
      const meant = await nearestRegistered(names, String(reason), detail)
      return toRecord(traceId ?? '', isoTime(atMs), String(reason), { ...detail, meant })
    }),
  )
}

/**
 * Returns the registered client or scope with the most similar name. Computed only for operators: during a request it
 * would reveal names to strangers and let them cause the work.
 */
async function nearestRegistered(
  names: ReturnType<typeof namesOf>,
  reason: string,
  detail: Unbounded,
): Promise<string | undefined> {
  if (/^(?:end_session_)?client_unknown/.test(reason)) {
    return nearest(String(detail.received), await names.clients())
  }
  const [unknown] = reason === 'scope_unknown' && Array.isArray(detail.unregistered) ? detail.unregistered : []
  if (unknown === undefined) return undefined
  return nearest(String(unknown), await names.scopes())
}

/** Reads the ids of all clients, and the names of all scopes, at the first use, and keeps them. */
function namesOf({ clients, scopes }: Records) {
  const once = <T>(read: () => Promise<T>) => {
    let reading: Promise<T> | undefined
    return () => {
      reading ??= read()
      return reading
    }
  }
  return {
    clients: once(async () => (await clients.list()).map(({ id }) => id)),
    scopes: once(async () => (await scopes.list()).map(({ name }) => name)),
  }
}

/** Bounds the values again, because the line or row may have been tampered with. */
export function toRecord(
  traceId: string,
  time: string,
  reason: string,
  detail: Record<string, unknown>,
): RefusalRecord {
  const told = Object.entries(detail).map(([name, value]) => [printable(name), toValue(value)] as const)
  return { traceId, time: printable(time), reason: printable(reason), detail: boundDetail(Object.fromEntries(told)) }
}

function toValue(value: unknown): DetailValue | null | undefined {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as DetailValue | null | undefined)
}

/** Returns the refusal as JSON with this version's catalogue; undefined: it does not have the rule. */
export function explainedRecord({ traceId, time, reason, detail }: RefusalRecord) {
  const explanation = explain(reason, detail)
  if (explanation === undefined) return undefined
  const { facts: _inWords, ...entry } = explanation
  return { trace_id: traceId, time, ...entry, detail }
}
