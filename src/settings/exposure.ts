/** Rules that depend on who can reach the service: this machine only, or others too. */

import { isLoopbackAddress, isLoopbackHost } from '../protocol/loopback.ts'
import type { Settings } from './settings.ts'

/**
 * Returns why the service must not listen with these settings, in a sentence or two each. Other machines must neither
 * send passwords in clear text nor reach the demo, whose password is public.
 */
export function exposureProblems({ oauth, server }: Settings, isDemo: boolean): readonly string[] {
  if (isLoopbackAddress(server.host)) return []
  const reachable = `Server:Host is ${server.host}, which other machines can reach`
  if (isDemo) {
    return [`--demo adds a user with a published password, but ${reachable}. Set Server:Host to localhost.`]
  }
  if (oauth.issuer.startsWith('https:') || server.trustProxy !== false) return []
  return [
    `OAuth:Issuer is ${oauth.issuer}, which is plain http, but ${reachable}. Set OAuth:Issuer to the https address that ` +
      'browsers use, and Server:TrustProxy to the proxy that ends TLS; or set Server:Host to localhost.',
  ]
}

/** The widest networks that are somebody's own: 10.0.0.0/8 and fc00::/7. */
const widestPrefix = { ipv4: 8, ipv6: 7 }

/** Whether proxies are trusted that nobody named: all of them, or those of a network that is wider than any private one. */
export function trustsEverybody(trustProxy: Settings['server']['trustProxy']): boolean {
  if (typeof trustProxy === 'boolean') return trustProxy
  return trustProxy.some((network) => {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) return false
    // IPv4 in IPv6 (RFC 4291 §2.5.5.2), however its zeros are written.
    const isMapped = /^[0:]*:ffff:/i.test(address)
    const bits = isMapped ? Number(prefix) - 96 : Number(prefix)
    return bits < (isMapped || !address.includes(':') ? widestPrefix.ipv4 : widestPrefix.ipv6)
  })
}

/**
 * Returns whether the service accepts a `Host` header; undefined: it accepts all. A service that only this machine can
 * reach has no proxy or probe that needs another name, and must not be reachable through a name that a web page
 * resolves to it (DNS rebinding).
 */
export function hostRule({ oauth, server, admin }: Settings): ((host: string) => boolean) | undefined {
  if (!isLoopbackAddress(server.host)) return undefined
  const { issuer, mtls } = oauth
  const own = [issuer, admin.url, ...(mtls.address === null ? [] : [mtls.address])]
  const names = new Set([...own.map((address) => new URL(address).hostname), ...server.allowedHosts])
  // Cached, because clients send the same name repeatedly.
  let known: string | undefined
  return (host) => {
    if (host === known) return true
    const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '') ?? ''
    if (!names.has(name) && !isLoopbackHost(name)) return false
    known = host
    return true
  }
}
