/**
 * Texts that travel through a browser and must come back as they were: readable, and signed under a secret of the key
 * ring (HMAC, RFC 2104). Any node can check them, and nothing is stored. What must stay secret is sealed (`sealed.ts`).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing, SecretUse } from '../keys/key-ring.ts'

export type SignedFormat<Bound> = {
  readonly use: SecretUse
  /** The longer digest makes a value of 86 characters more. */
  readonly digest: 'sha256' | 'sha512'
  /** A longer value is not genuine; bounds the work for any input. */
  readonly maxLength: number
  /**
   * What is signed: a label for this use, then the parts, in a form in which no two sets of parts read the same. `bound` is
   * known to whoever checks and does not travel with the value.
   */
  message(text: string, bound: Bound, secretId: string): string
}

export type SignedTexts<Bound> = {
  /** `<secret id>.<text>.<signature>`. */
  sign(text: string, bound: Bound): string
  /** `not_ours`: not of this form, or signed under a secret that is no longer in the ring. `forged`: the signature is wrong. */
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
