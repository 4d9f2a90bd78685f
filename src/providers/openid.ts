/** OpenID Connect providers, configured through discovery. */
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { authenticationBy, authMethodOf } from './client-authentication.ts'
import { objectFrom, redeemCode } from './endpoint.ts'
import { signingAlgorithms, verifyIdToken, verifySigned } from './id-token.ts'
import { providerMetadata } from './metadata.ts'
import { type ExternalProvider, ProviderFailure } from './provider.ts'
import { type ProviderKeys, providerKeysWith } from './provider-keys.ts'
import { asProviderFailure, field, pkceParameters, type RelyingParty, untrusted } from './relying-party.ts'

export function openidProvider(
  settings: ExternalProviderSettings,
  clock: () => number,
  deadlineMs: number,
): ExternalProvider {
  const { name, clientId } = settings
  const displayName = settings.displayName ?? name
  const metadataOf = providerMetadata(settings, clock)
  const keys = providerKeysWith(clock)

  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const fetch = boundedFetch(deadlineMs)
    const metadata = await metadataOf(fetch)
    const method = authMethodOf(settings, metadata.token_endpoint_auth_methods_supported)
    const authentication = authenticationBy(client, method, settings)
    const config = new client.Configuration(metadata, clientId, undefined, authentication)
    config[client.customFetch] = fetch
    const allowsHttp = metadata.issuer.startsWith('http:')
    if (allowsHttp) client.allowInsecureRequests(config)
    return { name, client, metadata, config, authentication, allowsHttp, fetch }
  }

  return {
    name,
    displayName,
    authorizationAddress: (redirectUri, checks) =>
      asProviderFailure(name, async () => {
        const { client, config } = await relyingParty()
        return client.buildAuthorizationUrl(config, {
          ...(await pkceParameters(client, redirectUri, checks)),
          scope: 'openid profile email',
          nonce: checks.nonce,
        })
      }),
    authenticate: (answer, checks) =>
      asProviderFailure(name, async () => {
        const party = await relyingParty()
        checkIssuer(party, answer)
        const error = answer.searchParams.get('error')
        if (error !== null && error !== '') return { error }
        const { accessToken, refreshToken, idToken } = await redeemCode(party, answer, checks)
        const expected = { clientId, nonce: checks.nonce, accessToken, nowMs: clock() }
        const claims = await verifyIdToken(idToken, party, keys, expected)
        const asked = field(claims, 'email') === null ? await userInfo(party, keys, accessToken, claims.sub) : undefined
        const told = asked ?? claims
        return {
          provider: name,
          displayName,
          subject: claims.sub,
          name: field(told, 'name') ?? field(told, 'preferred_username'),
          email: field(told, 'email'),
          accessToken,
          refreshToken,
        }
      }),
  }
}

/** Checks who answered, errors included (RFC 9207 §2.4). */
function checkIssuer({ name, metadata }: RelyingParty, answer: URL): void {
  const issuers = answer.searchParams.getAll('iss')
  const check = 'iss of the authorization response'
  const isNeeded = metadata.authorization_response_iss_parameter_supported === true
  if (issuers.length === 0 && isNeeded) {
    throw untrusted(name, check, 'the response does not say who it is from', { expected: metadata.issuer })
  }
  if (issuers.some((issuer) => issuer !== metadata.issuer) || issuers.length > 1) {
    throw untrusted(name, check, 'the response is from another issuer', {
      received: issuers,
      expected: metadata.issuer,
    })
  }
}

/**
 * Asks the userinfo endpoint (Core §5.3). It only suggests values for a new account, so that a refusal does not fail the
 * sign-in: undefined. What it says of another person does.
 */
async function userInfo(party: RelyingParty, keys: ProviderKeys, accessToken: string, subject: string) {
  const { name, client, config, metadata } = party
  const { userinfo_endpoint: endpoint, userinfo_signing_alg_values_supported: algorithms } = metadata
  if (endpoint === undefined) return undefined
  try {
    const response = await client.fetchProtectedResource(config, accessToken, new URL(endpoint), 'GET')
    if (response.status !== 200) return undefined
    const text = await response.text()
    const isSigned = response.headers.get('content-type')?.split(';', 1)[0]?.trim() === 'application/jwt'
    const options = { algorithms: signingAlgorithms(algorithms) }
    const claims = isSigned ? (await verifySigned(text, party, keys, options)).payload : objectFrom(text)
    if (claims === undefined) return undefined
    if (claims.sub !== subject) {
      const values = { received: claims.sub, expected: subject }
      throw untrusted(name, 'sub of userinfo', 'the userinfo endpoint spoke of another person', values)
    }
    return claims
  } catch (error) {
    if (error instanceof ProviderFailure && error.reason === 'provider_untrusted') throw error
    return undefined
  }
}
