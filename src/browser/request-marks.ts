/**
 * Remembers in the browser when something happened to an authorization request. Uses one cookie per request, signed so
 * that its time cannot be changed, and removed once the request is answered.
 */
import { createHash } from 'node:crypto'
import type { SetCookie } from '../http/answer.ts'
import { type CookieName, type Cookies, maxRemovals } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { interactionSeconds } from '../protocol/authorization-request/pushed-request.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'

const lifetimeSeconds = interactionSeconds
/** Pending requests per browser. More would overflow the cookie header. */
const maxMarks = 8

/**
 * What a mark says. challenge: the request was sent to the login page because it demands a fresh sign-in
 * (`prompt=login`, `max_age`), and only a later sign-in satisfies it. opened: this browser opened a pushed request while
 * its `request_uri` was valid, and may complete it later (RFC 9126 §4). chosen: a person was chosen for the request
 * (`prompt=select_account`).
 */
type Kind = 'challenge' | 'opened' | 'chosen'

export type RequestMarks = {
  /** Returns when this request was marked, in epoch milliseconds; undefined: never, or too long ago. */
  markedAt(request: Request, parameters: Parameters): number | undefined
  /** Marks the request now. Idempotent: an existing mark keeps its time. */
  mark(request: Request, parameters: Parameters): readonly SetCookie[]
  /** Removes the mark once the request is answered, so that the next identical request is marked again. */
  settle(request: Request, parameters: Parameters): readonly SetCookie[]
}

/** The time of the mark, bound to the request's id. */
const markFormat = (kind: Kind): SignedFormat<string> => ({
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (time, id) => [`latchkey ${kind} v1`, id, time].join('\n'),
})

export function requestMarksWith(keys: KeyRing, cookies: Cookies, clock: () => number, kind: Kind): RequestMarks {
  const signed = signedTexts(keys, markFormat(kind))
  const prefix = `${kind}.` as const
  const cookieName = (id: string): CookieName => `${prefix}${id}`
  const markedAt: RequestMarks['markedAt'] = (request, parameters) => {
    // Skips the digest for most requests, which have no mark.
    if (cookies.names(request, prefix).length === 0) return undefined
    const id = requestId(parameters)
    const value = cookies.read(request, cookieName(id))
    const genuine = value === undefined ? undefined : signed.verify(value, id)
    if (typeof genuine !== 'object') return undefined
    const atMs = Number.parseInt(genuine.text, 36)
    return clock() - atMs <= lifetimeSeconds * 1000 ? atMs : undefined
  }
  return {
    markedAt,
    mark(request, parameters) {
      if (markedAt(request, parameters) !== undefined) return []
      const id = requestId(parameters)
      const value = signed.sign(clock().toString(36), id)
      // Drops the oldest marks. Their requests are marked again if they return.
      const age = (name: CookieName): string => cookies.read(request, name)?.split('.')[1] ?? ''
      const others = cookies.names(request, prefix).sort((a, b) => (age(a) < age(b) ? 1 : -1))
      const removed = others.slice(maxMarks - 1).slice(-maxRemovals)
      const made = cookies.make(cookieName(id), value, { maxAgeSeconds: lifetimeSeconds })
      return [...removed.map(cookies.removal), made]
    },
    settle(request, parameters) {
      if (cookies.names(request, prefix).length === 0) return []
      const name = cookieName(requestId(parameters))
      return cookies.read(request, name) === undefined ? [] : [cookies.removal(name)]
    },
  }
}

/** Independent of the order of parameters, so that a query and the form built from it have the same id. */
function requestId(parameters: Parameters): string {
  const canonical = parameters.map(([name, value]) => JSON.stringify([name, value])).sort()
  return createHash('sha256').update(canonical.join('\n')).digest('base64url').slice(0, 22)
}
