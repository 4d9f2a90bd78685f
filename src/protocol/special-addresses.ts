/** IP addresses that no request of the service reaches, however they are written. */

/** Link-local addresses (RFC 3927, RFC 4291 §2.5.6), most metadata services of clouds among them, and one of those at a unique local address. */
export const neverReached = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254'] as const

/** The groups of 16 bits of an IPv6 address, of which an IPv4 one has two. Undefined: not an address, or one with a zone (RFC 4007 §6). */
function groupsOf(address: string): readonly number[] | undefined {
  const octets = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) ? address.split('.').map(Number) : undefined
  if (octets !== undefined) return octets.every((octet) => octet <= 255) ? pairs(octets) : undefined
  const literal = `http://[${address}]`
  if (!/^[\da-f:.]+$/i.test(address) || !URL.canParse(literal)) return undefined
  const [, text = ''] = /^\[(.*)\]$/.exec(new URL(literal).hostname) ?? []
  const [before = '', after = ''] = text.split('::')
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [head, tail] = [read(before), read(after)]
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function pairs([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number[] {
  return [a * 256 + b, c * 256 + d]
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const startsWith = (groups: readonly number[], ...beginning: number[]): boolean =>
  beginning.every((group, at) => groups[at] === group)

/**
 * Returns the IPv4 address that an IPv6 address stands for at every host: mapped (RFC 4291 §2.5.5.2) or translated under the
 * well-known prefix (RFC 6052 §2.1). Any other text is returned as it is.
 */
export function plainAddress(address: string): string {
  const groups = groupsOf(address)
  if (groups?.length !== 8) return address
  const [, , , , , , high = 0, low = 0] = groups
  const isMapped = startsWith(groups, 0, 0, 0, 0, 0, 0xffff)
  const isTranslated = startsWith(groups, 0x64, 0xff9b, 0, 0, 0, 0)
  return isMapped || isTranslated ? dotted(high, low) : address
}

/**
 * Returns the IPv4 addresses to which a packet for an IPv6 address may be passed on: mapped, translated (RFC 6052, RFC 8215,
 * RFC 2765), compatible (RFC 4291 §2.5.5.1) or by 6to4 (RFC 3056).
 */
function embeddedIn(groups: readonly number[]): string[] {
  const [, second = 0, third = 0, fourth = 0, fifth = 0, , high = 0, low = 0] = groups
  const last = dotted(high, low)
  if (startsWith(groups, 0, 0, 0, 0, 0, 0xffff) || startsWith(groups, 0, 0, 0, 0, 0xffff, 0)) return [last]
  if (startsWith(groups, 0, 0, 0, 0, 0, 0)) return [last]
  if (startsWith(groups, 0x2002)) return [dotted(second, third)]
  if (startsWith(groups, 0x64, 0xff9b, 0, 0, 0, 0)) return [last]
  // The prefix of a network has 48, 56 or 64 bits, and the address stands around the octet 64 to 71; or it has 96.
  if (!startsWith(groups, 0x64, 0xff9b, 1)) return []
  const [, , , , , sixth = 0] = groups
  const after56 = dotted(((fourth & 255) << 8) | (fifth & 255), sixth)
  const after64 = dotted(((fifth & 255) << 8) | (sixth >> 8), ((sixth & 255) << 8) | (high >> 8))
  return [last, dotted(fourth, ((fifth & 255) << 8) | (sixth >> 8)), after56, after64]
}

/** Whether no request reaches the address, whatever is set: one of `neverReached`, also inside an IPv6 address. */
export function isNeverReached(address: string): boolean {
  const groups = groupsOf(address)
  if (groups === undefined) return true
  const [first = 0] = groups
  if (groups.length === 2) return first === 0xa9fe
  const isMetadata = startsWith(groups, 0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)
  return (first & 0xffc0) === 0xfe80 || isMetadata || embeddedIn(groups).some(isNeverReached)
}

/** Whether every address of a network, such as `169.254.169.0/24`, is one that no request reaches. */
export function isWithinNeverReached(network: string): boolean {
  const [address = '', prefix] = network.split('/')
  if (!isNeverReached(address)) return false
  const groups = groupsOf(address)
  if (groups === undefined || prefix === undefined) return true
  const length = Number(prefix)
  if (groups.length === 2) return length >= 16
  if (((groups[0] ?? 0) & 0xffc0) === 0xfe80) return length >= 10
  // Whatever embeds an address of 169.254.0.0/16 does so in its last 32 bits, or after 16 with 6to4.
  return startsWith(groups, 0x2002) ? length >= 32 : length >= (startsWith(groups, 0xfd00) ? 128 : 112)
}
