import type { IncomingMessage } from 'node:http'

/** Reads the address of the client as the framework does: `X-Forwarded-For` counts as far as `trustProxy` reaches. */
export async function addressReader(
  trustProxy: boolean | readonly string[],
): Promise<(message: IncomingMessage) => string> {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const { default: proxyAddress } = await import('@fastify/proxy-addr')
  const trusts = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy])
  return (message) => proxyAddress(message, trusts)
}
