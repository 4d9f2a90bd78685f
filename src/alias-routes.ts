/** Further paths of routes: those below the path of the issuer, and those of `OAuth:EndpointAliases`. */
import { redirect } from './http/answer.ts'
import type { Endpoint } from './http/request.ts'
import type { Route } from './http/router.ts'
import { get, lazy, sharedByAll } from './lazy-route.ts'
import { type EndpointAliases, endpointNames, endpointPaths, keycloakPages } from './protocol/discovery/endpoints.ts'
import { pathOf, wellKnownPath } from './protocol/discovery/issuer.ts'
import type { Service } from './service.ts'

const frames = () => import('./connect/session-frame.ts')

/**
 * The routes of discovery, which has the path of the issuer in front or at the end (OpenID Connect Discovery §4, RFC 8414 §3.1), and of the
 * metadata of the sample API.
 */
export function discoveryRoutes(issuer: string, document: Endpoint, ofSample: Endpoint): readonly Route[] {
  const paths = ['openid-configuration', 'oauth-authorization-server'].flatMap((name) => [
    wellKnownPath(issuer, name),
    `${pathOf(issuer)}/.well-known/${name}`,
    // Where the issuer ends with a slash, some libraries append one more.
    `${pathOf(issuer)}//.well-known/${name}`,
  ])
  const resource = wellKnownPath(issuer, 'oauth-protected-resource', '/weatherforecast')
  return [...[...new Set(paths)].map((path) => sharedByAll(get(path, document))), sharedByAll(get(resource, ofSample))]
}

/**
 * What answers below the path of the issuer, too: endpoints, the key set and the sample API. Not the admin API and the account area: a proxy
 * that closes those paths to the public would leave the other ones open.
 */
const belowIssuer = /^\/(?:connect\/|\.well-known\/jwks$|weatherforecast(?:\/|$))/

/** Returns the routes with their aliases, which count as the routes that they are copies of. */
export function withAliases(
  routes: readonly Route[],
  { issuer, aliases }: { readonly issuer: string; readonly aliases: EndpointAliases },
): readonly Route[] {
  const path = pathOf(issuer)
  const below = path === '' ? [] : routes.filter((route) => belowIssuer.test(route.path))
  const copies = endpointNames.flatMap((name) => {
    const own = routes.filter((route) => route.path === `/${endpointPaths[name]}`)
    return (aliases[name] ?? []).flatMap((alias) => own.map((route) => aliasOf(route, alias)))
  })
  return [...routes, ...below.map((route) => aliasOf(route, `${path}${route.path}`)), ...copies]
}

function aliasOf(route: Route, path: string): Route {
  return { ...route, path, aliasOf: route.path }
}

/** Pages of `OAuth:EndpointAliases:Preset=keycloak`. */
export function keycloakRoutes(service: Service): readonly Route[] {
  const { issuer, endpointAliases } = service.settings.oauth
  if (endpointAliases.preset !== 'keycloak') return []
  const { account, firstStep, secondStep, loginStatus } = keycloakPages
  const below = (page: string): string => `${pathOf(issuer)}/${page}`
  return [
    get(below(account), async () => redirect('/account')),
    lazy(get, below(firstStep), async () => (await frames()).firstStep(service)),
    lazy(get, below(secondStep), async () => (await frames()).secondStep(service)),
    lazy(get, below(loginStatus), async () => (await frames()).loginStatusFrame(service)),
    lazy(get, `${below(loginStatus)}/status`, async () => (await frames()).loginStatus(service)),
  ]
}
