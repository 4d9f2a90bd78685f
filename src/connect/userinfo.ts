/** `/connect/userinfo`: claims about the user of an access token (OpenID Connect Core §5.3). */
import { type Answer, json, uncached } from '../http/answer.ts'
import { answeredFor } from '../http/cross-origin.ts'
import type { Endpoint } from '../http/request.ts'
import { toldTo } from '../protocol/claims/client-roles.ts'
import { issuedUserinfo, tokenRules } from '../protocol/claims/issued-claims.ts'
import type { ClientMetadata } from '../protocol/client/client-metadata.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { algorithmFor } from '../tokens/client-algorithm.ts'
import { signJwt } from '../tokens/sign.ts'
import { describedBy } from '../users/user.ts'
import { bearerTokens } from './bearer.ts'
import { withNonce } from './dpop.ts'
import { calledAs, subjectNow } from './effective-subject.ts'
import { keptAnswers } from './kept-answers.ts'
import { checkHolder } from './token-holder.ts'

export function userinfo(service: Service): Endpoint {
  // The scope decides, not the audience: a token for another resource may carry openid as well.
  const bearer = bearerTokens(service, 'connect/userinfo', { form: true })
  const kept = keptAnswers()
  return async (request) => {
    const token = await bearer.read(request)
    if (token === undefined || isRefusal(token)) return bearer.refuse(request, token)
    answeredFor(request, token.clientId)
    if (!token.scopes.includes('openid')) return bearer.refuse(request, refuse('scope_insufficient'))
    const holder = await checkHolder(service, token, 'access_token')
    if (isRefusal(holder)) return bearer.refuse(request, holder)
    if (holder === null) {
      return bearer.refuse(request, refuse('access_token_invalid', 'access_token', { rule: 'it is about no user' }))
    }
    const { metadata } = holder
    // Read at every request: the response shows the user's data as they are now.
    const madeOf = [holder.catalogueVersion, metadata, holder.claims, ...describedBy(holder.user)]
    const known = kept.find(token, madeOf)
    if (known !== undefined) return withNonce(service, request, known)
    // What the client of the grant requested is not for a client that exchanged its token.
    const requested = token.exchangedFrom.length === 0 ? holder.claims?.userinfo : undefined
    const about = subjectNow(service, holder.user, holder.catalogueVersion)
    // As the token names the person, also after the client has become pairwise (OpenID Connect Core §5.3.2).
    const subject = calledAs(about instanceof Promise ? await about : about, token.subject)
    // The metadata are those of the client of the grant.
    const isOwn = token.exchangedFrom.length === 0
    const client = { id: token.clientId, metadata: isOwn ? metadata : { ...metadata, ...ofNobody } }
    const rules = tokenRules(client, token.scopes, [], subject, { userinfo: requested ?? [] })
    const claims = issuedUserinfo(toldTo(subject, client, null), token.scopes, requested ?? [], { rules })
    const isSigned = metadata.userinfo_signed_response_alg !== null
    const answer = isSigned
      ? await signed(service, claims, token.clientId, metadata)
      : kept.keep(token, madeOf, json(claims))
    return withNonce(service, request, answer)
  }
}

/** Where the rules, the shape and the role clients of a client are not known. */
const ofNobody = { claims: [], claim_shape: 'plain', role_clients: [] } as const

/** Answers with a signed JWT for a client that registered an algorithm (OpenID Connect Core §5.3.2). */
async function signed(
  { keys, settings: { oauth } }: Service,
  claims: Readonly<Record<string, unknown>>,
  audience: string,
  metadata: ClientMetadata,
): Promise<Answer> {
  const registered = metadata.userinfo_signed_response_alg
  const algorithm = algorithmFor(keys, metadata, registered, oauth.identityTokenAlgorithm, oauth.postQuantum)
  const jwt = await signJwt(keys.signer(algorithm), 'JWT', { iss: oauth.issuer, aud: audience, ...claims })
  return uncached('application/jwt', jwt)
}
