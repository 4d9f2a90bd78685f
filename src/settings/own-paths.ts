/** Paths that the service answers itself, so that neither the issuer nor an alias can take them. */
import {
  type AliasPreset,
  type EndpointAliases,
  endpointNames,
  endpointPaths,
  keycloakPages,
} from '../protocol/discovery/endpoints.ts'
import { pathOf } from '../protocol/discovery/issuer.ts'

/** First segments whose paths are pages, files or a whole API of the service. */
const ownFolders = ['account', 'admin', 'assets', 'callback']

/** Other paths, in lower case. `test/settings/own-paths.test.ts` compares them with the table of routes. */
const ownPaths: readonly string[] = [
  ...endpointNames.map((name) => `/${endpointPaths[name]}`),
  '/connect/rp-jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/weatherforecast',
  '/.well-known/change-password',
  '/.well-known/passkey-endpoints',
  '/.well-known/webauthn',
  '/weatherforecast',
  '/weatherforecast/details',
  '/branding.css',
  '/errors',
  '/favicon.ico',
  '/healthz',
  '/readyz',
]

/** Whether the service has something of its own at the path. `path`: with a slash in front. */
export function isOwnPath(path: string, issuer: string): boolean {
  const plain = path.toLowerCase()
  if (ownFolders.includes(plain.split('/')[1] ?? '')) return true
  const root = pathOf(issuer).toLowerCase()
  const discovery = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']
  const ofIssuer = root === '' ? [] : [...discovery, '/.well-known/oauth-protected-resource'].map((one) => one + root)
  const below = root !== '' && plain.startsWith(`${root}/`) ? plain.slice(root.length) : plain
  if ([plain, below].some((one) => one.startsWith('/connect/register/'))) return true
  return ownPaths.includes(plain) || ownPaths.includes(below) || ofIssuer.some((one) => plain.startsWith(one))
}

/** First segments that an issuer cannot begin with, besides those of pages. */
const protocolFolders = ['.well-known', 'connect', 'errors', 'healthz', 'readyz', 'weatherforecast']

/** Returns why the service cannot answer at these paths, in a sentence or two each. */
export function aliasProblems(issuer: string, preset: AliasPreset, aliases: EndpointAliases): readonly string[] {
  const problems: string[] = []
  const first = pathOf(issuer).split('/')[1]?.toLowerCase() ?? ''
  if (first !== '' && [...ownFolders, ...protocolFolders].includes(first)) {
    problems.push(`OAuth:Issuer is ${issuer}, but /${first} is a path of the service itself. Choose another one.`)
  }
  const pages = preset === 'keycloak' ? Object.values(keycloakPages).map((page) => `${pathOf(issuer)}/${page}`) : []
  const taken = new Map<string, string>()
  for (const name of endpointNames) {
    for (const path of aliases[name] ?? []) {
      const other = taken.get(path.toLowerCase())
      if (isOwnPath(path, issuer) || pages.some((page) => page.toLowerCase() === path.toLowerCase())) {
        problems.push(`OAuth:EndpointAliases:${name} is ${path}, which is a path of the service itself. Remove it.`)
      } else if (other !== undefined) {
        problems.push(`OAuth:EndpointAliases:${name} is ${path}, as is that of ${other}. Remove one of the two.`)
      }
      taken.set(path.toLowerCase(), name)
    }
  }
  return problems
}
