import type { ServerResponse } from 'node:http'
import { stringifySetCookie } from 'cookie'
import { oncePerTurn } from '../turn.ts'
import type { Answer, SetCookie } from './answer.ts'

/** Longer bodies leave in a write of their own: a copy of them would cost more than that. */
const longestTextBytes = 16 * 1024

type Written = { readonly response: ServerResponse; readonly body: string | Buffer; readonly encoding: BufferEncoding }

/**
 * A write wakes the reader, which is expensive for the writer if the reader slept. Of the answers that are written in a row
 * only the first one pays for that (`docs/performance.md`).
 */
const endSoon = oncePerTurn<Written>((answers) => {
  for (const { response, body, encoding } of answers) response.end(body, encoding)
})

/**
 * Writes an answer at the end of this turn of the event loop. `headers` are sent as well; those of the answer win. Throws
 * for a header that HTTP does not allow, and has written nothing then.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, cookies, body }: Answer,
  common: Readonly<Record<string, string>>,
): void {
  const sent: Record<string, string | number | string[]> = { ...common, ...headers }
  if (cookies.length > 0) sent['set-cookie'] = toHeaders(cookies)
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  sent['content-length'] = length
  response.writeHead(status, sent)
  // Head and body leave in one write when the body is text. Latin-1 stands for each byte, and plain ASCII, which tokens
  // are, needs no look at its characters.
  const text = typeof body === 'string' || length > longestTextBytes ? body : body.toString('latin1')
  endSoon({ response, body: text, encoding: text.length === length ? 'latin1' : 'utf8' })
}

/** One line for each name: a later cookie takes the place of an earlier one (RFC 6265 §4.1.1). */
function toHeaders(cookies: readonly SetCookie[]): string[] {
  return [...new Map(cookies.map((cookie) => [cookie.name, stringifySetCookie(cookie)])).values()]
}
