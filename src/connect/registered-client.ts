/** `/connect/register/{client_id}`: clients read, update and delete their own registration (RFC 7592 §2). */
import type { AuditEvents } from '../audit/entry.ts'
import { auditEvent } from '../audit/request-events.ts'
import { empty } from '../http/answer.ts'
import type { Endpoint, Request } from '../http/request.ts'
import { addressesBy, type Client } from '../protocol/client/client.ts'
import {
  changesOf,
  checkIdentification,
  refuseProblems,
  updateDynamically,
} from '../protocol/client/dynamic-registration.ts'
import { clientRecord } from '../protocol/client/records.ts'
import type { ClientRegistration } from '../protocol/client/registration-record.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { clientSecretMatches, hashSecret, mintOpaque, secretMatches } from '../secrets/opaque.ts'
import { methodIn, mintSecretFor, unsealClientSecret } from '../secrets/sealed-secret.ts'
import type { Service } from '../service.ts'
import type { JudgingRules } from '../storage/port/claim-rules.ts'
import { ClientHasRoles } from '../storage/port/clients.ts'
import { clientInformation, contextOf, policyOf, readDocument, readToken, refuseToken } from './registration-answers.ts'

/** Members that an entry of the trail names. */
const namedAtMost = 30

type Managed = { readonly client: Client; readonly registration: ClientRegistration; readonly token: string }

/** RFC 7592 §2.1. The token stays the same, so that a lost answer does not lock the client out. */
export function readClient(service: Service): Endpoint {
  return async (request) => {
    const managed = await authenticateManager(service, request)
    if (managed === undefined) return refuseToken(service, request)
    return clientInformation(service, managed.client, managed.token, null, 200)
  }
}

/** RFC 7592 §2.2. Replaces the client and its registration access token. */
export function updateClient(service: Service): Endpoint {
  const { answers, storage, random, clock, registrationRequests } = service
  return async (request) => {
    const managed = await authenticateManager(service, request)
    if (managed === undefined) return refuseToken(service, request)
    const { client, registration } = managed
    const writer = { address: request.address, owner: client.id }
    const retryAfterSeconds = registrationRequests.take(writer, request.body.length)
    if (retryAfterSeconds !== undefined) {
      const refusal = refuse('registration_updates_exhausted', '', { client: client.id, address: request.address })
      return answers.fail(request, refusal, retryAfterSeconds)
    }
    const document = readDocument(request)
    if (isRefusal(document)) return answers.refuseAsJson(request, document)
    const misnamed = checkIdentification(document, client, (secret, known) => {
      const own = unsealClientSecret(service.keys, known)
      return own === undefined ? clientSecretMatches(secret, known) : clientSecretMatches(secret, hashSecret(own))
    })
    if (misnamed !== undefined) return answers.refuseAsJson(request, misnamed)
    const policy = policyOf(service, client.metadata.registration === 'open' ? 'open' : 'token')
    const changes = changesOf(document, policy, client)
    const { secret, stored } = mintSecretFor(methodIn(changes), service.keys, random)
    const context = await contextOf(service, changes, stored, { before: client, by: addressesBy(client.metadata) })
    let judged: ReturnType<typeof updateDynamically> | undefined
    const decide = (rules: JudgingRules): Client | undefined => {
      judged = updateDynamically(client, changes, policy, { ...context, rules })
      return isRefusal(judged) ? undefined : judged
    }
    const next = mintOpaque(registration.id, random)
    const nowMs = clock()
    const eventsOf = (updated: Client): AuditEvents => {
      const members = changedMembers(client, updated, nowMs)
      const details = { change: 'registration', members: members.slice(0, namedAtMost), count: members.length }
      // A client may send what it is again and again, for another token.
      if (members.length === 0) return []
      return [auditEvent(request, nowMs, 'client_changed', { clientId: client.id }, details)]
    }
    const isReplaced = await storage.registrations.replace(client, decide, registration, next.secretHash, eventsOf)
    const updated = judged
    if (updated !== undefined && isRefusal(updated)) {
      return answers.refuseAsJson(request, refuseProblems(updated.problems))
    }
    // Another update or deletion was faster; its token is the valid one.
    if (!isReplaced || updated === undefined) return refuseToken(service, request)
    const { authentication } = updated
    const isNewSecret = authentication.method === 'client_secret' && authentication.secretHash === stored
    return clientInformation(service, updated, next.value, isNewSecret ? secret : null, 200)
  }
}

/** Returns the names of the members that differ: what they are is in the record of the client. */
function changedMembers(before: Client, after: Client, nowMs: number): string[] {
  const [old, next] = [before, after].map(
    (client) => new Map<string, unknown>(Object.entries(clientRecord(client, nowMs))),
  )
  const names = new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])
  return [...names].filter((name) => JSON.stringify(old?.get(name)) !== JSON.stringify(next?.get(name)))
}

/** RFC 7592 §2.3. */
export function deleteClient(service: Service): Endpoint {
  return async (request) => {
    const managed = await authenticateManager(service, request)
    if (managed === undefined) return refuseToken(service, request)
    const { client, registration } = managed
    const isDeleted = await deleteWithRoles(service, request, { client, registration })
    return isDeleted ? empty(204) : refuseToken(service, request)
  }
}

/** Roles that belong to the client go with it. Few clients have any, so they are looked up where the deletion needs them. */
async function deleteWithRoles(
  { storage, clock }: Service,
  request: Request,
  { client: { id }, registration }: Pick<Managed, 'client' | 'registration'>,
): Promise<boolean> {
  const nowMs = clock()
  for (let roles: readonly string[] = []; ; ) {
    const events = [
      auditEvent(request, nowMs, 'client_deleted', { clientId: id }),
      ...roles.map((name) => auditEvent(request, nowMs, 'role_deleted', { clientId: id }, { name })),
    ]
    try {
      return await storage.registrations.delete(registration, events, { roles, nowMs })
    } catch (error) {
      if (!(error instanceof ClientHasRoles)) throw error
      roles = error.roles
    }
  }
}

/** Returns the client whose registration access token was sent to its own address. */
async function authenticateManager({ storage }: Service, request: Request): Promise<Managed | undefined> {
  const presented = readToken(request)
  if (presented === undefined) return undefined
  const found = await storage.registrations.find(presented.id)
  if (found === undefined || !secretMatches(presented.secretHash, found.registration.secretHash)) return undefined
  if (found.client.id !== request.params.client_id) return undefined
  return {
    ...found,
    token: Buffer.from(request.headers.authorization ?? '')
      .toString()
      .replace(/^\S+ +| +$/g, ''),
  }
}
