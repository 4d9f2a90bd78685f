/**
 * The claims of each kind of token.
 *
 * Belongs here: which claims a request asks for, and what each token and userinfo answer with.
 * Belongs elsewhere: signing them (`tokens/`), and the fields of a person (`users/`).
 */

import { acrOfGrant, type Grant, isClassRequested } from '../grant/grant.ts'
import type { Actor } from '../grant/token-exchange.ts'
import type { Confirmation } from '../token/confirmation.ts'
import { amrOf } from './authentication-methods.ts'
import type { RoleClients } from './client-roles.ts'
import type { RuleBasis } from './known-rules.ts'
import { claimsOfScopes } from './standard-claims.ts'

/** The data about a user that tokens may contain. */
export type Subject = {
  readonly id: string
  readonly name: string
  /** Undefined: the person has none, and no token names one. */
  readonly email: string | undefined
  /** Whether the address was confirmed; undefined as well: there is none. */
  readonly emailVerified: boolean | undefined
  readonly roles: readonly string[]
  /** The clients that some of the roles belong to; absent: no role has a colon. */
  readonly roleClients?: RoleClients
  /** Further claims by their names in OpenID Connect Core §5.1; `name` is the full name. */
  readonly claims: Readonly<Record<string, ClaimValue>>
  /** When the claims last changed, in seconds since the epoch. */
  readonly updatedAt: number
  /** The rules of operators, and what they read; absent: there are none. */
  readonly basis?: RuleBasis
}

export type ClaimValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string | undefined>>
  | undefined

/** A JWT Claims Set (RFC 7519 §4). Inapplicable members are undefined and therefore omitted; never null. */
export type ClaimsSet = Readonly<Record<string, ClaimValue | Confirmation | Actor>>

/** Returns a repeated claim: a single value as a string, several as an array. */
export function repeated(values: readonly string[]): string | readonly string[] | undefined {
  return values.length > 1 ? values : values[0]
}

/**
 * Returns the claims of an access token (RFC 9068 §2.2): all user claims, whatever the scopes. `scope` is an array of
 * strings. `grant_id` lets this service's own resources check for revocation.
 */
export function accessTokenClaims(input: {
  readonly issuer: string
  readonly grant: Grant
  /** Without a resource the issuer (RFC 9068 §3). */
  readonly audience: readonly string[]
  readonly scopes: readonly string[]
  readonly subject: Subject
  /** The key to which the token is bound; null: to none. */
  readonly confirmation: Confirmation | null
  readonly jti: string
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
}): ClaimsSet {
  const { issuer, grant, subject, nowSeconds } = input
  return {
    iss: issuer,
    sub: subject.id,
    aud: repeated(input.audience),
    exp: nowSeconds + input.lifetimeSeconds,
    iat: nowSeconds,
    jti: input.jti,
    client_id: grant.clientId,
    grant_id: grant.id,
    auth_time: Math.floor(grant.authenticatedAtMs / 1000),
    acr: isClassRequested(grant) ? acrOfGrant(grant) : undefined,
    scope: input.scopes,
    cnf: input.confirmation ?? undefined,
    // As `personOf` has them; in one literal, so that every access token's claims have the same shape.
    name: subject.name,
    preferred_username: subject.name,
    email: subject.email,
    email_verified: subject.emailVerified,
    role: repeated(subject.roles),
  }
}

/** Returns the claims of these names that access tokens have about a person. */
function personOf(subject: Subject, names: readonly string[]): ClaimsSet {
  const all: ClaimsSet = {
    name: subject.name,
    preferred_username: subject.name,
    email: subject.email,
    // OpenID Connect Core §5.1: always beside the address, so that no application mistakes an unconfirmed address for a confirmed
    // one.
    email_verified: subject.emailVerified,
    role: repeated(subject.roles),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/**
 * Returns the claims of an exchanged access token (RFC 8693 §4). `subject`: its user; a text: that of the client which the subject
 * token was issued to for itself, whose id is `subjectClientId`. `grant` null: there is no user.
 */
export function exchangedTokenClaims(input: {
  readonly issuer: string
  readonly clientId: string
  readonly grant: { readonly id: string; readonly authenticatedAtMs: number } | null
  readonly subject: Subject | string
  readonly subjectClientId: string
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  /** The claims about the user that the subject token shows; the issued one shows no others. */
  readonly shown: readonly string[]
  readonly actor: Actor | null
  readonly exchangedFrom: readonly string[]
  readonly confirmation: Confirmation | null
  readonly jti: string
  readonly nowSeconds: number
  readonly expiresAtSeconds: number
}): ClaimsSet {
  const { grant, subject } = input
  return {
    iss: input.issuer,
    sub: typeof subject === 'string' ? subject : subject.id,
    aud: repeated(input.audience),
    exp: input.expiresAtSeconds,
    iat: input.nowSeconds,
    jti: input.jti,
    client_id: input.clientId,
    grant_id: grant?.id,
    auth_time: grant === null ? undefined : Math.floor(grant.authenticatedAtMs / 1000),
    scope: input.scopes,
    act: input.actor ?? undefined,
    // Lets this service check that none of them was revoked.
    exchanged_from: input.exchangedFrom,
    // By this it finds the client of a subject that is no client id.
    subject_client_id: subject === input.subjectClientId || grant !== null ? undefined : input.subjectClientId,
    cnf: input.confirmation ?? undefined,
    ...(typeof subject !== 'string' && personOf(subject, input.shown)),
  }
}

/**
 * Returns the claims of a userinfo response (OpenID Connect Core §5.3.2): those of the scopes (§5.4), which a refresh may
 * have narrowed, and those that were requested one by one (§5.5).
 */
export function userinfoClaims(subject: Subject, scopes: readonly string[], requested: readonly string[]): ClaimsSet {
  return { sub: subject.id, ...namedClaims(subject, [...claimsOfScopes(scopes), ...requested]) }
}

/** Returns the claims of these names that the subject has. */
export function namedClaims({ claims, ...subject }: Subject, names: readonly string[]): ClaimsSet {
  const all: ClaimsSet = {
    ...claims,
    name: claims.name ?? subject.name,
    preferred_username: claims.preferred_username ?? subject.name,
    email: subject.email,
    email_verified: subject.emailVerified,
    phone_number_verified: claims.phone_number === undefined ? undefined : (claims.phone_number_verified ?? false),
    updated_at: subject.updatedAt,
    role: repeated(subject.roles),
  }
  const named: Record<string, ClaimsSet[string]> = {}
  // What the person does not have stays out: an object with many computed names is slow to be written as JSON.
  for (const name of names) if (all[name] !== undefined) named[name] = all[name]
  return named
}

/**
 * Returns the claims of an id token (OpenID Connect Core §2). `placement` scopes: user claims as `scopes` allow, which a
 * refresh may have narrowed; requested: only those that were requested one by one.
 */
export function idTokenClaims(input: {
  readonly issuer: string
  readonly grant: Grant
  readonly scopes: readonly string[]
  readonly placement: 'scopes' | 'requested'
  readonly subject: Subject
  readonly accessTokenHash: string
  /** The session, for a client that registered a logout address; null: not named. */
  readonly sid: string | null
  readonly nowSeconds: number
  readonly lifetimeSeconds: number
}): ClaimsSet {
  const { grant, scopes, subject, nowSeconds } = input
  const requested = grant.claims?.idToken ?? noNames
  // The scopes place fewer claims in id tokens than OpenID Connect Core §5.4 has for userinfo.
  const placing = input.placement === 'scopes' ? scopes : noNames
  const hasProfile = placing.includes('profile')
  const hasEmail = placing.includes('email')
  // One literal: the claims of every id token then have the same shape.
  const claims: ClaimsSet = {
    iss: input.issuer,
    sub: subject.id,
    aud: grant.clientId,
    azp: grant.clientId,
    exp: nowSeconds + input.lifetimeSeconds,
    iat: nowSeconds,
    auth_time: Math.floor(grant.authenticatedAtMs / 1000),
    at_hash: input.accessTokenHash,
    nonce: grant.nonce ?? undefined,
    sid: input.sid ?? undefined,
    amr: amrOf(grant.methods),
    acr: requested.includes('acr') ? acrOfGrant(grant) : undefined,
    // As in userinfo. Access tokens have the user name, which does not change with what a person writes of themselves.
    name: hasProfile ? (subject.claims.name ?? subject.name) : undefined,
    preferred_username: hasProfile ? (subject.claims.preferred_username ?? subject.name) : undefined,
    email: hasEmail ? subject.email : undefined,
    email_verified: hasEmail ? subject.emailVerified : undefined,
    role: placing.includes('roles') ? repeated(subject.roles) : undefined,
  }
  if (requested.length === 0) return claims
  const others = requested.filter((name) => name !== 'acr' && claims[name] === undefined)
  return { ...claims, ...namedClaims(subject, others) }
}

const noNames: readonly string[] = []
