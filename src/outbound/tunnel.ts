/**
 * A tunnel through a proxy. The runtime's own agent keeps a tunnel that is not answered open whatever becomes of the request, and
 * knows only its own authorities for a proxy that is asked over TLS.
 */
import { type AgentOptions, Agent as HttpAgent, type RequestOptions, request } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectPlain, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type SecureContext } from 'node:tls'
import { OutboundFault } from './exchange.ts'

type Done = (error: Error | null, socket: Duplex) => void
type Target = RequestOptions & ConnectionOptions

/** How long the proxy has for its answer where no signal says. */
const answerMs = 10_000

/**
 * Returns an agent whose connections lead through `proxy`, for an `https` address or a plain one (RFC 9110 §9.3.6). `signal`: until
 * when the proxy may answer. The request has its connection from then on, and ends it.
 */
export function tunnelAgent(
  isSecure: boolean,
  proxy: URL,
  secureContext: SecureContext,
  options: AgentOptions,
  signal: AbortSignal | undefined,
): HttpAgent {
  const agent = isSecure ? new HttpsAgent({ ...options, secureContext } as AgentOptions) : new HttpAgent(options)
  agent.createConnection = (target: Target, done?: Done): undefined => {
    const fail = (error: Error): void => done?.(error, undefined as never)
    const port = Number(target.port ?? (isSecure ? 443 : 80))
    const name = String(target.host).includes(':') ? `[${target.host}]` : target.host
    const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)]
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const asked = request({
      method: 'CONNECT',
      path: `${name}:${port}`,
      headers: { host: `${name}:${port}`, ...(user !== '' && { 'proxy-authorization': authorization }) },
      createConnection: () => connectTo(proxy, secureContext),
      signal: signal ?? AbortSignal.timeout(answerMs),
    })
    asked.on('error', fail)
    asked.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return done?.(null, isSecure ? connect({ ...target, socket, secureContext }) : socket)
      socket.destroy()
      fail(new OutboundFault(`the proxy answered with the status ${statusCode}`))
    })
    asked.end()
    return undefined
  }
  return agent
}

function connectTo({ protocol, hostname, port }: URL, secureContext: SecureContext): Duplex {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') return connectPlain({ host, port: Number(port || 80) })
  return connect({ host, port: Number(port || 443), secureContext, ...(isIP(host) === 0 && { servername: host }) })
}
