/** A scope that an operator registered. `openid` and `offline_access` are built in and need no record. */
export type Scope = {
  readonly name: string
  readonly displayName: string | null
  readonly description: string | null
  /** Become the `aud` of access tokens that carry the scope (RFC 9068 §3). */
  readonly resources: readonly string[]
  readonly createdAtMs: number
}
