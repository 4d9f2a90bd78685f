/**
 * Finds the parameters of an authorization request: in the request itself, pushed before (RFC 9126), or in a signed
 * request object (RFC 9101).
 */

import { withoutFields } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import { checkPushedRequest, requestUriPrefix } from '../protocol/authorization-request/pushed-request.ts'
import {
  judgeRequestObject,
  parametersOfObject,
  readRequestObject,
  requestObjectAlgorithm,
} from '../protocol/authorization-request/request-object.ts'
import { testUriOf } from '../protocol/authorization-request/test-sign-in.ts'
import type { Client } from '../protocol/client/client.ts'
import { clientAlgorithms } from '../protocol/client/signing-algorithms.ts'
import { ParameterReader, type Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { parseOpaque, secretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import { openTest } from '../tokens/test-sign-in.ts'
import { currentClient } from './current-client.ts'
import { type ConveyedRequest, conveyedPlainly, isPushed } from './plain-request.ts'

/** Leaves room for the rest of the return URL. Longer objects must be pushed. In characters. */
const objectAtMost = 6000

/**
 * Looks up the request that `request_uri` or `request` stands for. All other parameters beside it are ignored but
 * `client_id` (RFC 9101 §5, §6.3): an attacker could have added them. A refusal is shown to the user.
 */
export async function findConveyed(
  service: Service,
  request: Request,
  sent: Parameters,
): Promise<ConveyedRequest | Refusal> {
  if (sent.some(([name, value]) => isPushed(name, value))) return findPushed(service, request, sent)
  // An address beside the object is refused like any other.
  if (sent.some(([name, value]) => name === 'request_uri' && value !== '')) return conveyedPlainly(sent)
  return openObject(service, request, sent)
}

async function findPushed(service: Service, request: Request, sent: Parameters): Promise<ConveyedRequest | Refusal> {
  if (sent.some(([name, value]) => name === 'request' && value !== '')) {
    return refuse('request_beside_request_uri', 'request')
  }
  const reader = new ParameterReader(sent)
  const clientId = reader.mandatory('client_id') ?? ''
  const requestUri = reader.mandatory('request_uri') ?? ''
  if (reader.fault !== undefined) return reader.fault
  const parts = parseOpaque(requestUri.slice(requestUriPrefix.length))
  if (parts === undefined) {
    return refuse('request_uri_unknown', 'request_uri', { client: clientId, rule: 'it is malformed' })
  }
  const found = await service.storage.pushedRequests.find(parts.id)
  const pushed = found !== undefined && secretMatches(found.secretHash, parts.secretHash) ? found : undefined
  const mark: Parameters = [['pushed request', parts.id]]
  const openedBefore = service.openedRequests.markedAt(request, mark) !== undefined
  const fault = checkPushedRequest(pushed, clientId, openedBefore, service.clock())
  if (fault !== undefined || pushed === undefined) return fault ?? refuse('request_uri_unknown', 'request_uri')
  const { parameters, signed } = pushed
  const testUri = testUriOf(parameters, clientId, (state) => openTest(state, service.keys))
  return { parameters, conveyance: { pushed: true, signed, ...(testUri && { testUri }) }, pushed, mark }
}

async function openObject(service: Service, request: Request, sent: Parameters): Promise<ConveyedRequest | Refusal> {
  const reader = new ParameterReader(sent)
  const clientId = reader.mandatory('client_id') ?? ''
  const jws = reader.mandatory('request') ?? ''
  if (reader.fault !== undefined) return reader.fault
  const client = await currentClient(service, request, clientId, await service.storage.clients.find(clientId))
  if (isRefusal(client)) return client
  if (client === undefined) return refuse('client_unknown', 'client_id', { received: clientId })
  const mark: Parameters = [['request object', jws]]
  const openedAtMs = service.openedRequests.markedAt(request, mark) ?? service.clock()
  const parameters =
    jws.length > objectAtMost
      ? refuse('parameter_too_long', 'request', { client: clientId, length: jws.length, limit: objectAtMost })
      : await parametersIn(service, jws, client, openedAtMs)
  if (!isRefusal(parameters))
    return { parameters, conveyance: { pushed: false, signed: true }, pushed: undefined, mark }
  const beside = withoutFields(sent, ['request'])
  const conveyance = { pushed: false, signed: false, fault: parameters }
  return { parameters: beside, conveyance, pushed: undefined, mark: undefined }
}

/** Verifies a request object of the client and returns its parameters. `openedAtMs`: when it was received first. */
export async function parametersIn(
  { settings, clientKeys }: Service,
  jws: string,
  client: Client,
  openedAtMs: number,
): Promise<Parameters | Refusal> {
  const { metadata } = client
  if (metadata.jwks === null && metadata.jwks_uri === null) {
    return refuse('request_object_unsupported', 'request', { client: client.id })
  }
  const { issuer, postQuantum } = settings.oauth
  const context = { issuer, algorithms: clientAlgorithms(postQuantum), nowMs: openedAtMs }
  const object = readRequestObject(jws, client.id)
  if (isRefusal(object)) return object
  const algorithm = requestObjectAlgorithm(object, client, context)
  if (isRefusal(algorithm)) return algorithm
  const invalid = judgeRequestObject(object, client, context)
  if (invalid !== undefined) return invalid
  const fault = await clientKeys.signatureFault(jws, algorithm, metadata, client.id)
  if (fault !== undefined) return refuse('request_object_signature', 'request', { client: client.id, rule: fault })
  return parametersOfObject(object, client.id)
}
