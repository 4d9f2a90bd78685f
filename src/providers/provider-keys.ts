/** The key set of a provider (RFC 7517 §5, OpenID Connect Core §10.1). */
import { rsaJwkFault } from '../protocol/client/rsa-key.ts'
import { endpointOf, objectFrom } from './endpoint.ts'
import { ProviderFailure } from './provider.ts'
import { asProviderFailure, type RelyingParty } from './relying-party.ts'

type Find = ReturnType<typeof import('jose/jwks/local')['createLocalJWKSet']>
type Key = Parameters<typeof import('jose/jws/compact/verify')['compactVerify']>[1]

export type ProviderKeys = {
  /**
   * Calls `verify` with the keys that fit the header of the JWS, until it resolves. It must reject with
   * `JWSSignatureVerificationFailed` for a key that did not sign. Rejects with that, with `JWKSNoMatchingKey`, with
   * anything else that `verify` rejected with, or with `ProviderFailure` when the set cannot be read.
   */
  withKeyOf<T>(party: RelyingParty, jws: string, verify: (key: Key | Find) => Promise<T>): Promise<T>
}

/** How long a set is used without being read again. In milliseconds. */
const freshMs = 5 * 60 * 1000
/** How often a key that a set lacks has it read again at most. In milliseconds. */
const rereadEveryMs = 5000
/** Keys of a set that are used; others are ignored. */
const keysAtMost = 100
/** Keys that are tried for one signature that names none. */
const triesAtMost = 10

export function providerKeysWith(clock: () => number): ProviderKeys {
  let known: { readonly find: Find; readonly readAtMs: number } | undefined
  let reading: Promise<Find> | undefined
  let rereadAtMs = Number.NEGATIVE_INFINITY

  function read(party: RelyingParty): Promise<Find> {
    // A failed connection is a `TypeError`, as is a malformed token.
    reading ??= asProviderFailure(party.name, () => fetchSet(party))
      .then((find) => {
        known = { find, readAtMs: clock() }
        return find
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  /** Returns the set; another than `seen` if that may be read again. */
  function set(party: RelyingParty, seen?: Find): Promise<Find> | Find {
    const nowMs = clock()
    const isFresh = known !== undefined && Math.abs(nowMs - known.readAtMs) < freshMs
    if (known === undefined || !isFresh) return read(party)
    if (known.find !== seen) return known.find
    if (reading !== undefined) return reading
    if (Math.abs(nowMs - rereadAtMs) < rereadEveryMs) return seen
    rereadAtMs = nowMs
    return read(party)
  }

  return {
    async withKeyOf(party, jws, verify) {
      const [{ decodeProtectedHeader }, errors] = await Promise.all([
        import('jose/decode/protected_header'),
        import('jose/errors'),
      ])
      const { JWKSMultipleMatchingKeys, JWKSNoMatchingKey, JWSSignatureVerificationFailed } = errors
      const isNamed = decodeProtectedHeader(jws).kid !== undefined
      const tryWith = async (find: Find) => {
        try {
          return await verify(find)
        } catch (error) {
          if (!(error instanceof JWKSMultipleMatchingKeys)) throw error
          return tryEach(error)
        }
      }
      const tryEach = async (candidates: AsyncIterable<Key>) => {
        let tries = 0
        for await (const key of candidates) {
          if (tries === triesAtMost) break
          tries += 1
          try {
            return await verify(key)
          } catch (error) {
            if (!(error instanceof JWSSignatureVerificationFailed)) throw error
          }
        }
        throw new JWSSignatureVerificationFailed(`none of the keys that were tried (${tries}) made the signature`)
      }
      const first = await set(party)
      try {
        return await tryWith(first)
      } catch (error) {
        // A signature that names no key may be by one that was published since.
        const isLacking =
          error instanceof JWKSNoMatchingKey || (!isNamed && error instanceof JWSSignatureVerificationFailed)
        if (!isLacking) throw error
        const second = await set(party, first)
        if (second === first) throw error
        return tryWith(second)
      }
    },
  }
}

/** An answer without keys counts as an empty set. */
async function fetchSet(party: RelyingParty): Promise<Find> {
  const { createLocalJWKSet } = await import('jose/jwks/local')
  const address = endpointOf(party, 'jwks_uri')
  const headers = { accept: 'application/json, application/jwk-set+json', 'user-agent': 'latchkey' }
  const response = await party.fetch(address, { method: 'GET', body: undefined, headers, redirect: 'manual' })
  const answer = response.status === 200 ? objectFrom(await response.text()) : undefined
  if (answer === undefined) throw new ProviderFailure(`${address} answered ${response.status} without a key set`)
  return createLocalJWKSet({ keys: publicKeysOf(answer.keys) as never })
}

/** Ignores keys that are not public, and RSA keys that are too weak or too costly to verify with. */
function publicKeysOf(keys: unknown): readonly object[] {
  if (!Array.isArray(keys)) return []
  const isPublic = (key: unknown): key is Readonly<Record<string, unknown>> =>
    typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key) && !('priv' in key)
  return keys
    .slice(0, keysAtMost)
    .filter(isPublic)
    .filter((key) => rsaJwkFault(key) === undefined)
}
