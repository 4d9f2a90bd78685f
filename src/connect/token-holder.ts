/** Whether a valid access token may still be used: neither revoked, nor of a user who may not sign in. */
import { hasEnded } from '../protocol/authorization-code.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'
import type { TokenHolder } from '../storage/port/access-tokens.ts'
import type { VerifiedAccessToken } from '../tokens/verify.ts'

/**
 * Checks token, user and grant as they are now, in one read. Returns null for a token that a client got for itself.
 * `parameter`: where the token was sent.
 */
export async function checkHolder(
  { sessions, storage }: Pick<Service, 'sessions' | 'storage'>,
  { jti, grantId, clientId, issuedAtMs }: VerifiedAccessToken,
  parameter: 'Authorization' | 'access_token',
): Promise<TokenHolder | Refusal | null> {
  const refused = (rule: string): Refusal => refuse('access_token_invalid', parameter, { rule })
  if (grantId === null) {
    const isRevoked = await storage.accessTokens.isClientTokenRevoked(jti, clientId, issuedAtMs + 1000)
    return isRevoked ? refused('it was revoked') : null
  }
  const found = await storage.accessTokens.findHolder(jti, grantId)
  if (found === undefined) return refused('it was revoked')
  const { user, authenticatedAtMs, grantedAtMs } = found
  if (!sessions.maySignIn(user, authenticatedAtMs)) return refused('the account may not sign in now')
  return hasEnded(user.grantsEndedAtMs, grantedAtMs) ? refused('all grants of the account were ended') : found
}
