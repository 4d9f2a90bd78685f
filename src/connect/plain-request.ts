/** Authorization requests that arrive with their parameters. Others are looked up in `conveyed-request.ts`. */
import { type Conveyance, plainly } from '../protocol/authorization-request/conveyance.ts'
import { type PushedRequest, requestUriPrefix } from '../protocol/authorization-request/pushed-request.ts'
import type { Parameters } from '../protocol/parameters.ts'

/** The parameters that count, and how they arrived. */
export type ConveyedRequest = {
  readonly parameters: Parameters
  readonly conveyance: Conveyance
  /** The stored request, if it was pushed. */
  readonly pushed: PushedRequest | undefined
  /** Identifies a request that expires among the marks of a browser; undefined: it does not expire. */
  readonly mark: Parameters | undefined
}

/** Whether the parameters must be looked up. A plain request is parsed as sent. */
export function refersElsewhere(sent: Parameters): boolean {
  return sent.some(([name, value]) => (name === 'request' && value !== '') || isPushed(name, value))
}

/** Returns the parameters of a request as sent. */
export function conveyedPlainly(sent: Parameters): ConveyedRequest {
  return { parameters: sent, conveyance: plainly, pushed: undefined, mark: undefined }
}

/** Whether the parameter names a request that was pushed. */
export function isPushed(name: string, value: string): boolean {
  return name === 'request_uri' && value.startsWith(requestUriPrefix)
}
