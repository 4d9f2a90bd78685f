/** Refusals about access tokens: presented at a resource (RFC 6750 §3.1), or to be revoked (RFC 7009 §2.2.1). */
import type { RefusalEntry } from './entry.ts'

export const accessTokenRefusals = {
  access_token_invalid: {
    error: 'invalid_token',
    id: 'ID9012',
    description: 'The access token is not valid.',
    why: 'Userinfo and the sample API accept only access tokens that this service signed for them, that are neither expired nor revoked, and whose user may sign in.',
    fix: 'Refresh the access token, or let the user sign in again. Send the access token, not the id token.',
    source: 'RFC 6750 §3.1, RFC 9068 §4',
  },
  scope_insufficient: {
    error: 'insufficient_scope',
    id: 'ID9013',
    description: "The access token has no scope 'openid'.",
    why: 'Userinfo is part of OpenID Connect, and the scope openid makes a request one of OpenID Connect.',
    fix: 'Request the scope openid, with profile, email, phone, address and roles for the claims that you need.',
    source: 'RFC 6750 §3.1, OpenID Connect Core §5.3',
  },
  token_type_unsupported: {
    error: 'unsupported_token_type',
    id: 'ID2079',
    description: 'Tokens of this kind cannot be revoked.',
    why: 'Id tokens and codes are not stored, so there is nothing to revoke; they expire within minutes.',
    fix: 'Revoke access tokens and refresh tokens.',
    source: 'RFC 7009 §2.2.1',
  },
  access_token_certificate: {
    error: 'invalid_token',
    id: 'ID9171',
    description: 'The access token is bound to the certificate of its client.',
    why: 'Only the client to whose certificate the token is bound can use it, so that a stolen token is worthless.',
    fix: 'Send the request with the certificate with which the token was requested, to the address at which the proxy asks for it.',
    source: 'RFC 8705 §3',
  },
  authentication_insufficient: {
    error: 'insufficient_user_authentication',
    id: 'ID9313',
    description: 'The sign-in behind the token is too weak or too old for this resource.',
    why: 'The resource demands an authentication class, and a sign-in of the last minutes; the challenge names both.',
    fix: 'Send the person to the authorization endpoint with acr_values and max_age of the challenge, and use the new token.',
    source: 'RFC 9470 §3',
  },
} as const satisfies Record<string, RefusalEntry>
