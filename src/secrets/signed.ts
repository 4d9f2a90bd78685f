/**
 * Signed texts: they pass through a browser readable but unalterable, signed under a secret of the key ring (HMAC, RFC
 * 2104). Any node can verify them, and nothing is stored. Confidential values are sealed instead (`sealed.ts`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing, SecretUse } from '../keys/key-ring.ts'

export type SignedFormat<Bound> = {
  readonly use: SecretUse
  /** SHA-512 adds 43 characters to the value. */
  readonly digest: 'sha256' | 'sha512'
  /** Longer values are rejected unread, which bounds the work for any input. */
  readonly maxLength: number
  /**
   * Returns the text to sign: a label for the use, then the parts, encoded unambiguously. `bound`: known to the
   * verifier and not part of the value.
   */
  message(text: string, bound: Bound, secretId: string): string
}

export type SignedTexts<Bound> = {
  /** Returns `<secret id>.<text>.<signature>`. */
  sign(text: string, bound: Bound): string
  /** `not_ours`: malformed, or signed under a secret that is no longer in the ring. `forged`: wrong signature. */
  verify(value: string, bound: Bound): { readonly text: string } | 'not_ours' | 'forged'
}

export function signedTexts<Bound>(keys: KeyRing, format: SignedFormat<Bound>): SignedTexts<Bound> {
  const { use, digest, maxLength, message } = format
  const signature = (secret: Uint8Array, text: string): Buffer => createHmac(digest, secret).update(text).digest()
  return {
    sign(text, bound) {
      const { id, bytes } = keys.secret(use)
      return `${id}.${text}.${signature(bytes, message(text, bound, id)).toString('base64url')}`
    },
    verify(value, bound) {
      const first = value.indexOf('.')
      const last = value.lastIndexOf('.')
      if (value.length > maxLength || first === last) return 'not_ours'
      const secret = keys.secretById(use, value.slice(0, first))
      if (secret === undefined) return 'not_ours'
      const text = value.slice(first + 1, last)
      const expected = signature(secret.bytes, message(text, bound, secret.id))
      const actual = Buffer.from(value.slice(last + 1), 'base64url')
      return actual.length === expected.length && timingSafeEqual(actual, expected) ? { text } : 'forged'
    },
  }
}
