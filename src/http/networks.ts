/** The networks that an address belongs to: those that everything counted by address uses, and those of a setting. */
import { createRequire } from 'node:module'
import type ipaddr from 'ipaddr.js'

export type Network = {
  /** Prefix length in bits; 32 for an IPv4 address. */
  readonly prefix: 32 | 48 | 56 | 64
  /** The same for all spellings of a network. */
  readonly key: string
}

/** How much a network may do of what is counted by address, in multiples of one address. */
export const networkShares: Readonly<Record<Network['prefix'], number>> = { 32: 1, 64: 1, 56: 4, 48: 16 }

let library: typeof ipaddr | undefined
/** Loads the library on first use, which keeps it out of the start. */
function loaded(): typeof ipaddr {
  library ??= createRequire(import.meta.url)('ipaddr.js') as typeof ipaddr
  return library
}

/** Longer than any address with a zone and a port. */
const maxLength = 100

/** All text that is not an address shares one network: a trusted proxy may pass on anything that its client wrote. */
const noAddress: readonly [Network] = [{ prefix: 32, key: 'no address' }]

/**
 * Returns the networks of an address, smallest first. For IPv4 that is the address alone; for IPv6 the /64, /56 and
 * /48, because a subscriber has at least a /64 and often one of the others (RFC 6177). An IPv4 address embedded in an
 * IPv6 one (RFC 4291 §2.5.5.2, RFC 6052 §2.1) counts as that IPv4 address. Ignores zone and port.
 */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  const parsed = parse(withoutPort(address.slice(0, maxLength)))
  if (parsed === undefined) return noAddress
  if (parsed.kind() === 'ipv4') return [{ prefix: 32, key: parsed.toString() }]
  const [a = 0, b = 0, c = 0, d = 0] = (parsed as ipaddr.IPv6).parts
  const key = (...groups: number[]) => groups.map((group) => group.toString(16)).join(':')
  return [
    { prefix: 64, key: `${key(a, b, c, d)}::/64` },
    { prefix: 56, key: `${key(a, b, c, d & 0xff00)}::/56` },
    { prefix: 48, key: `${key(a, b, c)}::/48` },
  ]
}

/** Returns where an address roughly is: the /24 of an IPv4 address, the /48 of an IPv6 address; null: not an address. */
export function roughNetworkOf(address: string): string | null {
  const parsed = parse(withoutPort(address.slice(0, maxLength)))
  if (parsed === undefined) return null
  if (parsed.kind() === 'ipv4') return `${(parsed as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((group) => group.toString(16))
  return `${groups.join(':')}::/48`
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
export function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return bracketed ?? dotted ?? address
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [withoutZone = ''] = address.split('%', 1)
  const { IPv4, IPv6 } = loaded()
  // The library would also accept 127.1, 0x7f000001 and 0177.0.0.1.
  if (IPv4.isValidFourPartDecimal(withoutZone)) return IPv4.parse(withoutZone)
  if (!IPv6.isValid(withoutZone)) return undefined
  const parsed = IPv6.parse(withoutZone)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address()
  return parsed.range() === 'rfc6052' ? new IPv4(parsed.toByteArray().slice(12)) : parsed
}

/**
 * Returns whether an address is in one of the networks, each an address or a prefix such as `10.0.0.0/8`. An IPv4 address
 * mapped into IPv6 (RFC 4291 §2.5.5.2) counts as that IPv4 address. A network with a zone needs the same zone.
 */
export function membership(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.flatMap(rangeOf)
  return (text) => {
    if (!loaded().isValid(text)) return false
    const address = loaded().process(text)
    const zone = zoneOf(address)
    return ranges.some(
      ({ base, prefix }) =>
        base.kind() === address.kind() && (zoneOf(base) ?? zone) === zone && address.match(base, prefix),
    )
  }
}

type Range = { readonly base: ipaddr.IPv4 | ipaddr.IPv6; readonly prefix: number }

/** Nothing for a mapped prefix that covers more than mapped addresses: no address belongs to it. */
function rangeOf(network: string): Range[] {
  const [address = '', prefix] = network.split('/')
  const base = loaded().parse(address)
  const bits = base.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (base.kind() === 'ipv4' || !(base as ipaddr.IPv6).isIPv4MappedAddress()) return [{ base, prefix: length }]
  return length < 96 ? [] : [{ base: (base as ipaddr.IPv6).toIPv4Address(), prefix: length - 96 }]
}

function zoneOf(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  return 'zoneId' in address ? address.zoneId : undefined
}
