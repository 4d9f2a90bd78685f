import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Reads the address of the client as the framework does: `X-Forwarded-For` counts as far as `trustProxy` reaches. */
export function addressReader(trustProxy: boolean | readonly string[]): (message: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? ''
  const trusts = trustProxy === true ? () => true : proxyAddress.compile([...trustProxy])
  return (message) => proxyAddress(message, trusts)
}
