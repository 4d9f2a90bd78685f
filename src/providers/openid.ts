/** OpenID Connect providers, configured through discovery. */
import type * as openidClient from 'openid-client'
import type { Send } from '../outbound/send.ts'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type ExternalProvider, ProviderFailure } from './provider.ts'
import { asProviderFailure, field, pkceParameters, type RelyingParty, subjectFrom } from './relying-party.ts'

/** How long a provider's metadata is cached. Key rotation does not depend on it: unknown keys are fetched. */
const metadataLifetimeMs = 60 * 60 * 1000

export function openidProvider(
  settings: ExternalProviderSettings,
  clock: () => number,
  deadlineMs: number,
  send: Send,
): ExternalProvider {
  const displayName = settings.displayName ?? settings.name
  let known: { readonly metadata: openidClient.ServerMetadata; readonly untilMs: number } | undefined
  let jwksCache: openidClient.ExportedJWKSCache | undefined

  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const metadata = await serverMetadata(client)
    const authentication = settings.clientSecret === '' ? client.None() : client.ClientSecretPost(settings.clientSecret)
    const config = new client.Configuration(metadata, settings.clientId, undefined, authentication)
    config[client.customFetch] = boundedFetch(deadlineMs, send)
    if (metadata.issuer.startsWith('http:')) client.allowInsecureRequests(config)
    // Also checks the id token's signature, instead of relying on TLS alone (OpenID Connect Core §3.1.3.7).
    client.enableNonRepudiationChecks(config)
    if (jwksCache !== undefined) client.setJwksCache(config, jwksCache)
    return { client, config }
  }

  const serverMetadata = async (client: typeof openidClient): Promise<openidClient.ServerMetadata> => {
    const overrides = {
      ...(settings.authorizationEndpoint === null ? {} : { authorization_endpoint: settings.authorizationEndpoint }),
      ...(settings.tokenEndpoint === null ? {} : { token_endpoint: settings.tokenEndpoint }),
      ...(settings.userInfoEndpoint === null ? {} : { userinfo_endpoint: settings.userInfoEndpoint }),
    }
    if (settings.issuer === null) throw new ProviderFailure(`the provider ${settings.name} has no issuer`)
    if (known === undefined || clock() >= known.untilMs) {
      const issuer = new URL(settings.issuer)
      const config = await client.discovery(issuer, settings.clientId, undefined, undefined, {
        [client.customFetch]: boundedFetch(deadlineMs, send),
        execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
      })
      known = { metadata: { ...config.serverMetadata() }, untilMs: clock() + metadataLifetimeMs }
    }
    return { ...known.metadata, ...overrides }
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
