/** The endpoints that discovery names, and the further paths at which they answer (`OAuth:EndpointAliases`). */
import { pathOf } from './issuer.ts'

/** The path of each below the root of the host, by its name in the settings. */
export const endpointPaths = {
  authorization: 'connect/authorize',
  token: 'connect/token',
  userinfo: 'connect/userinfo',
  end_session: 'connect/logout',
  jwks: '.well-known/jwks',
  introspection: 'connect/introspect',
  revocation: 'connect/revocation',
  device_authorization: 'connect/device',
  pushed_authorization_request: 'connect/par',
  registration: 'connect/register',
} as const

export type EndpointName = keyof typeof endpointPaths
export const endpointNames = Object.keys(endpointPaths) as EndpointName[]

export type AliasPreset = 'none' | 'keycloak'

/** Paths of another system, below the issuer. */
const presets: Readonly<Record<AliasPreset, Readonly<Partial<Record<EndpointName, string>>>>> = {
  none: {},
  keycloak: {
    authorization: 'protocol/openid-connect/auth',
    token: 'protocol/openid-connect/token',
    userinfo: 'protocol/openid-connect/userinfo',
    end_session: 'protocol/openid-connect/logout',
    jwks: 'protocol/openid-connect/certs',
    introspection: 'protocol/openid-connect/token/introspect',
    revocation: 'protocol/openid-connect/revoke',
    device_authorization: 'protocol/openid-connect/auth/device',
    pushed_authorization_request: 'protocol/openid-connect/ext/par/request',
    registration: 'clients-registrations/openid-connect',
  },
}

/** Pages of that system for its browser library, and the account page, below the issuer. */
export const keycloakPages = {
  account: 'account',
  firstStep: 'protocol/openid-connect/3p-cookies/step1.html',
  secondStep: 'protocol/openid-connect/3p-cookies/step2.html',
  loginStatus: 'protocol/openid-connect/login-status-iframe.html',
} as const

/** Absolute paths at which an endpoint answers besides its own; the first of them is the one that discovery names. */
export type EndpointAliases = Readonly<Partial<Record<EndpointName, readonly string[]>>>

/**
 * Returns the aliases of the settings. `chosen`: paths by endpoint, absolute or below the issuer; null: none. They come before those of
 * the preset.
 */
export function aliasesOf(
  issuer: string,
  preset: AliasPreset,
  chosen: Readonly<Partial<Record<EndpointName, string | null>>>,
): EndpointAliases {
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${pathOf(issuer)}/${path}`)
  const all = endpointNames.map((name) => {
    const paths = [chosen[name] ?? [], presets[preset][name] ?? []].flat().map(absolute)
    return [name, [...new Set(paths)]] as const
  })
  return Object.fromEntries(all.filter(([, paths]) => paths.length > 0))
}

export type EndpointSettings = {
  readonly issuer: string
  readonly mtls: { readonly address?: string | null }
  readonly aliases?: EndpointAliases
}

/**
 * All paths of an endpoint, without the slash in front: its own, the same below the issuer, and its aliases. `path`: its own; one that is
 * no endpoint of discovery has no aliases.
 */
export function pathsOf(path: string, { issuer, aliases = {} }: EndpointSettings): readonly string[] {
  const below = pathOf(issuer)
  const name = endpointNames.find((one) => endpointPaths[one] === path)
  const others = (name && aliases[name]) ?? []
  return [path, ...(below === '' ? [] : [`${below.slice(1)}/${path}`]), ...others.map((alias) => alias.slice(1))]
}

/** The path that discovery names, without the slash in front. */
export function namedPath(name: EndpointName, { aliases = {} }: Pick<EndpointSettings, 'aliases'>): string {
  return aliases[name]?.[0]?.slice(1) ?? endpointPaths[name]
}
