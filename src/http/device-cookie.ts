/**
 * The device cookie: for which users this browser is known. It authenticates nobody. Signed, so that nobody can ask the
 * database for browsers by the thousand, and so that it cannot be made to speak of another user; a row stands behind
 * each entry, which can be taken away.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import { type KnownBrowser, knownBrowserLifetimeMs } from '../users/known-browser.ts'
import type { SetCookie } from './answer.ts'
import type { Cookies } from './cookies.ts'
import type { Request } from './request.ts'

export type DeviceCookie = {
  /** Ids of the known browsers that this one is, one for each of its users; none when the cookie is not genuine. */
  browserIds(request: Request): readonly string[]
  /** Makes the browser known to itself, for another 180 days. The other users it is known for stay, up to four in all. */
  make(request: Request, browser: KnownBrowser): SetCookie
}

type Entry = { readonly browserId: string; readonly userId: string; readonly issuedAtMs: number }

/** Newest first; whoever is pushed out is a stranger here until the next sign-in. */
const maxEntries = 4
/** Longer than any cookie of ours. */
const maxLength = 1024
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const entrySyntax = new RegExp(`^(${uuid}):(${uuid}):([0-9a-z]{1,9})$`)

export function deviceCookieWith(keys: KeyRing, cookies: Cookies, clock: () => number): DeviceCookie {
  const entriesOf = (request: Request): Entry[] => {
    const value = cookies.read(request, 'device')
    if (value === undefined || value.length > maxLength) return []
    const [secretId = '', entries = '', signature = ''] = value.split('.')
    const secret = keys.secretById('device', secretId)
    if (secret === undefined) return []
    const expected = sign(secret.bytes, entries)
    const actual = Buffer.from(signature, 'base64url')
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return []
    const nowMs = clock()
    return entries
      .split('_')
      .flatMap(parseEntry)
      .filter(({ issuedAtMs }) => nowMs - issuedAtMs < knownBrowserLifetimeMs)
  }
  return {
    browserIds: (request) => entriesOf(request).map(({ browserId }) => browserId),
    make(request, { id, userId }) {
      const others = entriesOf(request).filter((entry) => entry.userId !== userId)
      const entries = [{ browserId: id, userId, issuedAtMs: clock() }, ...others].slice(0, maxEntries)
      const text = entries
        .map((entry) => [entry.browserId, entry.userId, entry.issuedAtMs.toString(36)].join(':'))
        .join('_')
      const secret = keys.secret('device')
      const value = `${secret.id}.${text}.${sign(secret.bytes, text).toString('base64url')}`
      return cookies.make('device', value, { maxAgeSeconds: knownBrowserLifetimeMs / 1000 })
    },
  }
}

function parseEntry(text: string): Entry[] {
  const [, browserId = '', userId = '', issuedAt = ''] = entrySyntax.exec(text) ?? []
  return browserId === '' ? [] : [{ browserId, userId, issuedAtMs: Number.parseInt(issuedAt, 36) }]
}

/** HMAC-SHA-256 (RFC 2104). */
function sign(secret: Uint8Array, entries: string): Buffer {
  return createHmac('sha256', secret).update(`latchkey device v1\n${entries}`).digest()
}
