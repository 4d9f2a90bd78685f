/** `/connect/register`: clients register themselves (RFC 7591 §3). */
import { auditEvent } from '../audit/request-events.ts'
import type { Answer } from '../http/answer.ts'
import { networksOf } from '../http/networks.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { type Client, clientType } from '../protocol/client/client.ts'
import { algorithmsKeptFor } from '../protocol/client/client-algorithms.ts'
import { changesOf, refuseProblems, registerDynamically } from '../protocol/client/dynamic-registration.ts'
import type { InitialAccessToken } from '../protocol/client/registration-record.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { mintOpaque, secretMatches, uuidv7 } from '../secrets/opaque.ts'
import { methodIn, mintSecretFor } from '../secrets/sealed-secret.ts'
import type { Service } from '../service.ts'
import type { JudgingRules } from '../storage/port/claim-rules.ts'
import {
  clientInformation,
  contextOf,
  policyOf,
  readDocument,
  readToken,
  refuseToken,
  unusedForMs,
} from './registration-answers.ts'

/** `mode`: the setting `OAuth:DynamicRegistration`. */
export function register(service: Service, mode: 'token' | 'open'): Endpoint {
  const { answers, clock, registrations, registrationRequests } = service
  const tooMany = (request: Request, retryAfterSeconds: number): Answer =>
    answers.fail(request, refuse('registrations_exhausted'), retryAfterSeconds)
  return async (request) => {
    // gather: who may register, before any work on the metadata
    const retryAfterSeconds = registrationRequests.take(request, request.body.length)
    if (retryAfterSeconds !== undefined) return tooMany(request, retryAfterSeconds)
    const isWithToken = mode === 'token' || request.headers.authorization !== undefined
    const token = isWithToken ? await initialTokenOf(service, request) : null
    if (token === undefined) return refuseToken(service, request)
    if (isWithToken) return registerOne(service, request, token)
    const networks = networksOf(request.address)
    const exhaustedForMs = registrations.exhaustedForMs(networks)
    if (exhaustedForMs !== undefined || !registrations.hasRoom(networks)) {
      return tooMany(request, Math.max(1, Math.ceil((exhaustedForMs ?? 1000) / 1000)))
    }
    const end = registrations.begin(networks)
    let isCounted = false
    try {
      const answer = await registerOne(service, request, null)
      isCounted = answer.status === 201
      return answer
    } finally {
      end(isCounted)
    }
  }

  async function registerOne(service: Service, request: Request, token: InitialAccessToken | null): Promise<Answer> {
    const { random } = service
    const document = readDocument(request)
    if (isRefusal(document)) return answers.refuseAsJson(request, document)
    const policy = policyOf(service, token === null ? 'open' : 'token', token?.permits)
    const changes = changesOf(document, policy)
    const { secret, stored } = mintSecretFor(methodIn(changes), service.keys, random)
    const context = await contextOf(service, changes, stored, { by: token === null ? 'anybody' : 'token' })

    // decide
    const nowMs = clock()
    const id = `dyn-${Buffer.from(random(16)).toString('hex')}`
    let judged: ReturnType<typeof registerDynamically> | undefined
    const decide = (rules: JudgingRules): Client | undefined => {
      judged = registerDynamically(id, changes, policy, { ...context, rules }, nowMs)
      return isRefusal(judged) ? undefined : judged
    }

    // commit
    const management = mintOpaque(uuidv7(nowMs, random), random)
    const added = (client: Client) => {
      const { consent, scopes, redirectUris } = client
      const details = { registration: policy.mode, type: clientType(client), consent, scopes, redirectUris }
      return [auditEvent(request, nowMs, 'client_added', { clientId: id }, details)]
    }
    const registration = {
      id: management.id,
      clientId: id,
      secretHash: management.secretHash,
      createdAtMs: nowMs,
      unusedUntilMs: token === null ? nowMs + unusedForMs : null,
    }
    const { registrations } = service.storage
    const isStored = await registrations.register(decide, registration, token?.id ?? null, nowMs, added)
    const client = judged
    if (client !== undefined && isRefusal(client)) {
      return answers.refuseAsJson(request, refuseProblems(client.problems))
    }
    // Others used the token up meanwhile.
    if (!isStored || client === undefined) return refuseToken(service, request)

    // Published before they sign. What fails here is made at the first use.
    const algorithms = algorithmsKeptFor(client.metadata, service.settings.oauth.postQuantum)
    await Promise.all(algorithms.map((algorithm) => service.keys.signer(algorithm))).catch(() => {})

    // answer
    const hasSecret = client.authentication.method === 'client_secret'
    return clientInformation(service, client, management.value, hasSecret ? secret : null, 201)
  }
}

/** Returns the initial access token of the request; undefined: it is not valid. */
async function initialTokenOf({ storage, clock }: Service, request: Request): Promise<InitialAccessToken | undefined> {
  const presented = readToken(request)
  if (presented === undefined) return undefined
  const found = await storage.registrations.findToken(presented.id)
  if (found === undefined || !secretMatches(presented.secretHash, found.secretHash)) return undefined
  return found.usesLeft > 0 && clock() < found.expiresAtMs ? found : undefined
}
