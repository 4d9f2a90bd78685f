/** What people are found by: the words of their full name and of values of attributes, and their roles. */
import { normalizeName, type User } from './user.ts'
import type { AttributeValue } from './user-attributes.ts'
import type { UserClaims } from './user-claims.ts'

/** Words of one name, and of one value, that are found. */
export const wordsAtMost = 8
/** Words of all values of a person that are found. */
export const valueWordsAtMost = 64
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

/** Whether each of `words` begins a word of the values of these attributes. */
export function isValued(
  { attributes }: Pick<User, 'attributes'>,
  words: readonly string[],
  names: readonly string[],
): boolean {
  const found = names.flatMap((name) => (Object.hasOwn(attributes, name) ? wordsOfValue(attributes[name]) : []))
  return words.every((word) => found.some((one) => one.startsWith(word)))
}

/** Those of `true` and `false` would find everybody. */
function wordsOfValue(value: AttributeValue | undefined): string[] {
  const list: readonly (AttributeValue | undefined)[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? wordsOf(String(one)).slice(0, wordsAtMost) : [],
  )
}

/**
 * Returns the key of a word in the index: its bytes in hexadecimal digits, which sort as the bytes do under every
 * collation. The key of the beginning of a word begins the key of the word.
 */
export function wordKey(word: string): string {
  return `w${hexOf(word, wordBytes)}`
}

/** The key of a word of a value. Which attribute has it is not in the key, so that one reading finds it in all of them. */
export function valueKey(word: string): string {
  return `v${hexOf(word, wordBytes)}`
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

/**
 * Returns the keys under which a person is found, ascending and without duplicates. Values of all attributes have some: whether one is
 * searchable is decided where people are searched, so that a declaration changes nothing here.
 */
export function searchKeys(person: Pick<User, 'claims' | 'roles' | 'attributes'>): string[] {
  const words = [...new Set(wordsOf(fullNameOf(person.claims)))].slice(0, wordsAtMost)
  const keys = [...words.map(wordKey), ...person.roles.map(roleKey), ...valueKeys(person.attributes)]
  return [...new Set(keys)].sort()
}

/** Returns the keys of the values of a person, without duplicates. */
export function valueKeys(attributes: User['attributes']): string[] {
  const words = new Set(Object.values(attributes).flatMap(wordsOfValue))
  return [...new Set([...words].slice(0, valueWordsAtMost).map(valueKey))]
}

function hexOf(text: string, bytes: number): string {
  const room = new Uint8Array(bytes)
  // Writes whole characters alone.
  const { written } = new TextEncoder().encodeInto(text, room)
  return Buffer.from(room.subarray(0, written)).toString('hex')
}
