/** `/connect/device`: the device authorization endpoint (RFC 8628 §3.1). */
import { auditEvent } from '../audit/request-events.ts'
import { type Answer, json } from '../http/answer.ts'
import { readForm, withQuery } from '../http/parameters.ts'
import { pollIntervalMs } from '../http/poll-pacing.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { type AuthenticatedClient, readClientCredentials } from '../protocol/client-authentication/index.ts'
import { decideDeviceRequest } from '../protocol/device/device-code.ts'
import { showUserCode } from '../protocol/device/user-code.ts'
import { ParameterReader } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { maxResources } from '../protocol/scope/resource.ts'
import { readScopes, withDefaultScopes } from '../protocol/scope/scope.ts'
import { isRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { type MintedCodes, mintCodes } from '../tokens/device-code.ts'
import { authenticate } from './client-authentication.ts'
import { overLimit } from './public-client-limit.ts'

/** Ended codes are kept for a while, so that a device that polls late learns that its code has expired. */
const keptMs = 3_600_000
/** User codes are random, so a second one is hardly ever taken. */
const maxAttempts = 3

export function deviceAuthorization(service: Service): Endpoint {
  const { answers } = service
  return async (request) => {
    // gather
    const form = readForm(request)
    if (isRefusal(form)) return answers.refuseAsJson(request, form)
    const reader = new ParameterReader(form)
    const credentials = readClientCredentials(reader, request.headers.authorization, () => refuse('client_id_missing'))
    if (isRefusal(credentials)) return answers.refuseAsJson(request, credentials)
    const scopes = readScopes(reader)
    const resources = reader.repeatable('resource', maxResources)
    if (reader.fault !== undefined) return answers.refuseAsJson(request, reader.fault)
    const { clientId } = credentials
    const facts = await service.storage.authorizations.findForRequest({ clientId, scopes, sessionId: null })
    const client = await authenticate(service, request, credentials, facts.client)
    if (isRefusal(client)) return answers.refuseAsJson(request, client)
    const wanted = withDefaultScopes(scopes, client)
    const registered = wanted === scopes ? facts.scopes : await service.storage.scopes.findMany(wanted)
    const asked = withDefaultScopes(scopes, client, registered)

    // decide
    const { issuer } = service.settings.oauth
    const decided = decideDeviceRequest({ scopes: asked, resources }, client, registered, issuer)
    if (isRefusal(decided)) return answers.refuseAsJson(request, decided)
    const retryAfterSeconds = overLimit(service.deviceRequests, request, client, JSON.stringify(decided).length)
    if (retryAfterSeconds !== undefined) {
      const refusal = refuse('device_requests_exceeded', '', { client: client.id, address: request.address })
      return answers.fail(request, refusal, retryAfterSeconds)
    }

    // commit
    const codes = await store(service, request, client, decided)
    return isRefusal(codes) ? answers.refuseAsJson(request, codes) : answer(service, codes)
  }
}

async function store(
  { storage, keys, random, clock, settings }: Service,
  request: Request,
  client: AuthenticatedClient,
  decided: { readonly scopes: readonly string[]; readonly resources: readonly string[] },
): Promise<MintedCodes | Refusal> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const nowMs = clock()
    const codes = mintCodes(keys, random, nowMs)
    const { id, secretHash, userCodeHash } = codes
    const endsAtMs = nowMs + settings.oauth.deviceCodeLifetimeSeconds * 1000
    const code = { id, secretHash, userCodeHash, clientId: client.id, ...decided, createdAtMs: nowMs, endsAtMs }
    const details = { id, scopes: decided.scopes }
    const event = auditEvent(request, nowMs, 'device_started', { clientId: client.id }, details)
    if (await storage.deviceCodes.create({ ...code, answer: null }, endsAtMs + keptMs, [event])) return codes
  }
  // Not the user code: three random ones are not taken. The client was deleted meanwhile.
  return refuse('client_unknown_at_token', 'client_id', { received: client.id })
}

/** RFC 8628 §3.2. */
function answer({ settings }: Service, { deviceCode, userCode }: MintedCodes): Answer {
  const { issuer, deviceCodeLifetimeSeconds } = settings.oauth
  const shown = showUserCode(userCode)
  const address = `${issuer}Account/Device`
  return json({
    device_code: deviceCode,
    user_code: shown,
    verification_uri: address,
    verification_uri_complete: withQuery(address, [['user_code', shown]]),
    expires_in: deviceCodeLifetimeSeconds,
    interval: pollIntervalMs / 1000,
  })
}
