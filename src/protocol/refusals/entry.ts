/** The shape of a catalogue entry. */

/**
 * Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, RFC 9449 §12.2, OpenID Connect Core §3.1.2.6 and its
 * extensions, and this service's own codes for addresses outside any protocol.
 */
export type ErrorCode =
  | 'access_denied'
  | 'already_exists'
  | 'authorization_pending'
  | 'bad_gateway'
  | 'consent_required'
  | 'expired_token'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'in_use'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'interaction_required'
  | 'invalid_authorization_details'
  | 'invalid_client'
  | 'invalid_dpop_proof'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_request_object'
  | 'invalid_request_uri'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'last_administrator'
  | 'last_sign_in_method'
  | 'login_required'
  | 'mail_disabled'
  | 'mail_not_failed'
  | 'method_not_allowed'
  | 'misdirected_request'
  | 'not_found'
  | 'passkey_challenge_invalid'
  | 'passkey_invalid'
  | 'passkey_taken'
  | 'permission_exceeded'
  | 'precondition_failed'
  | 'precondition_required'
  | 'reauthentication_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'second_factor_missing'
  | 'server_error'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'too_many_passkeys'
  | 'too_many_attempts'
  | 'too_many_requests'
  | 'unauthorized_client'
  | 'unknown_provider'
  | 'unmet_authentication_requirements'
  | 'unsupported_grant_type'
  | 'unsupported_media_type'
  | 'unsupported_response_type'
  | 'unsupported_token_type'
  | 'use_dpop_nonce'

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
