/** The external providers that the settings name. */
import type { ExternalProviderSettings } from '../settings/settings.ts'
import type { ExternalProvider } from './provider.ts'

export type ExternalProviders = {
  /** In the order of the settings. */
  readonly list: readonly ExternalProvider[]
  /** By scheme name, without regard to case. */
  find(name: string): ExternalProvider | undefined
}

/**
 * One with an issuer is found through discovery; GitHub works with client id and secret alone. `deadlineMs`: how long
 * all requests of one step to a provider may take together.
 */
export async function openProviders(
  settings: readonly ExternalProviderSettings[],
  clock: () => number,
  deadlineMs: number,
): Promise<ExternalProviders> {
  const list = await Promise.all(settings.map((provider) => openProvider(provider, clock, deadlineMs)))
  return { list, find: (name) => list.find((provider) => provider.name.toLowerCase() === name.toLowerCase()) }
}

/** Each kind is loaded only where there is one. */
async function openProvider(
  provider: ExternalProviderSettings,
  clock: () => number,
  deadlineMs: number,
): Promise<ExternalProvider> {
  return provider.issuer === null
    ? (await import('./oauth.ts')).oauthProvider(provider, deadlineMs)
    : (await import('./openid.ts')).openidProvider(provider, clock, deadlineMs)
}
