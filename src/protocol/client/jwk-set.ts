/** Decides which JWK Sets a client may register (RFC 7517 §5, RFC 7591 §2). */
import { createPublicKey, type webcrypto } from 'node:crypto'
import { isObject } from '../json-value.ts'
import type { Read } from './member-kinds.ts'
import { rsaJwkFault } from './rsa-key.ts'

/** A JWK Set (RFC 7517 §5). */
export type JwkSet = { readonly keys: readonly Readonly<Record<string, unknown>>[] }

const keysAtMost = 20
const lengthAtMost = 16_384

/** RFC 7518 §6.2.2, §6.3.2 and §6.4, and `priv` of algorithm key pairs (RFC 9964). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

export function readJwkSet(given: unknown): Read<JwkSet> {
  const keys = isObject(given) ? given.keys : undefined
  if (!Array.isArray(keys) || !keys.every(isObject)) return { fault: 'must be a JWK Set: {"keys": [...]}' }
  // First of all, so that no other fault keeps a published private key unnoticed.
  const leaked = keys.flatMap((key) => privateMembers.filter((member) => Object.hasOwn(key, member)))[0]
  if (leaked !== undefined || keys.some((key) => key.kty === 'oct')) {
    return { fault: `must contain public keys only, and holds private key material (${leaked ?? 'oct'})` }
  }
  if (keys.length === 0 || keys.length > keysAtMost) return { fault: `must have 1 to ${keysAtMost} keys` }
  if (JSON.stringify(given).length > lengthAtMost) return { fault: `must have at most ${lengthAtMost} characters` }
  const faults = keys.map(keyFault)
  const at = faults.findIndex((fault) => fault !== undefined)
  if (at !== -1) return { fault: `has a key (${at + 1} of ${keys.length}) that ${faults[at]}` }
  return { value: { keys } }
}

function keyFault(key: Readonly<Record<string, unknown>>): string | undefined {
  if (key.kid !== undefined && typeof key.kid !== 'string') return 'has a kid that is no text'
  const fault = rsaJwkFault(key)
  if (fault !== undefined) return fault
  try {
    createPublicKey({ key: key as webcrypto.JsonWebKey, format: 'jwk' })
    return undefined
  } catch {
    return 'is no public key (kty RSA, EC, OKP or AKP with the members that belong to it)'
  }
}
