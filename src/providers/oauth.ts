/**
 * OAuth 2.0 without id tokens: GitHub, and providers described by three endpoints. An API request identifies the user.
 */
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { authenticationBy, authMethodOf } from './client-authentication.ts'
import { redeemCode } from './endpoint.ts'
import { type ExternalProvider, ProviderFailure, untrusted } from './provider.ts'
import {
  asProviderFailure,
  field,
  githubUserEndpoint,
  nameOf,
  type ProviderParts,
  type RelyingParty,
  requestParameters,
  sourceOf,
  subjectFrom,
} from './relying-party.ts'

const defaults = {
  issuer: 'https://github.com',
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
}

export function oauthProvider(settings: ExternalProviderSettings, parts: ProviderParts): ExternalProvider {
  const userEndpoint = settings.userInfoEndpoint ?? githubUserEndpoint
  const name = nameOf(settings)
  const isGitHub = name === 'GitHub'
  const displayName = settings.displayName ?? name
  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const authorizationEndpoint = settings.authorizationEndpoint ?? defaults.authorizationEndpoint
    const metadata = {
      issuer: isGitHub ? defaults.issuer : new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: settings.tokenEndpoint ?? defaults.tokenEndpoint,
    }
    const authentication = authenticationBy(client, authMethodOf(settings, undefined), settings, parts)
    const config = new client.Configuration(metadata, settings.clientId, undefined, authentication)
    const fetch = boundedFetch(parts.deadlineMs, parts.send)
    config[client.customFetch] = fetch
    // An override may point to a server in the operator's own network.
    const allowsHttp = !metadata.token_endpoint.startsWith('https:')
    if (allowsHttp) client.allowInsecureRequests(config)
    return { name, client, metadata, config, authentication, allowsHttp, fetch }
  }
  return {
    name,
    displayName,
    source: sourceOf(settings),
    authorizationAddress: (redirectUri, checks, asked) =>
      asProviderFailure(name, async () => {
        const { client, config } = await relyingParty()
        const parameters = await requestParameters(client, settings, { redirectUri, checks, asked })
        return client.buildAuthorizationUrl(config, parameters)
      }),
    authenticate: (answer, checks) =>
      asProviderFailure(name, async () => {
        const error = answer.searchParams.get('error')
        if (error !== null && error !== '') return { error }
        const party = await relyingParty()
        const { client, config } = party
        const { accessToken, refreshToken } = await redeemCode(party, answer, checks)
        const ask = async (address: string, ...refusals: number[]): Promise<unknown> => {
          const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'latchkey' })
          const url = new URL(address)
          const response = await client.fetchProtectedResource(config, accessToken, url, 'GET', null, headers)
          if (refusals.includes(response.status)) return null
          if (!response.ok) throw new ProviderFailure(`${address} answered ${response.status}`)
          return response.json()
        }
        const user = await ask(userEndpoint)
        const subject = subjectOf(user)
        if (subject === null) throw untrusted(name, 'id', `${userEndpoint} named no user`)
        // GitHub's profile contains the address that the user chose to publish; the list says which one is primary and
        // verified. GitHub refuses the list to an application without the permission, which then gets no address.
        const email = isGitHub ? primaryEmail(await ask(`${userEndpoint}/emails`, 401, 403, 404)) : null
        return {
          provider: name,
          displayName,
          subject,
          name: field(user, 'name') ?? field(user, 'login'),
          email: email ?? field(user, 'email'),
          accessToken,
          refreshToken,
        }
      }),
  }
}

/** Returns the stable user id: a number at GitHub, text elsewhere. */
function subjectOf(user: unknown): string | null {
  if (typeof user !== 'object' || user === null) return null
  const id = 'id' in user ? user.id : undefined
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : null
  return subjectFrom(id) ?? subjectFrom('sub' in user ? user.sub : undefined)
}

/** Returns the primary verified address; null: there is none. */
function primaryEmail(emails: unknown): string | null {
  if (!Array.isArray(emails)) return null
  const primary = emails.find((entry) => entry?.primary === true && entry?.verified === true)
  return field(primary, 'email')
}
