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
  account_registered: 'acts',
  confirmation_asked: 'acts',
  invitation_withdrawn: 'acts',
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
