/** `/connect/introspect`: token introspection (RFC 7662), with signed answers (RFC 9701). */
import { type Answer, json, uncached, withHeaders } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { rolesToldTo } from '../protocol/claims/client-roles.ts'
import { issuedIntrospection, withAccountRoles, withRoles } from '../protocol/claims/introspected-claims.ts'
import { tokenRules } from '../protocol/claims/issued-claims.ts'
import { clientType } from '../protocol/client/client.ts'
import type { AuthenticatedClient } from '../protocol/client-authentication/index.ts'
import { acrOfGrant } from '../protocol/grant/grant.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import {
  type Introspection,
  inactive,
  introspectAccessToken,
  introspectRefreshToken,
  mayKnow,
  type TokenState,
} from '../protocol/token/introspection.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { IntrospectionFacts } from '../storage/port/grants.ts'
import { algorithmFor } from '../tokens/client-algorithm.ts'
import { chainRules } from '../tokens/lifetimes.ts'
import { readRefreshToken, recogniseGeneration } from '../tokens/refresh.ts'
import { signJwt } from '../tokens/sign.ts'
import { subjectFor } from '../tokens/subject.ts'
import { type VerifiedAccessToken, verifyAccessToken } from '../tokens/verify.ts'
import { describedBy } from '../users/user.ts'
import { authenticate } from './client-authentication.ts'
import { isSwitchedOffById } from './current-client.ts'
import { calledAs, subjectNow } from './effective-subject.ts'
import { toParties } from './grants/issue.ts'
import { keptAnswers } from './kept-answers.ts'
import { isExchangeOver } from './token-holder.ts'
import { readTokenRequest } from './token-request.ts'

const jwtType = 'token-introspection+jwt'

export function introspection(service: Service): Endpoint {
  const { answers, clock, keys, settings, storage } = service
  const { issuer } = settings.oauth
  const kept = keptAnswers()
  return async (request) => {
    // gather
    const sent = readTokenRequest(request)
    if (isRefusal(sent)) return answers.refuseAsJson(request, sent)
    const { token, credentials } = sent
    const refreshToken = readRefreshToken(token)
    const opened = refreshToken ? undefined : verifyAccessToken(token, keys, issuer, clock())
    const accessToken = opened instanceof Promise ? await opened : opened
    // Reads the same for every token, so that the time tells nothing about it.
    const facts = await storage.accessTokens.findForIntrospection({
      askingClientId: credentials.clientId,
      tokenClientId: accessToken?.clientId ?? '',
      grantId: refreshToken?.grantId ?? accessToken?.grantId ?? '',
      jti: accessToken?.jti ?? '',
    })
    const authenticated = authenticate(service, request, credentials, facts.client)
    const asking = authenticated instanceof Promise ? await authenticated : authenticated
    if (isRefusal(asking)) return answers.refuseAsJson(request, asking)
    if (clientType(asking) === 'public') {
      return answers.refuseAsJson(request, refuse('introspection_by_public_client', 'client_id', { client: asking.id }))
    }

    // decide
    const { grant, session } = facts
    if (grant !== undefined && !service.sessions.permits(grant.clientId, session)) {
      return answer(service, request, asking, inactive)
    }
    const state = toState(service, facts)
    if (accessToken !== undefined) {
      const isRevoked =
        state.isRevoked ||
        (accessToken.exchangedFrom.length > 0 && (await isExchangeOver(storage, accessToken))) ||
        (await isSwitchedOffById(service, facts.grant?.clientId ?? accessToken.clientId))
      const found = introspectAccessToken(accessToken, asking, { ...state, isRevoked }, issuer)
      const madeOf = found.active && !isSigned(request, asking) ? partsOf(asking, facts) : undefined
      const known = madeOf && kept.find(accessToken, madeOf)
      if (known !== undefined) return known
      const content = found.active ? await withRules(service, found, accessToken, facts) : found
      const answered = await answer(service, request, asking, content)
      if (madeOf !== undefined) return kept.keep(accessToken, madeOf, answered)
      return mayKnow(accessToken, asking)
        ? answered
        : answers.recorded(request, refuseOthers(accessToken, asking), answered)
    }
    const generation = refreshToken && recogniseGeneration(refreshToken, facts.grant, keys)
    const found = refreshToken
      ? introspectRefreshToken(generation, asking, state, chainRules(asking, settings), issuer, clock())
      : inactive
    return answer(service, request, asking, found)
  }
}

/** Says why the answer is `inactive`, in the log and to `explain`. */
function refuseOthers({ clientId, audience }: VerifiedAccessToken, { id, metadata }: AuthenticatedClient): Refusal {
  const { resources } = metadata
  return refuse('introspection_of_others', 'token', { client: id, resources, issuedTo: clientId, audience })
}

/** What an answer about a valid access token of a person is made of beside the token; undefined: it is about no person. */
function partsOf(
  { id, grantTypes, metadata }: AuthenticatedClient,
  { user, grant, catalogueVersion, tokenClientMetadata }: IntrospectionFacts,
): readonly unknown[] | undefined {
  if (user === undefined || grant === undefined) return undefined
  const ofGrant = [acrOfGrant(grant), grant.sessionId]
  return [id, grantTypes, metadata, ...ofGrant, catalogueVersion, tokenClientMetadata, ...describedBy(user)]
}

/** Adds the roles of the person of the token, and what rules say of the person. */
async function withRules(
  service: Service,
  found: Introspection,
  token: VerifiedAccessToken,
  facts: IntrospectionFacts,
): Promise<Readonly<Record<string, unknown>>> {
  const { subject: sub, clientId, scopes, audience, exchangedFrom, shown } = token
  const { user, grant, catalogueVersion, tokenClientMetadata: metadata } = facts
  if (user === undefined) return token.grantId === null ? withAccount(service, found, token, facts) : found
  const described = subjectNow(service, user, catalogueVersion)
  const subject = calledAs(described instanceof Promise ? await described : described, sub)
  const client = { id: clientId, metadata }
  // An exchanged token tells nothing that the first one did not.
  const told = exchangedFrom.length === 0 ? undefined : shown
  const origin = { sessionId: grant?.sessionId ?? null, shown: told }
  const rules = tokenRules(client, scopes, audience, subject, null, origin)
  const withRole = (told?.includes('role') ?? true) ? withRoles(found, subject, client, scopes, audience) : found
  return issuedIntrospection(withRole, metadata.access_token_format === 'opaque', { rules })
}

/** Adds the roles that the client has by now, to a token that it got for itself. An exchanged one has none of them. */
async function withAccount(
  { catalogue }: Service,
  found: Introspection,
  { clientId, scopes, audience, exchangedFrom }: VerifiedAccessToken,
  { catalogueVersion, tokenClientMetadata: metadata }: IntrospectionFacts,
): Promise<Readonly<Record<string, unknown>>> {
  const { service_account_roles: given } = metadata
  if (given.length === 0 || exchangedFrom.length > 0) return found
  const client = { id: clientId, metadata }
  const holder = await (await catalogue.at(catalogueVersion)).holderOf(given)
  const account = { ...holder, roles: rolesToldTo(holder, client, audience) }
  const rules = tokenRules(client, scopes, audience, undefined, null, { sessionId: null, account })
  const isOpaque = metadata.access_token_format === 'opaque'
  return issuedIntrospection(withAccountRoles(found, account, client), isOpaque, { rules })
}

function toState(service: Service, facts: IntrospectionFacts): TokenState {
  return {
    parties: toParties(service, facts, facts.grant),
    username: facts.user?.name,
    subject: facts.client && facts.user && subjectFor(service.keys, facts.client, facts.user),
    isRevoked: facts.isRevoked,
    clientSinceMs: facts.tokenClientSinceMs,
  }
}

/** Whether the client registered an algorithm for answers, or the request asks for a JWT (RFC 9701 §4, §5). */
function isSigned(request: Request, { metadata }: AuthenticatedClient): boolean {
  return metadata.introspection_signed_response_alg !== null || acceptsJwt(request.headers.accept)
}

async function answer(
  { clock, keys, settings }: Service,
  request: Request,
  asking: AuthenticatedClient,
  content: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { id, metadata } = asking
  // With every answer that tells nothing: that one was recorded must not tell that the token is somebody's.
  const traced = content.active === false ? { 'x-trace-id': request.traceId } : {}
  if (!isSigned(request, asking)) return withHeaders(json(content), traced)
  // RFC 9701 §6: RS256 unless another one is registered.
  const registered = metadata.introspection_signed_response_alg
  const algorithm = algorithmFor(keys, metadata, registered, 'RS256', settings.oauth.postQuantum)
  const claims = {
    iss: settings.oauth.issuer,
    aud: id,
    iat: Math.floor(clock() / 1000),
    token_introspection: content,
  }
  return withHeaders(uncached(`application/${jwtType}`, await signJwt(keys.signer(algorithm), jwtType, claims)), traced)
}

/** RFC 9110 §12.5.1: a type with the weight 0 is not wanted. */
function acceptsJwt(accept = ''): boolean {
  if (accept === '') return false
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === `application/${jwtType}` && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
