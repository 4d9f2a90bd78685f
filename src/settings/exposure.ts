/** What follows from who can reach the service: this machine alone, or others too. */

import { isLoopbackAddress, isLoopbackHost } from '../protocol/loopback.ts'
import type { Settings } from './settings.ts'

/**
 * Why the service must not listen as the settings say; a sentence or two each. Other machines must neither send passwords in the
 * clear nor find the demo, whose password everybody knows.
 */
export function exposureProblems({ oauth, server }: Settings, isDemo: boolean): readonly string[] {
  if (isLoopbackAddress(server.host)) return []
  const reachable = `Server:Host is ${server.host}, which other machines can reach`
  if (isDemo) {
    return [`--demo adds a user whose password everybody knows, but ${reachable}. Set Server:Host to localhost.`]
  }
  if (oauth.issuer.startsWith('https:') || server.trustProxy !== false) return []
  return [
    `OAuth:Issuer is ${oauth.issuer}, which is plain http, but ${reachable}. Set OAuth:Issuer to the https address that ` +
      'browsers use, and Server:TrustProxy to the proxy that ends TLS; or set Server:Host to localhost.',
  ]
}

/**
 * Whether the service answers to what a `Host` header says; undefined: to anything. A service that this machine alone can
 * reach has no proxy and no probe that would need another name, and a page on the internet must not reach it under one.
 */
export function hostRule({ oauth, server }: Settings): ((host: string) => boolean) | undefined {
  if (!isLoopbackAddress(server.host)) return undefined
  const names = new Set([new URL(oauth.issuer).hostname, ...server.allowedHosts])
  // Clients send the same name again and again.
  let known: string | undefined
  return (host) => {
    if (host === known) return true
    const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{0,5})?$/i.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '') ?? ''
    if (!names.has(name) && !isLoopbackHost(name)) return false
    known = host
    return true
  }
}
