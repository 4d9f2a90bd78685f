/** What people are found by: the words of their full name, and their roles. */
import { normalizeName, type User } from './user.ts'
import type { UserClaims } from './user-claims.ts'

/** Words of one name that are found. */
export const wordsAtMost = 8
/** Bytes of a word, and of a role, that tell it from others in an index. */
const wordBytes = 64
const roleBytes = 256

/** Returns the full name: the claim, or else given and family name. Empty: none is set. */
export function fullNameOf({ name, given_name = '', family_name = '' }: UserClaims): string {
  return name ?? `${given_name} ${family_name}`.trim()
}

/** Returns the words of a name or of a search: what is between spaces and punctuation, in normal form. */
export function wordsOf(text: string): string[] {
  return normalizeName(text.normalize('NFKC')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Whether each of `words` begins a word of the full name. */
export function isNamed({ claims }: Pick<User, 'claims'>, words: readonly string[]): boolean {
  const names = wordsOf(fullNameOf(claims))
  return words.every((word) => names.some((name) => name.startsWith(word)))
}

/**
 * Returns the key of a word in the index: its bytes in hexadecimal digits, which sort as the bytes do under every
 * collation. The key of the beginning of a word begins the key of the word.
 */
export function wordKey(word: string): string {
  return `w${hexOf(word, wordBytes)}`
}

export function roleKey(role: string): string {
  return `r${hexOf(role, roleBytes)}`
}

/** Returns the role of a key; undefined: the key may be that of a longer role. */
export function roleOfKey(key: string): string | undefined {
  const bytes = Buffer.from(key.slice(1), 'hex')
  // The longest character has four bytes.
  return bytes.length > roleBytes - 4 ? undefined : bytes.toString('utf8')
}

/** Returns the keys under which a person is found, ascending and without duplicates. */
export function searchKeys({ claims, roles }: Pick<User, 'claims' | 'roles'>): string[] {
  const words = [...new Set(wordsOf(fullNameOf(claims)))].slice(0, wordsAtMost)
  return [...new Set([...words.map(wordKey), ...roles.map(roleKey)])].sort()
}

function hexOf(text: string, bytes: number): string {
  const room = new Uint8Array(bytes)
  // Writes whole characters alone.
  const { written } = new TextEncoder().encodeInto(text, room)
  return Buffer.from(room.subarray(0, written)).toString('hex')
}
