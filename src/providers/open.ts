/** The external providers in the settings. */
import type { Send } from '../outbound/send.ts'
import type { ExternalProviderSettings } from '../settings/settings.ts'
import type { ExternalProvider } from './provider.ts'

export type ExternalProviders = {
  /** In the order of the settings. */
  readonly list: readonly ExternalProvider[]
  /** Finds a provider by scheme name, ignoring case. */
  find(name: string): ExternalProvider | undefined
}

/**
 * Opens providers: discovery for those with an issuer, fixed endpoints for GitHub, the configured ones otherwise.
 * `deadlineMs`: shared by all requests of one step to a provider. `send`: the way that they take.
 */
export async function openProviders(
  settings: readonly ExternalProviderSettings[],
  clock: () => number,
  deadlineMs: number,
  send: Send,
): Promise<ExternalProviders> {
  const list = await Promise.all(settings.map((provider) => openProvider(provider, clock, deadlineMs, send)))
  return { list, find: (name) => list.find((provider) => provider.name.toLowerCase() === name.toLowerCase()) }
}

/** Loads the library for a kind of provider only if one is configured. */
async function openProvider(
  provider: ExternalProviderSettings,
  clock: () => number,
  deadlineMs: number,
  send: Send,
): Promise<ExternalProvider> {
  return provider.issuer === null
    ? (await import('./oauth.ts')).oauthProvider(provider, deadlineMs, send)
    : (await import('./openid.ts')).openidProvider(provider, clock, deadlineMs, send)
}
