/** Recovery codes: 60 random bits each, shown once, stored as keyed hashes. */
import { createHmac } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'

/** Base32 of Crockford: no letter that looks like another. Its length divides 256, so that every letter is as likely. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 12
const groupLength = 4
const leastLength = 6
const mostLength = 32

/** Returns a new code, such as `7K2M-Q9XA-3TNC`. */
export function mintRecoveryCode(random: (bytes: number) => Uint8Array): string {
  const letters = [...random(codeLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replaceAll(new RegExp(`.{${groupLength}}(?!$)`, 'g'), '$&-')
}

/**
 * Returns the hash to store. Its key is a secret of the key ring, so that a copy of the database alone does not suffice
 * to guess codes.
 */
export function hashRecoveryCode(keys: KeyRing, userId: string, code: string): string {
  const { id, bytes } = keys.secret('factor')
  return `${id}.${keyedHash(bytes, userId, normalize(code))}`
}

/** Returns the hashes that the code may be stored under: one for each secret that codes were hashed with. */
export function hashesOfRecoveryCode(keys: KeyRing, userId: string, code: string): readonly string[] {
  const normal = normalize(code)
  // Imported codes have other lengths than ours.
  if (normal.length < leastLength || normal.length > mostLength) return []
  return keys.secretsOf('factor').map(({ id, bytes }) => `${id}.${keyedHash(bytes, userId, normal)}`)
}

/** Ignores case and everything between the groups, and reads the letters that are none of the alphabet as meant. */
function normalize(code: string): string {
  return code
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}

function keyedHash(key: Uint8Array, userId: string, code: string): string {
  return createHmac('sha256', key).update(['latchkey recovery code v1', userId, code].join('\n')).digest('base64url')
}
