/** Fetches and keeps the clients whose id is the address of their metadata. */
import { auditEvent } from '../audit/request-events.ts'
import { networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import type { Client } from '../protocol/client/client.ts'
import { mayStay } from '../protocol/client/client-document.ts'
import { clientOfDocument } from '../protocol/client/client-of-document.ts'
import { changesOf, documentProblem, type MetadataDocument, rulesOf } from '../protocol/client/dynamic-registration.ts'
import { isObject } from '../protocol/json-value.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import type { Service } from '../service.ts'
import type { JudgingRules } from '../storage/port/claim-rules.ts'
import { contextOf, documentLengthAtMost, policyOf, unusedForMs } from './registration-answers.ts'

/**
 * Returns the client as its document says now, which is fetched; the database keeps it, for the endpoints that come
 * after. `known`: the stored one, if there is one.
 */
export async function documentedClient(
  service: Service,
  request: Request,
  clientId: string,
  known: Client | undefined,
): Promise<Client | Refusal | undefined> {
  const fetched = await fetchDocument(service, request, clientId)
  if (isRefusal(fetched)) {
    const isUnreachable = fetched.reason !== 'client_document_invalid'
    return known !== undefined && isUnreachable && mayStay(known, service.clock()) ? known : fetched
  }
  const described = await describedBy(service, clientId, fetched)
  return known === undefined ? add(service, request, clientId, described) : replace(service, clientId, described)
}

type Fetched = { readonly document: MetadataDocument; readonly freshUntilMs: number }

async function fetchDocument(service: Service, request: Request, clientId: string): Promise<Fetched | Refusal> {
  const { outbound, documentRequests } = service
  const networks = networksOf(request.address)
  if (documentRequests.exhaustedForMs(networks) !== undefined || !documentRequests.hasRoom(networks)) {
    return refuse('client_documents_exhausted')
  }
  const end = documentRequests.begin(networks)
  try {
    const response = await outbound.get(clientId, 'anybody', clientId)
    if ('failed' in response) {
      return refuse('client_document_unreachable', 'client_id', { received: clientId, rule: response.failed })
    }
    const { value, freshUntilMs } = response
    if (isObject(value) && JSON.stringify(value).length <= documentLengthAtMost) {
      const fault = documentProblem(value)
      if (fault !== undefined) {
        return refuse('client_document_invalid', 'client_id', { received: clientId, rule: rulesOf([fault]) })
      }
      return { document: value, freshUntilMs }
    }
    const rule = `it is no JSON object of at most ${documentLengthAtMost} characters`
    return refuse('client_document_invalid', 'client_id', { received: clientId, rule })
  } finally {
    end(true)
  }
}

/** Returns the client that a document makes of the stored one; of none, a new client. */
type Described = (before: Client | undefined, rules: JudgingRules) => Client | Refusal

async function describedBy(service: Service, id: string, { document, freshUntilMs }: Fetched): Promise<Described> {
  const policy = policyOf(service, 'document')
  const context = await contextOf(service, changesOf(document, policy), '')
  const nowMs = service.clock()
  return (before, rules) => {
    const changes = changesOf(document, policy, before)
    const judging = { ...context, rules }
    const client = clientOfDocument(document, changes, policy, judging, { id, before, freshUntilMs, nowMs })
    if (!isRefusal(client)) return client
    return refuse('client_document_invalid', 'client_id', { received: id, rule: rulesOf(client.problems) })
  }
}

/** Stores a client that was unknown. Bounded by address, because no user has signed in yet. */
async function add(
  service: Service,
  request: Request,
  id: string,
  described: Described,
): Promise<Client | Refusal | undefined> {
  const { storage, random, clock, documentClients } = service
  const nowMs = clock()
  const networks = networksOf(request.address)
  if (!documentClients.hasRoom(networks)) return refuse('client_documents_exhausted')
  const end = documentClients.begin(networks)
  let isAdded = false
  // No token opens it: the document alone changes the client.
  const registration = {
    id: uuidv7(nowMs, random),
    clientId: id,
    secretHash: '',
    createdAtMs: nowMs,
    unusedUntilMs: nowMs + unusedForMs,
  }
  const added = ({ scopes, redirectUris }: Client) => [
    auditEvent(request, nowMs, 'client_added', { clientId: id }, { registration: 'document', scopes, redirectUris }),
  ]
  let client: Client | Refusal | undefined
  const decide = (rules: JudgingRules): Client | undefined => {
    client = described(undefined, rules)
    return isRefusal(client) ? undefined : client
  }
  try {
    isAdded = await storage.registrations.register(decide, registration, null, nowMs, added)
  } finally {
    end(isAdded)
  }
  if (isAdded || (client !== undefined && isRefusal(client))) return client
  // Another request was faster.
  return storage.clients.find(id)
}

/** Decides on the client as it is when it is stored: an operator may have changed it while its document was fetched. */
async function replace({ storage }: Service, id: string, described: Described): Promise<Client | Refusal | undefined> {
  let refusal: Refusal | undefined
  const stored = await storage.claimRules.changeClient(id, (before, rules) => {
    const client = described(before, rules)
    refusal = isRefusal(client) ? client : undefined
    // Of requests that fetched together, the first one stores it.
    return isRefusal(client) || JSON.stringify(client) === JSON.stringify(before) ? undefined : client
  })
  return refusal ?? stored
}
