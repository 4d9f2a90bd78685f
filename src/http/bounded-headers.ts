/** Cuts headers before anything parses them: nobody needs more of them, and their length is the sender's choice. */
import type { IncomingHttpHeaders } from 'node:http'

/** Of `Accept-Language`, in bytes. Browsers send less than half of it. */
const languagesAtMost = 256
/** Of `Cookie`, in characters. Beyond it, those of other programs on the host are left out unparsed. */
const cookieCharactersAtMost = 4096
/** Those of this service: browsers keep fewer for a site. */
const ownCookiesAtMost = 256
const ownName = 'latchkey.'
const securePrefix = '__Host-'
/** Of `X-Forwarded-For`, in bytes from its end, which proxies append to: forty addresses. */
const hopsAtMost = 2048

/** Returns the headers as they are, but for those that are too long. */
export function boundedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'accept-language': languages, cookie } = headers
  const isLong = languages !== undefined && languages.length > languagesAtMost
  const kept = cookie === undefined || cookie.length <= cookieCharactersAtMost ? cookie : ownCookies(cookie)
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

/**
 * As text, because most of what parsing costs is the table of names. Cookies with a fixed name come first, and of
 * numbered ones the last, which browsers received last (RFC 6265 §5.4): stale ones crowd none of these out.
 */
function ownCookies(cookie: string): string {
  const own = ownPairs(cookie)
  if (own.length <= ownCookiesAtMost) return own.join(';')
  const single: string[] = []
  const numbered: string[] = []
  for (const one of own) (isSingle(one) ? single : numbered).push(one)
  const kept = single.slice(0, ownCookiesAtMost)
  return [...kept, ...numbered.reverse().slice(0, ownCookiesAtMost - kept.length)].join(';')
}

/** Leaps from one to the next: what is between them costs a search, however many cookies it is. */
function ownPairs(cookie: string): string[] {
  const own: string[] = []
  for (let at = cookie.indexOf(ownName); at !== -1; ) {
    const end = cookie.indexOf(';', at)
    const start = cookie.startsWith(securePrefix, at - securePrefix.length) ? at - securePrefix.length : at
    if (beginsPair(cookie, start)) own.push(cookie.slice(start, end === -1 ? undefined : end))
    at = end === -1 ? -1 : cookie.indexOf(ownName, end)
  }
  return own
}

/** Whether there is nothing but blanks between the place and the pair before it. */
function beginsPair(cookie: string, start: number): boolean {
  let before = start - 1
  while (cookie[before] === ' ') before -= 1
  return before < 0 || cookie[before] === ';'
}

function isSingle(pair: string): boolean {
  const dot = pair.indexOf('.', pair.indexOf(ownName) + ownName.length)
  const equals = pair.indexOf('=')
  return equals !== -1 && (dot === -1 || dot > equals)
}
