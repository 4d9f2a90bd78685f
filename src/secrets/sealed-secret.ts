/**
 * Secrets of clients that sign with them (`client_secret_jwt`): a signature is checked with the secret itself, so it is kept sealed by the
 * key ring, where those of other clients are kept as a hash.
 */
import type { KeyRing } from '../keys/key-ring.ts'
import { hashSecret } from './opaque.ts'
import { sealText, unsealText } from './sealed.ts'

type Random = (bytes: number) => Uint8Array

/** Begins what is stored, so that it is never taken for a hash. */
const prefix = 'sealed:'
const label = 'latchkey client secret v1'
/** 64 characters of base64url: enough for HS512 (RFC 7518 §3.2). */
const secretBytes = 48

export function sealClientSecret(keys: Pick<KeyRing, 'secret'>, secret: string, random: Random): string {
  return `${prefix}${sealText(keys, 'factor', label, secret, random)}`
}

/** Returns the secret; undefined: nothing that was sealed here. */
export function unsealClientSecret(keys: Pick<KeyRing, 'secretById'>, stored: string): string | undefined {
  return stored.startsWith(prefix) ? unsealText(keys, 'factor', label, stored.slice(prefix.length)) : undefined
}

/** Whether it is a sealed secret, and no hash. */
export const isSealed = (stored: string): boolean => stored.startsWith(prefix)

/** Whether the secret was sealed with a key that was replaced since. */
export function isSealedWithOld(keys: Pick<KeyRing, 'secret'>, stored: string): boolean {
  return stored.startsWith(prefix) && !stored.startsWith(`${prefix}${keys.secret('factor').id}.`)
}

/** A new secret of a client, and what is stored of it. */
export type MintedSecret = { readonly secret: string; readonly stored: string }

/** Returns a new secret for a client with the method. RFC 6749 §10.10 demands at least 128 bits. */
export function mintSecretFor(method: unknown, keys: Pick<KeyRing, 'secret'>, random: Random): MintedSecret {
  const isSigning = method === 'client_secret_jwt'
  const secret = Buffer.from(random(isSigning ? secretBytes : 32)).toString('base64url')
  return { secret, stored: isSigning ? sealClientSecret(keys, secret, random) : hashSecret(secret) }
}

/** Returns the method that changes ask for; undefined: they say nothing of it, and no new secret comes of them. */
export function methodIn(changes: readonly { readonly member: string; readonly value: unknown }[]): unknown {
  return changes.findLast(({ member }) => member === 'token_endpoint_auth_method')?.value
}
