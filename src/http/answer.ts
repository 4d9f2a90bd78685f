/** An answer as a value, and the kinds of answers that endpoints give. */
export type Answer = {
  readonly status: number
  /** Names in lower case. The kernel adds the security headers, those of CORS, the cookies and the length. */
  readonly headers: Readonly<Record<string, string>>
  /** Of several with one name the last is sent. */
  readonly cookies: readonly SetCookie[]
  readonly body: string | Buffer
}

/** A cookie that the browser is told to keep, or to remove with an `expires` that has passed (RFC 6265 §4.1). */
export type SetCookie = {
  readonly name: string
  /** Not encoded. */
  readonly value: string
  readonly path: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'lax' | 'strict' | 'none'
  /** Seconds. */
  readonly maxAge?: number
  readonly expires?: Date
}

type Headers = Readonly<Record<string, string>>

/** RFC 6749 §5.1: no cache may store what carries tokens, codes or a person's state. */
export const neverCached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

const noCookies: readonly SetCookie[] = []

/** JSON that no cache may store. */
export function json(value: unknown, status = 200, headers?: Headers): Answer {
  return {
    status,
    headers: { ...neverCached, ...headers, 'content-type': 'application/json; charset=utf-8' },
    cookies: noCookies,
    body: JSON.stringify(value),
  }
}

/** An HTML document that no cache may store. */
export function html(document: string, status = 200, headers?: Headers): Answer {
  return {
    status,
    headers: { ...neverCached, ...headers, 'content-type': 'text/html; charset=utf-8' },
    cookies: noCookies,
    body: document,
  }
}

/** No body, and no cache may store the answer. */
export function empty(status: number, headers?: Headers): Answer {
  return { status, headers: { ...neverCached, ...headers }, cookies: noCookies, body: '' }
}

/** A body that caches may keep under the terms of `cacheControl`. */
export function cacheable(cacheControl: string, type: string, body: string | Buffer, headers?: Headers): Answer {
  return {
    status: 200,
    headers: { 'cache-control': cacheControl, 'content-type': type, ...headers },
    cookies: noCookies,
    body,
  }
}

/** Sends the browser on with a 302. The address keeps its meaning: only what a header cannot hold is percent-encoded. */
export function redirect(location: string): Answer {
  return empty(302, { location: headerSafe(location) })
}

/** Sends the browser on with a 303: its next request is a GET (RFC 9110 §15.4.4). */
export function seeOther(location: string): Answer {
  return empty(303, { location: headerSafe(location) })
}

/** The same answer with more cookies. */
export function withCookies(answer: Answer, cookies: readonly SetCookie[]): Answer {
  return cookies.length === 0 ? answer : { ...answer, cookies: [...answer.cookies, ...cookies] }
}

/** The same answer with more headers. */
export function withHeaders(answer: Answer, headers: Headers): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function headerSafe(location: string): string {
  return location.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
}
