/**
 * OAuth 2.0 without id tokens: GitHub, and providers described by three endpoints. An API request identifies the user.
 */
import type { Send } from '../outbound/send.ts'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type ExternalProvider, ProviderFailure } from './provider.ts'
import { asProviderFailure, field, pkceParameters, type RelyingParty, subjectFrom } from './relying-party.ts'

const defaults = {
  issuer: 'https://github.com',
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  userEndpoint: 'https://api.github.com/user',
}

export function oauthProvider(settings: ExternalProviderSettings, deadlineMs: number, send: Send): ExternalProvider {
  const userEndpoint = settings.userInfoEndpoint ?? defaults.userEndpoint
  const isGitHub = settings.name.toLowerCase() === 'github'
  // Normalises the name, because the callback address registered at the provider contains it.
  const name = isGitHub ? 'GitHub' : settings.name
  const displayName = settings.displayName ?? name
  const relyingParty = async (): Promise<RelyingParty> => {
    const client = await import('openid-client')
    const authorizationEndpoint = settings.authorizationEndpoint ?? defaults.authorizationEndpoint
    const metadata = {
      issuer: isGitHub ? defaults.issuer : new URL(authorizationEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: settings.tokenEndpoint ?? defaults.tokenEndpoint,
    }
    // RFC 6749 §2.3.1: without a secret the client is public.
    const authentication = settings.clientSecret === '' ? client.None() : client.ClientSecretPost(settings.clientSecret)
    const config = new client.Configuration(metadata, settings.clientId, undefined, authentication)
    config[client.customFetch] = boundedFetch(deadlineMs, send)
    // An override may point to a server in the operator's own network.
    if (!metadata.token_endpoint.startsWith('https:')) client.allowInsecureRequests(config)
    return { client, config }
  }
  return {
    name,
    displayName,
    authorizationAddress: (redirectUri, checks) =>
      asProviderFailure(name, async () => {
        const { client, config } = await relyingParty()
        return client.buildAuthorizationUrl(config, {
          ...(await pkceParameters(client, redirectUri, checks)),
          ...(isGitHub ? { scope: 'read:user user:email' } : {}),
        })
      }),
    authenticate: (answer, checks) =>
      asProviderFailure(name, async () => {
        const { client, config } = await relyingParty()
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: checks.state,
          pkceCodeVerifier: checks.codeVerifier,
        })
        const ask = async (address: string, ...refusals: number[]): Promise<unknown> => {
          const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'latchkey' })
          const url = new URL(address)
          const response = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, headers)
          if (refusals.includes(response.status)) return null
          if (!response.ok) throw new ProviderFailure(`${address} answered ${response.status}`)
          return response.json()
        }
        const user = await ask(userEndpoint)
        const subject = subjectOf(user)
        if (subject === null) throw new ProviderFailure(`${userEndpoint} named no user`)
        // GitHub's profile contains the address that the user chose to publish; the list says which one is primary and
        // verified. GitHub refuses the list to an application without the permission, which then gets no address.
        const email = isGitHub ? primaryEmail(await ask(`${userEndpoint}/emails`, 401, 403, 404)) : null
        return {
          provider: name,
          displayName,
          subject,
          name: field(user, 'name') ?? field(user, 'login'),
          email: email ?? field(user, 'email'),
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token ?? null,
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
