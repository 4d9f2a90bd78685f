/** The external providers in the settings. */
import type { ExternalProviderSettings } from '../settings/settings.ts'
import type { ExternalProvider } from './provider.ts'
import type { ProviderParts } from './relying-party.ts'

export type ExternalProviders = {
  /** In the order of the settings. */
  readonly list: readonly ExternalProvider[]
  /** Finds a provider by scheme name, ignoring case. */
  find(name: string): ExternalProvider | undefined
}

/** Opens providers: discovery for those with an issuer, fixed endpoints for GitHub, the configured ones otherwise. */
export async function openProviders(
  settings: readonly ExternalProviderSettings[],
  parts: ProviderParts,
): Promise<ExternalProviders> {
  const list = await Promise.all(settings.map((provider) => openProvider(provider, parts)))
  return { list, find: (name) => list.find((provider) => provider.name.toLowerCase() === name.toLowerCase()) }
}

/** Loads the library for a kind of provider only if one is configured. */
async function openProvider(provider: ExternalProviderSettings, parts: ProviderParts): Promise<ExternalProvider> {
  return provider.issuer === null
    ? (await import('./oauth.ts')).oauthProvider(provider, parts)
    : (await import('./openid.ts')).openidProvider(provider, parts)
}
