/** The `/.well-known/*` documents: discovery (OpenID Connect Discovery §3, RFC 8414) and the key set (RFC 7517 §5). */
import { type Answer, cacheable } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { supportedClaims } from '../protocol/claims/known-rules.ts'
import { shapes } from '../protocol/claims/shapes.ts'
import { metadataFor } from '../protocol/discovery/metadata.ts'
import { adminScopes } from '../protocol/scope/admin-scopes.ts'
import { sampleResourceMetadata } from '../protocol/scope/protected-resource.ts'
import type { Service } from '../service.ts'
import { StorageUnavailable } from '../storage/port/unavailable.ts'

/** Clients keep working with an old copy for a while. */
const discoveryMaxAgeSeconds = 300
/** Less than half of the minimum time for which a new key is published before it signs. */
const keySetMaxAgeSeconds = 120

/** How long the registered scopes are remembered. */
const scopesMaxAgeMs = 100

export function discovery({ clock, keys, settings, storage }: Service): Endpoint {
  const answerWith = (scopes: readonly string[], claims: readonly string[]): Answer => {
    const supported = settings.admin.enabled ? [...adminScopes, ...scopes] : scopes
    const document = Buffer.from(JSON.stringify(metadataFor(settings.oauth, supported, algorithms, claims)))
    return cacheable(publicFor(discoveryMaxAgeSeconds), 'application/json', document)
  }
  let algorithms = keys.algorithms()
  let known: readonly string[] = []
  let knownClaims: readonly string[] = []
  let answer = answerWith(known, knownClaims)
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let ofClients: { readonly version: number; readonly claims: readonly string[] } | undefined
  /** Read once for each version of the catalogue, which every change of rules raises. Keeps the names alone: there can be many rules. */
  const claimsOfClients = async (): Promise<readonly string[]> => {
    const { version } = await storage.catalogue.now()
    if (ofClients?.version !== version) {
      const [clients, used] = await Promise.all([storage.clients.ruled(), storage.clients.shapes()])
      const ofShapes = used.map((shape) => ({ claims: shapes[shape].rules.scopes }))
      ofClients = { version, claims: supportedClaims([...clients.map(({ metadata }) => metadata), ...ofShapes]) }
    }
    return ofClients.claims
  }
  const read = async (): Promise<void> => {
    try {
      const registered = await storage.scopes.list()
      const scopes = registered.map(({ name }) => name)
      const claims = [...new Set([...supportedClaims(registered), ...(await claimsOfClients())])].sort()
      await keys.refresh(ringMaxAgeMs)
      const isSame =
        scopes.join(' ') === known.join(' ') &&
        claims.join(' ') === knownClaims.join(' ') &&
        keys.algorithms() === algorithms
      algorithms = keys.algorithms()
      if (!isSame) answer = answerWith(scopes, claims)
      known = scopes
      knownClaims = claims
    } catch (error) {
      // Without the database the document is still true but for the latest scopes.
      if (!(error instanceof StorageUnavailable)) throw error
    } finally {
      readAtMs = clock()
      reading = undefined
    }
  }
  return async () => {
    if (Math.abs(clock() - readAtMs) > scopesMaxAgeMs) {
      reading ??= read()
      await reading
    }
    return answer
  }
}

/** `/.well-known/oauth-protected-resource/weatherforecast`: what a client of the sample API needs to know (RFC 9728 §3). */
export function sampleResourceDocument({ settings }: Service): Endpoint {
  const document = Buffer.from(JSON.stringify(sampleResourceMetadata(settings.oauth.issuer)))
  const answer = cacheable(publicFor(discoveryMaxAgeSeconds), 'application/json', document)
  return async () => answer
}

/** Another process may have rotated the keys, so the cached ring is used only briefly. */
const ringMaxAgeMs = 100

export function keySet({ keys }: Service): Endpoint {
  return keySetOf(keys, () => keys.keySet())
}

/**
 * `/connect/rp-jwks`: the public keys with which the service authenticates at external providers (RFC 7517 §5). A provider of
 * the settings that is authenticated at so has a key before the first sign-in, because an operator registers the address.
 */
export function assertionKeySet({ keys, settings }: Service): Endpoint {
  const isUsed = settings.oauth.external.some((provider) => provider.tokenEndpointAuthMethod === 'private_key_jwt')
  const answer = keySetOf(keys, () => keys.assertionKeySet())
  return async (request) => {
    if (isUsed) await keys.assertionSigner('RS256')
    return answer(request)
  }
}

function keySetOf(keys: Service['keys'], read: () => string): Endpoint {
  let text = ''
  const answerWith = (document: string): Answer =>
    cacheable(publicFor(keySetMaxAgeSeconds), 'application/json', Buffer.from(document))
  let answer = answerWith(text)
  return async () => {
    await keys.refresh(ringMaxAgeMs)
    // The ring returns the same text until something changes.
    if (read() !== text) {
      text = read()
      answer = answerWith(text)
    }
    return answer
  }
}

/** Cacheable by anyone, because the answer is the same for everybody. */
function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`
}
