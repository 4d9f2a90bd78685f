/** Verifies access tokens and id tokens that this service issued itself. */

import type { KeyRing } from '../keys/key-ring.ts'
import { userClaims } from '../protocol/claims/shown-claims.ts'
import { type Actor, readActor } from '../protocol/grant/token-exchange.ts'
import { isOfAccessToken } from '../protocol/token/access-token-type.ts'
import { type Confirmation, readConfirmation } from '../protocol/token/confirmation.ts'
import { openAccessToken } from './access-token.ts'
import { verifyImportedIdToken } from './imported-signature.ts'
import { type OpenedClaims, verifyIssued } from './signature.ts'

/** The claims that this service reads back from its access tokens (RFC 9068 §2.2). */
export type VerifiedAccessToken = {
  /** The user; without a grant, the client: its id, or the subject of its service account. */
  readonly subject: string
  /** The client that a token without a grant is about. With one: of no meaning. */
  readonly subjectClientId: string
  readonly clientId: string
  /** Null: the client got it for itself (RFC 6749 §4.4). */
  readonly grantId: string | null
  readonly jti: string
  /** Rounded down to a second. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly scopes: readonly string[]
  /** Whether the scopes are one text, as clients can register it (RFC 9068 §2.2.3). */
  readonly isScopeText: boolean
  readonly audience: readonly string[]
  /** The key that its sender must prove to have; null: none. */
  readonly confirmation: Confirmation | null
  /** Time of the authentication, rounded down to a second; null: the token is about no person. */
  readonly authenticatedAtMs: number | null
  /** The class of the authentication, for a client that asked for it; null: none. */
  readonly acr: string | null
  /** Who acts for the subject (RFC 8693 §4.1); null: no actor. */
  readonly actor: Actor | null
  /** Ids of the tokens that it was exchanged from, oldest first; empty: none. */
  readonly exchangedFrom: readonly string[]
  /** The names of the claims about the person that it shows. */
  readonly shown: readonly string[]
}

export type VerifiedIdToken = { readonly subject: string; readonly audience: string }

/**
 * Returns the content of an unexpired access token of this issuer, a JWT or opaque; undefined: invalid. Returns a promise
 * only if it has to wait.
 */
export function verifyAccessToken(
  token: string,
  keys: KeyRing,
  issuer: string,
  nowMs: number,
): VerifiedAccessToken | undefined | Promise<VerifiedAccessToken | undefined> {
  const opened = openAccessToken(token, keys, issuer)
  return opened instanceof Promise ? opened.then((claims) => contentOf(claims, nowMs)) : contentOf(opened, nowMs)
}

function contentOf(claims: OpenedClaims, nowMs: number): VerifiedAccessToken | undefined {
  if (claims === undefined) return undefined
  const { exp, nbf } = claims
  if (typeof exp !== 'number' || nowMs >= exp * 1000) return undefined
  // RFC 7519 §4.1.5. This service's tokens have no `nbf`, but it is honoured.
  if (nbf !== undefined && (typeof nbf !== 'number' || nowMs < nbf * 1000)) return undefined
  const known = contents.get(claims)
  if (known !== undefined) return known
  const content = readContent(claims)
  if (content !== undefined) contents.set(claims, content)
  return content
}

/** By the claims as `verifyJwt` keeps them: one token is read once for as long as it is kept. */
const contents = new WeakMap<NonNullable<OpenedClaims>, VerifiedAccessToken>()

function readContent(claims: NonNullable<OpenedClaims>): VerifiedAccessToken | undefined {
  const { sub, client_id, grant_id = null, jti, iat, exp, scope, aud, auth_time } = claims
  if (typeof exp !== 'number' || typeof iat !== 'number') return undefined
  if (typeof sub !== 'string' || typeof client_id !== 'string') return undefined
  const scopes = readScopes(scope)
  if (typeof jti !== 'string' || scopes === undefined) return undefined
  if (grant_id !== null && typeof grant_id !== 'string') return undefined
  const exchangedFrom = readIds(claims.exchanged_from)
  if (exchangedFrom === undefined) return undefined
  // A token that was not exchanged, and belongs to no grant, is about its client, whatever its subject.
  const subjectClientId = exchangedFrom.length === 0 ? client_id : (claims.subject_client_id ?? sub)
  if (typeof subjectClientId !== 'string') return undefined
  const confirmation = readConfirmation(claims.cnf)
  if (confirmation === undefined) return undefined
  return {
    subject: sub,
    subjectClientId,
    clientId: client_id,
    grantId: grant_id,
    jti,
    issuedAtMs: iat * 1000,
    expiresAtMs: exp * 1000,
    scopes,
    isScopeText: typeof scope === 'string',
    audience: Array.isArray(aud) ? aud : [String(aud)],
    confirmation,
    authenticatedAtMs: typeof auth_time === 'number' ? auth_time * 1000 : null,
    acr: typeof claims.acr === 'string' ? claims.acr : null,
    actor: readActor(claims.act),
    exchangedFrom,
    shown: userClaims.filter((name) => claims[name] !== undefined),
  }
}

function readIds(claim: unknown): readonly string[] | undefined {
  if (claim === undefined) return []
  return Array.isArray(claim) && claim.every((id) => typeof id === 'string') ? claim : undefined
}

function readScopes(scope: unknown): readonly string[] | undefined {
  if (scope === undefined) return []
  if (typeof scope === 'string') return scope.split(' ')
  return Array.isArray(scope) ? scope : undefined
}

/**
 * Returns the content of an id token of this issuer, expired or not (RP-Initiated Logout §2 accepts expired ones), also
 * after its key left the key set, or one of a system of before whose key was imported; undefined: invalid.
 */
export async function verifyIdTokenHint(
  token: string,
  keys: KeyRing,
  issuer: string,
): Promise<VerifiedIdToken | undefined> {
  const own = await verifyIssued(token, 'JWT', keys, issuer)
  const claims = own ?? verifyImportedIdToken(token, keys, issuer)
  if (claims === undefined || isOfAccessToken(claims)) return undefined
  const { sub, aud, exp } = claims
  // A signed userinfo response names the same client and user, and has no expiry.
  if (typeof exp !== 'number') return undefined
  return typeof sub === 'string' && typeof aud === 'string' ? { subject: sub, audience: aud } : undefined
}
