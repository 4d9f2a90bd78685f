/** How this service authenticates at a provider (RFC 6749 §2.3, OpenID Connect Core §9). */
import type * as openidClient from 'openid-client'
import type { ExternalProviderSettings } from '../settings/settings.ts'

export type AuthMethod = NonNullable<ExternalProviderSettings['tokenEndpointAuthMethod']>

type Provider = Pick<ExternalProviderSettings, 'clientSecret' | 'tokenEndpointAuthMethod' | 'issuer'>

const withSecret: readonly AuthMethod[] = ['client_secret_basic', 'client_secret_post']

/**
 * Returns the method of the settings, or one that the provider supports. `supported`: its
 * `token_endpoint_auth_methods_supported`; absent, it is basic (OpenID Connect Discovery §3). Providers without discovery
 * are sent the secret in the body, as they always were.
 */
export function authMethodOf(provider: Provider, supported: readonly string[] | undefined): AuthMethod {
  const { clientSecret, tokenEndpointAuthMethod: configured, issuer } = provider
  if (configured !== null) return configured
  if (clientSecret === '') return 'none'
  if (issuer === null) return 'client_secret_post'
  return withSecret.find((method) => supported?.includes(method)) ?? 'client_secret_basic'
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
): openidClient.ClientAuth {
  switch (method) {
    case 'client_secret_basic':
      return client.ClientSecretBasic(clientSecret)
    case 'client_secret_post':
      return client.ClientSecretPost(clientSecret)
    case 'none':
      return client.None()
  }
}
