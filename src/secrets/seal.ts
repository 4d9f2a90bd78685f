/** Authenticated encryption of small values that travel through the browser (AES-256-GCM, NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const saltBytes = 16
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts `text` under a key of its own, derived from `secret` (32 bytes) and a fresh salt (HKDF, RFC 5869): so the
 * number of values that one secret may seal has no practical limit. `label` names the use; a value that was sealed for
 * one use does not open for another. base64url of salt, iv, ciphertext and tag.
 */
export function seal(secret: Uint8Array, label: string, text: string, random: (bytes: number) => Uint8Array): string {
  const salt = random(saltBytes)
  const iv = random(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', messageKey(secret, salt, label), iv, { authTagLength: tagBytes })
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, ciphertext, cipher.getAuthTag()]).toString('base64url')
}

/** The text that was sealed, or undefined when the value is not one of ours, whatever is wrong with it. */
export function unseal(secret: Uint8Array, label: string, value: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(value)) return undefined
  const bytes = Buffer.from(value, 'base64url')
  // Only the one canonical spelling is accepted, so that one sealed value has one text form.
  if (bytes.length < saltBytes + ivBytes + tagBytes || bytes.toString('base64url') !== value) return undefined
  const salt = bytes.subarray(0, saltBytes)
  const iv = bytes.subarray(saltBytes, saltBytes + ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', messageKey(secret, salt, label), iv, { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  try {
    const ciphertext = bytes.subarray(saltBytes + ivBytes, bytes.length - tagBytes)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function messageKey(secret: Uint8Array, salt: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, label, 32))
}
