/** OpenID Connect providers, configured through discovery. */
import type * as openidClient from 'openid-client'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { authenticationBy, authMethodOf } from './client-authentication.ts'
import { providerMetadata } from './metadata.ts'
import { type ExternalProvider, ProviderFailure } from './provider.ts'
import { asProviderFailure, field, pkceParameters, type RelyingParty, subjectFrom } from './relying-party.ts'

export function openidProvider(
  settings: ExternalProviderSettings,
  clock: () => number,
  deadlineMs: number,
): ExternalProvider {
  const displayName = settings.displayName ?? settings.name
  const metadataOf = providerMetadata(settings, clock, deadlineMs)
  let jwksCache: openidClient.ExportedJWKSCache | undefined

  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const metadata = await metadataOf()
    const method = authMethodOf(settings, metadata.token_endpoint_auth_methods_supported)
    const authentication = authenticationBy(client, method, settings)
    const config = new client.Configuration(metadata, settings.clientId, undefined, authentication)
    config[client.customFetch] = boundedFetch(deadlineMs)
    if (metadata.issuer.startsWith('http:')) client.allowInsecureRequests(config)
    // Also checks the id token's signature, instead of relying on TLS alone (OpenID Connect Core §3.1.3.7).
    client.enableNonRepudiationChecks(config)
    if (jwksCache !== undefined) client.setJwksCache(config, jwksCache)
    return { client, config }
  }

  return {
    name: settings.name,
    displayName,
    authorizationAddress: (redirectUri, checks) =>
      asProviderFailure(settings.name, async () => {
        const { client, config } = await relyingParty()
        return client.buildAuthorizationUrl(config, {
          ...(await pkceParameters(client, redirectUri, checks)),
          scope: 'openid profile email',
          nonce: checks.nonce,
        })
      }),
    authenticate: (answer, checks) =>
      asProviderFailure(settings.name, async () => {
        const { client, config } = await relyingParty()
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        })
        jwksCache = client.getJwksCache(config)
        const claims = tokens.claims()
        const subject = subjectFrom(claims?.sub)
        if (claims === undefined || subject === null) {
          throw new ProviderFailure(`the provider ${settings.name} named no user`)
        }
        const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
        const asked =
          field(claims, 'email') === null && hasUserInfo
            ? // Only suggests values for a new account, so a refusal does not fail the sign-in.
              await client.fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => claims)
            : claims
        return {
          provider: settings.name,
          displayName,
          subject,
          name: field(asked, 'name') ?? field(asked, 'preferred_username'),
          email: field(asked, 'email'),
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token ?? null,
        }
      }),
  }
}
