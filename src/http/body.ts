/** Reads the body of a request: bytes of any type, up to a limit, and JSON. */
import type { IncomingMessage } from 'node:http'
import { isNestedTooDeeply, isObject } from '../protocol/json-value.ts'
import type { Request } from './request.ts'

/** RFC 6749 needs small forms only, and no endpoint accepts more. */
export const bodyLimitBytes = 64 * 1024

/** A request with neither a length nor chunked encoding has no body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Calls `done` once: with the complete body, or with undefined as soon as it is known to be too large. Never calls it
 * if the body does not arrive completely.
 */
export function readBody(message: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  // Node.js never reads more than the declared length.
  if (Number(message.headers['content-length']) > bodyLimitBytes) {
    done(undefined)
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  message.on('data', (chunk: Buffer) => {
    const wasWithin = length <= bodyLimitBytes
    length += chunk.length
    if (length <= bodyLimitBytes) chunks.push(chunk)
    else if (wasWithin) done(undefined)
  })
  message.on('end', () => {
    if (length <= bodyLimitBytes) done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the JSON object of the body; undefined: another content type, too long or deep, or no JSON object in UTF-8. */
export function readJsonObject(request: Request, lengthAtMost: number): Readonly<Record<string, unknown>> | undefined {
  if (!/^application\/json(?=$|[\s;])/i.test(request.headers['content-type'] ?? '')) return undefined
  if (request.body.length > lengthAtMost) return undefined
  try {
    const value: unknown = JSON.parse(utf8.decode(request.body))
    return isObject(value) && !isNestedTooDeeply(value) ? value : undefined
  } catch {
    return undefined
  }
}
