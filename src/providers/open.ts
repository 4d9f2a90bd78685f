/** The external providers that the settings name. */
import type { ExternalProviderSettings } from '../settings.ts'
import { oauthProvider } from './oauth.ts'
import { openidProvider } from './openid.ts'
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
export function openProviders(
  settings: readonly ExternalProviderSettings[],
  clock: () => number,
  deadlineMs: number,
): ExternalProviders {
  const list = settings.map((provider) =>
    provider.issuer === null ? oauthProvider(provider, deadlineMs) : openidProvider(provider, clock, deadlineMs),
  )
  return { list, find: (name) => list.find((provider) => provider.name.toLowerCase() === name.toLowerCase()) }
}
