/** What a redeemed code becomes. */
import type { KeyRing } from '../keys/key-ring.ts'
import type { CodeContent } from '../protocol/authorization-code.ts'
import type { Grant } from '../protocol/grant.ts'
import { type ChainRules, tokenExpiryMs } from '../protocol/refresh-token.ts'
import type { Settings } from '../settings/settings.ts'
import { newRefreshChain } from './refresh.ts'

/** The grant that redeeming `content` makes, with a refresh chain when `offline_access` was granted. */
export function newGrant(
  content: CodeContent,
  {
    settings,
    keys,
    random,
  }: { readonly settings: Settings; readonly keys: KeyRing; readonly random: (bytes: number) => Uint8Array },
  nowMs: number,
): Grant {
  // As old as its code: a lock that came between the two ends both.
  const createdAtMs = content.issuedAtMs
  const accessEndsAtMs = nowMs + settings.oauth.accessTokenSeconds * 1000
  const refreshable = content.scopes.includes('offline_access')
  const refreshEndsAtMs = refreshable ? tokenExpiryMs({ createdAtMs }, chainRules(settings), nowMs) : nowMs
  return {
    id: content.grantId,
    clientId: content.clientId,
    userId: content.userId,
    authorizationId: content.authorizationId,
    scopes: content.scopes,
    resources: content.resources,
    authenticatedAtMs: content.authenticatedAtMs,
    method: content.method,
    nonce: content.nonce,
    createdAtMs,
    revokedAtMs: null,
    // Kept at least as long as the code could come again and the access token can be asked about.
    expiresAtMs: Math.max(content.expiresAtMs, accessEndsAtMs, refreshEndsAtMs),
    refresh: refreshable ? newRefreshChain(keys, refreshEndsAtMs, random) : null,
  }
}

export function chainRules({ oauth }: Settings): ChainRules {
  return { lifetimeMs: oauth.refreshTokenSeconds * 1000, maxMs: oauth.refreshChainMaxSeconds * 1000 }
}
