/** Bounds how many confirmations the forms store, beyond the limits of mails: for each network, browser and person. */
import type { Answer } from '../http/answer.ts'
import { type Network, networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** Counts a request of a signed-in person, who does not wait for the strangers of their network. Returns the refusal of one too many. */
export function countOfPerson(service: Service, request: Request, userId: string): Refusal | undefined {
  return count(service, request, own(userId))
}

/**
 * Counts a form. Returns the answer to one too many; undefined: it may go on. `knownHere`: the id of the
 * person concerned if signed in here, or of this browser if they signed in with it before. It is asked when the network has
 * used up its budget, so that strangers in it do not stop its people.
 */
export async function refuseSurplus(
  service: Service,
  request: Request,
  knownHere: () => Promise<string | undefined> = async () => undefined,
): Promise<Answer | undefined> {
  const refusal = count(service, request, networksOf(request.address))
  if (refusal === undefined) return undefined
  const id = await knownHere()
  if (id !== undefined && count(service, request, own(id)) === undefined) return undefined
  const leftMs = service.confirmationRequests.exhaustedForMs(networksOf(request.address)) ?? 0
  return service.answers.fail(request, refusal, Math.max(1, Math.ceil(leftMs / 1000)))
}

function own(key: string): readonly Network[] {
  return [{ prefix: 32, key }]
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
