/** Which IP addresses belong to the public internet, and which are this machine. */
import { createRequire } from 'node:module'
import type ipaddr from 'ipaddr.js'

let library: typeof ipaddr | undefined
/** Loads the library on first use, which keeps it out of the start. */
function loaded(): typeof ipaddr {
  library ??= createRequire(import.meta.url)('ipaddr.js') as typeof ipaddr
  return library
}

/** The metadata service of Azure virtual machines has a public address. */
const metadataAddresses: readonly string[] = ['168.63.129.16']

/**
 * Whether `address` is globally reachable unicast: none of the special-purpose ranges (RFC 6890), such as private,
 * loopback, link-local, shared (RFC 6598), unique local, multicast or documentation. An IPv4 address mapped into IPv6
 * (RFC 4291 §2.5.5.2) or translated under the well-known prefix (RFC 6052 §2.1) counts as that IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const { IPv4, IPv6 } = loaded()
  // The library would also accept 127.1, 0x7f000001 and 0177.0.0.1.
  if (IPv4.isValidFourPartDecimal(address)) return isPublicIPv4(IPv4.parse(address))
  // An address with a zone is never global (RFC 4007 §6).
  if (!IPv6.isValid(address) || address.includes('%')) return false
  const parsed = IPv6.parse(address)
  const embedded = new IPv4(parsed.toByteArray().slice(12))
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(embedded)
  if (parsed.match(IPv6.parse('64:ff9b::'), 96)) return isPublicIPv4(embedded)
  // Everything that is assigned for global unicast (RFC 4291 §2.4).
  return parsed.range() === 'unicast' && parsed.match(IPv6.parse('2000::'), 3)
}

/** Whether `address` is this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopbackIp(address: string): boolean {
  const { IPv4, IPv6 } = loaded()
  if (IPv4.isValidFourPartDecimal(address)) return IPv4.parse(address).range() === 'loopback'
  return IPv6.isValid(address) && IPv6.parse(address).range() === 'loopback'
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !metadataAddresses.includes(address.toString())
}
