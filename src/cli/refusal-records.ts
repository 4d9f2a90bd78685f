/** Finds recorded refusals in the log, which may be kept longer than the audit trail. */
import { createReadStream } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type RefusalRecord, toRecord } from '../audit/refusals.ts'
import { Refused } from '../server/refused.ts'
import type { CommandContext } from './context.ts'

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
