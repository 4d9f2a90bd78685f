/** The public keys of clients: registered, or fetched from their `jwks_uri` (RFC 7591 §2, RFC 7517 §5). */

import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey } from 'jose/errors'
import { createLocalJWKSet, type LocalJWKSet } from 'jose/jwks/local'
import { compactVerify } from 'jose/jws/compact/verify'
import type { AddressSource, Outbound } from '../outbound/outbound.ts'
import { addressesBy } from '../protocol/client/client.ts'
import type { ClientAlgorithm, ClientMetadata, JwkSet } from '../protocol/client/client-metadata.ts'
import { rsaJwkFault } from '../protocol/client/rsa-key.ts'

type Registered = Pick<ClientMetadata, 'jwks' | 'jwks_uri' | 'registration'>

export type ClientKeys = {
  /**
   * Returns why the signature of a compact JWS is not valid, as a clause for people; undefined: one of the client's keys
   * made it with `algorithm`. Keys in the header of the JWS are not used. `client`: its id, under which fetches take turns.
   */
  signatureFault(
    jws: string,
    algorithm: ClientAlgorithm,
    metadata: Registered,
    client?: string,
  ): Promise<string | undefined>
  /** Returns why no key of the client fulfils the condition, as a clause for people; undefined: one does. */
  keyFault(
    fulfils: (key: JwkSet['keys'][number]) => boolean,
    metadata: Registered,
    client?: string,
  ): Promise<string | undefined>
}

type Asker = { readonly by: AddressSource; readonly client: string | undefined }

type Held = { readonly keys: JwkSet['keys']; readonly find: LocalJWKSet; readonly length: number }
type Fetched = Held & { readonly freshUntilMs: number; refetchedAtMs: number }

/** A published set is used for at least this long, whatever its headers say. In milliseconds. */
const freshAtLeastMs = 5 * 60 * 1000
/** How often an unknown key leads to another fetch of one address at most. In milliseconds. */
const refetchEveryMs = 10_000
/** Keys of a set that are read; others are ignored. */
const keysAtMost = 100
/** Keys that are tried for one signature. A set with several that fit should name them by `kid`. */
const triesAtMost = 5
/** The total length of the sets that are held, in characters of JSON. Beyond it, those unused longest are dropped. */
const heldAtMost = 8 * 1024 * 1024

export function clientKeysWith(outbound: Outbound, clock: () => number): ClientKeys {
  const fetched = new Map<string, Fetched>()
  const registered = new Map<string, Held>()
  const underWay = new Map<string, Promise<Fetched | string>>()

  /** Returns the set at the address. `seen`: a set that lacks what is looked for. */
  function publishedAt(uri: string, { by, client }: Asker, seen?: Fetched): Promise<Fetched | string> | Fetched {
    const key = keyOf(uri, by)
    const known = fetched.get(key)
    const nowMs = clock()
    const isFresh = known !== undefined && nowMs < known.freshUntilMs
    if (isFresh && known !== seen) return used(fetched, key, known)
    const place = `${by} ${uri}`
    const shared = underWay.get(place)
    if (shared !== undefined) return shared
    if (isFresh && nowMs < known.refetchedAtMs + refetchEveryMs) return known
    if (isFresh) known.refetchedAtMs = nowMs
    const fetching = fetchFrom(uri, { by, client }, seen === undefined ? Number.NEGATIVE_INFINITY : nowMs)
    underWay.set(place, fetching)
    return fetching.finally(() => underWay.delete(place))
  }

  async function fetchFrom(uri: string, { by, client }: Asker, refetchedAtMs: number): Promise<Fetched | string> {
    const response = await outbound.get(uri, by, client)
    if ('failed' in response) return `the keys at jwks_uri cannot be fetched: ${response.failed}`
    const keys = publicKeysOf(response.value)
    if (keys === undefined) return 'the response of jwks_uri is not a JWK Set'
    const freshUntilMs = Math.max(response.freshUntilMs, clock() + freshAtLeastMs)
    return added(fetched, keyOf(uri, by), { ...held(keys), freshUntilMs, refetchedAtMs })
  }

  function registeredIn(jwks: JwkSet): Held {
    const text = JSON.stringify(jwks)
    const known = registered.get(text)
    return known === undefined ? added(registered, text, held(publicKeysOf(jwks) ?? [])) : used(registered, text, known)
  }

  /** Calls `faultIn` with the client's keys, and once more with newly fetched ones if what it looks for is unknown. */
  async function withKeys(
    metadata: Registered,
    client: string | undefined,
    faultIn: (set: Held) => Promise<{ readonly fault: string; readonly isUnknown: boolean } | undefined>,
  ): Promise<string | undefined> {
    const { jwks, jwks_uri } = metadata
    if (jwks !== null) return (await faultIn(registeredIn(jwks)))?.fault
    if (jwks_uri === null) return 'the client has registered no keys'
    const asker = { by: addressesBy(metadata), client }
    const first = await publishedAt(jwks_uri, asker)
    if (typeof first === 'string') return first
    const found = await faultIn(first)
    if (found === undefined || !found.isUnknown) return found?.fault
    const second = await publishedAt(jwks_uri, asker, first)
    if (typeof second === 'string') return second
    return second === first ? found.fault : (await faultIn(second))?.fault
  }

  return {
    signatureFault: (jws, algorithm, metadata, client) =>
      withKeys(metadata, client, async ({ find }) => {
        try {
          await compactVerify(jws, find, { algorithms: [algorithm] })
          return undefined
        } catch (error) {
          if (error instanceof JWKSMultipleMatchingKeys) return tryEach(jws, algorithm, error)
          // A signature without `kid` may be by a key that was published since.
          const isUnknown = error instanceof JWKSNoMatchingKey || !namesItsKey(jws)
          const hasNone = error instanceof JWKSNoMatchingKey
          return { fault: hasNone ? 'none of the keys has its kid and fits its algorithm' : badSignature, isUnknown }
        }
      }),
    keyFault: (fulfils, metadata, client) =>
      withKeys(metadata, client, async ({ keys }) =>
        keys.some(fulfils) ? undefined : { fault: 'it is none of the registered keys', isUnknown: true },
      ),
  }
}

function namesItsKey(jws: string): boolean {
  try {
    return decodeProtectedHeader(jws).kid !== undefined
  } catch {
    return true
  }
}

const badSignature = 'the signature does not fit the key'

async function tryEach(jws: string, algorithm: ClientAlgorithm, candidates: JWKSMultipleMatchingKeys) {
  let tries = 0
  for await (const key of candidates) {
    const isSigned = await compactVerify(jws, key, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    )
    if (isSigned) return undefined
    tries += 1
    if (tries === triesAtMost) break
  }
  return { fault: `${badSignature}s that were tried (${tries})`, isUnknown: true }
}

/**
 * Returns the public keys of a JWK Set; undefined: it is none. A symmetric or private key is no public one, and an RSA key that
 * no client may register is not used from anywhere else either: verifying with it could take any time.
 */
function publicKeysOf(value: unknown): JwkSet['keys'] | undefined {
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
  if (!Array.isArray(keys)) return undefined
  const isPublic = (key: unknown): key is JwkSet['keys'][number] =>
    typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key) && !('priv' in key)
  return keys
    .slice(0, keysAtMost)
    .filter(isPublic)
    .filter((key) => rsaJwkFault(key) === undefined)
}

function held(keys: JwkSet['keys']): Held {
  const find = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) as never })
  return { keys, find, length: JSON.stringify(keys).length }
}

/** What an operator's client may read in a private network is no stranger's. */
const keyOf = (uri: string, by: AddressSource): string => `${by === 'operator' ? 'operator' : 'others'} ${uri}`

/** Notes the use: entries are in the order of their last one. */
function used<T extends Held>(cache: Map<string, T>, key: string, entry: T): T {
  cache.delete(key)
  cache.set(key, entry)
  return entry
}

/** Adds the entry and drops those unused longest. */
function added<T extends Held>(cache: Map<string, T>, key: string, entry: T): T {
  used(cache, key, entry)
  let total = 0
  for (const [name, { length }] of [...cache].reverse()) {
    total += length + name.length
    if (total > heldAtMost) cache.delete(name)
  }
  return entry
}
