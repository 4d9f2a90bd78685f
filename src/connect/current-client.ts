/** Clients as they are now: some say so in a document of their own. */
import type { Request } from '../http/request.ts'
import { onDemand } from '../on-demand.ts'
import type { Client } from '../protocol/client.ts'
import { isDocumentId, isFresh } from '../protocol/client-document.ts'
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
  const isEnabled = service.settings.oauth.clientIdMetadataDocuments
  if (!isEnabled && known?.metadata.registration === 'document') return undefined
  if (!isEnabled || !isDocumentId(clientId)) return known
  if (known !== undefined && known.metadata.registration !== 'document') return known
  if (known !== undefined && isFresh(known, service.clock())) return known
  return (await documents()).documentedClient(service, request, clientId, known)
}
