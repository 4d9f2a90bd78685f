/** Validates authorization requests, for the authorization endpoint and the consent page. */
import type { Request } from '../http/request.ts'
import { onDemand } from '../on-demand.ts'
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  type IdTokenHint,
  parseAuthorizationRequest,
  type ResponseTarget,
  resolveTarget,
} from '../protocol/authorization-request/authorization-request.ts'
import {
  completedRequest,
  effectiveRequest,
  hasOtherClaims,
  scopesToConsent,
} from '../protocol/authorization-request/effective-request.ts'
import type { PushedRequest } from '../protocol/authorization-request/pushed-request.ts'
import type { Client } from '../protocol/client/client.ts'
import { type Authorization, hasSameScopes } from '../protocol/grant/grant.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import { chooseResources } from '../protocol/scope/resource.ts'
import { resourcesOf, type Scope, withDefaultScopes } from '../protocol/scope/scope.ts'
import { type AnyRefusal, asRefusal, isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { AuthorizeFacts } from '../storage/port/grants.ts'
import { verifyIdTokenHint } from '../tokens/verify.ts'
import type { RequestingSession, SignedIn } from '../users/session.ts'
import { consentThatCounts } from './consent-store.ts'
import { currentClient } from './current-client.ts'
import { conveyedPlainly, refersElsewhere } from './plain-request.ts'

const conveyance = onDemand(() => import('./conveyed-request.ts'))

/** A valid authorization request: the client is known, the redirect URI is registered, all rules hold. */
export type CheckedRequest = {
  readonly request: AuthorizationRequest
  readonly client: Client
  readonly target: ResponseTarget
  readonly scopes: readonly Scope[]
  /** The scopes that a consent must cover. */
  readonly consentScopes: readonly string[]
  /** `aud` of the access tokens. */
  readonly resources: readonly string[]
  readonly signedIn: SignedIn<RequestingSession> | undefined
  readonly authorization: Authorization | undefined
  /** The version of the catalogue that says what the person has to fill in. */
  readonly catalogueVersion: number
  readonly hint: IdTokenHint | undefined
  /** The stored request, if it was pushed: its answer completes it. */
  readonly pushed: PushedRequest | undefined
  /** Identifies a request that expires among the marks of a browser; undefined: it does not expire. */
  readonly mark: Parameters | undefined
}

/**
 * A refused request. The refusal is sent to the client's redirect URI; if that is undefined, the user sees it (RFC 6749
 * §4.1.2.1).
 */
export type RefusedRequest = AnyRefusal & {
  readonly refusal: Refusal
  readonly target: ResponseTarget | undefined
}

/**
 * Gathers the facts and applies the rules that do not depend on the user. `sent`: the parameters of the HTTP request;
 * those of the authorization request may have to be looked up first.
 */
export async function checkRequest(
  service: Service,
  request: Request,
  sent: Parameters,
): Promise<CheckedRequest | RefusedRequest> {
  const conveyed = refersElsewhere(sent)
    ? await (await conveyance()).findConveyed(service, request, sent)
    : conveyedPlainly(sent)
  if (isRefusal(conveyed)) return asRefusal({ refusal: conveyed, target: undefined })
  const sentRequest = parseAuthorizationRequest(conveyed.parameters, conveyed.conveyance)
  if (isRefusal(sentRequest)) return asRefusal({ refusal: sentRequest, target: undefined })
  const cookie = service.sessions.cookieOf(request)
  const find = (scopes: readonly string[]): Promise<AuthorizeFacts> =>
    service.storage.authorizations.findForRequest({
      clientId: sentRequest.clientId,
      scopes,
      sessionId: cookie?.id ?? null,
    })
  const stored = await find(scopesToConsent(sentRequest))
  const client = await currentClient(service, request, sentRequest.clientId, stored.client)
  if (isRefusal(client)) return asRefusal({ refusal: client, target: undefined })
  const wanted = client === undefined ? sentRequest.scopes : withDefaultScopes(sentRequest.scopes, client)
  const askedScopes = scopesToConsent({ ...sentRequest, scopes: wanted })
  // Read again where the client has scopes that are requested without a word.
  const facts = { ...(wanted === sentRequest.scopes ? stored : await find(askedScopes)), client }
  const parsed = client === undefined ? sentRequest : completedRequest(sentRequest, client, facts.scopes)
  const valid = await checkParsed(service, parsed, facts)
  if (isRefusal(valid)) return valid
  const signedIn = service.sessions.verify(cookie, facts.signedIn)
  const consentScopes = scopesToConsent(valid.request)
  // The consent is read again if the client may not have all that it requested.
  const consented = hasSameScopes(consentScopes, askedScopes) ? facts : await find(consentScopes)
  const { authorization: given, scopes } = consented
  const authorization =
    signedIn === undefined
      ? undefined
      : await consentThatCounts(service, signedIn.user.id, valid.client, {
          given,
          scopes: consentScopes,
          registered: scopes,
        })
  return {
    ...valid,
    scopes,
    consentScopes,
    signedIn,
    authorization,
    catalogueVersion: facts.catalogueVersion,
    pushed: conveyed.pushed,
    mark: conveyed.mark,
  }
}

/** Applies the rules that depend on client and scopes alone. `request`: what it means for this client. */
export async function checkParsed(
  service: Service,
  parsed: AuthorizationRequest,
  facts: Pick<AuthorizeFacts, 'client' | 'scopes'>,
): Promise<Pick<CheckedRequest, 'request' | 'client' | 'target' | 'hint' | 'resources'> | RefusedRequest> {
  const target = resolveTarget(parsed, facts.client)
  if (isRefusal(target)) return asRefusal({ refusal: parsed.conveyance.fault ?? target, target: undefined })
  const { client } = target
  const hint =
    parsed.idTokenHint === null
      ? undefined
      : await verifyIdTokenHint(parsed.idTokenHint, service.keys, service.settings.oauth.issuer)
  // What rules set is read for requests that ask for other claims than those of the standard.
  const ruled = hasOtherClaims(parsed.claims) ? (await service.catalogue.now()).scopes : undefined
  const effective = effectiveRequest(parsed, client, facts.scopes, ruled)
  const refusal = checkAuthorizationRequest(effective, client, facts.scopes, hint)
  if (refusal !== undefined) return asRefusal({ refusal, target })
  const permitted = resourcesOf(effective.scopes, facts.scopes, service.settings.oauth.issuer)
  const resources = chooseResources(effective.resources, permitted, service.settings.oauth.issuer, client.id)
  if (isRefusal(resources)) return asRefusal({ refusal: resources, target })
  return { request: effective, client, target, hint, resources }
}
