/**
 * The anti-forgery pair: a random cookie, and a request token that proves to come from a page of this service in the
 * same browser, for the same person, not long ago. Nothing is stored; any node can check it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { secondsSince } from '../protocol/refusal-detail.ts'
import { type Refusal, refuse } from '../protocol/refusals.ts'
import type { SetCookie } from './answer.ts'
import type { Cookies } from './cookies.ts'
import type { Request } from './request.ts'

export const antiforgeryField = '__RequestVerificationToken'
const antiforgeryHeader = 'requestverificationtoken'
const lifetimeMs = 12 * 60 * 60 * 1000
const cookieSyntax = /^[A-Za-z0-9_-]{43}$/

export type Antiforgery = {
  /** The request token for this browser and person (`userId` null: nobody is signed in), and the cookie it belongs to. */
  issue(request: Request, userId: string | null): { readonly token: string; readonly cookie: SetCookie }
  /**
   * Undefined when the form came from such a page. The header counts when it is there at all, even empty; the field only
   * without it. Refused is a token that is missing, of another browser or person, or older than 12 hours.
   */
  check(request: Request, form: Parameters, userId: string | null): Refusal | undefined
}

export function antiforgeryWith(
  keys: KeyRing,
  cookies: Cookies,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): Antiforgery {
  return {
    issue(request, userId) {
      const sent = cookies.read(request, 'antiforgery')
      const value = sent !== undefined && cookieSyntax.test(sent) ? sent : base64url(random(32))
      const cookie = cookies.make('antiforgery', value, { sameSite: 'strict' })
      const secret = keys.secret('antiforgery')
      const payload = `${secret.id}.${clock().toString(36)}.${base64url(random(9))}`
      return { token: `${payload}.${base64url(sign(secret.bytes, payload, value, userId))}`, cookie }
    },
    check(request, form, userId) {
      const refused = (rule: string, ageSeconds?: number): Refusal =>
        refuse('antiforgery_failed', '', { rule, ageSeconds, limitSeconds: ageSeconds && lifetimeMs / 1000 })
      const token = presentedToken(request, form)
      const cookie = cookies.read(request, 'antiforgery')
      if (token === undefined) return refused('the token is missing, or was sent more than once')
      if (cookie === undefined) return refused('the anti-forgery cookie is missing')
      if (token.length > 512) return refused('it is no token of this service')
      const [secretId = '', time = '', nonce = '', signature = '', ...others] = token.split('.')
      const secret = keys.secretById('antiforgery', secretId)
      if (secret === undefined || others.length > 0) return refused('it is no token of this service')
      const expected = sign(secret.bytes, `${secretId}.${time}.${nonce}`, cookie, userId)
      const actual = Buffer.from(signature, 'base64url')
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
        return refused('the token belongs to another browser, or to another person or none')
      }
      const issuedAtMs = Number.parseInt(time, 36)
      if (clock() - issuedAtMs <= lifetimeMs) return undefined
      return refused('the token is too old', secondsSince(issuedAtMs, clock()))
    },
  }
}

function presentedToken(request: Request, form: Parameters): string | undefined {
  const header = request.headers[antiforgeryHeader]
  if (header !== undefined) return typeof header === 'string' ? header : undefined
  const fields = form.filter(([name]) => name === antiforgeryField)
  return fields.length === 1 ? fields[0]?.[1] : undefined
}

/** HMAC-SHA-512. Neither the cookie nor a user id can contain the separator, so the parts cannot be shifted. */
function sign(secret: Uint8Array, payload: string, cookie: string, userId: string | null): Buffer {
  return createHmac('sha512', secret)
    .update(['latchkey antiforgery v1', payload, cookie, userId ?? ''].join('\n'))
    .digest()
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
