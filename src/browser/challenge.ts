/**
 * Remembers in the browser when an authorization request was sent to the login page because it demands a fresh sign-in
 * (`prompt=login`, `max_age`). Only a later sign-in satisfies it. Uses one cookie per request, signed so that its time
 * cannot be changed, and removed once the request is answered.
 */
import { createHash } from 'node:crypto'
import type { SetCookie } from '../http/answer.ts'
import { type CookieName, type Cookies, maxRemovals } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'

const lifetimeSeconds = 3600
/** Pending requests per browser. More would overflow the cookie header. */
const maxChallenges = 8

export type Challenges = {
  /** Returns when this request was challenged, in epoch milliseconds; undefined: never, or too long ago. */
  challengedAt(request: Request, parameters: Parameters): number | undefined
  /** Marks the request as challenged now. Idempotent: an existing mark keeps its time. */
  challenge(request: Request, parameters: Parameters): readonly SetCookie[]
  /** Removes the mark once the request is answered, so that the next identical request is challenged again. */
  settle(request: Request, parameters: Parameters): readonly SetCookie[]
}

/** The time of the challenge, bound to the request's id. */
const challengeFormat: SignedFormat<string> = {
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (time, id) => ['latchkey challenge v1', id, time].join('\n'),
}

export function challengesWith(keys: KeyRing, cookies: Cookies, clock: () => number): Challenges {
  const signed = signedTexts(keys, challengeFormat)
  const challengedAt: Challenges['challengedAt'] = (request, parameters) => {
    // Skips the digest for most requests, which were never challenged.
    if (cookies.names(request, 'challenge.').length === 0) return undefined
    const id = requestId(parameters)
    const value = cookies.read(request, cookieName(id))
    const genuine = value === undefined ? undefined : signed.verify(value, id)
    if (typeof genuine !== 'object') return undefined
    const atMs = Number.parseInt(genuine.text, 36)
    return clock() - atMs <= lifetimeSeconds * 1000 ? atMs : undefined
  }
  return {
    challengedAt,
    challenge(request, parameters) {
      if (challengedAt(request, parameters) !== undefined) return []
      const id = requestId(parameters)
      const value = signed.sign(clock().toString(36), id)
      // Drops the oldest marks. Their requests are challenged again if they return.
      const age = (name: CookieName): string => cookies.read(request, name)?.split('.')[1] ?? ''
      const others = cookies.names(request, 'challenge.').sort((a, b) => (age(a) < age(b) ? 1 : -1))
      const removed = others.slice(maxChallenges - 1).slice(-maxRemovals)
      const made = cookies.make(cookieName(id), value, { maxAgeSeconds: lifetimeSeconds })
      return [...removed.map(cookies.removal), made]
    },
    settle(request, parameters) {
      if (cookies.names(request, 'challenge.').length === 0) return []
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

function cookieName(id: string): CookieName {
  return `challenge.${id}`
}
