/** What password managers and browsers look for below `/.well-known`. */
import { json, redirect } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import type { Service } from '../service.ts'

/** Where people look after passwords and passkeys. */
const securityPage = '/Account/Security'

/** `GET /.well-known/change-password` (W3C, A Well-Known URL for Changing Passwords). */
export function changePassword(): Endpoint {
  return async () => redirect(securityPage)
}

/** `GET /.well-known/passkey-endpoints` (W3C, A Well-Known URL for Relying Party Passkey Endpoints). */
export function passkeyEndpoints({ settings }: Service): Endpoint {
  const page = new URL(securityPage, settings.oauth.issuer).href
  const document = { enroll: page, manage: page }
  return async () => json(document)
}

/** `GET /.well-known/webauthn`: the origins whose pages may use the passkeys (WebAuthn Level 3 §5.11). */
export function relatedOrigins({ settings }: Service): Endpoint {
  const document = { origins: settings.accounts.passkeyRelatedOrigins }
  return async () => json(document)
}
