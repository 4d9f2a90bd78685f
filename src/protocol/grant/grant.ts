/**
 * The record of a grant.
 *
 * Belongs here: every grant type, and what each exchange at the token endpoint decides.
 * Belongs elsewhere: the handler of a grant type (`connect/grants/`), and tokens as they are sent (`tokens/`).
 */
import { acrOf } from '../claims/authentication-methods.ts'
import type { RequestedClaims } from '../claims/claims-request.ts'
import type { Confirmation } from '../token/confirmation.ts'

/**
 * A grant: the result of redeeming an authorization code. All tokens of one sign-in and consent at a client belong to
 * it. It is created when its code is redeemed, under the code's id, so a code counts as redeemed if and only if its
 * grant exists. Times are epoch milliseconds.
 */
export type Grant = {
  /** UUIDv7, generated with the code. */
  readonly id: string
  readonly clientId: string
  readonly userId: string
  /** The stored consent it is based on; null for a client with implicit consent. */
  readonly authorizationId: string | null
  readonly scopes: readonly string[]
  /** `aud` of the access tokens, fixed when the code was issued. */
  readonly resources: readonly string[]
  readonly authenticatedAtMs: number
  /** How the user signed in: RFC 8176 values, or the name of an external provider; source of `amr`. */
  readonly methods: readonly string[]
  /** The session in which the code was issued; null: not recorded. */
  readonly sessionId: string | null
  /** Repeated in every id token of the grant (OpenID Connect Core §12.2). */
  readonly nonce: string | null
  /** Claims requested one by one (OpenID Connect Core §5.5), as the consent allows them; null: none. */
  readonly claims: RequestedClaims | null
  /** The key to which its refresh tokens are bound (RFC 9449 §5); null: to none. */
  readonly confirmation: Confirmation | null
  readonly createdAtMs: number
  /** The whole grant is invalid from this time on: replay, theft, or revocation by the client. */
  readonly revokedAtMs: number | null
  /** Nothing of the grant is valid after this time; the sweeper may remove it. */
  readonly expiresAtMs: number
  /** The refresh chain, if the scope that its client needs for one was granted. */
  readonly refresh: RefreshChain | null
}

/** The state of a chain of rotating refresh tokens. Exactly one token is current at any time. */
export type RefreshChain = {
  /** The number of rotations, and the generation of the current token. */
  readonly generation: number
  /**
   * 128 random bits, base64url. The secret of generation n is a keyed hash over (grant, n, salt) under the derivation
   * secret. Any node can therefore recognise every token of the chain, and neither tokens nor their hashes are stored.
   */
  readonly salt: string
  /** The derivation secret of the key ring that the chain uses. A rotation adopts a newer one. */
  readonly derivationKeyId: string
  /** The generation since which it is used; absent: the first. Earlier tokens were derived under older secrets. */
  readonly derivedFrom?: number
  readonly expiresAtMs: number
  /**
   * When the latest generations were replaced, newest first, at most eight. Decides whether a repeat is within the
   * leeway.
   */
  readonly rotatedAtMs: readonly number[]
}

/** A stored consent. Matches a later request only if the scope sets are equal. */
export type Authorization = {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  /** Sorted, without duplicates. */
  readonly scopes: readonly string[]
  /** What rules of the scopes hand over that the person agreed to, as `handedOver` names it. Absent: nothing. */
  readonly claims?: readonly string[]
  /** An operator stored it. Absent: the person gave it. */
  readonly byOperator?: true
  readonly createdAtMs: number
}

/** Returns the authentication class that tokens of the grant name; undefined: none applies. */
export function acrOfGrant({ claims, methods }: Pick<Grant, 'claims' | 'methods'>): string | undefined {
  return claims?.acr ?? acrOf(methods)
}

/**
 * Whether the user's grants ended after this one was made, such as by a lock or a new password. Both times are epoch
 * milliseconds; `grantsEndedAtMs` null: they never did.
 */
export function hasEnded(grantsEndedAtMs: number | null, sinceMs: number): boolean {
  return grantsEndedAtMs !== null && sinceMs <= grantsEndedAtMs
}

/**
 * Whether tokens of the grant can be in force. `grantsEndedAtMs`: when all grants of its user last ended; null: they never
 * did. Says nothing about the consent.
 */
export function isGrantOpen(
  { createdAtMs, revokedAtMs, expiresAtMs }: Pick<Grant, 'createdAtMs' | 'revokedAtMs' | 'expiresAtMs'>,
  grantsEndedAtMs: number | null,
  nowMs: number,
): boolean {
  return revokedAtMs === null && nowMs < expiresAtMs && !hasEnded(grantsEndedAtMs, createdAtMs)
}

/** What introspections need of a grant. */
export type IntrospectedGrant = Omit<Grant, 'resources' | 'nonce' | 'expiresAtMs'>

/** Whether the client asked for the authentication class. */
export function isClassRequested({ claims }: Pick<Grant, 'claims'>): boolean {
  return claims !== null && (claims.acr !== undefined || claims.idToken.includes('acr'))
}

/** Whether both are the same set. */
export function hasSameScopes(one: readonly string[], other: readonly string[]): boolean {
  const isSameList = one.length === other.length && one.every((scope, at) => scope === other[at])
  return isSameList || scopeKey(one) === scopeKey(other)
}

/** Returns the scope set as one string: sorted, joined by spaces. An empty set gives an empty string. */
export function scopeKey(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(' ')
}
