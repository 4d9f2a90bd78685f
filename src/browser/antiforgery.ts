/**
 * The anti-forgery pair: a random cookie, and a request token which proves that the form came from a page of this
 * service in the same browser, for the same user, recently. Stateless; any node can check it.
 */

import type { SetCookie } from '../http/answer.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { secondsSince } from '../protocol/refusals/refusal-detail.ts'
import { type SignedFormat, signedTexts } from '../secrets/signed.ts'

export const antiforgeryField = '__RequestVerificationToken'
const antiforgeryHeader = 'requestverificationtoken'
const lifetimeMs = 12 * 60 * 60 * 1000
const cookieSyntax = /^[A-Za-z0-9_-]{43}$/

export type Antiforgery = {
  /** Returns the request token for this browser and user (`userId` null: signed out) and the cookie it is bound to. */
  issue(request: Request, userId: string | null): { readonly token: string; readonly cookie: SetCookie }
  /**
   * Returns undefined if the form is genuine. If the header is present it counts, even when empty; otherwise the form
   * field does. Refuses a token that is missing, belongs to another browser or user, or is older than 12 hours.
   */
  check(request: Request, form: Parameters, userId: string | null): Refusal | undefined
}

/**
 * The browser and user that a token is bound to. Neither value contains a line break, so field boundaries are
 * unambiguous.
 */
type Owner = { readonly cookie: string; readonly userId: string | null }

const tokens: SignedFormat<Owner> = {
  use: 'antiforgery',
  // SHA-512 yields about 150 characters, the length in the specification (section 8).
  digest: 'sha512',
  maxLength: 512,
  message: (text, { cookie, userId }, secretId) =>
    ['latchkey antiforgery v1', `${secretId}.${text}`, cookie, userId ?? ''].join('\n'),
}

export function antiforgeryWith(
  keys: KeyRing,
  cookies: Cookies,
  clock: () => number,
  random: (bytes: number) => Uint8Array,
): Antiforgery {
  const signed = signedTexts(keys, tokens)
  return {
    issue(request, userId) {
      const sent = cookies.read(request, 'antiforgery')
      const value = sent !== undefined && cookieSyntax.test(sent) ? sent : base64url(random(32))
      const cookie = cookies.make('antiforgery', value, { sameSite: 'strict' })
      const text = `${clock().toString(36)}.${base64url(random(9))}`
      return { token: signed.sign(text, { cookie: value, userId }), cookie }
    },
    check(request, form, userId) {
      const refused = (rule: string, ageSeconds?: number): Refusal =>
        refuse('antiforgery_failed', '', { rule, ageSeconds, limitSeconds: ageSeconds && lifetimeMs / 1000 })
      const token = presentedToken(request, form)
      const cookie = cookies.read(request, 'antiforgery')
      if (token === undefined) return refused('the token is missing, or was sent more than once')
      if (cookie === undefined) return refused('the anti-forgery cookie is missing')
      const genuine = signed.verify(token, { cookie, userId })
      if (genuine === 'not_ours') return refused('it is no token of this service')
      if (genuine === 'forged') return refused('the token belongs to another browser, or to another person or none')
      const [time = ''] = genuine.text.split('.', 1)
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

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
