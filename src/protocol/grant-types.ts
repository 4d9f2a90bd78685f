import { type Refusal, refuse } from './refusals/index.ts'

type GrantTypeRules = {
  /** It begins at the authorization endpoint, whose answer needs a redirect URI. */
  readonly redirects: boolean
  /** Without this scope the client cannot make use of it; null: it needs none. */
  readonly scope: string | null
}

/**
 * The grant types of this service (RFC 6749 §1.3), as far as rules know them. What each does at the token endpoint is a file
 * in `connect/grants/`. Discovery, registration and the token endpoint take their lists from here.
 */
const rules = {
  authorization_code: { redirects: true, scope: null },
  // OpenID Connect Core §11.
  refresh_token: { redirects: false, scope: 'offline_access' },
} as const satisfies Readonly<Record<string, GrantTypeRules>>

export type GrantType = keyof typeof rules

export const grantTypes = Object.keys(rules) as readonly GrantType[]

/** Those of a client whose registration names none. */
export const defaultGrantTypes: readonly GrantType[] = ['authorization_code', 'refresh_token']

/** The grant type that a request names; a refusal when the service has no such one (RFC 6749 §5.2). */
export function findGrantType(name: string): GrantType | Refusal {
  const found = grantTypes.find((type) => type === name)
  return found ?? refuse('grant_type_unsupported', 'grant_type', { received: name, supported: grantTypes })
}

export function isGrantType(name: string): name is GrantType {
  return Object.hasOwn(rules, name)
}

type WithGrantTypes = { readonly id: string; readonly grantTypes: readonly GrantType[] }

/** Refuses a client that is not registered for the grant type (RFC 6749 §5.2); undefined: it is. */
export function checkGrantType(type: GrantType, client: WithGrantTypes): Refusal | undefined {
  if (client.grantTypes.includes(type)) return undefined
  const detail = { client: client.id, received: type, permitted: client.grantTypes }
  return refuse('grant_type_not_permitted', 'grant_type', detail)
}

/** Whether any of them sends people back to the client, which then needs a redirect URI. */
export function needsRedirectUri(types: readonly GrantType[]): boolean {
  return types.some((type) => rules[type]?.redirects)
}

/** Those that a client with these scopes can make use of: `grant_types` of its record. */
export function usableGrantTypes(types: readonly GrantType[], scopes: readonly string[]): readonly GrantType[] {
  return types.filter((type) => {
    const scope = rules[type]?.scope ?? null
    return scope === null || scopes.includes(scope)
  })
}
