/** Public keys of a system of before, read from a file. They verify what that system issued, and sign nothing. */
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { rsaJwkFault } from '../protocol/client/rsa-key.ts'
import { isObject } from '../protocol/json-value.ts'

export type ImportedKey = {
  readonly kid: string
  /** That of the file, or what keys of this type sign with by default (RFC 7518 §3.1, RFC 8037 §3.1). */
  readonly algorithm: string
  /** JSON text of the public JWK, as it is in the key set. */
  readonly publicJwk: string
}

export type ImportedKeys = {
  readonly keys: readonly ImportedKey[]
  /** How many keys of the file do not sign (`use: enc`). */
  readonly leftOut: number
}

type Jwk = Readonly<Record<string, unknown>>

const keysAtMost = 20
const lengthAtMost = 262_144
const kidLengthAtMost = 255

/** What the members of each type identify (RFC 7638 §3.2, RFC 8037 §2), in the order of their thumbprint. */
const identifying: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

const curves: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'EdDSA',
}
const ofRsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']

/**
 * Reads a JWK Set, a JWK, or PEM (keys and certificates). Private parts are dropped. `kid`: that of the one key in the file. Returns what
 * is wrong with the file as a sentence.
 */
export function readImportedKeys(text: string, kid?: string): ImportedKeys | string {
  if (text.length > lengthAtMost) return `It has more than ${lengthAtMost} characters.`
  const sent = text.trimStart().startsWith('{') ? jwksIn(text) : pemIn(text)
  if (typeof sent === 'string') return sent
  const signing = sent.filter(({ use }) => use === undefined || use === 'sig')
  if (signing.length === 0) return 'It has no key that signs.'
  if (signing.length > keysAtMost) return `It has more than ${keysAtMost} keys.`
  if (kid !== undefined && signing.length > 1) return `--kid names one key, and it has ${signing.length}.`
  const keys: ImportedKey[] = []
  for (const [at, jwk] of signing.entries()) {
    const key = importedKey(kid === undefined ? jwk : { ...jwk, kid })
    if (typeof key === 'string') return `Its key ${at + 1} of ${signing.length} ${key}.`
    if (keys.some((other) => other.kid === key.kid)) return `It has two keys with the kid ${key.kid}.`
    keys.push(key)
  }
  return { keys, leftOut: sent.length - signing.length }
}

function jwksIn(text: string): Jwk[] | string {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return 'It is no JSON.'
  }
  const keys = isObject(document) && 'keys' in document ? document.keys : [document]
  return Array.isArray(keys) && keys.every(isObject) ? keys : 'It is no JWK Set: {"keys": [...]}.'
}

function pemIn(text: string): Jwk[] | string {
  const blocks = text.match(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g) ?? []
  if (blocks.length === 0) return 'It is neither a JWK Set nor PEM.'
  try {
    return blocks.map((block) => createPublicKey(block).export({ format: 'jwk' }) as Jwk)
  } catch {
    return 'It has a block that is no key or certificate that can be read without a password.'
  }
}

/** Returns what is wrong with it as a clause that follows 'its key'. */
function importedKey(jwk: Jwk): ImportedKey | string {
  const { kty, kid: named, alg } = jwk
  const members = typeof kty === 'string' ? identifying[kty] : undefined
  if (members === undefined) return 'is none of the types RSA, EC and OKP'
  const fault = rsaJwkFault(jwk)
  if (fault !== undefined) return fault
  const bare = Object.fromEntries(members.map((member) => [member, jwk[member]]))
  let key: KeyObject
  try {
    key = createPublicKey({ key: bare, format: 'jwk' })
  } catch {
    return 'is no public key'
  }
  const possible = algorithmsOf(key, bare)
  const algorithm = alg ?? possible[0]
  if (typeof algorithm !== 'string' || !possible.includes(algorithm)) return 'has another algorithm (alg) than its type'
  if (named !== undefined && (typeof named !== 'string' || !/^[\x21-\x7e]+$/.test(named)))
    return 'has a kid that is no text'
  const kid = named ?? hash('sha256', JSON.stringify(bare), 'base64url')
  if (kid.length > kidLengthAtMost) return `has a kid of more than ${kidLengthAtMost} characters`
  return { kid, algorithm, publicJwk: JSON.stringify({ ...bare, kid, alg: algorithm, use: 'sig' }) }
}

function algorithmsOf({ asymmetricKeyType: type }: KeyObject, { crv }: Jwk): readonly string[] {
  if (type === 'rsa') return ofRsa
  const own = curves[String(crv)]
  return own === undefined ? [] : [own]
}
