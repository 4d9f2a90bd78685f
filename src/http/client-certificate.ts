import type { IncomingMessage } from 'node:http'

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
