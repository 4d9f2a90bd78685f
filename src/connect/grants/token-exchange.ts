import { auditEvent } from '../../audit/request-events.ts'
import { toldRoleClients } from '../../protocol/claims/role-audience.ts'
import {
  type Actor,
  checkExchangeRequest,
  decideExchange,
  type ExchangeRequest,
  exchangeGrantType,
  maxAudiences,
} from '../../protocol/grant/token-exchange.ts'
import type { ParameterReader } from '../../protocol/parameters.ts'
import { type Refusal, refuse } from '../../protocol/refusals/index.ts'
import { readScopes } from '../../protocol/scope/scope.ts'
import { accessTokenTypeFor } from '../../protocol/token/access-token-type.ts'
import { isRefusal } from '../../refusal.ts'
import { uuidv7 } from '../../secrets/opaque.ts'
import type { Service } from '../../service.ts'
import type { AuthorizeFacts, TokenHolder } from '../../storage/port/grants.ts'
import { mintExchangedToken } from '../../tokens/mint.ts'
import { namedFor } from '../../tokens/subject.ts'
import { type VerifiedAccessToken, verifyAccessToken } from '../../tokens/verify.ts'
import { operatorConsent } from '../consent-store.ts'
import { subjectNow } from '../effective-subject.ts'
import { checkHolder } from '../token-holder.ts'
import type { GrantHandler } from './grant-handler.ts'
import { mintWhile } from './issue.ts'

/** The exchange of an access token for a narrower one (RFC 8693). It stays with the grant of the subject token. */
export const tokenExchange: GrantHandler<ExchangeRequest, AuthorizeFacts> = {
  refuseWithoutClient: () => refuse('client_id_missing'),

  parse: (reader) => ({
    subjectToken: reader.mandatory('subject_token') ?? '',
    subjectTokenType: reader.mandatory('subject_token_type') ?? '',
    actorToken: reader.optional('actor_token'),
    actorTokenType: reader.optional('actor_token_type'),
    requestedTokenType: reader.optional('requested_token_type'),
    scopes: requestedScopes(reader),
    resources: reader.repeatable('resource', maxAudiences),
    audiences: reader.repeatable('audience', maxAudiences),
  }),

  /** The tokens are read after the client is authenticated, because their signatures are work. */
  gather: ({ service, clientId }) =>
    service.storage.authorizations.findForRequest({ clientId, scopes: [], sessionId: null }),

  async exchange(context, request, { catalogueVersion }, client) {
    const { service, http, confirmation } = context
    // gather
    const fault = checkExchangeRequest(request)
    if (fault !== undefined) return fault
    const subject = await read(service, request.subjectToken, 'subject_token')
    if (isRefusal(subject)) return subject
    const actor = request.actorToken === null ? undefined : await read(service, request.actorToken, 'actor_token')
    if (isRefusal(actor)) return actor
    const registered = await service.storage.scopes.findMany(subject.token.scopes)

    // decide
    const { issuer } = service.settings.oauth
    const { token, holder } = subject
    const found = holder === null ? null : await subjectNow(service, holder.user, holder.catalogueVersion)
    const roleClients = (scopes: readonly string[]) => (found === null ? [] : toldRoleClients(found, client, scopes))
    const parties = [client, token, actor?.token, confirmation] as const
    const decided = decideExchange(request, ...parties, registered, issuer, roleClients)
    if (isRefusal(decided)) return decided

    if (client.consent === 'external' && holder !== null) {
      const consent = await operatorConsent(service, holder.user.id, client, decided.scopes)
      if (consent === undefined) return refuse('exchange_consent_missing', 'subject_token', { client: client.id })
    }

    // commit; the token is signed meanwhile
    const person =
      holder === null || found === null ? token.subject : namedFor(service.keys, client, holder.user, found)
    const { scopes: kept } = await service.catalogue.at(catalogueVersion)
    const type = accessTokenTypeFor(client, decided.audience, kept)
    const nowMs = Math.max(service.clock(), client.createdAtMs, token.issuedAtMs)
    const jti = uuidv7(nowMs, service.random)
    const about = { userId: holder?.user.id, clientId: client.id }
    const details = {
      type: exchangeGrantType,
      jti,
      ...(token.grantId !== null && { grant: token.grantId }),
      subjectJti: token.jti,
      subjectClient: token.clientId,
      actors: actorsOf(decided.actor),
      scopes: decided.scopes,
    }
    const event = auditEvent(http, service.clock(), 'tokens_issued', about, details)
    return mintWhile(
      context,
      (underWay, spends) => service.storage.accessTokens.issue([event], underWay, spends),
      () =>
        mintExchangedToken(service, {
          ...decided,
          subject: person,
          subjectClientId: token.subjectClientId,
          grant: holder === null ? null : { id: token.grantId ?? '', authenticatedAtMs: holder.authenticatedAtMs },
          client,
          sessionId: holder?.sessionId ?? null,
          type,
          shown: token.shown,
          confirmation,
          jti,
          nowMs,
          notAfterMs: token.expiresAtMs,
        }),
    )
  },
}

/** RFC 6749 §3.3: blanks alone count as absent. */
function requestedScopes(reader: ParameterReader): readonly string[] | null {
  const scopes = readScopes(reader)
  return scopes.length === 0 ? null : scopes
}

type Read = { readonly token: VerifiedAccessToken; readonly holder: TokenHolder | null }

/** Returns a token that may still be used, and whose it is; `holder` null: a client's own. */
async function read(service: Service, sent: string, parameter: string): Promise<Read | Refusal> {
  const { keys, settings, clock } = service
  const token = await verifyAccessToken(sent, keys, settings.oauth.issuer, clock())
  if (token === undefined) return refuse('exchange_token_invalid', parameter)
  const holder = await checkHolder(service, token, 'access_token')
  if (isRefusal(holder)) return refuse('exchange_token_invalid', parameter, { rule: String(holder.detail.rule) })
  return { token, holder }
}

function actorsOf(actor: Actor | null | undefined): readonly string[] {
  return actor === null || actor === undefined ? [] : [actor.sub, ...actorsOf(actor.act)]
}
