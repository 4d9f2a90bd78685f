/** `/connect/userinfo`: claims about the user of an access token (OpenID Connect Core §5.3). */
import { json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { hasEnded } from '../protocol/authorization-code.ts'
import { scopedClaims } from '../protocol/claims.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { TokenHolder } from '../storage/port/access-tokens.ts'
import type { VerifiedAccessToken } from '../tokens/verify.ts'
import { subjectOf, type User } from '../users/user.ts'
import { bearerTokens } from './bearer.ts'

export function userinfo(service: Service): Endpoint {
  // The scope decides, not the audience: a token for another resource may carry openid as well.
  const bearer = bearerTokens(service, { form: true })
  return async (request) => {
    const token = await bearer.read(request)
    if (token === undefined || isRefusal(token)) return bearer.refuse(request, token)
    if (!token.scopes.includes('openid')) return bearer.refuse(request, refuse('scope_insufficient'))
    const user = checkHolder(service, await findHolder(service, token))
    if (isRefusal(user)) return bearer.refuse(request, user)
    // Read at every request: the response shows the user's data as they are now.
    const subject = subjectOf(user)
    return json({ sub: subject.id, ...scopedClaims(subject, token.scopes) })
  }
}

/** Undefined: the token was revoked, or is about no user. */
async function findHolder({ storage }: Service, token: VerifiedAccessToken): Promise<TokenHolder | undefined> {
  return token.grantId === null ? undefined : storage.accessTokens.findHolder(token.jti, token.grantId)
}

/** Returns the user of a valid token. Locked and deleted users, and ended grants, count as of now. */
function checkHolder({ sessions }: Service, holder: TokenHolder | undefined): User | Refusal {
  const refused = (rule: string): Refusal => refuse('access_token_invalid', 'access_token', { rule })
  if (holder === undefined) return refused('it was revoked')
  const { user, authenticatedAtMs, grantedAtMs } = holder
  if (!sessions.maySignIn(user, authenticatedAtMs)) return refused('the account may not sign in now')
  return hasEnded(user.grantsEndedAtMs, grantedAtMs) ? refused('all grants of the account were ended') : user
}
