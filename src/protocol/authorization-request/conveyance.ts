/** The ways of an authorization request to the service, and those that a client must use. */
import type { Client } from '../client/client.ts'
import { type Refusal, refuse } from '../refusals/index.ts'

/** How the parameters of a request reached the service. */
export type Conveyance = {
  /** Through the pushed authorization request endpoint (RFC 9126). */
  readonly pushed: boolean
  /** In a signed request object (RFC 9101). */
  readonly signed: boolean
  /** The fault of a request object. The parameters are then those beside it, and only say where to respond. */
  readonly fault?: Refusal
  /** Of the pushed request of a test sign-in: an address that counts beside those that are registered (`test-sign-in.ts`). */
  readonly testUri?: string
}

/** In the query or form of the request itself. */
export const plainly: Conveyance = { pushed: false, signed: false }

/**
 * Checks what the client must use: PAR (RFC 9126 §6), signed request objects (RFC 9101 §10.5), and an explicit redirect
 * URI (FAPI 2.0 Security Profile §5.3.2.2).
 */
export function checkConveyance(
  { conveyance, redirectUri }: { readonly conveyance: Conveyance; readonly redirectUri: string | null },
  client: Client,
): Refusal | undefined {
  const { profile, require_pushed_authorization_requests } = client.metadata
  const strict = profile === 'fapi2'
  if ((strict || require_pushed_authorization_requests) && !conveyance.pushed) {
    return refuse('pushed_request_required', '', { client: client.id })
  }
  if (client.metadata.require_signed_request_object && !conveyance.signed) {
    return refuse('request_object_required', 'request', { client: client.id })
  }
  return strict && redirectUri === null ? refuse('parameter_missing', 'redirect_uri', { client: client.id }) : undefined
}
