/** The metadata of an OpenID Connect provider (OpenID Connect Discovery §3, §4). */
import type { CustomFetch, ServerMetadata } from 'openid-client'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import { untrusted } from './provider.ts'

/** How long metadata is used. Key rotation does not depend on it: unknown keys are fetched. */
const lifetimeMs = 60 * 60 * 1000

/**
 * Returns a function that resolves to the metadata, with the endpoints of the settings. It rejects if the metadata cannot be
 * read, or names another issuer than the settings. `settings.issuer` must be set.
 */
export function providerMetadata(
  settings: ExternalProviderSettings,
  clock: () => number,
): (fetch: CustomFetch) => Promise<ServerMetadata> {
  let known: { readonly metadata: ServerMetadata; readonly untilMs: number } | undefined
  const overrides = {
    ...(settings.authorizationEndpoint === null ? {} : { authorization_endpoint: settings.authorizationEndpoint }),
    ...(settings.tokenEndpoint === null ? {} : { token_endpoint: settings.tokenEndpoint }),
    ...(settings.userInfoEndpoint === null ? {} : { userinfo_endpoint: settings.userInfoEndpoint }),
  }
  return async (fetch) => {
    if (known !== undefined && clock() < known.untilMs) return known.metadata
    const client = await import('openid-client')
    const issuer = new URL(settings.issuer ?? '')
    const reading = client.discovery(issuer, settings.clientId, undefined, undefined, {
      [client.customFetch]: fetch,
      execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    })
    const config = await reading.catch((error: unknown) => {
      const isOfAnother = error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
      if (!isOfAnother) throw error
      const rule = 'the metadata is that of another issuer'
      throw untrusted(settings.name, 'issuer of the metadata', rule, { expected: settings.issuer ?? '' }, error)
    })
    const found: ServerMetadata = { ...config.serverMetadata() }
    const metadata = { ...found, ...overrides }
    known = { metadata, untilMs: clock() + lifetimeMs }
    return metadata
  }
}
