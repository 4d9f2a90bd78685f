/** The way that requests take out of the machine: directly or through a proxy, and which authorities count. */
import type { Agent as HttpAgent } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { plainAddress } from '../protocol/special-addresses.ts'
import type { Settings } from '../settings/settings.ts'

export type WayOptions = Pick<Settings['outbound'], 'proxies' | 'caFile'>

export type WayOut = {
  /** Whether requests go out as the runtime sends them by itself. */
  readonly isPlain: boolean
  /** Returns the proxy for an address; undefined: none. Nothing at a loopback address goes through one. */
  proxyFor(url: URL): string | undefined
  /**
   * Returns an agent for one request, or for several to one address if `keepAlive`. `signal`: ends what the agent does before a
   * request has its connection. Default: each connection through a proxy has ten seconds for that.
   */
  agentFor(url: URL, options?: AgentOptions): Promise<HttpAgent>
  /** The authorities of the settings beside those of the runtime and `NODE_EXTRA_CA_CERTS`, in PEM; undefined: those of the runtime alone. */
  authorities(): Promise<string[] | undefined>
}

type AgentOptions = { readonly keepAlive?: boolean; readonly signal?: AbortSignal | undefined }

const ways = new WeakMap<WayOptions, WayOut>()

/** Returns the way of the settings, the same for one record of settings: its certificates are read once. */
export function wayOutOf(options: WayOptions): WayOut {
  const known = ways.get(options)
  if (known !== undefined) return known
  const way = wayOut(options)
  ways.set(options, way)
  return way
}

function wayOut({ proxies, caFile }: WayOptions): WayOut {
  let context: Promise<SecureContext> | undefined

  async function authorities(): Promise<string[] | undefined> {
    if (caFile === null) return undefined
    const { getCACertificates } = await import('node:tls')
    return [...getCACertificates('default'), ...caFile.certificates]
  }

  function proxyFor(url: URL): string | undefined {
    const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
    if (proxy === null || isLocal(url) || isExcepted(proxies.except, url)) return undefined
    return proxy
  }

  return {
    isPlain: proxies.https === null && proxies.http === null && caFile === null,
    proxyFor,
    authorities,
    async agentFor(url, { signal, keepAlive = false } = {}) {
      const proxy = proxyFor(url)
      const isSecure = url.protocol === 'https:'
      if (proxy !== undefined && (isSecure || (caFile !== null && proxy.startsWith('https:')))) {
        context ??= contextOf(authorities)
        const { tunnelAgent } = await import('./tunnel.ts')
        return tunnelAgent(isSecure, new URL(proxy), await context, { keepAlive }, signal)
      }
      const through = proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } }
      const [{ Agent: Plain }, { Agent: Secure }] = [await import('node:http'), await import('node:https')]
      if (caFile !== null && isSecure) context ??= contextOf(authorities)
      const secureContext = context === undefined ? {} : { secureContext: await context }
      const all = { keepAlive, ...through, ...secureContext }
      return isSecure ? new Secure(all) : new Plain(all)
    },
  }
}

/** Parsing the authorities takes longer than a handshake. */
async function contextOf(authorities: WayOut['authorities']): Promise<SecureContext> {
  const { createSecureContext } = await import('node:tls')
  const ca = await authorities()
  return createSecureContext(ca === undefined ? {} : { ca })
}

function isLocal({ hostname }: URL): boolean {
  const plain = plainAddress(hostname.replace(/^\[|\]$/g, ''))
  return isLoopbackHost(hostname.replace(/\.$/, '')) || isLoopbackHost(plain) || plain === '0.0.0.0' || plain === '::'
}

/**
 * Whether an entry of `NO_PROXY` names the host: itself, a domain above it (with a dot or `*.` before it, or without), an address
 * or network that it is in, or `*`.
 */
function isExcepted(entries: readonly string[], url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return entries.some((entry) => {
    if (entry === '*') return true
    const [, name = '', only = port] = /^(\[[^\]]*\]|[^:]*|[^:]*:[^:]*:.*?)(?::(\d+))?$/.exec(entry) ?? []
    if (only !== port) return false
    const bare = name.replace(/^\[|\]$/g, '')
    if (isIP(host) > 0) return isWithin(bare, host)
    const domain = bare.replace(/^\*?\./, '')
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
  })
}

function isWithin(network: string, address: string): boolean {
  const [base = '', prefix] = network.split('/')
  const version = isIP(base)
  const length = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix)
  if (version === 0 || !Number.isInteger(length) || length < 0 || length > (version === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(base, length, version === 4 ? 'ipv4' : 'ipv6')
  const plain = plainAddress(address)
  return list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}
