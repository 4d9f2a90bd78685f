/**
 * Recovery codes: 60 random bits each, shown once, stored as keyed hashes. Of codes that another system made, of which it has
 * the SHA-512 alone, that is stored, sealed.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import { sealText, unsealText } from './sealed.ts'

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

/** Begins the SHA-512 of a code, in Base64, as imports and exports have it. */
export const foreignPrefix = 'sha512:'
/** Begins such a hash as it is stored. A secret's id begins no hash with it. */
const sealedPrefix = 'sealed:'
const sealLabel = 'latchkey recovery code of another system v1'

/** Returns what to store of a code, or of a hash that begins with `foreignPrefix`. */
export function protectRecoveryCode(
  keys: KeyRing,
  userId: string,
  code: string,
  random: (bytes: number) => Uint8Array,
): string {
  if (!code.startsWith(foreignPrefix)) return hashRecoveryCode(keys, userId, code)
  return sealedPrefix + sealText(keys, 'factor', sealLabel, code.slice(foreignPrefix.length), random)
}

/** Returns the hash of another system as it came, with `foreignPrefix`; undefined: the code was made here. */
export function foreignRecoveryHash(keys: Pick<KeyRing, 'secretById'>, stored: string): string | undefined {
  if (!stored.startsWith(sealedPrefix)) return undefined
  const hash = unsealText(keys, 'factor', sealLabel, stored.slice(sealedPrefix.length))
  return hash === undefined ? undefined : foreignPrefix + hash
}

/** Returns whether what is stored is of the code. Compares in constant time. */
export function recoveryCodeMatcher(keys: KeyRing, userId: string, code: string): (stored: string) => boolean {
  const normal = normalize(code)
  // Imported codes have other lengths than ours.
  if (normal.length < leastLength || normal.length > mostLength) return () => false
  // One for each secret that codes were hashed with.
  const hashes = keys.secretsOf('factor').map(({ id, bytes }) => `${id}.${keyedHash(bytes, userId, normal)}`)
  // Another alphabet may have every letter.
  const foreign = foreignPrefix + createHash('sha512').update(lettersOf(code)).digest('base64')
  return (stored) => {
    const own = foreignRecoveryHash(keys, stored)
    return own === undefined ? hashes.some((hash) => isSame(hash, stored)) : isSame(own, foreign)
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Ignores case and everything between the groups. */
function lettersOf(code: string): string {
  return code
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
}

/** Reads the letters that are none of our alphabet as meant. */
function normalize(code: string): string {
  return lettersOf(code).replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

function keyedHash(key: Uint8Array, userId: string, code: string): string {
  return createHmac('sha256', key).update(['latchkey recovery code v1', userId, code].join('\n')).digest('base64url')
}
