/** The service's cookies: their names and common attributes. */
import type { SetCookie } from './answer.ts'
import type { Request } from './request.ts'

export type CookieName =
  | 'session'
  | 'antiforgery'
  | 'device'
  | 'external'
  | `external.${number}`
  | 'framed'
  | 'half'
  | `half.${number}`
  | `challenge.${string}`
  | `confirmation.${string}`
  | `opened.${string}`
  | `chosen.${string}`
  | `state.${string}`

/** The language that a person chose. Scripts write it, so it has one name over http and https. */
export const languageCookie = 'latchkey.language'

/** Cookies of which a browser may have several, by what their names begin with. */
export type ListedPrefix = 'challenge.' | 'opened.' | 'chosen.' | 'state.'

export type CookieOptions = {
  /** How long the browser keeps the cookie, in seconds; undefined: until the browser closes. */
  readonly maxAgeSeconds?: number
  readonly sameSite?: 'lax' | 'strict' | 'none'
}

/**
 * Stale cookies that one answer removes; later answers remove the rest. Keeps the response head small enough for
 * proxies, even if an attacker filled the browser with cookies.
 */
export const maxRemovals = 16

/**
 * Reads and creates cookies. Over https the names carry the `__Host-` prefix, which binds them to this host: a sibling
 * domain cannot plant one (RFC 6265bis §4.1.3.2).
 */
export type Cookies = {
  read(request: Request, name: CookieName): string | undefined
  /** Returns the names of the received cookies that begin with `prefix`. */
  names<Prefix extends ListedPrefix>(request: Request, prefix: Prefix): `${Prefix}${string}`[]
  /** Like `removal`, returns a cookie to attach to an answer. */
  make(name: CookieName, value: string, options?: CookieOptions): SetCookie
  removal(name: CookieName): SetCookie
}

export function cookiesFor(issuer: string): Cookies {
  const secure = issuer.startsWith('https:')
  const fullName = (name: CookieName): string => `${secure ? '__Host-' : ''}latchkey.${name}`
  const make: Cookies['make'] = (name, value, { maxAgeSeconds, sameSite = 'lax' } = {}) => ({
    name: fullName(name),
    value,
    path: '/',
    httpOnly: true,
    secure,
    // Browsers accept SameSite=None only with Secure. Without https, Lax is the closest they accept.
    sameSite: sameSite === 'none' && !secure ? 'lax' : sameSite,
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  })
  return {
    make,
    read: (request, name) => request.cookies[fullName(name)],
    names: <Prefix extends ListedPrefix>(request: Request, prefix: Prefix) => {
      const start = fullName('session').length - 'session'.length
      return Object.keys(request.cookies)
        .filter((name) => name.startsWith(fullName(prefix as CookieName)))
        .map((name) => name.slice(start) as `${Prefix}${string}`)
    },
    removal: (name) => ({ ...make(name, ''), expires: new Date(0) }),
  }
}
