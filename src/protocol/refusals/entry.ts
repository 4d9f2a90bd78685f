/** The shape of a catalogue entry. */

/**
 * Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, RFC 9449 §12.2, OpenID Connect Core §3.1.2.6 and its
 * extensions, and this service's own codes for addresses outside any protocol; with the HTTP status of a refusal that is
 * answered directly (RFC 6749 §5.2).
 */
export const errorCodes = {
  access_denied: 400,
  already_confirmed: 409,
  already_exists: 409,
  authorization_pending: 400,
  bad_gateway: 502,
  consent_required: 400,
  expired_token: 400,
  idempotency_key_in_use: 409,
  idempotency_key_reused: 422,
  in_use: 409,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  interaction_required: 400,
  invalid_authorization_details: 400,
  invalid_client: 401,
  invalid_dpop_proof: 400,
  invalid_client_metadata: 400,
  invalid_grant: 400,
  invalid_redirect_uri: 400,
  invalid_request: 400,
  invalid_request_object: 400,
  invalid_request_uri: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_token: 401,
  last_administrator: 409,
  last_sign_in_method: 409,
  login_required: 400,
  mail_disabled: 409,
  mail_is_notice: 409,
  mail_not_failed: 409,
  no_own_address: 409,
  method_not_allowed: 405,
  misdirected_request: 421,
  not_found: 404,
  passkey_challenge_invalid: 400,
  passkey_invalid: 400,
  passkey_taken: 409,
  permission_exceeded: 403,
  precondition_failed: 412,
  precondition_required: 428,
  reauthentication_required: 403,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  second_factor_missing: 409,
  server_error: 500,
  slow_down: 400,
  temporarily_unavailable: 503,
  too_many_passkeys: 409,
  too_many_attempts: 429,
  too_many_requests: 429,
  unauthorized_client: 400,
  unknown_provider: 404,
  unmet_authentication_requirements: 400,
  unsupported_grant_type: 400,
  unsupported_media_type: 415,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  use_dpop_nonce: 400,
} as const satisfies Readonly<Record<string, number>>

export type ErrorCode = keyof typeof errorCodes

export type RefusalEntry = {
  readonly error: ErrorCode
  readonly id: `ID${number}`
  /** Sent as `error_description`, in printable ASCII (RFC 6749 §5.2). `{name}` stands for the faulty parameter. */
  readonly description: string
  /** Replaces `{name}` where there is no request, as in the catalogue: 'the {name}' must read as a sentence. */
  readonly parameters?: string
  /** The purpose of the rule, and its most frequent cause. */
  readonly why: string
  /** How the developer of the client, or the operator of the service, fixes it. */
  readonly fix: string
  /** The rule that requires the refusal. */
  readonly source: string
}
