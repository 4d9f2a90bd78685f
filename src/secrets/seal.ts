/** Authenticated encryption of small values that pass through the browser (AES-256-GCM, NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

const saltBytes = 16
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts `text` under a key derived from `secret` (32 bytes) and a random salt (HKDF, RFC 5869). Changes the salt
 * every million values, so the number of values per secret is practically unlimited and an iv is not repeated under the
 * same key (NIST SP 800-38D §8.3 allows 2^32 random ivs). `label` separates uses: a value sealed for one use does not
 * open for another. Returns base64url of salt, iv, ciphertext and tag.
 */
export function seal(
  secret: Uint8Array,
  label: string,
  text: string | Uint8Array,
  random: (bytes: number) => Uint8Array,
): string {
  const { salt, key } = sealingKey(secret, label, random)
  const iv = random(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  const encrypted = typeof text === 'string' ? cipher.update(text, 'utf8') : cipher.update(text)
  return Buffer.concat([salt, iv, encrypted, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** Returns the sealed text; undefined for any invalid value. */
export function unseal(secret: Uint8Array, label: string, value: string): string | undefined {
  return unsealBytes(secret, label, value)?.toString('utf8')
}

/** Returns what was sealed; undefined for any invalid value. */
export function unsealBytes(secret: Uint8Array, label: string, value: string): Buffer | undefined {
  const bytes = Buffer.from(value, 'base64url')
  // Accepts only the canonical encoding, so that each sealed value has one text form. The decoder skips other characters.
  if (bytes.length < saltBytes + ivBytes + tagBytes || bytes.toString('base64url') !== value) return undefined
  const salt = bytes.subarray(0, saltBytes)
  const iv = bytes.subarray(saltBytes, saltBytes + ivBytes)
  const { keys } = derivedFrom(secret)
  const name = `${label} ${salt.toString('base64url')}`
  const key = keys.get(name) ?? deriveKey(secret, salt, label)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  let content: Buffer
  try {
    const ciphertext = bytes.subarray(saltBytes + ivBytes, bytes.length - tagBytes)
    content = Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch {
    return undefined
  }
  // Cached only after success, so that invented salts do not fill the cache.
  if (keys.size >= keysRemembered) keys.clear()
  keys.set(name, key)
  return content
}

/** Deriving a key costs as much as encrypting with it, so derived keys are cached for the lifetime of their secret. */
type Derived = { readonly keys: Map<string, KeyObject>; readonly sealing: Map<string, SealingKey> }
type SealingKey = { readonly salt: Uint8Array; readonly key: KeyObject; uses: number }

const usesOfKey = 2 ** 20
const keysRemembered = 64
const derived = new WeakMap<Uint8Array, Derived>()

function derivedFrom(secret: Uint8Array): Derived {
  let known = derived.get(secret)
  if (known === undefined) {
    known = { keys: new Map(), sealing: new Map() }
    derived.set(secret, known)
  }
  return known
}

function sealingKey(secret: Uint8Array, label: string, random: (bytes: number) => Uint8Array): SealingKey {
  const { sealing } = derivedFrom(secret)
  let current = sealing.get(label)
  if (current === undefined || current.uses >= usesOfKey) {
    const salt = Uint8Array.from(random(saltBytes))
    current = { salt, key: deriveKey(secret, salt, label), uses: 0 }
    sealing.set(label, current)
  }
  current.uses += 1
  return current
}

function deriveKey(secret: Uint8Array, salt: Uint8Array, label: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, salt, label, 32)))
}
