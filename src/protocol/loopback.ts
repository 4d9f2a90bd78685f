/**
 * Whether `hostname`, as in `URL.hostname`, can only be this machine: a loopback address (RFC 1122 §3.2.1.3, RFC 4291
 * §2.5.3) or a `localhost` name (RFC 6761 §6.3). Plain http is safe there.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase()
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]' || host === 'localhost' || host.endsWith('.localhost')
}

/** The same for an address to listen on, as in `Server:Host`: IPv6 without brackets. */
export function isLoopbackAddress(host: string): boolean {
  const authority = host.includes(':') ? `[${host}]` : host
  return URL.canParse(`http://${authority}`) && isLoopbackHost(new URL(`http://${authority}`).hostname)
}
