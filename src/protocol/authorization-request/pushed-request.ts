/** Pushed authorization requests (RFC 9126). */
import { type Client, clientType } from '../client/client.ts'
import type { Parameters } from '../parameters.ts'
import { type Refusal, refuse } from '../refusals/index.ts'
import { secondsSince } from '../refusals/refusal-detail.ts'

/** A stored request. Times are epoch milliseconds. */
export type PushedRequest = {
  /** UUIDv7; the first part of the value in `request_uri`. */
  readonly id: string
  /** SHA-256 of the secret part of that value, base64url. */
  readonly secretHash: string
  readonly clientId: string
  /** Without the credentials of the client. */
  readonly parameters: Parameters
  /** Whether they came in a signed request object (RFC 9101). */
  readonly signed: boolean
  readonly createdAtMs: number
  /** A browser must open the request before this time. */
  readonly opensUntilMs: number
  /** When it was answered with a code or a denial; null: not yet. */
  readonly completedAtMs: number | null
  /** The sweeper removes it after this time. */
  readonly expiresAtMs: number
}

/** Followed by the opaque value (RFC 9126 §2.2). */
export const requestUriPrefix = 'urn:ietf:params:oauth:request_uri:'

/** How long a browser that opened a request in time may take to complete it: sign-in and consent need a person. */
export const interactionSeconds = 3600

/** Parameters that authenticate the client. They are not part of the pushed request (RFC 9126 §2.1). */
export const credentialParameters: readonly string[] = ['client_secret', 'client_assertion', 'client_assertion_type']

/**
 * Returns the maximum size of the stored parameters, in characters of their JSON text. Anybody pushes requests in the name
 * of a public client, and each is kept for an hour.
 */
export function maxPushedLength(client: Client): number {
  return clientType(client) === 'public' ? 16_384 : 32_768
}

/**
 * Checks that a request may still be opened by this client's users. `openedBefore`: whether this browser opened it while
 * its `request_uri` was valid.
 */
export function checkPushedRequest(
  pushed: PushedRequest | undefined,
  clientId: Client['id'],
  openedBefore: boolean,
  nowMs: number,
): Refusal | undefined {
  if (pushed === undefined) return refuse('request_uri_unknown', 'request_uri', { client: clientId })
  // RFC 9126 §4: it is bound to the client that pushed it.
  if (pushed.clientId !== clientId) {
    return refuse('request_uri_foreign', 'request_uri', { client: clientId, issuedTo: pushed.clientId })
  }
  if (pushed.completedAtMs !== null) return refuseCompleted(pushed, nowMs)
  if (nowMs >= (openedBefore ? pushed.expiresAtMs : pushed.opensUntilMs)) {
    const expiredSecondsAgo = secondsSince(pushed.opensUntilMs, nowMs)
    const lifetimeSeconds = secondsSince(pushed.createdAtMs, pushed.opensUntilMs)
    return refuse('request_uri_expired', 'request_uri', { client: clientId, expiredSecondsAgo, lifetimeSeconds })
  }
  return undefined
}

/** The refusal of a request that was answered before, or at the same moment in another tab. */
export function refuseCompleted({ clientId, completedAtMs }: PushedRequest, nowMs: number): Refusal {
  const completedSecondsAgo = secondsSince(completedAtMs ?? nowMs, nowMs)
  return refuse('request_uri_completed', 'request_uri', { client: clientId, completedSecondsAgo })
}
