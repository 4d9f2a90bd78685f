/** Finds recorded refusals: in the audit trail, and in the log, which may be kept longer. */
import { createReadStream } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import { boundDetail, type Detail, type DetailValue, printable, type Unbounded } from '../protocol/refusal-detail.ts'
import { Refused } from '../server/refused.ts'
import { nearest } from '../settings/nearest.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../text.ts'
import type { CommandContext } from './context.ts'

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

/** Returns the refusals of a request from the audit trail, with what the database can add. */
export async function refusalsInTrail(storage: Storage, traceId: string): Promise<RefusalRecord[]> {
  const entries = await storage.audit.newest({ kind: 'refusal', traceId }, recordsAtMost)
  return Promise.all(
    entries.map(async ({ atMs, details }) => {
      const { reason, error: _error, id: _id, ...detail } = details
      const meant = await nearestRegistered(storage, String(reason), detail)
      return toRecord(traceId, isoTime(atMs), String(reason), { ...detail, meant })
    }),
  )
}

/**
 * Returns the registered client or scope with the most similar name. Computed only for operators: during a request it
 * would reveal names to strangers and let them cause the work.
 */
async function nearestRegistered(storage: Storage, reason: string, detail: Unbounded): Promise<string | undefined> {
  if (/^(?:end_session_)?client_unknown/.test(reason)) {
    const clients = await storage.clients.list()
    return nearest(
      String(detail.received),
      clients.map(({ id }) => id),
    )
  }
  const [unknown] = reason === 'scope_unknown' && Array.isArray(detail.unregistered) ? detail.unregistered : []
  if (unknown === undefined) return undefined
  const scopes = await storage.scopes.list()
  return nearest(
    String(unknown),
    scopes.map(({ name }) => name),
  )
}

/**
 * Returns the refusals of a request from a log of JSON lines. `file`: a path, or `-` for standard input. Throws
 * `Refused`.
 */
export async function refusalsInLog(
  { stdin, cwd = '.' }: CommandContext,
  file: string,
  traceId: string,
): Promise<RefusalRecord[]> {
  const input = file === '-' ? stdin : createReadStream(isAbsolute(file) ? file : join(cwd, file))
  const found: RefusalRecord[] = []
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const one = line.includes(traceId) ? refusalIn(line) : undefined
      if (one?.traceId === traceId) found.push(one)
    }
  } catch (error) {
    throw new Refused(`The log ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}.`)
  }
  return found
}

/** Skips lines that are not JSON, such as those of a log collector. */
function refusalIn(line: string): RefusalRecord | undefined {
  const start = line.indexOf('{')
  if (start === -1) return undefined
  try {
    const { traceId, time, refusal } = JSON.parse(line.slice(start))
    if (typeof traceId !== 'string' || typeof refusal?.reason !== 'string') return undefined
    const { reason, error: _error, id: _id, ...detail } = refusal
    return toRecord(traceId, String(time), reason, detail)
  } catch {
    return undefined
  }
}

/** Bounds the values again, because the line or row may have been tampered with. */
function toRecord(traceId: string, time: string, reason: string, detail: Record<string, unknown>): RefusalRecord {
  const told = Object.entries(detail).map(([name, value]) => [printable(name), toValue(value)] as const)
  return { traceId, time: printable(time), reason: printable(reason), detail: boundDetail(Object.fromEntries(told)) }
}

function toValue(value: unknown): DetailValue | null | undefined {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as DetailValue | null | undefined)
}
