/** Sender constraints of tokens (RFC 7800 §3.1): the key whose possession the sender of a token must prove. */

/** jkt: the JWK thumbprint of a DPoP key (RFC 9449 §6.1). x5t#S256: a certificate's thumbprint (RFC 8705 §3.1). */
export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string }

/** `token_type` of an access token (RFC 9449 §5). A token bound to a certificate remains a bearer token. */
export type TokenType = 'Bearer' | 'DPoP'

export function tokenTypeOf(confirmation: Confirmation | null): TokenType {
  return confirmation !== null && 'jkt' in confirmation ? 'DPoP' : 'Bearer'
}

/**
 * Returns the claim `cnf` as a confirmation; null: absent, the token is not bound. Undefined: a constraint of another
 * kind, which this service cannot check.
 */
export function readConfirmation(claim: unknown): Confirmation | null | undefined {
  if (claim === undefined) return null
  if (typeof claim !== 'object' || claim === null) return undefined
  const { jkt, 'x5t#S256': certificate, ...others } = claim as Readonly<Record<string, unknown>>
  if (Object.keys(others).length > 0) return undefined
  if (typeof jkt === 'string' && certificate === undefined) return { jkt }
  if (typeof certificate === 'string' && jkt === undefined) return { 'x5t#S256': certificate }
  return undefined
}

/** Whether both are constraints to the same key. The values are public, so the comparison need not be constant-time. */
export function isSameConfirmation(one: Confirmation, other: Confirmation | null): boolean {
  return other !== null && JSON.stringify(one) === JSON.stringify(other)
}
