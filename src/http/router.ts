/** Finds what answers a request, from the one table of routes. */
import type { Endpoint, Request } from './request.ts'

export type Route = {
  /** HEAD follows from GET, a preflight from `crossOrigin`. */
  readonly method: 'GET' | 'POST'
  /** Counts without regard to case and to a slash at the end. A segment `:name` stands for any one segment. Metrics call the route so. */
  readonly path: string
  readonly endpoint: Endpoint
  /** `form`: up to 64 KiB of any type are read before the endpoint is called, which checks the type. `none`: a body is passed over. */
  readonly body: 'none' | 'form'
  /** Scripts of the applications in `Cors:Origins` may call it. */
  readonly crossOrigin: boolean
  /** `false`: a GET that does more than show something, and so has no HEAD. */
  readonly head?: false
}

/** What answers one method at one path. */
export type Target = Pick<Route, 'endpoint' | 'body' | 'crossOrigin'> & {
  /** The pattern of the route, for metrics and traces. */
  readonly name: string
}

export type Found = { readonly target: Target; readonly params?: Request['params'] }

export type Derived = {
  readonly preflight: Endpoint
  /** Answers a method that a protocol endpoint does not take; `supported` are those it takes. */
  readonly refuseMethod: (supported: readonly string[]) => Endpoint
}

type Methods = { readonly byName: Map<string, Target>; others: Target | undefined }
type Pattern = { readonly segments: readonly string[]; readonly methods: Methods }

/** `path` without its query. Undefined: nothing is there. Throws `URIError` for broken percent-encoding. */
export type Router = (method: string, path: string) => Found | undefined

export function routerOf(routes: readonly Route[], derived: Derived): Router {
  /** By path as it is written in the table, for nearly every request, and in lower case. */
  const exact = new Map<string, Methods>()
  const insensitive = new Map<string, Methods>()
  const patterns: Pattern[] = []
  for (const [path, methods] of Object.entries(methodsByPath(routes, derived))) {
    if (path.includes('/:')) patterns.push({ segments: path.split('/'), methods })
    else {
      exact.set(path, methods)
      insensitive.set(path.toLowerCase(), methods)
    }
  }

  const among = ({ byName, others }: Methods, method: string): Target | undefined =>
    byName.get(method) ?? (method === 'OPTIONS' ? undefined : others)

  return (method, path) => {
    const known = exact.get(path)
    const plain = known === undefined ? plainPath(path) : path
    const methods = known ?? insensitive.get(plain.toLowerCase())
    const target = methods && among(methods, method)
    if (target) return { target }
    for (const pattern of patterns) {
      const params = matchSegments(pattern.segments, plain)
      const found = params && among(pattern.methods, method)
      if (found) return { target: found, params }
    }
    return undefined
  }
}

function methodsByPath(routes: readonly Route[], { preflight, refuseMethod }: Derived): Record<string, Methods> {
  const paths: Record<string, Methods> = {}
  for (const { method, path, head, ...target } of routes) {
    const methods = paths[path] ?? { byName: new Map(), others: undefined }
    paths[path] = methods
    const named = { ...target, name: path }
    methods.byName.set(method, named)
    if (method === 'GET' && head !== false) methods.byName.set('HEAD', named)
    if (target.crossOrigin) methods.byName.set('OPTIONS', { ...named, endpoint: preflight, body: 'none' })
  }
  for (const [path, methods] of Object.entries(paths)) {
    // A protocol endpoint refuses other methods itself (RFC 6749 §3.1, §3.2); elsewhere they lead nowhere.
    if (!path.startsWith('/connect/')) continue
    const supported = ['GET', 'POST'].filter((method) => methods.byName.has(method))
    methods.others = { endpoint: refuseMethod(supported), body: 'none', crossOrigin: false, name: path }
  }
  return paths
}

/**
 * Decodes a path, but for the characters that separate its parts (RFC 3986 §2.2), and drops one slash at its end. An
 * absolute form (RFC 9112 §3.2.2) gives its path. Throws `URIError` for broken percent-encoding, and for what is no path.
 */
export function plainPath(sent: string): string {
  const path = sent.startsWith('/') ? sent : pathOfAbsolute(sent)
  const fragment = path.indexOf('#', 1)
  const decoded = decodeURI((fragment === -1 ? path : path.slice(0, fragment)).replaceAll('%25', '%2525'))
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded
}

function pathOfAbsolute(sent: string): string {
  if (!/^https?:/i.test(sent)) return sent
  const path = /^https?:\/\/[^/#]+(\/.*)?$/i.exec(sent)
  if (path === null) throw new URIError('the absolute form names no host')
  return path[1] ?? '/'
}

/** The values of the segments that a pattern leaves open; undefined: the path is another one. */
function matchSegments(pattern: readonly string[], path: string): Record<string, string> | undefined {
  const segments = path.split('/')
  if (segments.length !== pattern.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!expected.startsWith(':')) {
      if (segment.toLowerCase() !== expected.toLowerCase()) return undefined
      continue
    }
    if (segment === '') return undefined
    params[expected.slice(1)] = decodeURIComponent(segment)
  }
  return params
}
