/**
 * The catalogue of everything this service refuses. A refusal is a value, not an exception. `id` is the stable number
 * in tests, logs and `error_uri`; entries for the same kind of fault share a number. `docs/errors.md`, the page behind
 * `error_uri` and `latchkey explain` are generated from here.
 *
 * Belongs here: one file of catalogue entries for each noun, and the creation of a refusal from an entry.
 * Belongs elsewhere: the rules that refuse (`protocol/`), and answering with a refusal (`http/answers.ts`).
 */
import { type AnyRefusal, asRefusal } from '../../refusal.ts'
import { accessTokenRefusals } from './access-token.ts'
import { accountRefusals } from './account.ts'
import { adminRefusals } from './admin.ts'
import { authorizationRequestRefusals } from './authorization-request.ts'
import { clientRefusals } from './client.ts'
import { clientRegistrationRefusals } from './client-registration.ts'
import { conveyedRequestRefusals } from './conveyed-request.ts'
import { deviceRefusals } from './device.ts'
import { dpopRefusals } from './dpop.ts'
import type { ErrorCode, RefusalEntry } from './entry.ts'
import { exchangeRefusals } from './exchange.ts'
import { grantRefusals } from './grant.ts'
import { passkeyRefusals } from './passkey.ts'
import { pkceRefusals } from './pkce.ts'
import { boundDetail, type Detail, type Unbounded } from './refusal-detail.ts'
import { requestRefusals } from './request.ts'
import { selfRefusals } from './self.ts'
import { serviceRefusals } from './service.ts'
import { signOutRefusals } from './sign-out.ts'

export const refusals = {
  ...requestRefusals,
  ...clientRefusals,
  ...clientRegistrationRefusals,
  ...authorizationRequestRefusals,
  ...conveyedRequestRefusals,
  ...pkceRefusals,
  ...grantRefusals,
  ...deviceRefusals,
  ...exchangeRefusals,
  ...accessTokenRefusals,
  ...dpopRefusals,
  ...signOutRefusals,
  ...accountRefusals,
  ...selfRefusals,
  ...passkeyRefusals,
  ...adminRefusals,
  ...serviceRefusals,
} as const satisfies Record<string, RefusalEntry>

export type RefusalReason = keyof typeof refusals

/** An expected 'no': the violated rule, with details for the log. */
export type Refusal = AnyRefusal & {
  readonly reason: RefusalReason
  readonly error: ErrorCode
  readonly id: string
  /** Begins with the ID code; sent as `error_description`. */
  readonly description: string
  /** Received and registered values for the log, bounded and printable. Never contains a secret. */
  readonly detail: Detail
}

/** Creates the refusal for `reason`; `name`: the parameter for the description. */
export function refuse(reason: RefusalReason, name = '', detail: Unbounded = {}): Refusal {
  const entry: RefusalEntry = refusals[reason]
  return asRefusal({
    reason,
    error: entry.error,
    id: entry.id,
    description: `${entry.id}: ${describe(entry, name)}`,
    detail: boundDetail(name === '' ? detail : { parameter: name, ...detail }),
  })
}

/** Returns one sentence that describes what happened. Without `parameter` it reads as an entry of the catalogue. */
export function describe(entry: RefusalEntry, parameter?: string): string {
  const name = parameter ?? entry.parameters ?? 'that error_description names'
  return entry.description.replace('{name}', () => name)
}

/** Returns the HTTP status for a refusal that is answered directly, derived from the error code (RFC 6749 §5.2). */
export function statusOf(error: ErrorCode): number {
  switch (error) {
    case 'invalid_client':
    case 'invalid_token':
    case 'insufficient_user_authentication':
      return 401
    case 'insufficient_scope':
    case 'permission_exceeded':
    case 'reauthentication_required':
      return 403
    case 'not_found':
    case 'unknown_provider':
      return 404
    case 'already_exists':
    case 'idempotency_key_in_use':
    case 'in_use':
    case 'last_administrator':
    case 'last_sign_in_method':
    case 'mail_disabled':
    case 'mail_not_failed':
    case 'second_factor_missing':
    case 'passkey_taken':
    case 'too_many_passkeys':
      return 409
    case 'method_not_allowed':
      return 405
    case 'precondition_failed':
      return 412
    case 'unsupported_media_type':
      return 415
    case 'misdirected_request':
      return 421
    case 'idempotency_key_reused':
      return 422
    case 'precondition_required':
      return 428
    case 'too_many_attempts':
    case 'too_many_requests':
      return 429
    case 'server_error':
      return 500
    case 'bad_gateway':
      return 502
    case 'temporarily_unavailable':
      return 503
    default:
      return 400
  }
}
