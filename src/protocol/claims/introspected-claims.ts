/** The claims that introspection answers with, with those of rules. */
import type { RequestingClient } from '../client/client.ts'
import { isIntrospected } from './claim-rules.ts'
import { type Holder, rolesToldTo } from './client-roles.ts'
import { type IssuedRules, ruled } from './issued-claims.ts'
import { isShown } from './shown-claims.ts'

type Claims = Readonly<Record<string, unknown>>

/**
 * Returns what introspection says of a valid access token with the roles of its person, as access tokens of its client show them.
 * `audience`: what the token is for.
 */
export function withRoles<T extends Claims>(
  introspected: T,
  holder: Holder,
  client: Pick<RequestingClient, 'id' | 'metadata'>,
  scopes: readonly string[],
  audience: readonly string[],
): T & { readonly role?: string | readonly string[] } {
  const roles = isShown('role', client.metadata, scopes) ? rolesToldTo(holder, client, audience) : []
  return withRole(introspected, roles)
}

function withRole<T extends Claims>(introspected: T, roles: readonly string[]) {
  const [only] = roles
  return only === undefined ? introspected : { ...introspected, role: roles.length === 1 ? only : roles }
}

/** The same of a token that a client got for itself, with the roles of its own that the token tells. */
export const withAccountRoles = <T extends Claims>(
  introspected: T,
  { roles }: Holder,
  { metadata }: Pick<RequestingClient, 'metadata'>,
): T => withRole(introspected, metadata.access_token_claims === 'all' ? roles : [])

/**
 * Returns what introspection says of a valid access token. An opaque one says nothing by itself, so that the rules for access
 * tokens are told here as well.
 */
export function issuedIntrospection(introspected: Claims, isOpaque: boolean, issued: IssuedRules): Claims {
  const { trace } = issued
  if (issued.rules === undefined) return introspected
  const told = issued.rules.rules.filter(({ rule }) => isIntrospected(rule.claim))
  const rules = told.length === issued.rules.rules.length ? issued.rules : { ...issued.rules, rules: told }
  const own = isOpaque ? ruled('access_token', introspected, rules, trace) : introspected
  return ruled('introspection', own, rules, trace)
}
