import type { IncomingMessage } from 'node:http'

export type ClientAddresses = {
  /**
   * Returns the client's address. Honours `X-Forwarded-For` as far as its hops are trusted proxies. Empty if the
   * connection was reset before its address was read.
   */
  readonly addressOf: (message: IncomingMessage) => string
  /** Whether the address belongs to a trusted proxy. */
  readonly isProxy: (address: string) => boolean
}

export async function clientAddresses(trustProxy: boolean | readonly string[]): Promise<ClientAddresses> {
  if (trustProxy === false) return { addressOf: ({ socket }) => socket.remoteAddress ?? '', isProxy: () => false }
  const { default: proxyAddress } = await import('@fastify/proxy-addr')
  const compiled = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy])
  return {
    addressOf({ headers, socket }) {
      const remoteAddress = socket.remoteAddress ?? ''
      return proxyAddress({ headers, socket: { remoteAddress } } as IncomingMessage, compiled)
    },
    isProxy: (address) => compiled(address, 0),
  }
}
