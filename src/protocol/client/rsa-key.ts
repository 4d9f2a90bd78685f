/** Which RSA keys of clients are used: those that are strong enough, and cheap to verify with. */

const bitsAtLeast = 2048
/** RFC 7518 §3.3 sets no upper bound. A verification takes time with the square of it. */
const bitsAtMost = 8192
/** Those that libraries make. Each bit of an exponent is work for every verification. */
const exponents: readonly bigint[] = [3n, 65_537n]

export type RsaSize = { readonly bits: number; readonly exponent: bigint }

/** Returns what is wrong with a key of this size, as a clause that follows 'a key that'; undefined: nothing. */
export function rsaFault({ bits, exponent }: RsaSize): string | undefined {
  if (bits < bitsAtLeast || bits > bitsAtMost) {
    return `has ${bits} bits; RSA needs ${bitsAtLeast} to ${bitsAtMost}`
  }
  return exponents.includes(exponent) ? undefined : 'has another exponent than 65537 or 3'
}

/** Returns what is wrong with an RSA key as a JWK (RFC 7518 §6.3.1), from its text alone; undefined: nothing, or no RSA key. */
export function rsaJwkFault(key: Readonly<Record<string, unknown>>): string | undefined {
  if (key.kty !== 'RSA') return undefined
  const [n, e] = [key.n, key.e]
  if (typeof n !== 'string' || typeof e !== 'string' || n.length > lengthAtMost || e.length > exponentAtMost) {
    return `has no modulus of ${bitsAtLeast} to ${bitsAtMost} bits with the exponent 65537 or 3`
  }
  return rsaFault({ bits: bitsOf(n), exponent: numberOf(e) })
}

/** Of a modulus of `bitsAtMost` in base64url, with room for a zero byte in front. */
const lengthAtMost = Math.ceil(((bitsAtMost / 8 + 1) * 4) / 3)
const exponentAtMost = 8

function bitsOf(base64url: string): number {
  const bytes = Buffer.from(base64url, 'base64url')
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24)
}

function numberOf(base64url: string): bigint {
  return BigInt(`0x0${Buffer.from(base64url, 'base64url').toString('hex')}`)
}
