/** The kinds of list settings: a JSON array, numbered names, or text with commas. */
import { isIP } from 'node:net'
import { Fault, type Kind } from './kinds.ts'

export const origins: Kind<readonly string[]> = {
  type: 'list of origins',
  list: true,
  read(raw) {
    const found = new Set<string>()
    for (const item of listOf(raw)) {
      if (item === '*') return new Fault('must name every origin: "*" cannot be combined with credentials')
      if (typeof item !== 'string' || !isOrigin(item)) {
        return new Fault(
          'must be exact origins such as https://app.example.com: scheme, host and port, nothing after it',
        )
      }
      found.add(item)
    }
    return [...found]
  },
}

/** Names of headers (RFC 9110 §5.1) in lower case. */
export const crossOriginHeaders: Kind<'*' | readonly string[]> = {
  type: '`*` or a list of header names',
  list: true,
  read(raw) {
    const names = listOf(raw)
    if (names.length === 1 && names[0] === '*') return '*'
    const valid = names.every((name) => typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name))
    if (!valid) return new Fault('must be *, or names of headers such as x-requested-with')
    return [...new Set(names.map((name) => String(name).toLowerCase()))]
  },
}

export const trustedProxies: Kind<boolean | readonly string[]> = {
  type: '`true`, `false` or a list of addresses',
  list: true,
  read(raw) {
    const items = listOf(raw)
    const [only] = items
    if (items.length === 1 && /^(?:true|false)$/i.test(String(only))) return String(only).toLowerCase() === 'true'
    if (!items.every(isNetwork)) {
      return new Fault('must be true, false, or a list of IP addresses and networks such as 10.0.0.0/8')
    }
    return items.length === 0 ? false : items.map(String)
  },
}

/** Scope tokens (RFC 6749 §3.3). */
export const scopeTokens: Kind<readonly string[]> = {
  type: 'list of scopes',
  list: true,
  read(raw) {
    const names = listOf(raw)
    const valid = names.every((name) => typeof name === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(name))
    if (!valid) return new Fault('must be names of scopes, without spaces, quotes or backslashes')
    return [...new Set(names.map(String))]
  },
}

/** As `scopeTokens`. `openid` needs no mention. */
export const scopes: Kind<readonly string[]> = {
  ...scopeTokens,
  read(raw, folder) {
    const names = scopeTokens.read(raw, folder)
    return names instanceof Fault ? names : names.filter((name) => name !== 'openid')
  },
}

/** Host names as in a `Host` header, in lower case and without a port. */
export const hostNames: Kind<readonly string[]> = {
  type: 'list of host names',
  list: true,
  read(raw) {
    const names = listOf(raw)
    const valid = names.every((name) => typeof name === 'string' && /^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/i.test(name))
    if (!valid) return new Fault('must be host names such as latchkey.internal: no scheme, no port and no "*"')
    return [...new Set(names.map((name) => String(name).toLowerCase()))]
  },
}

function isOrigin(item: string): boolean {
  return /^https?:\/\//.test(item) && URL.canParse(item) && new URL(item).origin === item
}

/** Whether it is an address or a network such as `10.0.0.0/8`. */
export function isNetwork(item: unknown): boolean {
  if (typeof item !== 'string') return false
  const [address = '', prefix, ...others] = item.split('/')
  const version = isIP(address)
  if (version === 0 || others.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

export function listOf(raw: unknown): unknown[] {
  const items = Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split(',') : [raw]
  return items.map((item) => (typeof item === 'string' ? item.trim() : item)).filter((item) => item !== '')
}
