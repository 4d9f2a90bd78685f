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
import { adminMailRefusals } from './admin-mail.ts'
import { authorizationRequestRefusals } from './authorization-request.ts'
import { claimRefusals } from './claims.ts'
import { clientRefusals } from './client.ts'
import { clientRegistrationRefusals } from './client-registration.ts'
import { conveyedRequestRefusals } from './conveyed-request.ts'
import { deviceRefusals } from './device.ts'
import { dpopRefusals } from './dpop.ts'
import { type ErrorCode, errorCodes, type RefusalEntry } from './entry.ts'
import { exchangeRefusals } from './exchange.ts'
import { grantRefusals } from './grant.ts'
import { operatorConsentRefusals } from './operator-consent.ts'
import { passkeyRefusals } from './passkey.ts'
import { pkceRefusals } from './pkce.ts'
import { boundDetail, type Detail, type Unbounded } from './refusal-detail.ts'
import { requestRefusals } from './request.ts'
import { selfRefusals } from './self.ts'
import { serviceRefusals } from './service.ts'
import { signOutRefusals } from './sign-out.ts'
import { testSignInRefusals } from './test-sign-in.ts'

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
  ...operatorConsentRefusals,
  ...testSignInRefusals,
  ...accessTokenRefusals,
  ...dpopRefusals,
  ...signOutRefusals,
  ...accountRefusals,
  ...selfRefusals,
  ...passkeyRefusals,
  ...adminRefusals,
  ...adminMailRefusals,
  ...claimRefusals,
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

/** Returns the HTTP status for a refusal that is answered directly. */
export function statusOf(error: ErrorCode): number {
  return errorCodes[error]
}
