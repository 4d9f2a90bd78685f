/** How this service authenticates at a provider (RFC 6749 §2.3, RFC 7523 §2.2, OpenID Connect Core §9). */
import type * as openidClient from 'openid-client'
import type { AssertionAlgorithm, KeyRing } from '../keys/key-ring.ts'
import { assertionAlgorithms } from '../keys/lifecycle.ts'
import type { ExternalProviderSettings } from '../settings/settings.ts'

export type AuthMethod = NonNullable<ExternalProviderSettings['tokenEndpointAuthMethod']>

type Provider = Pick<ExternalProviderSettings, 'clientSecret' | 'tokenEndpointAuthMethod' | 'issuer'>

/** What assertions are made with. */
export type AssertionParts = {
  readonly keys: Pick<KeyRing, 'assertionSigner' | 'refresh'>
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
}

const withSecret: readonly AuthMethod[] = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/**
 * Returns the method of the settings, or one that the provider supports. `supported`: its
 * `token_endpoint_auth_methods_supported`; absent, it is basic (OpenID Connect Discovery §3). Providers without discovery
 * are sent the secret in the body, as they always were.
 */
export function authMethodOf(provider: Provider, supported: readonly string[] | undefined): AuthMethod {
  const { clientSecret, tokenEndpointAuthMethod: configured, issuer } = provider
  if (configured !== null) return configured
  if (clientSecret === '') return supported?.join() === 'private_key_jwt' ? 'private_key_jwt' : 'none'
  if (issuer === null) return 'client_secret_post'
  if (supported === undefined) return 'client_secret_basic'
  return withSecret.find((method) => supported.includes(method)) ?? 'client_secret_basic'
}

/** Whether the provider announces the method. One without a list has basic, and many leave out `none`, which is nothing. */
export function isAnnounced(method: AuthMethod, supported: readonly string[] | undefined): boolean {
  return method === 'none' || (supported ?? ['client_secret_basic']).includes(method)
}

/** Returns what adds the authentication to a request. */
export function authenticationBy(
  client: typeof openidClient,
  method: AuthMethod,
  { clientSecret }: Provider,
  parts: AssertionParts,
): openidClient.ClientAuth {
  switch (method) {
    case 'client_secret_basic':
      return client.ClientSecretBasic(clientSecret)
    case 'client_secret_post':
      return client.ClientSecretPost(clientSecret)
    case 'private_key_jwt':
      return privateKeyJwt(parts)
    case 'none':
      return client.None()
  }
}

/** `announced`: `token_endpoint_auth_signing_alg_values_supported` of the provider. */
export function assertionAlgorithm(announced: readonly string[] | undefined): AssertionAlgorithm {
  return assertionAlgorithms.find((name) => announced?.includes(name)) ?? 'RS256'
}

/** How long an assertion is valid. */
const assertionSeconds = 60

/** Adds an assertion by a key of this service (RFC 7523 §3), whose audience is the provider's issuer alone. */
function privateKeyJwt({ keys, clock, random }: AssertionParts): openidClient.ClientAuth {
  return async (metadata, { client_id: clientId }, body) => {
    const { SignJWT } = await import('jose/jwt/sign')
    const algorithm = assertionAlgorithm(metadata.token_endpoint_auth_signing_alg_values_supported)
    // Another process may have rotated the keys.
    await keys.refresh()
    const { kid, privateKey } = await keys.assertionSigner(algorithm)
    const seconds = Math.floor(clock() / 1000)
    const assertion = await new SignJWT({ jti: Buffer.from(random(16)).toString('base64url') })
      .setProtectedHeader({ alg: algorithm, kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(metadata.issuer)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + assertionSeconds)
      .sign(privateKey)
    body.set('client_id', clientId)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', assertion)
  }
}
