/**
 * `/connect/token`: the token endpoint (RFC 6749 §3.2). Reads the form, authenticates the client and delegates to the
 * grant type. Tokens are signed while the commit is in progress and sent when it is durable.
 */

import { json } from '../http/answer.ts'
import { answeredFor } from '../http/cross-origin.ts'
import { readForm } from '../http/parameters.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { isSelfRegistered } from '../protocol/client/client.ts'
import {
  type AuthenticatedClient,
  readClientCredentials,
  spentByCredentials,
} from '../protocol/client-authentication/index.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { checkGrantType, findGrantType } from '../protocol/grant/grant-types.ts'
import { ParameterReader, type Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { StorageUnavailable } from '../storage/port/unavailable.ts'
import type { TokenResponse } from '../tokens/mint.ts'
import { certificateFor } from './bound-certificate.ts'
import { verifyCredentials } from './client-authentication.ts'
import { needsProof, readProof, withNonce } from './dpop.ts'
import { grantHandlers } from './grants/index.ts'
import { overLimit } from './public-client-limit.ts'

/** Each lost race means that another request of the same client won, so a few attempts suffice for honest clients. */
const maxAttempts = 5
/** What a request stores at most, roughly: an entry of the trail, and values that were used once. */
const bytesOfRequest = 1024

export function token(service: Service): Endpoint {
  const lost = (error: unknown): never => {
    if (error instanceof StorageUnavailable) service.uptime.lost()
    throw error
  }
  return (request) => {
    const form = readForm(request)
    if (isRefusal(form)) return Promise.resolve(service.answers.refuseAsJson(request, form))
    return exchange(service, request, form).then((answer) => {
      if (isRefusal(answer) && answer.reason === 'token_requests_exceeded') {
        return service.answers.fail(request, answer, 60)
      }
      if (isRefusal(answer)) return withNonce(service, request, service.answers.refuseAsJson(request, answer))
      service.uptime.answered()
      return withNonce(service, request, json(answer))
    }, lost)
  }
}

async function exchange(service: Service, http: Request, form: Parameters): Promise<TokenResponse | Refusal> {
  const reader = new ParameterReader(form)
  const name = reader.mandatory('grant_type')
  if (reader.fault !== undefined) return reader.fault
  const grantType = findGrantType(name ?? '')
  if (typeof grantType !== 'string') return grantType
  // RFC 9396 §6: no type is supported, at the token endpoint either.
  if (reader.optional('authorization_details') !== null) return refuse('authorization_details_unsupported')
  const found = grantHandlers[grantType]()
  const handler = found instanceof Promise ? await found : found
  const credentials = readClientCredentials(reader, http.headers.authorization, handler.refuseWithoutClient)
  if (isRefusal(credentials)) return credentials
  answeredFor(http, credentials.clientId)
  const parameters = handler.parse(reader)
  if (reader.fault !== undefined) return reader.fault

  const context = { service, http, clientId: credentials.clientId, presentedAtMs: service.clock() }
  for (let attempt = 1; ; attempt += 1) {
    const facts = await handler.gather(context, parameters)
    const authenticated = verifyCredentials(service, http, credentials, facts.client)
    const client = authenticated instanceof Promise ? await authenticated : authenticated
    if (isRefusal(client)) return client
    const notPermitted = checkGrantType(grantType, client)
    if (notPermitted !== undefined) return notPermitted
    // Before anything is used up: the same request may be sent again.
    if (attempt === 1 && isSelfRegistered(client) && isOverLimit(service, http, client)) {
      return refuse('token_requests_exceeded', '', { client: client.id, address: http.address })
    }
    // Checked before anything that the request could use up.
    const address = `${baseOf(service.settings.oauth.issuer)}connect/token`
    const key = http.headers.dpop === undefined ? undefined : await readProof(service, http, address)
    if (isRefusal(key)) return key
    if (key === undefined && needsProof(client)) return refuse('dpop_proof_missing', 'DPoP', { client: client.id })
    // A proof by any key does not replace the certificate, unless the client is registered for both.
    const certificate = key && client.metadata.dpop_bound_access_tokens ? null : certificateFor(http, client)
    if (isRefusal(certificate)) return certificate
    const ofCredentials = spentByCredentials(credentials)
    const spends = key ? [key.spend, ...ofCredentials] : ofCredentials
    const proven = { ...context, confirmation: certificate ?? (key ? { jkt: key.jkt } : null), spends }
    const outcome = await handler.exchange(proven, parameters, facts, client)
    if (!('overtaken' in outcome)) return outcome
    if (attempt === maxAttempts) return outcome.overtaken
  }
}

/** Whether a client that anybody could register wrote its part of this minute. */
function isOverLimit({ tokenRequests }: Service, http: Request, client: AuthenticatedClient): boolean {
  return overLimit(tokenRequests, http, client, bytesOfRequest) !== undefined
}
