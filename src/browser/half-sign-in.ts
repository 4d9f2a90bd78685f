/**
 * The half-finished sign-in in the browser: encrypted, bound to the browser by its anti-forgery cookie, and good for
 * nothing but the second half.
 */
import { hash } from 'node:crypto'
import type { SetCookie } from '../http/answer.ts'
import type { CookieName, Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { unsealText } from '../secrets/sealed.ts'
import { type HalfSignIn, halfSignInMs } from '../users/second-factor-sign-in.ts'
import type { Antiforgery } from './antiforgery.ts'
import { chunkedCookies, maxChunkedLength, sealedForChunks } from './cookie-chunks.ts'

export type HalfSignIns = {
  /** Returns the cookies of the sign-in; undefined: its return address is too long for them. */
  make(request: Request, half: HalfSignIn): readonly SetCookie[] | undefined
  /** Returns the sign-in that was begun in this browser. `expired`: it took too long. */
  read(request: Request): { readonly half: HalfSignIn; readonly expired: boolean } | undefined
  remove(request: Request): readonly SetCookie[]
}

const label = 'latchkey half-finished sign-in v1'
/** Longer than the sign-in lasts, so that a late answer still leads back to where the person was. */
const cookieSeconds = 3600

export function halfSignInsWith(
  keys: KeyRing,
  cookies: Cookies,
  antiforgery: Pick<Antiforgery, 'issue'>,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): HalfSignIns {
  const chunks = chunkedCookies(cookies)
  const browserOf = (cookieValue: string): string => hash('sha256', cookieValue, 'base64url')
  return {
    make(request, half) {
      // A persistent session outlives the anti-forgery cookie.
      const { cookie } = antiforgery.issue(request, null)
      const content = JSON.stringify({ half, browser: browserOf(cookie.value) })
      const text = sealedForChunks(keys, label, content, random)
      if (text.length > maxChunkedLength) return undefined
      return [cookie, ...chunks.make(request, halfCookie, text, { maxAgeSeconds: cookieSeconds })]
    },
    read(request) {
      const value = chunks.read(request, halfCookie)
      const text = value === '' ? undefined : unsealText(keys, 'external', label, value)
      if (text === undefined) return undefined
      const { half, browser } = JSON.parse(text) as { half: HalfSignIn; browser: string }
      if (browser !== browserOf(cookies.read(request, 'antiforgery') ?? '')) return undefined
      return { half, expired: clock() >= half.startedAtMs + halfSignInMs }
    },
    remove: (request) => (cookies.read(request, 'half') === undefined ? [] : chunks.remove(request, halfCookie)),
  }
}

function halfCookie(index: number): CookieName {
  return index === 0 ? 'half' : `half.${index}`
}
