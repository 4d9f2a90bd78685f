/** The second address of endpoints, at which a proxy asks for certificates (RFC 8705 §5). Both lead to the same service. */

const aliased = {
  token_endpoint: 'connect/token',
  pushed_authorization_request_endpoint: 'connect/par',
  userinfo_endpoint: 'connect/userinfo',
  revocation_endpoint: 'connect/revocation',
  device_authorization_endpoint: 'connect/device',
  introspection_endpoint: 'connect/introspect',
}

/** The endpoints at which clients authenticate, or present a token that is bound to a certificate. */
export function aliasesAt(address: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(aliased).map(([name, path]) => [name, `${address}${path}`]))
}

/**
 * The addresses by which a client may name an endpoint in what it signs: its own, and the alias if it is below the
 * issuer. The `Host` of the request has no say.
 */
export function addressesOf(
  address: string,
  { issuer, mtls }: { readonly issuer: string; readonly mtls: { readonly address: string | null } },
): readonly string[] {
  if (mtls.address === null || !address.startsWith(issuer)) return [address]
  return [address, `${mtls.address}${address.slice(issuer.length)}`]
}
