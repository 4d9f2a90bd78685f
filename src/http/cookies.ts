/** The cookies of this service: their names, and the attributes that all of them share. */
import type { SetCookie } from './answer.ts'
import type { Request } from './request.ts'

export type CookieName =
  | 'session'
  | 'antiforgery'
  | 'device'
  | 'external'
  | `external.${number}`
  | `challenge.${string}`
  | `state.${string}`

export type CookieOptions = {
  /** Seconds the cookie outlives the browser; absent: it ends with the browser. */
  readonly maxAgeSeconds?: number
  readonly sameSite?: 'lax' | 'strict' | 'none'
}

/**
 * Superfluous cookies that one answer takes out of a browser; the next ones take the rest. Whoever filled the browser
 * with them must not make an answer whose head is too large for the proxies in between.
 */
export const maxRemovals = 16

/**
 * Reads and makes cookies. Under https the names carry the `__Host-` prefix, with which a browser takes them only
 * from this very host: a sibling domain cannot plant one (RFC 6265bis §4.1.3.2).
 */
export type Cookies = {
  read(request: Request, name: CookieName): string | undefined
  /** The names that the browser sent and that begin with `prefix`. */
  names<Prefix extends 'challenge.' | 'state.'>(request: Request, prefix: Prefix): `${Prefix}${string}`[]
  /** To be put on an answer, as what `removal` gives. */
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
    // SameSite=None is only accepted with Secure; without https the stricter Lax is the best there is.
    sameSite: sameSite === 'none' && !secure ? 'lax' : sameSite,
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  })
  return {
    make,
    read: (request, name) => request.cookies[fullName(name)],
    names: <Prefix extends 'challenge.' | 'state.'>(request: Request, prefix: Prefix) => {
      const start = fullName('session').length - 'session'.length
      return Object.keys(request.cookies)
        .filter((name) => name.startsWith(fullName(prefix as CookieName)))
        .map((name) => name.slice(start) as `${Prefix}${string}`)
    },
    removal: (name) => ({ ...make(name, ''), expires: new Date(0) }),
  }
}
