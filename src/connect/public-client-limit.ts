/** The bound on what clients may store that no operator vouches for. */
import type { Request } from '../http/request.ts'
import type { WriteBudget } from '../http/write-budget.ts'
import { clientType } from '../protocol/client/client.ts'
import type { AuthenticatedClient } from '../protocol/client-authentication/index.ts'

/**
 * Counts a write of so many bytes: that of a public client, in whose name anybody writes, against the address; that of a client
 * which registered itself or is a document against the client, too. Returns the seconds after which there is room again;
 * undefined: there is.
 */
export function overLimit(
  budget: WriteBudget,
  { address }: Request,
  client: AuthenticatedClient,
  bytes: number,
): number | undefined {
  const isConfidential = clientType(client) === 'confidential'
  if (isConfidential && client.metadata.registration === 'operator') return undefined
  return budget.take({ address, owner: isConfidential ? client.id : undefined }, bytes)
}
