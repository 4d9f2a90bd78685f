/** Answers as values, and constructors for each kind that endpoints return. */
import type { BodyStream } from './body-stream.ts'

export type Answer = {
  readonly status: number
  /** Names in lower case. The kernel adds security headers, CORS headers, cookies and the content length, which a stream has not. */
  readonly headers: Readonly<Record<string, string>>
  /** If several share a name, the last one is sent. */
  readonly cookies: readonly SetCookie[]
  readonly body: string | Buffer | BodyStream
}

/** A cookie to set, or to remove when `expires` is in the past (RFC 6265 §4.1). */
export type SetCookie = {
  readonly name: string
  /** Unencoded. */
  readonly value: string
  readonly path: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
  /** In seconds. */
  readonly maxAge?: number
  readonly expires?: Date
}

type Headers = Readonly<Record<string, string>>

/** Forbids caching of answers that carry tokens, codes or personal data (RFC 6749 §5.1). */
export const neverCached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

const noCookies: readonly SetCookie[] = []

const jsonType = { 'content-type': 'application/json; charset=utf-8' } as const
const jsonHeaders: Headers = { ...neverCached, ...jsonType }

/** Returns a JSON answer that must not be cached. */
export function json(value: unknown, status = 200, headers?: Headers): Answer {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : { ...neverCached, ...headers, ...jsonType },
    cookies: noCookies,
    body: JSON.stringify(value),
  }
}

/** Returns problem details (RFC 9457 §3). */
export function problemDetails(value: unknown, status: number, headers?: Headers): Answer {
  return {
    status,
    headers: { ...neverCached, ...headers, 'content-type': 'application/problem+json' },
    cookies: noCookies,
    body: JSON.stringify(value),
  }
}

/** Returns a body of another media type that must not be cached. */
export function uncached(type: string, body: string): Answer {
  return { status: 200, headers: { ...neverCached, 'content-type': type }, cookies: noCookies, body }
}

/** Returns an HTML document that must not be cached. */
export function html(document: string, status = 200, headers?: Headers): Answer {
  return {
    status,
    headers: { ...neverCached, ...headers, 'content-type': 'text/html; charset=utf-8' },
    cookies: noCookies,
    body: document,
  }
}

/** Returns an answer without a body that must not be cached. */
export function empty(status: number, headers?: Headers): Answer {
  return { status, headers: { ...neverCached, ...headers }, cookies: noCookies, body: '' }
}

/** Returns a body that caches may keep as `cacheControl` allows. */
export function cacheable(cacheControl: string, type: string, body: string | Buffer, headers?: Headers): Answer {
  return {
    status: 200,
    headers: { 'cache-control': cacheControl, 'content-type': type, ...headers },
    cookies: noCookies,
    body,
  }
}

/** Redirects with 302. Percent-encodes only characters that a header cannot hold, so the address keeps its meaning. */
export function redirect(location: string): Answer {
  return empty(302, { location: headerSafe(location) })
}

/** Redirects with 303, so that the browser continues with GET (RFC 9110 §15.4.4). */
export function seeOther(location: string): Answer {
  return empty(303, { location: headerSafe(location) })
}

/** Returns the same answer with more cookies. */
export function withCookies(answer: Answer, cookies: readonly SetCookie[]): Answer {
  return cookies.length === 0 ? answer : { ...answer, cookies: [...answer.cookies, ...cookies] }
}

/** Returns the same answer with more headers. */
export function withHeaders(answer: Answer, headers: Headers): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function headerSafe(location: string): string {
  return location.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
}
