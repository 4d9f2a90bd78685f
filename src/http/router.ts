/** Resolves a request to its endpoint, from the table of routes. */
import type { Endpoint, Request } from './request.ts'

export type Route = {
  /** HEAD is derived from GET, the preflight from `crossOrigin`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /**
   * Matched without regard to case or a trailing slash. A segment `:name` matches any single segment, `/*` at the end any
   * number of them. Labels the route in metrics.
   */
  readonly path: string
  readonly endpoint: Endpoint
  /**
   * `form`, `json`: up to 64 KiB of any type are read before the endpoint is called; the endpoint checks the type.
   * `none`: a body is ignored.
   */
  readonly body: 'none' | 'form' | 'json'
  /** Whether failures and a body that is too large are answered with problem details (RFC 9457). */
  readonly problems?: true
  /**
   * Whether scripts from the origins in `Cors:Origins` may call it, and those of the client that it is answered for. `public`: it is
   * answered for no client, and scripts of each client's origins may read it.
   */
  readonly crossOrigin: boolean | 'public'
  /** Whether the endpoint answers each method of the path, OPTIONS included. */
  readonly everyMethod?: true
  /** Whether it is answered while the service is not ready (`KernelParts.ready`). */
  readonly always?: true
  /** `false` for a GET with side effects, which therefore has no HEAD. */
  readonly head?: false
  /** The pattern by which it counts in metrics, if that is another one: the route is an alias of that path. */
  readonly aliasOf?: string
}

/** What answers one method of one path. */
export type Target = Pick<Route, 'endpoint' | 'body' | 'crossOrigin' | 'problems' | 'always'> & {
  /** The route's pattern, for metrics and traces. */
  readonly name: string
}

export type Found = { readonly target: Target; readonly params?: Request['params'] }

export type Derived = {
  readonly preflight: Endpoint
  /** Returns an endpoint that refuses an unsupported method; `supported` lists the allowed ones. */
  readonly refuseMethod: (supported: readonly string[]) => Endpoint
}

type Methods = { readonly byName: Map<string, Target>; others: Target | undefined }
type Pattern = { readonly segments: readonly string[]; readonly methods: Methods }

/**
 * Takes `path` without its query. Returns undefined if nothing matches. Throws `URIError` for broken percent-encoding.
 */
export type Router = (method: string, path: string) => Found | undefined

export function routerOf(routes: readonly Route[], derived: Derived): Router {
  /** By path as written in the table, which matches nearly every request, and in lower case. */
  const exact = new Map<string, Methods>()
  const insensitive = new Map<string, Methods>()
  const patterns: Pattern[] = []
  for (const [path, methods] of Object.entries(methodsByPath(routes, derived))) {
    if (path.includes('/:') || path.endsWith('/*')) patterns.push({ segments: path.split('/'), methods })
    else {
      exact.set(path, methods)
      insensitive.set(plainPath(path).toLowerCase(), methods)
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
  const names = new Map<string, string>()
  for (const { method, path, head, everyMethod, aliasOf, ...target } of routes) {
    const methods = paths[path] ?? { byName: new Map(), others: undefined }
    paths[path] = methods
    const name = aliasOf ?? path
    names.set(path, name)
    const named = { ...target, name }
    methods.byName.set(method, named)
    if (method === 'GET' && head !== false) methods.byName.set('HEAD', named)
    if (target.crossOrigin)
      methods.byName.set('OPTIONS', { ...named, endpoint: preflight, body: 'none', crossOrigin: 'public' })
    if (everyMethod) {
      methods.byName.set('OPTIONS', named)
      methods.others = named
    }
  }
  for (const [path, methods] of Object.entries(paths)) {
    // Protocol endpoints refuse other methods themselves (RFC 6749 §3.1, §3.2). Elsewhere a wrong method matches
    // nothing.
    const name = names.get(path) ?? path
    if (!name.startsWith('/connect/')) continue
    const supported = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) => methods.byName.has(method))
    methods.others = { endpoint: refuseMethod(supported), body: 'none', crossOrigin: false, name }
  }
  return paths
}

/**
 * Decodes a path, except for its reserved characters (RFC 3986 §2.2), and drops one trailing slash. Reduces an absolute
 * form (RFC 9112 §3.2.2) to its path. Throws `URIError` for broken percent-encoding and for text that is not a path.
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

/** Returns the values of the pattern's parameters; undefined: no match. */
function matchSegments(pattern: readonly string[], path: string): Record<string, string> | undefined {
  const segments = path.split('/')
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    if (expected === '*') break
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
