/** Public keys of new credentials, as COSE describes them (RFC 9053 §7, RFC 8230 §4). */
import { createPublicKey } from 'node:crypto'

/** Labels of the parameters to their values. */
type CoseKey = { get(label: number): unknown }

const [ecdsa256, eddsa, rs256] = [-7, -8, -257]

/**
 * Whether signatures can be verified with the key, at a cost that is known: a point on P-256 or Ed25519, or an RSA
 * modulus of 2,048 to 4,096 bits with the exponent 65,537.
 */
export function isUsableKey(key: CoseKey): boolean {
  const jwk = jwkOf(key)
  if (jwk === undefined) return false
  try {
    const { asymmetricKeyDetails = {} } = createPublicKey({ key: jwk, format: 'jwk' })
    if (jwk.kty !== 'RSA') return true
    const { modulusLength = 0, publicExponent } = asymmetricKeyDetails
    return modulusLength >= 2048 && modulusLength <= 4096 && publicExponent === 65_537n
  } catch {
    return false
  }
}

function jwkOf(key: CoseKey): Record<string, string> | undefined {
  const algorithm = key.get(3)
  const bytes = (label: number, length: number): string | undefined => {
    const value = key.get(label)
    return value instanceof Uint8Array && value.length <= length ? Buffer.from(value).toString('base64url') : undefined
  }
  const of = (kty: string, crv: string | undefined, members: Readonly<Record<string, string | undefined>>) =>
    Object.values(members).includes(undefined)
      ? undefined
      : ({ kty, ...(crv && { crv }), ...members } as Record<string, string>)
  if (algorithm === ecdsa256 && key.get(1) === 2 && key.get(-1) === 1) {
    return of('EC', 'P-256', { x: bytes(-2, 32), y: bytes(-3, 32) })
  }
  if (algorithm === eddsa && key.get(1) === 1 && key.get(-1) === 6) return of('OKP', 'Ed25519', { x: bytes(-2, 32) })
  if (algorithm === rs256 && key.get(1) === 3) return of('RSA', undefined, { n: bytes(-1, 513), e: bytes(-2, 3) })
  return undefined
}
