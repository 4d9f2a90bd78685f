import type { IncomingMessage } from 'node:http'

/**
 * How the client's address is read: `X-Forwarded-For` counts as far as `trustProxy` reaches. Empty if the connection was
 * reset before the system was asked for its address.
 */
export async function addressReader(
  trustProxy: boolean | readonly string[],
): Promise<(message: IncomingMessage) => string> {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const { default: proxyAddress } = await import('@fastify/proxy-addr')
  const trusts = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy])
  return ({ headers, socket }) => {
    const remoteAddress = socket.remoteAddress ?? ''
    return proxyAddress({ headers, socket: { remoteAddress } } as IncomingMessage, trusts)
  }
}
