/** CORS: what scripts from other origins may call (`Cors:Origins`). */
import { empty } from './answer.ts'
import type { Endpoint, Request } from './request.ts'

/** Sent with every answer of a shared route, whatever the origin. */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'www-authenticate, dpop-nonce, x-trace-id',
}

/** Sent where the origin is one of a client (`web_origins`): its scripts may not send cookies. */
export const clientOriginHeaders: Readonly<Record<string, string>> = {
  vary: 'Origin',
  'access-control-expose-headers': crossOriginHeaders['access-control-expose-headers'] ?? '',
}

/** Returns the clients that list the origin in `web_origins`; undefined: none. */
export type WebOrigins = (origin: string) => ReadonlySet<string> | undefined | Promise<ReadonlySet<string> | undefined>

/** The client that a request is answered for. */
const clients = new WeakMap<Request, string>()

/** Notes for which client the request is answered: scripts of its origins alone may read the answer. */
export function answeredFor(request: Request, clientId: string): void {
  clients.set(request, clientId)
}

/**
 * Whether scripts of an origin may read an answer; `listing`: the clients that list it. What is the same for everybody, any
 * client's scripts may read (`isPublic`), and a refusal before it was clear which client asks. Another answer that no client was noted
 * for is nobody's.
 */
export function isReadable(request: Request, listing: ReadonlySet<string>, isPublic: boolean, status: number): boolean {
  const client = clients.get(request)
  return isPublic || (client === undefined ? status >= 400 : listing.has(client))
}

/** Returns the CORS header for an allowed origin and nothing for any other. */
export function allowOrigin(
  origin: string | undefined,
  allowed: readonly string[],
): Readonly<Record<string, string>> | undefined {
  return origin !== undefined && allowed.includes(origin) ? { 'access-control-allow-origin': origin } : undefined
}

/** What scripts may send in any case: the endpoints read these. */
const alwaysAllowed = ['authorization', 'content-type', 'dpop']

/** Of `Access-Control-Request-Headers`, in characters and names. */
const askedAtMost = { length: 2048, names: 64 }

/**
 * Answers preflights, which name no client: any client's `web_origins` count, and what the answer itself may be read by is decided with it. A browser treats a missing `access-control-allow-origin`, which other origins lack, as a refusal. `headers`: what scripts
 * may send besides; `*`: what an allowed origin asks for (with credentials the header itself knows no `*`, Fetch §3.3.3).
 */
export function preflightFor(
  origins: readonly string[],
  headers: '*' | readonly string[],
  webOrigins: WebOrigins = () => undefined,
): Endpoint {
  const named = headers === '*' ? alwaysAllowed : [...new Set([...alwaysAllowed, ...headers])]
  return async (request) => {
    const { origin } = request.headers
    const isAllowed = origin !== undefined && (origins.includes(origin) || (await webOrigins(origin)) !== undefined)
    const asked = headers === '*' && isAllowed ? namesIn(request.headers['access-control-request-headers']) : []
    const { status, cookies, body } = empty(204)
    const sent = {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': [...new Set([...named, ...asked])].join(', '),
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    }
    return { status, cookies, body, headers: sent }
  }
}

/** Returns the names of headers in lower case; none where the text is too long or no list of names (RFC 9110 §5.1). */
function namesIn(asked = ''): readonly string[] {
  if (asked.length > askedAtMost.length) return []
  const names = asked.split(',', askedAtMost.names + 1).map((name) => name.trim().toLowerCase())
  const areNames = names.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  return areNames && names.length <= askedAtMost.names ? names : []
}
