/** What password managers and browsers look for below `/.well-known`. */
import { json, redirect } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { refuse } from '../protocol/refusals/index.ts'
import type { Service } from '../service.ts'

/** Where people look after passwords and passkeys. */
const securityPage = '/Account/Security'

/** `GET /.well-known/change-password` (W3C, A Well-Known URL for Changing Passwords). */
export function changePassword(): Endpoint {
  return async () => redirect(securityPage)
}

/** `GET /.well-known/passkey-endpoints` (W3C, A Well-Known URL for Relying Party Passkey Endpoints). */
export function passkeyEndpoints(service: Service): Endpoint {
  const { accounts, oauth } = service.settings
  if (accounts.passkeys === 'off') return absent(service)
  const page = new URL(securityPage, oauth.issuer).href
  return async () => json({ enroll: page, manage: page })
}

/** `GET /.well-known/webauthn`: the origins whose pages may use the passkeys (WebAuthn Level 3 §5.11). */
export function relatedOrigins(service: Service): Endpoint {
  const { passkeys, passkeyRelatedOrigins: origins } = service.settings.accounts
  return passkeys === 'off' || origins.length === 0 ? absent(service) : async () => json({ origins })
}

/** Answers 404. Other unknown paths show a page. */
function absent({ answers }: Service): Endpoint {
  return async (request) => answers.fail(request, refuse('not_found', '', { path: request.path }))
}
