/** Refusals as the service wrote them into its log. */
import { createReadStream } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Detail } from '../protocol/refusal-detail.ts'
import { type CommandContext, Refused } from './context.ts'

/** One refusal on record. */
export type RefusalRecord = {
  readonly traceId: string
  /** ISO 8601 in UTC. */
  readonly time: string
  /** The name of the rule in the catalogue of the version that refused. */
  readonly reason: string
  readonly detail: Detail
}

/** The refusals of one request in a log of JSON lines; `file`: a path, or `-` for standard input. Throws `Refused`. */
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

/** Lines that are no JSON, such as those of a collector, are passed over. */
function refusalIn(line: string): RefusalRecord | undefined {
  const start = line.indexOf('{')
  if (start === -1) return undefined
  try {
    const { traceId, time, refusal } = JSON.parse(line.slice(start))
    if (typeof traceId !== 'string' || typeof refusal?.reason !== 'string') return undefined
    const { reason, error: _error, id: _id, ...detail } = refusal
    return { traceId, time: String(time), reason, detail }
  } catch {
    return undefined
  }
}
