/** The second address of endpoints, at which a proxy asks for certificates (RFC 8705 §5). Both lead to the same service. */
import { type EndpointSettings, namedPath, pathsOf } from './endpoints.ts'
import { baseOf } from './issuer.ts'

const aliased = [
  'token',
  'pushed_authorization_request',
  'userinfo',
  'revocation',
  'device_authorization',
  'introspection',
] as const

/** The endpoints at which clients authenticate, or present a token that is bound to a certificate, at the paths that discovery names. */
export function aliasesAt(
  address: string,
  settings: Pick<EndpointSettings, 'aliases'> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(aliased.map((name) => [`${name}_endpoint`, `${address}${namedPath(name, settings)}`]))
}

/**
 * The addresses by which a client may name an endpoint in what it signs: each of its paths, also at the address for certificates. The
 * `Host` of the request has no say. `address`: its own; one that is not at the host of the issuer has no other.
 */
export function addressesOf(address: string, settings: EndpointSettings): readonly string[] {
  const base = baseOf(settings.issuer)
  if (!address.startsWith(base)) return [address]
  const paths = pathsOf(address.slice(base.length), settings)
  const mtls = settings.mtls.address ?? null
  return [base, ...(mtls === null ? [] : [mtls])].flatMap((host) => paths.map((path) => `${host}${path}`))
}
