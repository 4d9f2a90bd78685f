/**
 * Addresses that follow from the issuer. It may have a path (RFC 8414 §2), while pages and endpoints are at the root of its host.
 */

/** Where the path of an absolute address begins: after the slashes of `https://`. */
const afterScheme = 8

/** The address of the host, with a trailing slash. `issuer`: absolute; without a path it ends with a slash. */
export function baseOf(issuer: string): string {
  return issuer.slice(0, issuer.indexOf('/', afterScheme) + 1)
}

/** The path of the issuer without a trailing slash; empty: it has none. */
export function pathOf(issuer: string): string {
  return issuer.slice(issuer.indexOf('/', afterScheme)).replace(/\/$/, '')
}

/** The identifier of a resource of this service: the issuer and the name, with one slash between. */
export function resourceBelow(issuer: string, name: string): string {
  return issuer.endsWith('/') ? `${issuer}${name}` : `${issuer}/${name}`
}

/** The path of a document about something below the issuer: the well-known part comes first (RFC 8414 §3.1, RFC 9728 §3.1). */
export function wellKnownPath(issuer: string, name: string, below = ''): string {
  return `/.well-known/${name}${pathOf(issuer)}${below}`
}
