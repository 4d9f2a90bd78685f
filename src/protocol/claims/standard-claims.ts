/** The claims about a person, and the scope that each belongs to (OpenID Connect Core §5.1, §5.4). */

/** In the order of the standard. The scope `roles` and its claim are this service's own. */
export const scopeClaims = {
  profile: [
    ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
    ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  roles: ['role'],
} as const satisfies Readonly<Record<string, readonly string[]>>

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
