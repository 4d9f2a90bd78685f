/**
 * Describes in words how an address differs from the nearest registered one. For people only: whether two addresses are
 * equal is decided by comparing whole strings (RFC 9700 §4.1.3), never here.
 */

/** The components of RFC 3986 Appendix B, as written, with the authority split further. */
type Parts = {
  readonly scheme: string
  readonly userinfo: string
  readonly host: string
  /** Without the colon; undefined: absent. */
  readonly port: string | undefined
  readonly path: string
  /** Without the question mark; undefined: absent. */
  readonly query: string | undefined
  readonly fragment: string | undefined
}

/** The addresses on this machine whose port does not matter (RFC 8252 §7.3). */
export type FreePort = 'of all' | 'of addresses without one' | 'of none'

/** A difference in words, and its weight for finding the nearest address. */
type Difference = { readonly weight: number; readonly words: string }

/**
 * Returns the nearest registered address and the differences as the end of a sentence: 'it has a trailing slash, which
 * the registered one has not'. Undefined if none is registered.
 */
export function nearestUri(
  received: string,
  registered: readonly string[],
  freePort: FreePort = 'of none',
): { readonly nearest: string; readonly difference: string } | undefined {
  let best: { readonly nearest: string; readonly weight: number; readonly difference: string } | undefined
  for (const nearest of registered) {
    const found = differences(split(received), split(nearest), freePort)
    const weight = found.reduce((sum, one) => sum + one.weight, 0)
    const difference = found.map(({ words }) => words).join('; ')
    if (best === undefined || weight < best.weight) best = { nearest, weight, difference }
  }
  return best && { nearest: best.nearest, difference: best.difference }
}

/** Removes possible secrets from an address: user name and password, the values of the query, and the fragment. */
export function withoutValues(uri: string): string {
  const { scheme, userinfo, host, port, path, query, fragment } = split(uri)
  const hostPart = `${userinfo === '' ? '' : '***@'}${host}${port === undefined ? '' : `:${port}`}`
  const authority = /^[^:/?#]*:?\/\//.test(uri) ? `//${hostPart}` : ''
  const names = query?.split('&').map((pair) => (pair.includes('=') ? `${pair.split('=', 1)[0]}=***` : '***'))
  return [
    scheme === '' ? '' : `${scheme}:`,
    authority,
    path,
    names === undefined ? '' : `?${names.join('&')}`,
    fragment === undefined ? '' : '#***',
  ].join('')
}

function split(uri: string): Parts {
  const [, , scheme = '', , authority = '', path = '', , query, , fragment] =
    /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/s.exec(uri) ?? []
  const at = authority.lastIndexOf('@')
  const [, host = '', , port] = /^(\[[^\]]*\]|[^:]*)(:(.*))?$/s.exec(authority.slice(at + 1)) ?? []
  return { scheme, userinfo: authority.slice(0, Math.max(at, 0)), host, port, path, query, fragment }
}

function differences(received: Parts, registered: Parts, freePort: FreePort): Difference[] {
  const found: (Difference | undefined)[] = [
    inScheme(received.scheme, registered.scheme),
    received.userinfo === registered.userinfo
      ? undefined
      : { weight: 1, words: 'it has a user name or password in it, which the registered one has not' },
    inHost(received.host, registered.host),
    inPort(received, registered, freePort),
    inPath(received.path, registered.path),
    inQuery(received.query, registered.query),
    received.fragment === registered.fragment
      ? undefined
      : { weight: 1, words: 'it has a fragment (#), which the registered one has not' },
  ]
  return found.filter((one) => one !== undefined)
}

function inScheme(received: string, registered: string): Difference | undefined {
  if (received === registered) return undefined
  const words = `the scheme is ${received}, registered is ${registered}`
  if (!isBehindProxy(received, registered)) return { weight: 2, words }
  const hint = 'an application behind a proxy needs X-Forwarded-Proto'
  return { weight: 0.5, words: `${words} (${hint})` }
}

/** An application that does not know of the proxy before it names its own address with `http`. */
const isBehindProxy = (received: string, registered: string): boolean => received === 'http' && registered === 'https'

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host)

function inHost(received: string, registered: string): Difference | undefined {
  if (received === registered) return undefined
  if (sameButForCase(received, registered)) return { weight: 1, words: inOtherLetters('the host') }
  const loopback = [received, registered].every(isLoopback)
  const hint = loopback ? ' (both are this machine, but not the same text)' : ''
  return { weight: loopback ? 1 : 8, words: `the host is ${received}, registered is ${registered}${hint}` }
}

/** Says nothing of a port that does not matter, or that only follows from the scheme. */
function inPort(received: Parts, registered: Parts, freePort: FreePort): Difference | undefined {
  if (received.port === registered.port) return undefined
  const isLocal = isLoopback(received.host) && isLoopback(registered.host)
  const isIpWithoutPort = registered.port === undefined && registered.host.toLowerCase() !== 'localhost'
  const isFree = freePort === 'of all' || (freePort === 'of addresses without one' && isIpWithoutPort)
  if (isLocal && isFree) return undefined
  const isOfScheme = ['80', undefined].includes(received.port) && ['443', undefined].includes(registered.port)
  if (isBehindProxy(received.scheme, registered.scheme) && isOfScheme) return undefined
  const said = (port: string | undefined) => (port === undefined ? 'none' : port)
  const hint = isLocal ? ' (the port may differ for application_type=native alone)' : ''
  return { weight: 1, words: `the port is ${said(received.port)}, registered is ${said(registered.port)}${hint}` }
}

function inPath(received: string, registered: string): Difference | undefined {
  if (received === registered) return undefined
  if (received === `${registered}/`) {
    return { weight: 1, words: 'it has a trailing slash, which the registered one has not' }
  }
  if (`${received}/` === registered) {
    return { weight: 1, words: 'the trailing slash of the registered one is missing' }
  }
  if (sameButForCase(received, registered)) return { weight: 1, words: inOtherLetters('the path') }
  if (decoded(received) === decoded(registered)) {
    return { weight: 1, words: 'characters of the path are percent-encoded in one and not in the other' }
  }
  return { weight: 4, words: `the path is ${received || 'empty'}, registered is ${registered || 'empty'}` }
}

function inQuery(received: string | undefined, registered: string | undefined): Difference | undefined {
  if (received === registered) return undefined
  if (registered === undefined) return { weight: 1, words: 'it has a query (?), which the registered one has not' }
  if (received === undefined) return { weight: 1, words: 'the query (?) of the registered one is missing' }
  if (decoded(received) === decoded(registered)) {
    return { weight: 1, words: 'characters of the query are percent-encoded in one and not in the other' }
  }
  const sorted = (query: string): string => query.split('&').sort().join('&')
  if (sorted(received) === sorted(registered)) {
    return { weight: 1, words: 'the parameters of the query stand in another order' }
  }
  return { weight: 1, words: 'the query (?) is another one' }
}

function sameButForCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function inOtherLetters(what: string): string {
  return `${what} is spelled with other capital letters`
}

/** Returns the text unchanged if its percent-encoding is broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
