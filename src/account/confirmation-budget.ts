/** Bounds how many confirmations the forms store for each network, beyond the limits of mails. */
import type { Answer } from '../http/answer.ts'
import { type Network, networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** Counts a request. Returns the refusal of one too many; undefined: it may go on. */
export function countConfirmation(service: Service, request: Request): Refusal | undefined {
  return count(service, request, networksOf(request.address))
}

/**
 * The same for a form: returns the answer to one too many. `knownHere`: the id of this browser if the person concerned signed
 * in with it before. It is asked when the network has used up its budget, so that strangers in it do not stop its people.
 */
export async function refuseSurplus(
  service: Service,
  request: Request,
  knownHere: () => Promise<string | undefined> = async () => undefined,
): Promise<Answer | undefined> {
  const refusal = countConfirmation(service, request)
  if (refusal === undefined) return undefined
  const browserId = await knownHere()
  if (browserId !== undefined) {
    const counted = count(service, request, [{ prefix: 32, key: `browser ${browserId}` }])
    if (counted === undefined) return undefined
  }
  const leftMs = service.confirmationRequests.exhaustedForMs(networksOf(request.address)) ?? 0
  return service.answers.fail(request, refusal, Math.max(1, Math.ceil(leftMs / 1000)))
}

function count(
  { confirmationRequests }: Service,
  { address }: Request,
  networks: readonly Network[],
): Refusal | undefined {
  if (confirmationRequests.exhaustedForMs(networks) !== undefined) {
    return refuse('confirmations_exhausted', '', { address })
  }
  confirmationRequests.begin(networks)(true)
  return undefined
}
