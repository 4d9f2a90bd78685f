/**
 * What one redeemed authorization code gave: the tokens of one sign-in-and-consent round at a client hang on it.
 * It comes into being when its code is redeemed, under the code's own id, so 'this code was redeemed' and
 * 'this grant exists' are one fact. Times are epoch milliseconds.
 */
export type Grant = {
  /** UUIDv7 made with the code. */
  readonly id: string
  readonly clientId: string
  readonly userId: string
  /** The stored consent it rests on; null for a client with implicit consent. */
  readonly authorizationId: string | null
  readonly scopes: readonly string[]
  /** `aud` of the access tokens, fixed when the code was issued. */
  readonly resources: readonly string[]
  readonly authenticatedAtMs: number
  /** `amr` source: how the person signed in. */
  readonly method: string
  /** Repeated in every id token of the grant (OpenID Connect Core §12.2). */
  readonly nonce: string | null
  readonly createdAtMs: number
  /** The whole grant is dead from here on: replay, theft, revocation by the client. */
  readonly revokedAtMs: number | null
  /** Nothing of the grant is alive after this; the sweeper may remove it. */
  readonly expiresAtMs: number
  /** The refresh chain, when `offline_access` was granted. */
  readonly refresh: RefreshChain | null
}

/** The state of a chain of rotating refresh tokens: exactly one of them is alive at any time. */
export type RefreshChain = {
  /** How many times the chain has rotated; the live token is this generation. */
  readonly generation: number
  /**
   * 128 random bits, base64url. The secret of generation n is a keyed hash over (grant, n, salt) under the derivation
   * secret: any node can recognise every token the chain ever had, and nothing at rest is a token or the hash of one.
   */
  readonly salt: string
  /** Which derivation secret of the key ring the chain uses. A rotation takes on a newer one. */
  readonly derivationKeyId: string
  /** Since which generation; absent: from the first. Tokens before it were derived under older secrets. */
  readonly derivedFrom?: number
  readonly expiresAtMs: number
  /** When the latest generations were replaced, newest first, at most eight: decides whether a repeat is inside the leeway. */
  readonly rotatedAtMs: readonly number[]
}

/** A stored consent: matches a later request only when the scope set is exactly equal. */
export type Authorization = {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  /** Sorted, without duplicates. */
  readonly scopes: readonly string[]
  readonly createdAtMs: number
}

/** The exact scope set as one string: sorted, joined by a space. The empty set is the empty string. */
export function scopeKey(scopes: readonly string[]): string {
  return [...new Set(scopes)].sort().join(' ')
}
