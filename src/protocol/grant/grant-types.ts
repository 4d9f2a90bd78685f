import { type Refusal, refuse } from '../refusals/index.ts'

type GrantTypeRules = {
  /** Whether it starts at the authorization endpoint, whose response needs a redirect URI. */
  readonly redirects: boolean
  /** The scope that the client needs to make use of it; null: none. */
  readonly scope: string | null
  /** Whether only clients that can authenticate may use it. */
  readonly confidential: boolean
}

/**
 * The grant types of this service (RFC 6749 §1.3) for rules. The behaviour of each at the token endpoint is a file in
 * `connect/grants/`. Discovery, registration and the token endpoint derive their lists from here.
 */
const rules = {
  authorization_code: { redirects: true, scope: null, confidential: false },
  // OpenID Connect Core §11.
  refresh_token: { redirects: false, scope: 'offline_access', confidential: false },
  // RFC 6749 §4.4: without authentication anyone could get the client's tokens.
  client_credentials: { redirects: false, scope: null, confidential: true },
  'urn:ietf:params:oauth:grant-type:device_code': { redirects: false, scope: null, confidential: false },
  'urn:ietf:params:oauth:grant-type:token-exchange': { redirects: false, scope: null, confidential: true },
} as const satisfies Readonly<Record<string, GrantTypeRules>>

export type GrantType = keyof typeof rules

export const grantTypes = Object.keys(rules) as readonly GrantType[]

/** For clients whose registration names none. */
export const defaultGrantTypes: readonly GrantType[] = ['authorization_code', 'refresh_token']

/** Returns the requested grant type. Refuses an unsupported one (RFC 6749 §5.2). */
export function findGrantType(name: string): GrantType | Refusal {
  const found = grantTypes.find((type) => type === name)
  return found ?? refuse('grant_type_unsupported', 'grant_type', { received: name, supported: grantTypes })
}

export function isGrantType(name: string): name is GrantType {
  return Object.hasOwn(rules, name)
}

/** Whether only clients that can authenticate may use the grant type. A type that only a newer version knows: false. */
export function needsAuthentication(type: string): boolean {
  return isGrantType(type) && rules[type].confidential
}

type Requester = {
  readonly id: string
  readonly grantTypes: readonly GrantType[]
  readonly authentication: { readonly method: string }
}

/** Refuses a client that may not use the grant type (RFC 6749 §5.2); undefined: it may. */
export function checkGrantType(type: GrantType, client: Requester): Refusal | undefined {
  if (needsAuthentication(type) && client.authentication.method === 'none') {
    if (type === 'client_credentials') {
      return refuse('client_credentials_missing', 'grant_type', { client: client.id, received: type })
    }
    return refuse('grant_type_confidential', 'grant_type', { client: client.id, received: type })
  }
  if (client.grantTypes.includes(type)) return undefined
  const detail = { client: client.id, received: type, permitted: client.grantTypes }
  return refuse('grant_type_not_permitted', 'grant_type', detail)
}

/** Whether any of them redirects to the client, which then needs a redirect URI. */
export function needsRedirectUri(types: readonly GrantType[]): boolean {
  return types.some((type) => rules[type]?.redirects)
}

/**
 * Returns those that a client with these scopes can use: `grant_types` of its record. Every client has `openid`, which may be what a
 * refresh token needs.
 */
export function usableGrantTypes({ grantTypes: types, scopes, metadata }: Granted): readonly GrantType[] {
  return types.filter((type) => {
    const scope = rules[type]?.scope ?? null
    return scope === null || metadata.refresh_token_scope === 'openid' || scopes.includes(scope)
  })
}

type Granted = {
  readonly grantTypes: readonly GrantType[]
  readonly scopes: readonly string[]
  readonly metadata: { readonly refresh_token_scope: 'offline_access' | 'openid' }
}
