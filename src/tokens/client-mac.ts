/** Checks what a client signed with its secret (RFC 7518 §3.2). The key is the secret as UTF-8 (OpenID Connect Core §10.1). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeProtectedHeader } from 'jose/decode/protected_header'

const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const

/** Returns why the secret did not sign the compact JWS, as a clause for people; undefined: it did. Compares in constant time. */
export function macFault(
  jws: string,
  algorithm: keyof typeof hashes,
  leastBytes: number,
  secret: string,
): string | undefined {
  const bytes = Buffer.byteLength(secret)
  if (bytes < leastBytes) return `the secret has ${bytes} bytes, and ${algorithm} needs ${leastBytes} at least`
  // RFC 7515 §4.1.11: no extension is understood here.
  if ('crit' in decodeProtectedHeader(jws)) return 'its header names an extension in crit'
  const dot = jws.lastIndexOf('.')
  const expected = createHmac(hashes[algorithm], secret).update(jws.slice(0, dot)).digest()
  const sent = jws.slice(dot + 1)
  const received = Buffer.from(sent, 'base64url')
  // Each signature has one spelling.
  const isCanonical = received.toString('base64url') === sent
  const isEqual = received.length === expected.length && timingSafeEqual(received, expected)
  return isCanonical && isEqual ? undefined : 'the secret of the client did not sign it'
}
