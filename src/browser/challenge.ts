/**
 * Remembers, in the browser, when an authorization request was sent to the login page because it wants a sign-in of
 * its own (`prompt=login`, `max_age`). Only a sign-in after that moment satisfies it. One cookie a request, signed so
 * that the moment cannot be moved, gone once the request is answered.
 */
import { createHash } from 'node:crypto'
import type { SetCookie } from '../http/answer.ts'
import { type CookieName, type Cookies, maxRemovals } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'

const lifetimeSeconds = 3600
/** Requests that one browser may have at the login page at once. More would fill the header that carries cookies. */
const maxChallenges = 8

export type Challenges = {
  /** When this request was challenged, epoch milliseconds; undefined: it was not, or too long ago. */
  challengedAt(request: Request, parameters: Parameters): number | undefined
  /** Marks the request as challenged now; a mark that stands is kept, so that going back and forth changes nothing. */
  challenge(request: Request, parameters: Parameters): readonly SetCookie[]
  /** The request was answered: the next one like it is challenged anew. */
  settle(request: Request, parameters: Parameters): readonly SetCookie[]
}

/** The moment, bound to the id of its request. */
const moments: SignedFormat<string> = {
  use: 'antiforgery',
  digest: 'sha256',
  maxLength: 256,
  message: (time, id) => ['latchkey challenge v1', id, time].join('\n'),
}

export function challengesWith(keys: KeyRing, cookies: Cookies, clock: () => number): Challenges {
  const signed = signedTexts(keys, moments)
  const challengedAt: Challenges['challengedAt'] = (request, parameters) => {
    // Most requests were never challenged, and need no digest to find that out.
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
      // The oldest give way. Their requests are challenged anew should they come back.
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

/** The same for the same parameters in any order, so that a query and the form made of it are one request. */
function requestId(parameters: Parameters): string {
  const canonical = parameters.map(([name, value]) => JSON.stringify([name, value])).sort()
  return createHash('sha256').update(canonical.join('\n')).digest('base64url').slice(0, 22)
}

function cookieName(id: string): CookieName {
  return `challenge.${id}`
}
