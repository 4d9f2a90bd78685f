/** What `/connect/register` and `/connect/register/{client_id}` have in common (RFC 7591 §3.2, RFC 7592 §3). */

import { type Answer, json, withHeaders } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Request } from '../http/request.ts'
import type { addressesBy, Client } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import { type RegistrationContext, scopesToLookUp } from '../protocol/client/client-registration.ts'
import {
  type DynamicPolicy,
  documentProblem,
  type MetadataDocument,
  refuseProblems,
} from '../protocol/client/dynamic-registration.ts'
import { clientRecord } from '../protocol/client/records.ts'
import type { RegistrationPermits } from '../protocol/client/registration-record.ts'
import { sectorUrisToFetch } from '../protocol/client/sector.ts'
import { offeredAlgorithms } from '../protocol/client/signing-algorithms.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { bearerChallenge, readBearerToken } from '../protocol/token/bearer.ts'
import { isRefusal } from '../refusal.ts'
import { type OpaqueParts, parseOpaque } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'

/** Each authorization request reads the client, so its size is bounded. */
export const documentLengthAtMost = 32 * 1024

/** A client that registered itself and was not used until then is removed. In milliseconds. */
export const unusedForMs = 30 * 86_400_000

/** Of a document. The object of many members is dear to make; a client has about a hundred. */
const colonsAtMost = 1000

export function readDocument(request: Request): MetadataDocument | Refusal {
  // Each member has one, outside of texts or in them.
  if (hasMore(request.body, 0x3a, colonsAtMost)) return refuse('registration_body_malformed')
  const document = readJsonObject(request, documentLengthAtMost)
  if (document === undefined) return refuse('registration_body_malformed')
  const fault = documentProblem(document)
  return fault === undefined ? document : refuseProblems([fault])
}

/** Returns the token in the Authorization header with its parts; undefined: none, or not well-formed. */
export function readToken(request: Request): (OpaqueParts & { readonly value: string }) | undefined {
  const presented = readBearerToken(request.headers.authorization, [])
  if (presented === undefined || isRefusal(presented)) return undefined
  const parts = parseOpaque(presented.token)
  return parts && { ...parts, value: presented.token }
}

export function policyOf(
  { settings: { oauth }, keys }: Service,
  mode: DynamicPolicy['mode'],
  permits?: RegistrationPermits,
): DynamicPolicy {
  return {
    mode,
    permits,
    scopes: oauth.dynamicRegistrationScopes,
    accessTokenLifetimeSeconds: oauth.accessTokenLifetimeSeconds,
    refreshTokenLifetimeSeconds: oauth.refreshTokenLifetimeSeconds,
    identityTokenLifetimeSeconds: oauth.identityTokenLifetimeSeconds,
    signingAlgorithms: offeredAlgorithms(oauth.postQuantum, keys.algorithms()),
  }
}

/** The rules of claims travel into the verb that stores the client. `by`: who names addresses; absent: none is requested. */
export async function contextOf(
  { storage, clock, outbound, settings: { oauth } }: Service,
  changes: readonly MemberChange[],
  newSecretHash: string,
  about: { readonly before?: Client | undefined; readonly by?: ReturnType<typeof addressesBy> } = {},
): Promise<RegistrationContext> {
  // A document at the id of a client leads to no further request.
  const uris = about.by === undefined ? [] : sectorUrisToFetch(changes, about.before)
  const fetched = uris.map(async (uri) => [uri, await outbound.get(uri, about.by)] as const)
  const sectors = uris.length === 0 ? undefined : new Map(await Promise.all(fetched))
  const names = scopesToLookUp(changes)
  const registered = names.length === 0 ? [] : await storage.scopes.findMany(names)
  return {
    registeredScopes: registered.map(({ name }) => name),
    ...(await storage.clientReferences.factsFor(changes)),
    newSecretHash,
    isLoopbackIssuer: isLoopbackHost(new URL(oauth.issuer).hostname),
    isPostQuantum: oauth.postQuantum,
    accessTokenScope: oauth.accessTokenScope,
    ...(sectors && { sectors }),
    nowMs: clock(),
  }
}

/** RFC 6750 §3. */
export function refuseToken({ answers }: Service, request: Request): Answer {
  const refusal = refuse('registration_token_invalid', 'Authorization')
  const challenge = request.headers.authorization === undefined ? undefined : refusal
  return withHeaders(answers.refuseAsJson(request, refusal), { 'www-authenticate': bearerChallenge(challenge) })
}

/** The client information response (RFC 7591 §3.2.1, RFC 7592 §3). `secret`: a new client secret; null: none. */
export function clientInformation(
  { settings, clock }: Service,
  client: Client,
  registrationAccessToken: string,
  secret: string | null,
  status: 200 | 201,
): Answer {
  return json(
    {
      ...clientRecord(client, clock()),
      // RFC 7591 §3.2.1: 0 means that the secret does not expire.
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      registration_access_token: registrationAccessToken,
      registration_client_uri: `${baseOf(settings.oauth.issuer)}connect/register/${encodeURIComponent(client.id)}`,
    },
    status,
  )
}

function hasMore(bytes: Uint8Array, sought: number, atMost: number): boolean {
  let at = -1
  for (let count = 0; count <= atMost; count += 1) {
    at = bytes.indexOf(sought, at + 1)
    if (at === -1) return false
  }
  return true
}
