/** Pairwise subject identifiers (OpenID Connect Core §8.1). */
import { createHmac } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'

/**
 * Returns the HMAC-SHA-256 (RFC 2104) of sector and person under the salt of the installation, base64url. A sector has no line break,
 * so that the parts are unambiguous.
 */
export function pairwiseSubject(keys: Pick<KeyRing, 'secretsOf'>, sector: string, userId: string): string {
  // The first one, if ever there were two.
  const [salt] = keys.secretsOf('pairwise')
  if (salt === undefined) throw new Error('the key ring has no secret for pairwise')
  return createHmac('sha256', salt.bytes).update(`latchkey pairwise v1\n${sector}\n${userId}`).digest('base64url')
}
