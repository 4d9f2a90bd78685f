/**
 * Every kind of event of the audit trail, each with the chains that its entries are in. What it is recorded for stands in
 * `src/audit/reference.ts`, its name in words in `messages/`: neither compiles without a kind that stands here. Without
 * imports, because pages read it.
 */

/**
 * Entries that unauthenticated clients can cause have chains of their own. Those can be trimmed sooner without leaving
 * gaps in the chains of acts.
 */
export type ChainName = 'acts' | 'refusals'

export const auditKinds = {
  sign_in: 'acts',
  sign_in_failed: 'refusals',
  second_factor_asked: 'acts',
  locked_out: 'acts',
  sign_out: 'acts',
  logout_notice: 'acts',
  mail_failed: 'acts',
  mail_retried: 'acts',
  mail_withdrawn: 'acts',
  account_registered: 'acts',
  confirmation_asked: 'acts',
  invitation_withdrawn: 'acts',
  invitation_sent_again: 'acts',
  confirmation_failed: 'acts',
  consent_given: 'acts',
  consent_denied: 'acts',
  consent_revoked: 'acts',
  device_started: 'acts',
  device_approved: 'acts',
  tokens_issued: 'acts',
  code_replayed: 'acts',
  refresh_token_replayed: 'acts',
  token_revoked: 'acts',
  refusal: 'refusals',
  passkey_added: 'acts',
  passkey_removed: 'acts',
  external_login_added: 'acts',
  external_login_removed: 'acts',
  keys_created: 'acts',
  keys_rotated: 'acts',
  keys_imported: 'acts',
  setup_changed: 'acts',
  branding_changed: 'acts',
  provider_accepted: 'acts',
  user_added: 'acts',
  user_changed: 'acts',
  user_deleted: 'acts',
  data_exported: 'acts',
  data_imported: 'acts',
  deletion_planned: 'acts',
  deletion_cancelled: 'acts',
  client_added: 'acts',
  client_changed: 'acts',
  client_deleted: 'acts',
  client_test_sign_in: 'acts',
  registration_token_added: 'acts',
  attribute_added: 'acts',
  attribute_changed: 'acts',
  attribute_deleted: 'acts',
  role_added: 'acts',
  role_changed: 'acts',
  role_deleted: 'acts',
  group_added: 'acts',
  group_changed: 'acts',
  group_deleted: 'acts',
  group_member_added: 'acts',
  group_member_removed: 'acts',
  scope_added: 'acts',
  scope_changed: 'acts',
  scope_deleted: 'acts',
  claim_rule_added: 'acts',
  claim_rule_removed: 'acts',
  database_restored: 'acts',
  database_moved: 'acts',
  database_reopened: 'acts',
  gap_acknowledged: 'acts',
  not_recorded: 'refusals',
} as const satisfies Readonly<Record<string, ChainName>>

export type AuditKind = keyof typeof auditKinds

/** What somebody who uses a client causes all the time. What failed, or was changed, is not among it. */
export const routineKinds: readonly string[] = ['sign_in', 'tokens_issued', 'token_revoked'] satisfies AuditKind[]

/** The reason of a refusal that is routine, too: a client asked whether somebody is signed in (`prompt=none`), and nobody was. */
export const routineReason = 'login_required'

/** Whether somebody who uses a client causes it all the time. */
export const isRoutine = (kind: string, { reason }: { readonly reason?: unknown }): boolean =>
  routineKinds.includes(kind) || (kind === 'refusal' && reason === routineReason)

/** What did not succeed, or may be an attack. */
const failures: readonly string[] = [
  ...(['sign_in_failed', 'locked_out', 'confirmation_failed', 'consent_denied', 'mail_failed'] as const),
  ...(['code_replayed', 'refresh_token_replayed', 'refusal', 'not_recorded'] as const),
] satisfies AuditKind[]

export const outcomes = ['done', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/** Unknown kinds, of another version, are no failures. */
export const outcomeOf = (kind: string): Outcome => (failures.includes(kind) ? 'failed' : 'done')

/** Returns the kinds that both filters let through; undefined: there is no filter. */
export function wantedKinds(
  kinds: readonly string[] | undefined,
  outcome: Outcome | undefined,
): readonly string[] | undefined {
  if (outcome === undefined) return kinds
  return (kinds ?? Object.keys(auditKinds)).filter((kind) => outcomeOf(kind) === outcome)
}
