/** Bounds how many confirmations the forms store for each network, beyond the limits of mails. */
import type { Answer } from '../http/answer.ts'
import { networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** Counts a request. Returns the refusal of one too many; undefined: it may go on. */
export function countConfirmation({ confirmationRequests }: Service, request: Request): Refusal | undefined {
  const networks = networksOf(request.address)
  if (confirmationRequests.exhaustedForMs(networks) !== undefined) {
    return refuse('confirmations_exhausted', '', { address: request.address })
  }
  confirmationRequests.begin(networks)(true)
  return undefined
}

/** The same for a form: returns the answer to one too many. */
export function refuseSurplus(service: Service, request: Request): Answer | undefined {
  const refusal = countConfirmation(service, request)
  if (refusal === undefined) return undefined
  const leftMs = service.confirmationRequests.exhaustedForMs(networksOf(request.address)) ?? 0
  return service.answers.fail(request, refusal, Math.max(1, Math.ceil(leftMs / 1000)))
}
