/** Cuts headers before anything parses them: nobody needs more of them, and their length is the sender's choice. */
import type { IncomingHttpHeaders } from 'node:http'

/** Of `Accept-Language`, in bytes. Browsers send less than half of it. */
const languagesAtMost = 256
/** Of `Cookie`. Browsers keep fewer for a site; those of this service are in limits.md. */
const cookiesAtMost = 2048
/** Of `X-Forwarded-For`, in bytes from its end, which proxies append to: forty addresses. */
const hopsAtMost = 2048

/** Returns the headers as they are, but for those that are too long. */
export function boundedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'accept-language': languages, cookie } = headers
  const isLong = languages !== undefined && languages.length > languagesAtMost
  const kept = cookie === undefined ? undefined : firstCookies(cookie)
  if (!isLong && kept === cookie) return headers
  return {
    ...headers,
    ...(isLong && { 'accept-language': firstLanguages(languages) }),
    ...(kept !== undefined && { cookie: kept }),
  }
}

/** Returns the end of a list of hops. */
export function lastHops(header: string): string {
  if (header.length <= hopsAtMost) return header
  const end = header.slice(-hopsAtMost)
  const comma = end.indexOf(',')
  return comma === -1 ? '' : end.slice(comma + 1)
}

/** Without a range that is cut in two. */
function firstLanguages(languages: string): string {
  const comma = languages.lastIndexOf(',', languagesAtMost)
  return comma === -1 ? '' : languages.slice(0, comma)
}

function firstCookies(cookie: string): string {
  let end = -1
  for (let count = 0; count < cookiesAtMost; count += 1) {
    end = cookie.indexOf(';', end + 1)
    if (end === -1) return cookie
  }
  return cookie.slice(0, end)
}
