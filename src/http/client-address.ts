import type { IncomingMessage } from 'node:http'

export type ClientAddresses = {
  /**
   * The client's address: `X-Forwarded-For` counts as far as proxies are trusted. Empty if the connection was reset before
   * the system was asked for its address.
   */
  readonly addressOf: (message: IncomingMessage) => string
  /** Whether this is the address of a proxy that is trusted. */
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
