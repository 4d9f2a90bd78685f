/**
 * The device cookie: the users for whom this browser is known. It does not authenticate a user. It is signed, so that it can
 * neither name another user nor make the database look up arbitrary browsers. Each id in it refers to a row, which can
 * be revoked.
 */

import type { SetCookie } from '../http/answer.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'
import { type KnownBrowser, knownBrowserLifetimeMs } from '../users/known-browser.ts'

export type DeviceCookie = {
  /** Returns the ids under which this browser is known, one per user; empty if the cookie is not genuine. */
  browserIds(request: Request): readonly string[]
  /** Returns a cookie that makes the browser known for another 180 days. Keeps its other users, up to four in all. */
  make(request: Request, browser: KnownBrowser): SetCookie
}

type DeviceRecord = { readonly browserId: string; readonly userId: string; readonly issuedAtMs: number }

/** Newest first. A user who is pushed out counts as a stranger here until the next sign-in. */
const maxRecords = 4
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const recordSyntax = new RegExp(`^(${uuid}):(${uuid}):([0-9a-z]{1,9})$`)

const lists: SignedFormat<null> = {
  use: 'device',
  digest: 'sha256',
  maxLength: 1024,
  message: (records) => `latchkey device v1\n${records}`,
}

export function deviceCookieWith(keys: KeyRing, cookies: Cookies, clock: () => number): DeviceCookie {
  const signed = signedTexts(keys, lists)
  const recordsOf = (request: Request): DeviceRecord[] => {
    const value = cookies.read(request, 'device')
    const genuine = value === undefined ? undefined : signed.verify(value, null)
    if (typeof genuine !== 'object') return []
    const nowMs = clock()
    return genuine.text
      .split('_')
      .flatMap(parseRecord)
      .filter(({ issuedAtMs }) => nowMs - issuedAtMs < knownBrowserLifetimeMs)
  }
  return {
    browserIds: (request) => recordsOf(request).map(({ browserId }) => browserId),
    make(request, { id, userId }) {
      const others = recordsOf(request).filter((record) => record.userId !== userId)
      const records = [{ browserId: id, userId, issuedAtMs: clock() }, ...others].slice(0, maxRecords)
      const text = records
        .map((record) => [record.browserId, record.userId, record.issuedAtMs.toString(36)].join(':'))
        .join('_')
      return cookies.make('device', signed.sign(text, null), { maxAgeSeconds: knownBrowserLifetimeMs / 1000 })
    },
  }
}

function parseRecord(text: string): DeviceRecord[] {
  const [, browserId = '', userId = '', issuedAt = ''] = recordSyntax.exec(text) ?? []
  return browserId === '' ? [] : [{ browserId, userId, issuedAtMs: Number.parseInt(issuedAt, 36) }]
}
