/** Test sign-ins: the pushed request that begins one, and the redemption of its code by the service itself. */
import { createHash } from 'node:crypto'
import type { AuditEvent } from '../audit/entry.ts'
import { withQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { parseAuthorizationRequest } from '../protocol/authorization-request/authorization-request.ts'
import { completedRequest } from '../protocol/authorization-request/effective-request.ts'
import { interactionSeconds, requestUriPrefix } from '../protocol/authorization-request/pushed-request.ts'
import {
  checkTestPerson,
  type OwnTest,
  type TestSignIn,
  testedClient,
} from '../protocol/authorization-request/test-sign-in.ts'
import type { Client } from '../protocol/client/client.ts'
import { checkGrantType, type GrantType } from '../protocol/grant/grant-types.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { withDefaultScopes } from '../protocol/scope/scope.ts'
import type { Confirmation } from '../protocol/token/confirmation.ts'
import { isRefusal } from '../refusal.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { openCode } from '../tokens/code.ts'
import type { TokenResponse } from '../tokens/mint.ts'
import { sealTest } from '../tokens/test-sign-in.ts'
import { checkParsed } from './checked-request.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import { clientCredentials } from './grants/client-credentials.ts'
import type { GrantFacts, GrantHandler } from './grants/grant-handler.ts'

/** `path`: what a browser opens. `state`: of the answer, whether tokens come of it or an error. */
export type BegunTest = { readonly path: string; readonly state: string }

/** Stores the authorization request of a test as a pushed one. */
export async function beginTest(service: Service, client: Client, test: TestSignIn): Promise<BegunTest | Refusal> {
  const { storage, clock, random, settings } = service
  const nowMs = clock()
  const state = sealTest(test, service.keys, random)
  const parameters: Parameters = [
    ['client_id', client.id],
    ['response_type', 'code'],
    ['redirect_uri', test.redirectUri],
    ['scope', scopesOf(client, 'openid').join(' ')],
    ['state', state],
    ['nonce', Buffer.from(random(16)).toString('base64url')],
    ['code_challenge', createHash('sha256').update(test.verifier).digest('base64url')],
    ['code_challenge_method', 'S256'],
  ]
  const asked = parseAuthorizationRequest(parameters, { pushed: true, signed: false, testUri: test.redirectUri })
  if (isRefusal(asked)) return asked
  const scopes = await storage.scopes.findMany(withDefaultScopes(asked.scopes, client))
  const valid = await checkParsed(service, completedRequest(asked, client, scopes), { client, scopes })
  if (isRefusal(valid)) return valid.refusal
  const opensUntilMs = nowMs + settings.oauth.pushedRequestLifetimeSeconds * 1000
  const { id, secretHash, value } = mintOpaque(uuidv7(nowMs, random), random)
  await storage.pushedRequests.store(
    {
      id,
      secretHash,
      clientId: client.id,
      parameters,
      signed: false,
      createdAtMs: nowMs,
      opensUntilMs,
      completedAtMs: null,
      expiresAtMs: opensUntilMs + interactionSeconds * 1000,
    },
    [],
  )
  const path = withQuery('/connect/authorize', [
    ['client_id', client.id],
    ['request_uri', `${requestUriPrefix}${value}`],
  ])
  return { path, state }
}

/** All that it may request. `first`: a scope that needs no permission. */
function scopesOf({ scopes, grantTypes, metadata }: Client, ...first: string[]): readonly string[] {
  const hasRefresh = grantTypes.includes('refresh_token') || metadata.refresh_token_scope !== 'offline_access'
  const more = scopes.filter((one) => one !== 'openid' && (one !== 'offline_access' || hasRefresh))
  return [...first, ...more]
}

/** Redeems the code of a test, and revokes its grant at once. `event`: the entry of the trail. */
export async function redeemTest(
  service: Service,
  http: Request,
  test: OwnTest,
  code: string,
  event: AuditEvent,
): Promise<TokenResponse | Refusal> {
  const content = openCode(code, service.keys)
  const otherPerson = checkTestPerson(test, content?.userId)
  if (otherPerson !== undefined) return otherPerson
  const { redirectUri, verifier: codeVerifier } = test
  const request = { code, redirectUri, codeVerifier, resources: [] }
  const tokens = await exchange(service, http, test, 'authorization_code', authorizationCode, request)
  if (!isRefusal<TokenResponse | Refusal>(tokens)) {
    await service.storage.grants.revoke(content?.grantId ?? '', service.clock(), [event])
  }
  return tokens
}

/** A token of a client that acts for itself. */
export async function testOfMachine(
  service: Service,
  http: Request,
  client: Client,
  event: AuditEvent,
): Promise<TokenResponse | Refusal> {
  const scopes = scopesOf(client).filter((one) => one !== 'offline_access')
  const request = { scopes, resources: [] }
  const about = { clientId: client.id }
  const tokens = await exchange(service, http, about, 'client_credentials', clientCredentials, request)
  if (!isRefusal<TokenResponse | Refusal>(tokens)) await service.storage.audit.append([event])
  return tokens
}

/** As the token endpoint does, with the test in place of the credentials. */
async function exchange<Request_, Facts extends GrantFacts>(
  service: Service,
  http: Request,
  test: Pick<OwnTest, 'clientId'>,
  type: GrantType,
  handler: GrantHandler<Request_, Facts>,
  request: Request_,
): Promise<TokenResponse | Refusal> {
  const context = { service, http, clientId: test.clientId, presentedAtMs: service.clock() }
  const facts = await handler.gather(context, request)
  if (facts.client === undefined) return refuse('client_unknown_at_token', 'client_id', { received: test.clientId })
  const client = testedClient(facts.client, test)
  if (isRefusal(client)) return client
  const notPermitted = checkGrantType(type, client)
  if (notPermitted !== undefined) return notPermitted
  const confirmation = keyOfNobody(service, client.metadata)
  const outcome = await handler.exchange({ ...context, confirmation, spends: [] }, request, facts, client)
  return 'overtaken' in outcome ? outcome.overtaken : outcome
}

/** For a client whose tokens are bound: the thumbprint of a key that nobody has. */
function keyOfNobody({ random }: Service, metadata: Client['metadata']): Confirmation | null {
  const thumbprint = () => Buffer.from(random(32)).toString('base64url')
  if (metadata.dpop_bound_access_tokens) return { jkt: thumbprint() }
  return metadata.tls_client_certificate_bound_access_tokens ? { 'x5t#S256': thumbprint() } : null
}
