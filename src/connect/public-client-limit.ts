/** The bound on what unauthenticated requests may store: those of public clients, by address. */
import type { FailureBudget } from '../http/failure-budget.ts'
import { networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import { clientType } from '../protocol/client.ts'
import type { AuthenticatedClient } from '../protocol/client-authentication/index.ts'

/**
 * Counts a request of a public client against its address. Returns the seconds for which the address may start no
 * further one; undefined: it may.
 */
export function overLimit(
  budget: FailureBudget,
  { address }: Request,
  client: AuthenticatedClient,
): number | undefined {
  if (clientType(client) === 'confidential') return undefined
  const networks = networksOf(address)
  const leftMs = budget.exhaustedForMs(networks)
  if (leftMs !== undefined) return Math.max(1, Math.ceil(leftMs / 1000))
  budget.begin(networks)(true)
  return undefined
}
