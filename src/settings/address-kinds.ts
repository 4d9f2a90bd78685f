/** Kinds of the service's own addresses: its issuer, and paths at which endpoints answer as well. */
import { Fault, issuer, type Kind, oneOf } from './kinds.ts'

/** An address of the service. It has no path, because pages and endpoints are at the root of their host. */
export const ownAddress: Kind<string> = {
  type: 'URL',
  read(raw) {
    const url = issuer.read(raw, '')
    if (url instanceof Fault || new URL(url).pathname === '/') return url
    return new Fault('must have no path')
  },
}

/** What paths of routes consist of. `:` and `*` would be patterns. */
const segment = /^[\w.~%!$&'()+,;=@-]+$/

/** The service's own issuer (RFC 8414 §2). With a path, the text as it is: it is compared character by character. */
export const ownIssuer: Kind<string> = {
  type: 'URL',
  read(raw) {
    const url = issuer.read(raw, '')
    if (url instanceof Fault || new URL(url).pathname === '/') return url
    const text = String(raw)
    // The path must be one that clients send as it is: URL parsers remove dot segments.
    const { pathname } = new URL(text)
    const isPlain = /^https?:\/\/[^/\\]+(.*)$/.exec(text)?.[1] === pathname
    const segments = pathname.replace(/\/$/, '').split('/').slice(1)
    if (isPlain && segments.every((one) => segment.test(one))) return text
    return new Fault("must have a plain path: segments without ':', '*', dot segments and doubled slashes")
  },
}

export const aliasPreset = oneOf('none', 'keycloak')

/** A path on the host (`/oauth/token`), or below the issuer (`oauth/token`). */
export const aliasPath: Kind<string | null> = {
  type: 'path',
  read(raw) {
    const isPath =
      typeof raw === 'string' &&
      raw
        .replace(/^\//, '')
        .split('/')
        .every((one) => segment.test(one) && !/^\.\.?$/.test(one))
    return isPath ? raw : new Fault("must be a path such as /oauth/token, without ':', '*', query and trailing slash")
  },
}
