import type { ServerResponse } from 'node:http'
import { stringifySetCookie } from 'cookie'
import { oncePerTick } from '../tick.ts'
import type { Answer, SetCookie } from './answer.ts'
import { type BodyStream, sendStream } from './body-stream.ts'

/** Longer bodies get a write of their own: copying them costs more than the extra system call. */
const longestTextBytes = 16 * 1024

type Written = { readonly response: ServerResponse; readonly body: string | Buffer; readonly encoding: BufferEncoding }

/**
 * Batches the answers of one tick of the event loop. Writing to a socket wakes a sleeping reader, which is expensive
 * for the writer; of several writes in a row only the first pays for it (`docs/growing.md`).
 */
const endSoon = oncePerTick<Written>((answers) => {
  for (const { response, body, encoding } of answers) response.end(body, encoding)
})

/**
 * Writes an answer at the end of the current tick of the event loop. Sends `common` headers too; those of the answer
 * win. Throws for a header that HTTP does not allow, before anything is written. `failed`: called when a stream rejects.
 */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, cookies, body }: Answer,
  common: Readonly<Record<string, string>>,
  failed: (error: unknown) => void,
): void {
  const sent: Record<string, string | number | string[]> = { ...common, ...headers }
  if (cookies.length > 0) sent['set-cookie'] = toHeaders(cookies)
  if (isStream(body)) {
    response.writeHead(status, sent)
    void sendStream(response, body, failed)
    return
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  sent['content-length'] = length
  response.writeHead(status, sent)
  // Head and body leave in one write only when the body is a string. Latin-1 maps each byte to one character and back,
  // and skips the UTF-8 encoding that ASCII bodies such as tokens do not need.
  const text = typeof body === 'string' || length > longestTextBytes ? body : body.toString('latin1')
  endSoon({ response, body: text, encoding: text.length === length ? 'latin1' : 'utf8' })
}

/** Closes the body of an answer that is not sent. */
export function discardAnswer({ body }: Answer): void {
  if (isStream(body)) body.close()
}

function isStream(body: Answer['body']): body is BodyStream {
  return typeof body === 'object' && 'next' in body
}

/** One header line per name: a later cookie replaces an earlier one (RFC 6265 §4.1.1). */
function toHeaders(cookies: readonly SetCookie[]): string[] {
  return [...new Map(cookies.map((cookie) => [cookie.name, stringifySetCookie(cookie)])).values()]
}
