/** One request to addresses that were checked, or through a proxy, bounded in time and size. */
import type { Agent } from 'node:http'
import type { LookupFunction } from 'node:net'

export type OutboundRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `headers`: names in lower case; a repeated one is joined with commas. */
export type OutboundResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Why a request was not sent or has no usable response. The message is a clause for people, without secrets. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
}

/** Maximum size of a response body in bytes. */
const bodyAtMost = 64 * 1024

/**
 * Sends the request to one of `addresses` and never asks for the name again; undefined: the proxy of the agent does. Does not
 * follow redirects, send cookies or reuse connections. Rejects with `OutboundFault`, or with the error of the connection.
 */
export async function exchange(
  url: URL,
  addresses: readonly string[] | undefined,
  { method, headers, body }: OutboundRequest,
  signal: AbortSignal,
  agent: Agent,
): Promise<OutboundResponse> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const lookup = addresses === undefined ? {} : { lookup: lookupAmong(addresses) }
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  const sent = request(
    url,
    { method, agent, signal, ...lookup, headers: { ...headers, 'accept-encoding': 'identity' } },
    (message) => {
      const chunks: Buffer[] = []
      let length = 0
      const refuse = (reason: string): void => {
        reject(new OutboundFault(reason))
        message.destroy()
      }
      const encoding = message.headers['content-encoding'] ?? 'identity'
      // A decoder would have to bound what a small body unfolds to.
      if (encoding.toLowerCase() !== 'identity') return refuse(`the response is encoded as ${encoding}`)
      const tooLarge = `the response is larger than ${bodyAtMost} bytes`
      if (Number(message.headers['content-length'] ?? 0) > bodyAtMost) return refuse(tooLarge)
      message.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > bodyAtMost) refuse(tooLarge)
        else chunks.push(chunk)
      })
      message.on('end', () => {
        resolve({ status: message.statusCode ?? 0, headers: joined(message.headers), body: Buffer.concat(chunks) })
      })
      message.on('error', reject)
      message.on('aborted', () => reject(new OutboundFault('the connection ended before the response was complete')))
    },
  )
  sent.on('error', reject)
  // The last event in every case. After 101 (RFC 9110 §15.2.2) there is neither a response nor an error before it.
  sent.on('close', () => reject(new OutboundFault('the connection ended without a response')))
  sent.end(method === 'POST' ? body : undefined)
  return untilAborted(promise, signal)
}

/**
 * Settles like `promise`, or rejects with the reason of the signal if that comes first. A request tells of its end only once it
 * has a socket, which an agent may keep waiting for.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Answers the question for an address from the list. Node.js does not ask if the host is an address. */
export function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (hostname, options, answer) => {
    const family = options.family === 'IPv6' ? 6 : options.family === 'IPv4' ? 4 : (options.family ?? 0)
    const usable = family === 0 ? found : found.filter((one) => one.family === family)
    const [first] = usable
    if (first === undefined) return answer(new OutboundFault(`${hostname} has no usable address`), '')
    if (options.all) answer(null, usable)
    else answer(null, first.address, first.family)
  }
}

function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).filter((entry) => entry[1] !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  )
}

/** Returns how long a response may be used by its headers (RFC 9111 §4.2.1), in milliseconds, at most a day. */
export function freshForMs(headers: Readonly<Record<string, string>>): number {
  const directives = (headers['cache-control'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  if (directives.some((one) => one === 'no-store' || /^no-cache\b/.test(one))) return 0
  const maxAge = directives.map((one) => /^max-age="?(\d{1,10})"?$/.exec(one)?.[1]).find((one) => one !== undefined)
  const expires = Date.parse(headers.expires ?? '') - Date.parse(headers.date ?? '')
  const lifetimeMs = maxAge === undefined ? expires : (Number(maxAge) - age(headers)) * 1000
  return Number.isNaN(lifetimeMs) ? 0 : Math.min(Math.max(lifetimeMs, 0), 86_400_000)
}

/** Returns the seconds for which a shared cache held the response (RFC 9111 §5.1). */
function age(headers: Readonly<Record<string, string>>): number {
  return /^\d{1,10}$/.test(headers.age ?? '') ? Number(headers.age) : 0
}
