/**
 * The one catalogue of everything this service refuses at its protocol endpoints. A refusal is a value, not an
 * exception. `id` is the stable number that tests, logs and `error_uri` carry; several entries share a number where
 * they are the same kind of fault. `docs/errors.md` and the page behind `error_uri` are generated from here.
 */

/** Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1 and OpenID Connect Core §3.1.2.6. */
export type ErrorCode =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_token'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'

export type RefusalEntry = {
  readonly error: ErrorCode
  readonly id: `ID${number}`
  /** Sent as `error_description`. `{name}` stands for the parameter at fault. Printable ASCII (RFC 6749 §5.2). */
  readonly description: string
  /** For the catalogue: how the developer of the client mends it. */
  readonly mend: string
  /** The rule that demands the refusal. */
  readonly source: string
}

export const refusals = {
  parameter_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description: 'The mandatory parameter {name} is missing.',
    mend: 'Send the parameter. If a form was posted without the fields that came with it, start again at the application.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  client_id_missing: {
    error: 'invalid_client',
    id: 'ID2029',
    description: 'The mandatory parameter client_id is missing.',
    mend: 'Send client_id in the body, or the client credentials in the Authorization header.',
    source: 'RFC 6749 §3.2.1',
  },
  parameter_repeated: {
    error: 'invalid_request',
    id: 'ID9001',
    description: 'The parameter {name} was sent more than once.',
    mend: 'Send each parameter once.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  parameter_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The value of the parameter {name} is not valid.',
    mend: 'Check the value against the specification of the parameter.',
    source: 'RFC 6749 §4.1.2.1, §5.2',
  },
  parameter_too_long: {
    error: 'invalid_request',
    id: 'ID9002',
    description: 'The value of the parameter {name} is too long.',
    mend: 'Shorten the value. State belongs in the application; send a reference to it.',
    source: 'a limit of this service',
  },
  encoding_malformed: {
    error: 'invalid_request',
    id: 'ID9003',
    description: 'The parameters are not valid application/x-www-form-urlencoded text in UTF-8.',
    mend: 'Encode names and values as form text: UTF-8, percent-encoded, no NUL, at most 256 parameters.',
    source: 'RFC 6749 Appendix B',
  },
  content_type_missing: {
    error: 'invalid_request',
    id: 'ID2081',
    description: 'The mandatory Content-Type header is missing.',
    mend: 'Send Content-Type: application/x-www-form-urlencoded with the body.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  content_type_unsupported: {
    error: 'invalid_request',
    id: 'ID2082',
    description: 'The Content-Type must be application/x-www-form-urlencoded.',
    mend: 'Send the parameters as a form body, not as JSON or multipart.',
    source: 'RFC 6749 §3.2, Appendix B',
  },
  method_not_accepted: {
    error: 'invalid_request',
    id: 'ID2084',
    description: 'The HTTP method is not accepted at this endpoint.',
    mend: 'Use POST at the token and revocation endpoints, GET or POST at the authorization and end-session endpoints.',
    source: 'RFC 6749 §3.1, §3.2',
  },
  body_too_large: {
    error: 'invalid_request',
    id: 'ID9004',
    description: 'The request body is larger than 64 KiB.',
    mend: 'Send only the parameters of the request.',
    source: 'a limit of this service',
  },

  request_object_unsupported: {
    error: 'request_not_supported',
    id: 'ID2028',
    description: 'Request objects are not supported.',
    mend: 'Send the parameters of the request themselves instead of the request parameter.',
    source: 'OpenID Connect Core §6, §3.1.2.6',
  },
  request_uri_unsupported: {
    error: 'request_uri_not_supported',
    id: 'ID2028',
    description: 'The parameter request_uri is not supported.',
    mend: 'Send the parameters of the request themselves instead of request_uri.',
    source: 'OpenID Connect Core §6, §3.1.2.6',
  },
  redirect_uri_not_absolute: {
    error: 'invalid_request',
    id: 'ID2030',
    description: 'The {name} must be an absolute URI.',
    mend: 'Send the address exactly as it is registered, scheme and host included.',
    source: 'RFC 6749 §3.1.2',
  },
  redirect_uri_fragment: {
    error: 'invalid_request',
    id: 'ID2031',
    description: 'The {name} must not include a fragment.',
    mend: 'Remove the fragment from the address.',
    source: 'RFC 6749 §3.1.2',
  },
  redirect_uri_iss: {
    error: 'invalid_request',
    id: 'ID2135',
    description: 'The redirect_uri must not carry an iss parameter of its own.',
    mend: 'Remove iss from the query of the address; the response carries one.',
    source: 'RFC 9207 §2',
  },
  redirect_uri_unregistered: {
    error: 'invalid_request',
    id: 'ID2043',
    description: 'The redirect_uri is not registered for this client.',
    mend: 'Register the address, or send it exactly as registered: every character counts, a trailing slash too.',
    source: 'RFC 6749 §3.1.2.4, RFC 9700 §4.1.3',
  },
  response_type_unsupported: {
    error: 'unsupported_response_type',
    id: 'ID2032',
    description: 'The response_type is not supported; use code.',
    mend: 'Use the authorization code flow: response_type=code.',
    source: 'RFC 6749 §4.1.2.1, RFC 9700 §2.1.2',
  },
  response_mode_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The response_mode is not supported.',
    mend: 'Use query, fragment or form_post, or leave the parameter out.',
    source: 'OAuth 2.0 Multiple Response Types §2.1',
  },
  prompt_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The prompt holds a value that is not supported.',
    mend: 'Use none, login, consent or select_account.',
    source: 'OpenID Connect Core §3.1.2.1',
  },
  prompt_contradictory: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The prompt must not combine none with another value.',
    mend: 'Send prompt=none alone.',
    source: 'OpenID Connect Core §3.1.2.1',
  },
  code_challenge_method_without_challenge: {
    error: 'invalid_request',
    id: 'ID2037',
    description: 'The code_challenge_method was sent without a code_challenge.',
    mend: 'Send both, or neither if the client may go without PKCE.',
    source: 'RFC 7636 §4.3',
  },
  code_challenge_method_missing: {
    error: 'invalid_request',
    id: 'ID2029',
    description:
      'The mandatory parameter code_challenge_method is missing; without it plain is meant, which is refused.',
    mend: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.3, RFC 9700 §2.1.1',
  },
  code_challenge_method_unsupported: {
    error: 'invalid_request',
    id: 'ID2032',
    description: 'The code_challenge_method is not supported; use S256.',
    mend: 'Send code_challenge_method=S256.',
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  code_challenge_malformed: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The code_challenge is not a base64url SHA-256 value of 43 characters.',
    mend: 'Send base64url(SHA-256(ASCII(code_verifier))) without padding.',
    source: 'RFC 7636 §4.2',
  },
  code_challenge_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'This client must send a code_challenge (PKCE).',
    mend: 'Create a code_verifier and send its code_challenge with code_challenge_method=S256.',
    source: 'RFC 7636 §4.4.1, RFC 9700 §2.1.1',
  },
  client_unknown: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The client_id is not known.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RFC 6749 §4.1.2.1',
  },
  scope_unknown: {
    error: 'invalid_scope',
    id: 'ID2052',
    description: 'At least one requested scope is not registered.',
    mend: 'Ask for registered scopes only, or register the scope: latchkey scope add.',
    source: 'RFC 6749 §3.3, §4.1.2.1',
  },
  scope_not_permitted: {
    error: 'invalid_request',
    id: 'ID2051',
    description: 'This client is not permitted to ask for at least one of the requested scopes.',
    mend: 'Ask for fewer scopes, or permit the scope in the registration of the client.',
    source: 'RFC 6749 §3.3',
  },
  offline_access_not_permitted: {
    error: 'invalid_request',
    id: 'ID2065',
    description: 'This client is not permitted to ask for offline_access.',
    mend: 'Leave offline_access out, or permit it in the registration of the client.',
    source: 'OpenID Connect Core §11',
  },
  id_token_hint_foreign: {
    error: 'invalid_request',
    id: 'ID2141',
    description: 'The id_token_hint was issued to another client.',
    mend: 'Send an id token that this client received.',
    source: 'OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2',
  },
  consent_ambiguous: {
    error: 'invalid_request',
    id: 'ID9005',
    description: 'The consent form was posted with both answers.',
    mend: 'Send submit.Accept or submit.Deny, not both.',
    source: 'a rule of this service',
  },
  consent_denied: {
    error: 'access_denied',
    id: 'ID2015',
    description: 'The authorization was denied by the resource owner.',
    mend: 'Nothing is wrong: the person said no. Offer to try again.',
    source: 'RFC 6749 §4.1.2.1',
  },
  login_required: {
    error: 'login_required',
    id: 'ID2015',
    description: 'The person must sign in, and prompt=none forbids to ask.',
    mend: 'Send the authorization request again without prompt=none.',
    source: 'OpenID Connect Core §3.1.2.6',
  },
  hint_names_another: {
    error: 'login_required',
    id: 'ID2015',
    description: 'The person who is signed in is not the one that the id_token_hint names.',
    mend: 'Let the right person sign in, or leave id_token_hint out.',
    source: 'OpenID Connect Core §3.1.2.2',
  },
  consent_required: {
    error: 'consent_required',
    id: 'ID2015',
    description: 'The person must consent, and prompt=none forbids to ask.',
    mend: 'Send the authorization request again without prompt=none.',
    source: 'OpenID Connect Core §3.1.2.6',
  },

  grant_type_unsupported: {
    error: 'unsupported_grant_type',
    id: 'ID2032',
    description: 'The grant_type is not supported.',
    mend: 'Use authorization_code or refresh_token.',
    source: 'RFC 6749 §5.2',
  },
  scope_with_code: {
    error: 'invalid_request',
    id: 'ID2074',
    description: 'The scope parameter is not allowed when a code is redeemed.',
    mend: 'Leave scope out; it was fixed by the authorization request.',
    source: 'RFC 6749 §4.1.3',
  },
  credentials_malformed: {
    error: 'invalid_request',
    id: 'ID2055',
    description: 'The Authorization header is not well-formed Basic authentication.',
    mend: 'Send Basic base64(form-encoded client_id:form-encoded client_secret).',
    source: 'RFC 6749 §2.3.1',
  },
  credentials_multiple: {
    error: 'invalid_request',
    id: 'ID2087',
    description: 'More than one method of client authentication was used.',
    mend: 'Send the credentials in the Authorization header or in the body, not in both.',
    source: 'RFC 6749 §2.3',
  },
  client_assertion_unsupported: {
    error: 'invalid_client',
    id: 'ID2032',
    description: 'Client assertions are not supported.',
    mend: 'Authenticate with client_secret_basic or client_secret_post.',
    source: 'RFC 6749 §2.3.2',
  },
  client_unknown_at_token: {
    error: 'invalid_client',
    id: 'ID2052',
    description: 'The client_id is not known.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RFC 6749 §5.2',
  },
  client_secret_unexpected: {
    error: 'invalid_client',
    id: 'ID2053',
    description: 'A public client must not send a client_secret.',
    mend: 'Leave client_secret out, or register the client as confidential.',
    source: 'RFC 6749 §2.1, §5.2',
  },
  client_secret_missing: {
    error: 'invalid_client',
    id: 'ID2054',
    description: 'This client must authenticate with its client_secret.',
    mend: 'Send the secret by client_secret_basic or client_secret_post.',
    source: 'RFC 6749 §3.2.1',
  },
  client_secret_wrong: {
    error: 'invalid_client',
    id: 'ID2055',
    description: 'The client credentials are not valid.',
    mend: 'Check the secret of the client.',
    source: 'RFC 6749 §5.2',
  },
  code_invalid: {
    error: 'invalid_grant',
    id: 'ID2001',
    description: 'The authorization code is not valid.',
    mend: 'Send the code exactly as it came, once, at the service that issued it.',
    source: 'RFC 6749 §5.2',
  },
  code_foreign: {
    error: 'invalid_grant',
    id: 'ID2069',
    description: 'The authorization code was issued to another client.',
    mend: 'Redeem a code with the client_id that asked for it.',
    source: 'RFC 6749 §4.1.3, §5.2',
  },
  code_redeemed: {
    error: 'invalid_grant',
    id: 'ID2010',
    description: 'The authorization code was redeemed before; all that it gave is revoked.',
    mend: 'Redeem a code once. Start a new authorization request.',
    source: 'RFC 6749 §4.1.2',
  },
  code_expired: {
    error: 'invalid_grant',
    id: 'ID2016',
    description: 'The authorization code has expired.',
    mend: 'Redeem the code at once. Start a new authorization request.',
    source: 'RFC 6749 §4.1.2, §5.2',
  },
  redirect_uri_mismatch: {
    error: 'invalid_grant',
    id: 'ID2072',
    description: 'The redirect_uri is not the one of the authorization request.',
    mend: 'Send the redirect_uri of the authorization request, character by character.',
    source: 'RFC 6749 §4.1.3',
  },
  code_verifier_missing: {
    error: 'invalid_request',
    id: 'ID2054',
    description: 'The mandatory parameter code_verifier is missing (PKCE).',
    mend: 'Send the code_verifier whose challenge was in the authorization request.',
    source: 'RFC 7636 §4.5',
  },
  code_verifier_unexpected: {
    error: 'invalid_request',
    id: 'ID2073',
    description: 'A code_verifier was sent, but the authorization request had no code_challenge.',
    mend: 'Send the code_challenge with the authorization request.',
    source: 'RFC 9700 §2.1.1',
  },
  code_verifier_mismatch: {
    error: 'invalid_grant',
    id: 'ID2052',
    description: 'The code_verifier does not match the code_challenge.',
    mend: 'Send the 43 to 128 characters whose SHA-256 was sent as code_challenge.',
    source: 'RFC 7636 §4.6',
  },
  refresh_token_invalid: {
    error: 'invalid_grant',
    id: 'ID2003',
    description: 'The refresh token is not valid.',
    mend: 'Send the refresh token exactly as it came, or let the person sign in again.',
    source: 'RFC 6749 §5.2',
  },
  refresh_token_foreign: {
    error: 'invalid_grant',
    id: 'ID2071',
    description: 'The refresh token was issued to another client.',
    mend: 'Use a refresh token with the client_id that received it.',
    source: 'RFC 6749 §6, §10.4',
  },
  refresh_token_reused: {
    error: 'invalid_grant',
    id: 'ID2012',
    description: 'The refresh token was used before; its whole chain is revoked.',
    mend: 'Keep the refresh token of each answer and forget the one before. Let the person sign in again.',
    source: 'RFC 9700 §4.14.2',
  },
  refresh_token_expired: {
    error: 'invalid_grant',
    id: 'ID2018',
    description: 'The refresh token has expired or was revoked.',
    mend: 'Let the person sign in again.',
    source: 'RFC 6749 §5.2',
  },
  consent_revoked: {
    error: 'invalid_grant',
    id: 'ID2020',
    description: 'The consent behind this grant was withdrawn.',
    mend: 'Let the person sign in and consent again.',
    source: 'RFC 6749 §5.2',
  },
  refresh_scope_exceeds: {
    error: 'invalid_grant',
    id: 'ID2052',
    description: 'The scope asks for more than was granted.',
    mend: 'Ask for a subset of the granted scopes, or leave scope out.',
    source: 'RFC 6749 §6',
  },
  user_gone: {
    error: 'invalid_grant',
    id: 'ID2024',
    description: 'The token is no longer valid.',
    mend: 'The account no longer exists. End the session in the application.',
    source: 'RFC 6749 §5.2',
  },
  user_not_allowed: {
    error: 'invalid_grant',
    id: 'ID2024',
    description: 'The user is no longer allowed to sign in.',
    mend: 'The account is locked or not confirmed. Let the person talk to their administrator.',
    source: 'RFC 6749 §5.2',
  },

  token_type_unsupported: {
    error: 'unsupported_token_type',
    id: 'ID2079',
    description: 'Tokens of this kind cannot be revoked.',
    mend: 'Revoke access tokens and refresh tokens.',
    source: 'RFC 7009 §2.2.1',
  },
  external_state_invalid: {
    error: 'invalid_request',
    id: 'ID9006',
    description: 'The sign-in at the provider was not started in this browser, was finished before, or took too long.',
    mend: 'Start the sign-in again from the login page.',
    source: 'RFC 6749 §10.12, RFC 9700 §4.7',
  },
  end_session_client_unknown: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The client_id is not known.',
    mend: 'Check the client_id, or register the client: latchkey client add.',
    source: 'RP-Initiated Logout §2',
  },
  post_logout_redirect_uri_unregistered: {
    error: 'invalid_request',
    id: 'ID2052',
    description: 'The post_logout_redirect_uri is not registered.',
    mend: 'Register the address, or send it exactly as registered: every character counts, a trailing slash too.',
    source: 'RP-Initiated Logout §3',
  },

  server_error: {
    error: 'server_error',
    id: 'ID9500',
    description: 'Something went wrong on our side. The trace id leads to the log entry.',
    mend: 'Try again. If it stays, give the trace id to the operator of this service.',
    source: 'RFC 6749 §4.1.2.1',
  },
  temporarily_unavailable: {
    error: 'temporarily_unavailable',
    id: 'ID9503',
    description: 'The service cannot answer at the moment.',
    mend: 'Try again after the number of seconds in the Retry-After header.',
    source: 'RFC 6749 §4.1.2.1',
  },
} as const satisfies Record<string, RefusalEntry>

export type RefusalReason = keyof typeof refusals

/** An expected 'no': which rule, and for the log what exactly was wrong. */
export type Refusal = {
  readonly reason: RefusalReason
  readonly error: ErrorCode
  readonly id: string
  /** Begins with the ID code; sent as `error_description`. */
  readonly description: string
  /** Received and registered values for the log alone. Never holds a secret. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** Makes the refusal for `reason`; `name` is the parameter that the description speaks of. */
export function refuse(reason: RefusalReason, name = '', detail: Readonly<Record<string, unknown>> = {}): Refusal {
  const entry: RefusalEntry = refusals[reason]
  return {
    reason,
    error: entry.error,
    id: entry.id,
    description: `${entry.id}: ${entry.description.replace('{name}', name)}`,
    detail: name === '' ? detail : { parameter: name, ...detail },
  }
}

/** The HTTP status of a refusal that is answered directly. It follows from the error code (RFC 6749 §5.2). */
export function statusOf(error: ErrorCode): 400 | 401 | 500 | 503 {
  switch (error) {
    case 'invalid_client':
    case 'invalid_token':
      return 401
    case 'server_error':
      return 500
    case 'temporarily_unavailable':
      return 503
    default:
      return 400
  }
}

export function isRefusal(value: object): value is Refusal {
  return 'reason' in value && 'id' in value
}

/** The catalogue by ID code, ascending. */
export function refusalsById(): ReadonlyMap<string, readonly RefusalEntry[]> {
  const byId = Map.groupBy(Object.values<RefusalEntry>(refusals), (entry) => entry.id)
  return new Map([...byId].sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2))))
}

/** `docs/errors.md`: every ID code with its conditions, what is sent, why and how to mend it. */
export function errorsReference(): string {
  const sections = [...refusalsById()].map(([id, entries]) => {
    const rows = entries.map(
      (entry) =>
        `- **\`${entry.error}\`**: ${entry.description.replace('{name}', 'in question')}\n  ${entry.mend} (${entry.source})`,
    )
    return `## ${id}\n\n${rows.join('\n')}\n`
  })
  return `# Errors

What the protocol endpoints refuse, by the code at the end of \`error_uri\` and at the start of \`error_description\`.
Generated from \`src/protocol/refusals.ts\` by \`npm run generate\`.

${sections.join('\n')}`
}
