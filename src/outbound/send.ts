/** Requests to addresses that an operator configured, on the way that the settings say. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { untilAborted } from './exchange.ts'
import { type WayOptions, wayOutOf } from './way-out.ts'

export type SendOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends one request and returns whatever it is answered with; follows no redirect. */
export type Send = (url: string, options: SendOptions) => Promise<Response>

/** Returns what sends requests under the settings: the runtime's own `fetch` where there is neither proxy nor authority. */
export function sendBy(options: WayOptions): Send {
  const way = wayOutOf(options)
  if (way.isPlain) {
    return (url, { body, ...request }) =>
      fetch(url, {
        ...request,
        ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
        redirect: 'manual',
      } as RequestInit)
  }
  return async (address, { method = 'GET', headers = {}, body, signal }) => {
    const url = new URL(address)
    const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const agent = await way.agentFor(url, { signal })
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sentHeaders: OutgoingHttpHeaders = { ...headers, 'accept-encoding': 'identity' }
    const options = { method, agent, headers: sentHeaders, ...(signal && { signal }) }
    const sent = request(url, options, resolve)
    sent.on('error', reject)
    // After 101 (RFC 9110 §15.2.2) there is neither a response nor an error before it.
    sent.on('close', () => reject(new Error('the connection ended without a response')))
    sent.end(body)
    return responseOf(await untilAborted(promise, signal))
  }
}

/** Statuses without a body (RFC 9110 §15.3.5, §15.4.5). */
const bodyless: readonly number[] = [204, 205, 304]

function responseOf(message: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const status = message.statusCode ?? 0
  if (bodyless.includes(status)) {
    message.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(message) as ReadableStream, { status, headers })
}
