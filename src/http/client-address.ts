/** What a trusted proxy says of a client: its address and its certificate. */
import type { IncomingMessage } from 'node:http'
import { lastHops } from './bounded-headers.ts'
import { membership, withoutPort } from './networks.ts'

export type ClientAddresses = {
  /**
   * Returns the client's address. Honours `X-Forwarded-For` as far as its hops are trusted proxies. Empty if the
   * connection was reset before its address was read.
   */
  readonly addressOf: (message: IncomingMessage) => string
  /** Whether the address belongs to a trusted proxy. */
  readonly isProxy: (address: string) => boolean
}

export function clientAddresses(trustProxy: boolean | readonly string[]): ClientAddresses {
  if (trustProxy === false) return { addressOf: ({ socket }) => socket.remoteAddress ?? '', isProxy: () => false }
  const isProxy = trustProxy === true ? () => true : membership(trustProxy)
  return {
    isProxy,
    addressOf({ headers, socket }) {
      const hops = hopsOf(headers['x-forwarded-for'])
      let address = socket.remoteAddress ?? ''
      // Each proxy appends the address that called it.
      while (hops.length > 0 && isProxy(withoutPort(address))) address = hops.pop() ?? ''
      return address
    },
  }
}

/** Returns the addresses of `X-Forwarded-For`, the last hop last. Node.js joins repeated headers with commas. */
function hopsOf(header: string | string[] | undefined): string[] {
  if (typeof header !== 'string') return []
  return lastHops(header)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
}

/**
 * Returns how to read the header in which a proxy passes on the certificate of a client (RFC 9440). Only a trusted proxy
 * is believed, and only one header: several are joined, which no format allows. `header`: in lower case; null: none.
 */
export function clientCertificates(
  header: string | null,
  isProxy: (address: string) => boolean,
): ((message: IncomingMessage) => string | undefined) | undefined {
  if (header === null) return undefined
  return ({ headersDistinct, socket }) =>
    isProxy(socket.remoteAddress ?? '') ? headersDistinct[header]?.join(', ') : undefined
}
