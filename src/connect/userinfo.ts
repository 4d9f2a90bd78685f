/** `/connect/userinfo`: claims about the user of an access token (OpenID Connect Core §5.3). */
import { json } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { userinfoClaims } from '../protocol/claims.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { subjectOf } from '../users/user.ts'
import { bearerTokens } from './bearer.ts'
import { checkHolder } from './token-holder.ts'

export function userinfo(service: Service): Endpoint {
  // The scope decides, not the audience: a token for another resource may carry openid as well.
  const bearer = bearerTokens(service, { form: true })
  return async (request) => {
    const token = await bearer.read(request)
    if (token === undefined || isRefusal(token)) return bearer.refuse(request, token)
    if (!token.scopes.includes('openid')) return bearer.refuse(request, refuse('scope_insufficient'))
    const holder = await checkHolder(service, token, 'access_token')
    if (isRefusal(holder)) return bearer.refuse(request, holder)
    if (holder === null) throw new Error('a token of no user has the scope openid')
    // Read at every request: the response shows the user's data as they are now.
    return json(userinfoClaims(subjectOf(holder.user), token.scopes, holder.claims?.userinfo ?? []))
  }
}
