/**
 * `/connect/par`: the pushed authorization request endpoint (RFC 9126). Authenticates the client as the token endpoint
 * does, and refuses what the authorization endpoint would refuse.
 */
import { type Answer, json } from '../http/answer.ts'
import { readForm, withoutFields } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { parseAuthorizationRequest } from '../protocol/authorization-request/authorization-request.ts'
import { completedRequest } from '../protocol/authorization-request/effective-request.ts'
import {
  credentialParameters,
  interactionSeconds,
  maxPushedLength,
  requestUriPrefix,
} from '../protocol/authorization-request/pushed-request.ts'
import { readClientCredentials, spentByCredentials } from '../protocol/client-authentication/index.ts'
import { ParameterReader, type Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { withDefaultScopes } from '../protocol/scope/scope.ts'
import { isRefusal } from '../refusal.ts'
import { mintOpaque, uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { checkParsed } from './checked-request.ts'
import { verifyCredentials } from './client-authentication.ts'
import { parametersIn } from './conveyed-request.ts'
import { currentClient } from './current-client.ts'
import { boundTo, readProof, withNonce } from './dpop.ts'
import { overLimit } from './public-client-limit.ts'
import { refuseUsed } from './single-use.ts'

export function pushedAuthorizationRequest(service: Service): Endpoint {
  return async (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return service.answers.refuseAsJson(request, form)
    const pushed = await push(service, request, form)
    const answer = isRefusal(pushed) ? service.answers.refuseAsJson(request, pushed) : pushed
    return withNonce(service, request, answer)
  }
}

async function push(service: Service, request: Request, form: Parameters): Promise<Answer | Refusal> {
  // gather
  const reader = new ParameterReader(form)
  const { authorization } = request.headers
  const credentials = readClientCredentials(reader, authorization, () => refuse('client_id_missing'))
  if (isRefusal(credentials)) return credentials
  const sent = identified(withoutFields(form, credentialParameters), credentials.clientId)
  const jws = reader.optional('request')
  if (reader.fault !== undefined) return reader.fault
  const plain = parseAuthorizationRequest(sent, { pushed: true, signed: false })
  const facts = await service.storage.authorizations.findForRequest({
    clientId: credentials.clientId,
    scopes: isRefusal(plain) ? [] : plain.scopes,
    sessionId: null,
  })

  // decide
  const known = await currentClient(service, request, credentials.clientId, facts.client)
  if (isRefusal(known)) return known
  const client = await verifyCredentials(service, request, credentials, known)
  if (isRefusal(client)) return client
  if (sent.some(([name]) => name === 'request_uri')) {
    return refuse('request_uri_pushed', 'request_uri', { client: client.id })
  }
  const nowMs = service.clock()
  // RFC 9126 §3: all parameters are in the object then.
  const parameters = jws === null ? sent : await parametersIn(service, jws, client, nowMs)
  if (isRefusal(parameters)) return parameters
  const signed = jws !== null
  const asked = signed ? parseAuthorizationRequest(parameters, { pushed: true, signed }) : plain
  if (isRefusal(asked)) return asked
  const wanted = withDefaultScopes(asked.scopes, client)
  const isRead = !signed && wanted === asked.scopes
  const scopes = isRead ? facts.scopes : await service.storage.scopes.findMany(wanted)
  const parsed = completedRequest(asked, client, scopes)
  const valid = await checkParsed(service, parsed, { client, scopes })
  if (isRefusal(valid)) return valid.refusal
  const key = await readProof(service, request, `${service.settings.oauth.issuer}connect/par`)
  if (isRefusal(key)) return key
  const bound = key === undefined ? parameters : boundTo(key, parameters, parsed.dpopKey)
  if (isRefusal(bound)) return bound
  const length = JSON.stringify(bound).length
  const limit = maxPushedLength(client)
  if (length > limit) {
    return refuse('pushed_request_too_large', '', { client: client.id, length, limit })
  }

  const retryAfterSeconds = overLimit(service.pushes, request, client, length)
  if (retryAfterSeconds !== undefined) {
    const refusal = refuse('pushes_exceeded', '', { client: client.id, address: request.address })
    return service.answers.fail(request, refusal, retryAfterSeconds)
  }

  // commit
  const lifetimeSeconds = service.settings.oauth.pushedRequestLifetimeSeconds
  const opensUntilMs = nowMs + lifetimeSeconds * 1000
  const { id, secretHash, value } = mintOpaque(uuidv7(nowMs, service.random), service.random)
  const spends = [...(key ? [key.spend] : []), ...spentByCredentials(credentials)]
  const pushed = {
    id,
    secretHash,
    clientId: client.id,
    parameters: bound,
    signed,
    createdAtMs: nowMs,
    opensUntilMs,
    completedAtMs: null,
    expiresAtMs: opensUntilMs + interactionSeconds * 1000,
  }
  const stored = await service.storage.pushedRequests.store(pushed, spends)
  if (stored !== true) return refuseUsed(spends, stored)

  // answer (RFC 9126 §2.2)
  return json({ request_uri: `${requestUriPrefix}${value}`, expires_in: lifetimeSeconds }, 201)
}

/** Adds the id of a client that named itself in the Authorization header only. */
function identified(parameters: Parameters, clientId: string): Parameters {
  return parameters.some(([name, value]) => name === 'client_id' && value !== '')
    ? parameters
    : [['client_id', clientId], ...parameters]
}
