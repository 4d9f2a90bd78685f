/** Bounds how many confirmations the forms store for each network, beyond the limits of mails. */
import type { Answer } from '../http/answer.ts'
import { networksOf } from '../http/networks.ts'
import type { Request } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** Counts a request. Returns the answer to one too many; undefined: it may go on. */
export function refuseSurplus({ answers, confirmationRequests }: Service, request: Request): Answer | undefined {
  const networks = networksOf(request.address)
  const leftMs = confirmationRequests.exhaustedForMs(networks)
  if (leftMs !== undefined) {
    const refusal = refuse('too_many_requests', '', { address: request.address })
    return answers.fail(request, refusal, Math.max(1, Math.ceil(leftMs / 1000)))
  }
  confirmationRequests.begin(networks)(true)
  return undefined
}
