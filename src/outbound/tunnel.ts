/**
 * A tunnel through a proxy that is asked over TLS, with a certificate of an authority of the settings. The runtime's own agent
 * knows only its own authorities there.
 */
import { type AgentOptions, Agent as HttpAgent, type RequestOptions, request } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type SecureContext } from 'node:tls'

type Done = (error: Error | null, socket: Duplex) => void
type Target = RequestOptions & ConnectionOptions

/** Returns an agent whose connections lead through `proxy`, for an `https` address or a plain one (RFC 9110 §9.3.6). */
export function tunnelAgent(
  isSecure: boolean,
  proxy: URL,
  secureContext: SecureContext,
  options: AgentOptions,
): HttpAgent {
  const agent = isSecure ? new HttpsAgent({ ...options, secureContext } as AgentOptions) : new HttpAgent(options)
  agent.createConnection = (target: Target, done?: Done): undefined => {
    const fail = (error: Error): void => done?.(error, undefined as never)
    const port = Number(target.port ?? (isSecure ? 443 : 80))
    const name = String(target.host).includes(':') ? `[${target.host}]` : target.host
    const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)]
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const { hostname } = proxy
    const asked = request({
      method: 'CONNECT',
      path: `${name}:${port}`,
      headers: { host: `${name}:${port}`, ...(user !== '' && { 'proxy-authorization': authorization }) },
      createConnection: () =>
        connect({
          host: hostname.replace(/^\[|\]$/g, ''),
          port: Number(proxy.port || 443),
          servername: hostname,
          secureContext,
        }),
      ...(target.signal && { signal: target.signal }),
    })
    asked.on('error', fail)
    asked.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return done?.(null, isSecure ? connect({ ...target, socket, secureContext }) : socket)
      socket.destroy()
      fail(new Error(`the proxy answered with the status ${statusCode}`))
    })
    asked.end()
    return undefined
  }
  return agent
}
