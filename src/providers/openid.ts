/** OpenID Connect providers, configured through discovery. */
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { authenticationBy, authMethodOf } from './client-authentication.ts'
import { objectFrom, postToProvider, redeemCode } from './endpoint.ts'
import { signingAlgorithms, verifyIdToken, verifySigned } from './id-token.ts'
import { providerMetadata } from './metadata.ts'
import { type ExternalProvider, ProviderFailure, untrusted } from './provider.ts'
import { type ProviderKeys, providerKeysWith } from './provider-keys.ts'
import {
  asProviderFailure,
  field,
  type ProviderParts,
  type RelyingParty,
  requestParameters,
  sourceOf,
  subjectFrom,
} from './relying-party.ts'

export function openidProvider(configured: ExternalProviderSettings, parts: ProviderParts): ExternalProvider {
  const { clock, deadlineMs, send } = parts
  const { name, clientId, subjectClaim } = configured
  const displayName = configured.displayName ?? name
  const scopes = ['openid', ...configured.scopes.filter((scope) => scope !== 'openid')]
  const settings = { ...configured, scopes }
  const metadataOf = providerMetadata(settings, clock)
  const keys = providerKeysWith(clock)

  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const fetch = boundedFetch(deadlineMs, send)
    const metadata = await metadataOf(fetch)
    const method = authMethodOf(settings, metadata.token_endpoint_auth_methods_supported)
    const authentication = authenticationBy(client, method, settings, parts)
    const config = new client.Configuration(metadata, clientId, undefined, authentication)
    config[client.customFetch] = fetch
    const allowsHttp = metadata.issuer.startsWith('http:')
    if (allowsHttp) client.allowInsecureRequests(config)
    return { name, client, metadata, config, authentication, allowsHttp, fetch }
  }

  return {
    name,
    displayName,
    source: sourceOf(configured),
    authorizationAddress: (redirectUri, checks, asked) =>
      asProviderFailure(name, async () => {
        const party = await relyingParty()
        const { client, config } = party
        const sent = {
          ...(await requestParameters(client, settings, { redirectUri, checks, asked })),
          nonce: checks.nonce,
        }
        return client.buildAuthorizationUrl(config, isPushed(party, settings) ? await push(party, sent) : sent)
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
        const subject = subjectFrom(claims[subjectClaim])
        if (subject === null) {
          throw untrusted(name, subjectClaim, `the id token has no text of at most 255 characters as ${subjectClaim}`)
        }
        const more = field(claims, 'email') === null ? await userInfo(party, keys, accessToken, claims.sub) : undefined
        const told = more ?? claims
        return {
          provider: name,
          displayName,
          subject,
          name: field(told, 'name') ?? field(told, 'preferred_username'),
          email: field(told, 'email'),
          accessToken,
          refreshToken,
        }
      }),
  }
}

function isPushed({ metadata }: RelyingParty, { pushedRequests }: ExternalProviderSettings): boolean {
  if (pushedRequests !== 'auto') return pushedRequests === 'always'
  return metadata.require_pushed_authorization_requests === true
}

/** Pushes an authorization request; returns the parameters that stand for it (RFC 9126 §2, §4). */
async function push(party: RelyingParty, sent: Record<string, string>): Promise<Record<string, string>> {
  const clientId = party.config.clientMetadata().client_id
  const form = { client_id: clientId, ...sent }
  const { request_uri: uri } = await postToProvider(party, 'pushed_authorization_request_endpoint', form)
  if (typeof uri !== 'string' || uri === '') {
    throw new ProviderFailure(`the provider ${party.name} answered a pushed request without a request_uri`)
  }
  return { client_id: clientId, request_uri: uri }
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
    // Core §5.3.2: a signed answer says who it is from and for.
    const { iss = metadata.issuer, aud = config.clientMetadata().client_id } = claims
    if (isSigned && (iss !== metadata.issuer || ![aud].flat().includes(config.clientMetadata().client_id))) {
      throw untrusted(name, 'iss or aud of userinfo', 'the signed answer is from or for somebody else', {
        received: [iss, aud],
      })
    }
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
