/** Creates the grant of a redeemed code. */
import type { KeyRing } from '../keys/key-ring.ts'
import { clientType, type RequestingClient } from '../protocol/client/client.ts'
import type { CodeContent } from '../protocol/grant/authorization-code.ts'
import type { Grant } from '../protocol/grant/grant.ts'
import { givesRefreshTokens, tokenExpiryMs } from '../protocol/grant/refresh-token.ts'
import type { Confirmation } from '../protocol/token/confirmation.ts'
import type { Settings } from '../settings/settings.ts'
import { accessTokenSeconds, chainRules } from './lifetimes.ts'
import { newRefreshChain } from './refresh.ts'

/**
 * Returns the grant for `content`, with a refresh chain if the scope that the client needs for one was granted, and it may refresh.
 * `confirmation`: the key whose possession the client proved; null: none.
 */
export function newGrant(
  content: CodeContent,
  client: RequestingClient,
  confirmation: Confirmation | null,
  {
    settings,
    keys,
    random,
  }: { readonly settings: Settings; readonly keys: KeyRing; readonly random: (bytes: number) => Uint8Array },
  nowMs: number,
): Grant {
  // Dated like its code: a lock between issuing and redeeming ends both.
  const createdAtMs = content.issuedAtMs
  const accessEndsAtMs = nowMs + accessTokenSeconds(client, settings) * 1000
  const refreshable = givesRefreshTokens(content.scopes, client) && client.grantTypes.includes('refresh_token')
  const refreshEndsAtMs = refreshable ? tokenExpiryMs({ createdAtMs }, chainRules(client, settings), nowMs) : nowMs
  return {
    id: content.grantId,
    clientId: content.clientId,
    userId: content.userId,
    authorizationId: content.authorizationId,
    scopes: content.scopes,
    resources: content.resources,
    authenticatedAtMs: content.authenticatedAtMs,
    methods: content.methods,
    sessionId: content.sessionId,
    nonce: content.nonce,
    // RFC 9449 §5: the refresh tokens of a client that authenticates are bound to the client already.
    confirmation: clientType(client) === 'public' ? confirmation : null,
    claims: content.claims,
    createdAtMs,
    revokedAtMs: null,
    // Kept for as long as the code could be replayed or the access token be checked.
    expiresAtMs: Math.max(content.expiresAtMs, accessEndsAtMs, refreshEndsAtMs),
    refresh: refreshable ? newRefreshChain(keys, refreshEndsAtMs, random) : null,
  }
}
