/** Whether a valid access token may still be used: neither revoked, nor of a user who may not sign in. */
import { hasScopeText } from '../protocol/claims/shown-claims.ts'
import { hasEnded } from '../protocol/grant/grant.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'
import type { TokenHolder } from '../storage/port/grants.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { VerifiedAccessToken } from '../tokens/verify.ts'
import { isSwitchedOff } from './current-client.ts'

/**
 * Checks token, user and grant as they are now, in one read; in two for an exchanged token. Returns null for a token that
 * a client got for itself. `parameter`: where the token was sent.
 */
export async function checkHolder(
  { sessions, settings, storage }: Pick<Service, 'sessions' | 'settings' | 'storage'>,
  token: VerifiedAccessToken,
  parameter: 'Authorization' | 'access_token',
): Promise<TokenHolder | Refusal | null> {
  const refused = (rule: string): Refusal => refuse('access_token_invalid', parameter, { rule })
  const { jti, grantId, subjectClientId, issuedAtMs } = token
  if (await isExchangeOver(storage, token)) return refused('it was revoked')
  if (grantId === null) {
    const isRevoked = await storage.accessTokens.isClientTokenRevoked([jti], subjectClientId, issuedAtMs + 1000)
    return isRevoked ? refused('it was revoked') : null
  }
  const found = await storage.accessTokens.findHolder(jti, grantId)
  if (found === undefined) return refused('it was revoked')
  const { user, authenticatedAtMs, grantedAtMs, grantClientId, session, metadata } = found
  if (isSwitchedOff({ settings }, metadata)) return refused('OAuth:ClientIdMetadataDocuments is off')
  // An exchanged token has the form that another client registered.
  if (token.isScopeText && !hasScopeText(metadata) && token.exchangedFrom.length === 0) {
    return refused('its client registered scopes as an array')
  }
  if (!sessions.permits(grantClientId, session)) return refused('the session in which it was granted has ended')
  if (!sessions.maySignIn(user, authenticatedAtMs)) return refused('the account may not sign in now')
  return hasEnded(user.grantsEndedAtMs, grantedAtMs) ? refused('all grants of the account were ended') : found
}

/**
 * Whether an exchanged token has ended with one of those that it was exchanged from, with the client that exchanged it,
 * or with the client that it is about. Reads nothing for other tokens.
 */
export async function isExchangeOver(
  { accessTokens }: Pick<Storage, 'accessTokens'>,
  { exchangedFrom, clientId, grantId, subjectClientId, issuedAtMs }: VerifiedAccessToken,
): Promise<boolean> {
  if (exchangedFrom.length === 0) return false
  const issuedBeforeMs = issuedAtMs + 1000
  if (await accessTokens.isClientTokenRevoked(exchangedFrom, clientId, issuedBeforeMs)) return true
  return grantId === null && (await accessTokens.isClientTokenRevoked([], subjectClientId, issuedBeforeMs))
}
