/** What resource endpoints share: they are called with an access token of this service (RFC 6750). */
import { type Answer, empty } from '../http/answer.ts'
import { isForm, readForm } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { bearerChallenge, readBearerToken } from '../protocol/bearer.ts'
import { type Refusal, refuse, statusOf } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type VerifiedAccessToken, verifyAccessToken } from '../tokens/verify.ts'

export type BearerTokens = {
  /**
   * Returns the request's access token: signed by this service, unexpired, for this resource. Revocation is checked in
   * the database separately. Undefined: the request has none.
   */
  read(request: Request): Promise<VerifiedAccessToken | Refusal | undefined>
  /** Answers a request without a token (undefined) or with a refused one. */
  refuse(request: Request, refusal: Refusal | undefined): Answer
}

/**
 * `audiences`: the token's `aud` has one of them (RFC 9068 §4); undefined if a scope decides instead. `form`: a POST may
 * carry the token in its body (RFC 6750 §2.2).
 */
export function bearerTokens(
  { answers, clock, keys, settings }: Service,
  { audiences, form = false }: { readonly audiences?: readonly string[]; readonly form?: boolean },
): BearerTokens {
  return {
    async read(request) {
      const parameters = form && isForm(request) ? readForm(request) : []
      if (isRefusal(parameters)) return parameters
      const presented = readBearerToken(request.headers.authorization, parameters)
      if (presented === undefined || isRefusal(presented)) return presented
      const { token, parameter } = presented
      const refused = (rule: string): Refusal => refuse('access_token_invalid', parameter, { rule })
      const verified = await verifyAccessToken(token, keys, settings.oauth.issuer, clock())
      if (verified === undefined) return refused('no access token of this service, or it has expired')
      const isMeant = audiences === undefined || audiences.some((audience) => verified.audience.includes(audience))
      return isMeant ? verified : refused('the audience (aud) is another one')
    },
    refuse(request, refusal) {
      const challenge = { 'www-authenticate': bearerChallenge(refusal) }
      if (refusal === undefined) return empty(401, challenge)
      return answers.recorded(request, refusal, empty(statusOf(refusal.error), challenge))
    },
  }
}
