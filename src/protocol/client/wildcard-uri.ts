/**
 * Redirect addresses that end in `*`, which systems of before had. RFC 9700 §2.1 demands exact addresses and §4.1.1 shows how
 * patterns are abused, so an import that was told to is all that brings them, and what they match is as narrow as it can be.
 */

/** Whether the address ends in `*` and has no query: `https://app.example.com/*`. */
export function isWildcard(uri: string): boolean {
  return uri.endsWith('*') && !uri.includes('?')
}

/** Returns why an address that ends in `*` cannot be registered, as the end of a sentence; undefined: it can. */
export function wildcardFault(uri: string, isAllowed: boolean): string | undefined {
  if (!isAllowed) return 'must not end in *: only an import with --allow-wildcards brings such an address'
  const [, path] = /^https?:\/\/[^/?#\\]+(\/.*)$/i.exec(uri) ?? []
  if (path === undefined || !path.endsWith('/*')) {
    return 'must be http or https, and its * must follow a slash: https://app.example.com/app/*'
  }
  const given = path.slice(0, -1)
  if (given.includes('*')) return 'must have no * but the one that ends its path'
  return isPlainBelow(given.slice(1)) ? undefined : 'must not have dot segments, empty ones or encoded slashes'
}

/**
 * Whether `uri` is at or below the path of `pattern`, with any query. Text is compared with text: the scheme, host, port and
 * path of the pattern begin the address character by character, so nothing before its last slash can differ. An address whose
 * host is all of it names the root (RFC 3986 §6.2.3). `pattern`: one that `wildcardFault` permits.
 */
export function isBelow(uri: string, pattern: string): boolean {
  const base = pattern.slice(0, -1)
  if (uri === base.slice(0, -1)) return /^https?:\/\/[^/]+$/i.test(uri)
  if (!uri.startsWith(base)) return false
  const rest = uri.slice(base.length)
  const query = rest.search(/[?#]/)
  return !rest.includes('#') && isPlainBelow(query === -1 ? rest : rest.slice(0, query))
}

/**
 * Whether each program that reads the path, however it decodes it, sees segments below the place where it begins. `path`: what follows
 * the slash.
 */
function isPlainBelow(path: string): boolean {
  const decoded = fullyDecoded(path)
  if (decoded === undefined) return false
  // A browser takes a backslash for a slash. One that is encoded, and `/`, must be as many afterwards as before.
  if (decoded.includes('\\') || /\p{Cc}/u.test(decoded) || count(decoded, '/') !== count(path, '/')) return false
  const segments = decoded.split('/')
  // An empty segment makes `//host` of a redirect that the application makes of its own path; the last one is a slash at the end.
  if (segments.slice(0, -1).includes('')) return false
  // Servers in Java drop what follows `;`, Windows drops blanks and dots at the end of a name, and what decodes an address before it takes it
  // apart ends the path at `?` and `#`.
  return !segments.some((segment) => /^\s*\.+(?:[;?#\s]|$)/.test(segment))
}

/**
 * Decodes until nothing is encoded, in the form in which characters that look like a dot or slash are one (NFKC); undefined: broken
 * percent-encoding, or no end of it.
 */
function fullyDecoded(path: string): string | undefined {
  let text = path
  for (let round = 0; round < 4; round += 1) {
    text = text.normalize('NFKC')
    if (!text.includes('%')) return text
    try {
      text = decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  return undefined
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}
