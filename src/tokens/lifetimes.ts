/** Lifetimes of codes and tokens: those of the settings, unless the client registered its own. */
import type { Client } from '../protocol/client/client.ts'
import type { ChainRules } from '../protocol/grant/refresh-token.ts'
import type { Settings } from '../settings/settings.ts'

export function accessTokenSeconds({ metadata }: Pick<Client, 'metadata'>, { oauth }: Settings): number {
  return metadata.access_token_lifetime ?? oauth.accessTokenLifetimeSeconds
}

export function identityTokenSeconds({ metadata }: Pick<Client, 'metadata'>, { oauth }: Settings): number {
  return metadata.id_token_lifetime ?? oauth.identityTokenLifetimeSeconds
}

export function chainRules({ metadata }: Pick<Client, 'metadata'>, { oauth }: Settings): ChainRules {
  return {
    lifetimeMs: (metadata.refresh_token_lifetime ?? oauth.refreshTokenLifetimeSeconds) * 1000,
    maxMs: oauth.refreshChainMaxLifetimeSeconds * 1000,
    rotates: metadata.refresh_token_rotation,
  }
}

/** FAPI 2.0 Security Profile §5.3.2.1. */
const fapi2CodeSeconds = 60

export function codeSeconds({ metadata }: Pick<Client, 'metadata'>, { oauth }: Settings): number {
  const seconds = oauth.authorizationCodeLifetimeSeconds
  return metadata.profile === 'fapi2' ? Math.min(seconds, fapi2CodeSeconds) : seconds
}
