/** Reads the body of a request: bytes of any type, up to a limit. */
import type { IncomingMessage } from 'node:http'

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
