/**
 * Server nonces of DPoP (RFC 9449 §8): a signed time, so that any node can check one and nothing is stored. Everyone
 * gets the same nonce within a minute.
 */
import type { KeyRing } from '../keys/key-ring.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'

const renewedEveryMs = 60_000
const lifetimeMs = 5 * 60_000

const format: SignedFormat<undefined> = {
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (time, _, secretId) => ['latchkey DPoP nonce v1', secretId, time].join('\n'),
}

export function currentNonce(keys: KeyRing, nowMs: number): string {
  return signedTexts(keys, format).sign(Math.floor(nowMs / renewedEveryMs).toString(36), undefined)
}

/** Whether it is a nonce of this service that has not expired. */
export function isCurrentNonce(nonce: string, keys: KeyRing, nowMs: number): boolean {
  const genuine = signedTexts(keys, format).verify(nonce, undefined)
  if (typeof genuine === 'string') return false
  const madeAtMs = Number.parseInt(genuine.text, 36) * renewedEveryMs
  // A node whose clock is ahead may have made it.
  return madeAtMs <= nowMs + renewedEveryMs && nowMs - madeAtMs <= lifetimeMs
}
