/** A registered application (RFC 6749 §2). Times are epoch milliseconds. */
export type Client = {
  /** `client_id`, chosen at registration. */
  readonly id: string
  /** Shown to people on the consent page. */
  readonly name: string
  readonly type: 'public' | 'confidential'
  /** SHA-256 of the generated 256-bit secret, base64url; null for a public client. */
  readonly secretHash: string | null
  /** The secret before the last rotation, while both count; null: there was none. */
  readonly previousSecret: { readonly hash: string; readonly endsAtMs: number } | null
  /** explicit: people are asked once for each scope set. implicit: first-party, never asked. */
  readonly consent: 'explicit' | 'implicit'
  readonly requirePkce: boolean
  /** Compared character by character (RFC 9700 §4.1.3). */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** Scopes the client may ask for; `openid` needs no entry. */
  readonly scopes: readonly string[]
  readonly createdAtMs: number
  /** Counts up at every change; a change is committed only on the version it was decided on. */
  readonly version: number
}
