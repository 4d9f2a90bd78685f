/** The claims about a person, and the scope that each belongs to (OpenID Connect Core §5.1, §5.4). */
import { fieldEntries, type PersonField } from '../../person-fields.ts'

const fieldsOf = (scope: PersonField['scope']): readonly string[] =>
  fieldEntries.filter(([, field]) => field.scope === scope).map(([name]) => name)

/** In the order of the standard. The scope `roles` and its claim are this service's own. */
export const scopeClaims = {
  profile: [...fieldsOf('profile'), 'updated_at'],
  email: ['email', 'email_verified'],
  address: fieldsOf('address'),
  phone: fieldsOf('phone'),
  roles: ['role'],
} satisfies Readonly<Record<NonNullable<PersonField['scope']> | 'email' | 'roles', readonly string[]>>

const owners: ReadonlyMap<string, string> = new Map(
  Object.entries(scopeClaims).flatMap(([scope, claims]) => claims.map((claim) => [claim, scope] as const)),
)

/** Every claim about a person that a scope or the `claims` parameter can request. */
export const personClaims: readonly string[] = [...owners.keys()]

/** Returns the scope whose consent covers a claim; undefined: no claim about a person. */
export function scopeOfClaim(claim: string): string | undefined {
  return owners.get(claim)
}

/** Returns the claims that the scopes request. */
export function claimsOfScopes(scopes: readonly string[]): readonly string[] {
  return Object.entries(scopeClaims).flatMap(([scope, claims]) => (scopes.includes(scope) ? claims : []))
}
