/** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4), and the `sid` of a session. */
import { hash } from 'node:crypto'
import type { RequestingClient } from '../client/client.ts'
import type { Grant } from '../grant/grant.ts'
import { logoutEvent } from './logout-event.ts'

/** Without `nonce`, so that no client mistakes it for an id token. */
export type LogoutClaims = {
  readonly iss: string
  /** Absent: the person is gone, and was called otherwise than by the id. */
  readonly sub: string | undefined
  readonly aud: string
  readonly iat: number
  readonly exp: number
  readonly jti: string
  readonly sid: string
  readonly events: { readonly [logoutEvent]: Readonly<Record<string, never>> }
}

/** Long enough for clocks that differ, and too short to be of use to anyone who finds the token later. */
const lifetimeSeconds = 120

export function logoutClaims(input: {
  readonly issuer: string
  readonly subject: string | undefined
  readonly clientId: string
  readonly sid: string
  readonly jti: string
  readonly nowSeconds: number
}): LogoutClaims {
  return {
    iss: input.issuer,
    sub: input.subject,
    aud: input.clientId,
    iat: input.nowSeconds,
    exp: input.nowSeconds + lifetimeSeconds,
    jti: input.jti,
    sid: input.sid,
    events: { [logoutEvent]: {} },
  }
}

/** Returns the `sid` in the id tokens of a grant; null: none, because its client registered no logout address. */
export function sidOf(client: RequestingClient, grant: Pick<Grant, 'sessionId'>): string | null {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = client.metadata
  return back === null && front === null ? null : sidOfSession(grant)
}

/**
 * Returns what clients know the session of a grant by; null: it has none. A hash, because the session's id is half of the cookie. It
 * stays the same when the session is renewed by another sign-in.
 */
export function sidOfSession({ sessionId }: Pick<Grant, 'sessionId'>): string | null {
  return sessionId === null ? null : hash('sha256', `latchkey sid v1\n${sessionId}`, 'base64url')
}
