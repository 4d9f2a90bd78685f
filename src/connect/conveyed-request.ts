/** Finds the parameters of an authorization request: in the request itself, or pushed before (RFC 9126). */
import type { Request } from '../http/request.ts'
import { type Conveyance, plainly } from '../protocol/conveyance.ts'
import { ParameterReader, type Parameters } from '../protocol/parameters.ts'
import { checkPushedRequest, type PushedRequest, requestUriPrefix } from '../protocol/pushed-request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { parseOpaque, secretMatches } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'

/** The parameters that count, and how they arrived. */
export type ConveyedRequest = {
  readonly parameters: Parameters
  readonly conveyance: Conveyance
  /** The stored request, if it was pushed. */
  readonly pushed: PushedRequest | undefined
}

/** Whether the parameters must be looked up. A plain request is parsed as sent. */
export function refersElsewhere(sent: Parameters): boolean {
  return sent.some(([name, value]) => name === 'request_uri' && value.startsWith(requestUriPrefix))
}

/** Returns the parameters of a request as sent. */
export function conveyedPlainly(sent: Parameters): ConveyedRequest {
  return { parameters: sent, conveyance: plainly, pushed: undefined }
}

/**
 * Looks up the request that `request_uri` names. All other parameters beside it are ignored but `client_id` (RFC 9126
 * §4, RFC 9101 §5): an attacker could have added them. A refusal is shown to the user.
 */
export async function findConveyed(
  service: Service,
  request: Request,
  sent: Parameters,
): Promise<ConveyedRequest | Refusal> {
  const reader = new ParameterReader(sent)
  const clientId = reader.mandatory('client_id') ?? ''
  const requestUri = reader.mandatory('request_uri') ?? ''
  if (reader.fault !== undefined) return reader.fault
  const parts = parseOpaque(requestUri.slice(requestUriPrefix.length))
  if (!requestUri.startsWith(requestUriPrefix) || parts === undefined) {
    return refuse('request_uri_unknown', 'request_uri', { client: clientId, rule: 'it is malformed' })
  }
  const found = await service.storage.pushedRequests.find(parts.id)
  const pushed = found !== undefined && secretMatches(found.secretHash, parts.secretHash) ? found : undefined
  const openedBefore = pushed !== undefined && openedAtMs(service, request, pushed) !== undefined
  const fault = checkPushedRequest(pushed, clientId, openedBefore, service.clock())
  if (fault !== undefined || pushed === undefined) return fault ?? refuse('request_uri_unknown', 'request_uri')
  return { parameters: pushed.parameters, conveyance: { pushed: true, signed: pushed.signed }, pushed }
}

/** Identifies a pushed request in the cookies of a browser. */
export function markOf(pushed: PushedRequest): Parameters {
  return [['pushed request', pushed.id]]
}

function openedAtMs({ openedRequests }: Service, request: Request, pushed: PushedRequest): number | undefined {
  return openedRequests.markedAt(request, markOf(pushed))
}
