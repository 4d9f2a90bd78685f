/** The browser's part of a confirmation by mail: a cookie for each purpose, with the secret that its code needs. */
import type { SetCookie } from '../http/answer.ts'
import type { Cookies } from '../http/cookies.ts'
import type { Request } from '../http/request.ts'
import { type OpaqueParts, parseOpaque, secretMatches } from '../secrets/opaque.ts'
import type { Confirmation, ConfirmationPurpose } from '../users/confirmation.ts'

/** Longer than every confirmation with a browser, because answers must not tell how long one is. */
const maxAgeSeconds = 86_400

/** Returns the browser's part; undefined: it has none of this purpose. Only the database knows whether it is genuine. */
export function readConfirmationCookie(
  cookies: Cookies,
  request: Request,
  purpose: ConfirmationPurpose,
): OpaqueParts | undefined {
  const value = cookies.read(request, `confirmation.${purpose}`)
  return value === undefined ? undefined : parseOpaque(value)
}

/** Whether the cookie belongs to the confirmation: this browser asked, or used its link. */
export function isBrowserOf(cookie: OpaqueParts, { id, browserHash }: Confirmation): boolean {
  return cookie.id === id && browserHash !== null && secretMatches(cookie.secretHash, browserHash)
}

export function makeConfirmationCookie(cookies: Cookies, purpose: ConfirmationPurpose, value: string): SetCookie {
  return cookies.make(`confirmation.${purpose}`, value, { maxAgeSeconds })
}

export function removeConfirmationCookie(cookies: Cookies, purpose: ConfirmationPurpose): SetCookie {
  return cookies.removal(`confirmation.${purpose}`)
}
