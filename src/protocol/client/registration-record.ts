/** The records behind dynamic registration. Times are epoch milliseconds; secrets are stored as SHA-256, base64url. */

/** An initial access token (RFC 7591 §3). */
export type InitialAccessToken = {
  readonly id: string
  readonly secretHash: string
  /** How many clients it may still register. */
  readonly usesLeft: number
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** Absent: nothing besides what every holder of a token may have. */
  readonly permits?: RegistrationPermits
}

/** What an operator gives with an initial access token to the clients that it registers. */
export type RegistrationPermits = { readonly scopes: readonly string[]; readonly grantTypes: readonly string[] }

/** The registration access token of a client (RFC 7592 §3). */
export type ClientRegistration = {
  readonly id: string
  readonly clientId: string
  readonly secretHash: string
  readonly createdAtMs: number
  /** When the client is removed if no user has consented to it; null: never. */
  readonly unusedUntilMs: number | null
}
