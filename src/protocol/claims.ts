/** Which claims go into which token (the destinations table), and the frames around them. */
import type { Grant } from './grant.ts'

/** What tokens say about a person. */
export type Subject = {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Whether the address is known to be theirs. */
  readonly emailVerified: boolean
  readonly roles: readonly string[]
}

/** A JWT Claims Set (RFC 7519 §4). Members that do not apply are undefined, and so not written; never null. */
export type ClaimsSet = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** One value is a string, several are an array: the form in which repeated claims are written. */
function repeated(values: readonly string[]): string | readonly string[] | undefined {
  return values.length > 1 ? values : values[0]
}

/**
 * The access token's claims (RFC 9068 §2.2): everything about the person, whatever scopes were asked for.
 * `scope` is an array of strings. `grant_id` lets the resource servers of this service see a revocation.
 */
export function accessTokenClaims(input: {
  readonly issuer: string
  readonly grant: Grant
  readonly scopes: readonly string[]
  readonly subject: Subject
  readonly jti: string
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
}): ClaimsSet {
  const { issuer, grant, subject, nowSeconds } = input
  return {
    iss: issuer,
    sub: subject.id,
    // RFC 9068 §3: without a resource of its own a token is for the issuer.
    aud: grant.resources.length === 0 ? issuer : repeated(grant.resources),
    exp: nowSeconds + input.lifetimeSeconds,
    iat: nowSeconds,
    jti: input.jti,
    client_id: grant.clientId,
    grant_id: grant.id,
    auth_time: Math.floor(grant.authenticatedAtMs / 1000),
    scope: input.scopes,
    name: subject.name,
    preferred_username: subject.name,
    email: subject.email,
    // OpenID Connect Core §5.1: never without it, so that no application takes a typed address for a proven one.
    email_verified: subject.emailVerified,
    role: repeated(subject.roles),
  }
}

/**
 * The id token's claims (OpenID Connect Core §2): about the person only what `scopes` ask for, which a refresh may have
 * narrowed.
 */
export function idTokenClaims(input: {
  readonly issuer: string
  readonly grant: Grant
  readonly scopes: readonly string[]
  readonly subject: Subject
  readonly accessTokenHash: string
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
}): ClaimsSet {
  const { grant, scopes, subject, nowSeconds } = input
  const has = (scope: string): boolean => scopes.includes(scope)
  return {
    iss: input.issuer,
    sub: subject.id,
    aud: grant.clientId,
    azp: grant.clientId,
    exp: nowSeconds + input.lifetimeSeconds,
    iat: nowSeconds,
    auth_time: Math.floor(grant.authenticatedAtMs / 1000),
    at_hash: input.accessTokenHash,
    nonce: grant.nonce ?? undefined,
    // RFC 8176 registers the values; the name of an external provider is none of them.
    amr: grant.method === 'pwd' ? ['pwd'] : undefined,
    name: has('profile') ? subject.name : undefined,
    preferred_username: has('profile') ? subject.name : undefined,
    email: has('email') ? subject.email : undefined,
    email_verified: has('email') ? subject.emailVerified : undefined,
    role: has('roles') ? repeated(subject.roles) : undefined,
  }
}
