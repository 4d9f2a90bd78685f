/** Clients as they are now: some say so in a document of their own. */
import type { Request } from '../http/request.ts'
import { onDemand } from '../on-demand.ts'
import type { Client, RequestingClient } from '../protocol/client/client.ts'
import { isDocumentId, isFresh } from '../protocol/client/client-document.ts'
import type { ClientMetadata } from '../protocol/client/client-metadata.ts'
import type { Refusal } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

const documents = onDemand(() => import('./client-document.ts'))

/**
 * Returns the client of an authorization request. `known`: the stored one. If its id is the address of a document, it is
 * what the document says now.
 */
export async function currentClient(
  service: Service,
  request: Request,
  clientId: string,
  known: Client | undefined,
): Promise<Client | Refusal | undefined> {
  if (known !== undefined) return currentlyKnown(service, request, known)
  if (!service.settings.oauth.clientIdMetadataDocuments || !isDocumentId(clientId)) return undefined
  return (await documents()).documentedClient(service, request, clientId, known)
}

/**
 * The same for a request that cannot be a client's first one. Returns a promise only if the document has to be fetched.
 * `known`: what was read of the stored client.
 */
export function currentlyKnown<Known extends RequestingClient>(
  service: Service,
  request: Request,
  known: Known,
): Known | Refusal | undefined | Promise<Known | Refusal | undefined> {
  if (known.metadata.registration !== 'document') return known
  if (isSwitchedOff(service, known.metadata)) return undefined
  return isFresh(known, service.clock()) ? known : refetched(service, request, known)
}

async function refetched<Known extends RequestingClient>(
  service: Service,
  request: Request,
  { id }: Known,
): Promise<Known | Refusal | undefined> {
  const stored = await service.storage.clients.find(id)
  if (stored === undefined) return undefined
  const client = await (await documents()).documentedClient(service, request, id, stored)
  // A whole client has whatever was read of it.
  return client as Known | Refusal | undefined
}

/** Whether an operator switched off what the client came by: it and its tokens are of no use then. */
export function isSwitchedOff(
  { settings }: Pick<Service, 'settings'>,
  { registration }: Pick<ClientMetadata, 'registration'>,
): boolean {
  return registration === 'document' && !settings.oauth.clientIdMetadataDocuments
}

/** The same by the id of a client. Reads nothing unless the id could be that of a document. */
export async function isSwitchedOffById(service: Service, id: string): Promise<boolean> {
  if (service.settings.oauth.clientIdMetadataDocuments || !isDocumentId(id)) return false
  const client = await service.storage.clients.find(id)
  return client !== undefined && isSwitchedOff(service, client.metadata)
}
