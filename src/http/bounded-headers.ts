/** Cuts headers before anything parses them: nobody needs more of them, and their length is the sender's choice. */
import type { IncomingHttpHeaders } from 'node:http'

/** Lists whose members may be left out from the end, in bytes. Browsers send less than half of each. */
const listsAtMost = { 'accept-language': 256, accept: 1024, 'accept-encoding': 256, 'if-none-match': 1024 } as const
const listNames = Object.keys(listsAtMost) as (keyof typeof listsAtMost)[]
/** In bytes: five times what browsers send. */
const userAgentAtMost = 1024
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
  const { cookie, 'user-agent': userAgent } = headers
  let bounded = headers
  for (const name of listNames) {
    const list = headers[name]
    if (list === undefined || list.length <= listsAtMost[name]) continue
    bounded = { ...bounded, [name]: firstMembers(list, listsAtMost[name]) }
  }
  if (userAgent !== undefined && userAgent.length > userAgentAtMost) {
    bounded = { ...bounded, 'user-agent': userAgent.slice(0, userAgentAtMost) }
  }
  if (cookie === undefined || cookie.length <= cookieCharactersAtMost) return bounded
  return { ...bounded, cookie: ownCookies(cookie) }
}

/** Returns the end of a list of hops. */
export function lastHops(header: string): string {
  if (header.length <= hopsAtMost) return header
  const end = header.slice(-hopsAtMost)
  const comma = end.indexOf(',')
  return comma === -1 ? '' : end.slice(comma + 1)
}

/** Without a member that is cut in two. */
function firstMembers(list: string, atMost: number): string {
  const comma = list.lastIndexOf(',', atMost)
  return comma === -1 ? '' : list.slice(0, comma)
}

/**
 * As text, because most of what parsing costs is the table of names. Of more than browsers keep for a site, those in the middle
 * are left out. Cookies with a fixed name come first, and of numbered ones the last, which browsers received last
 * (RFC 6265 §5.4): stale ones crowd none of these out.
 */
function ownCookies(cookie: string): string {
  const first = firstPairs(cookie)
  if (first.pairs.length < ownCookiesAtMost) return first.pairs.join(';')
  const own = [...first.pairs, ...lastPairs(cookie, first.end)]
  if (own.length === ownCookiesAtMost) return own.join(';')
  const single: string[] = []
  const numbered: string[] = []
  for (const one of own) (isSingle(one) ? single : numbered).push(one)
  const kept = single.slice(0, ownCookiesAtMost)
  return [...kept, ...numbered.reverse().slice(0, ownCookiesAtMost - kept.length)].join(';')
}

/** Leaps from one to the next: what is between them costs a search, however many cookies it is. `end`: of the last. */
function firstPairs(cookie: string): { readonly pairs: readonly string[]; readonly end: number } {
  const pairs: string[] = []
  let end = 0
  while (pairs.length < ownCookiesAtMost) {
    const at = cookie.indexOf(ownName, end)
    if (at === -1) break
    const semicolon = cookie.indexOf(';', at)
    end = semicolon === -1 ? cookie.length : semicolon
    const pair = pairAt(cookie, at, end)
    if (pair !== undefined) pairs.push(pair)
  }
  return { pairs, end }
}

/** Those that begin after a place, as many as count, in their order. */
function lastPairs(cookie: string, after: number): string[] {
  const pairs: string[] = []
  let end = cookie.length
  while (pairs.length < ownCookiesAtMost && end > after) {
    // The first one in a pair may begin it.
    const at = cookie.lastIndexOf(ownName, end - 1)
    if (at < after) break
    const start = Math.max(cookie.lastIndexOf(';', at), after)
    const semicolon = cookie.indexOf(';', at)
    const pair = pairAt(cookie, cookie.indexOf(ownName, start), semicolon === -1 ? cookie.length : semicolon)
    if (pair !== undefined) pairs.push(pair)
    end = start
  }
  return pairs.reverse()
}

/** Returns the pair that begins with the name at this place; undefined: the name is elsewhere in one. */
function pairAt(cookie: string, at: number, end: number): string | undefined {
  const start = cookie.startsWith(securePrefix, at - securePrefix.length) ? at - securePrefix.length : at
  return beginsPair(cookie, start) ? cookie.slice(start, end) : undefined
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
