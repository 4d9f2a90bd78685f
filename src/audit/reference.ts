/** What the kinds of events mean, for `docs/audit-events.md`. */
import { type AuditKind, auditKinds } from './kinds.ts'

/** When each kind is recorded, and what its details are. */
const meanings: Readonly<Record<AuditKind, readonly [when: string, details: string]>> = {
  sign_in: [
    'a user signed in',
    '`method`: `pwd`, `passkey`, `otp` (a mail) or the provider; `second`: the second factor',
  ],
  sign_in_failed: [
    'an attempt failed',
    '`method`, `reason`: `unknown_user`, `wrong_password`, `wrong_code`, `too_many_attempts`, `sign_in_expired`, `locked`, `not_allowed`, `rate_limited`, `provider_refused`, `provider_failed`, `provider_untrusted`, `account_locked`, `counter_back` with the `passkey`, …',
  ],
  second_factor_asked: [
    'another factor was asked for, or a code mailed',
    '`method`; `next`: `second_factor`, `enrolment`, `code`, `signin_code`, `update_password`, `verify_email`',
  ],
  locked_out: [
    "a failure locked the account, or used up a known browser's budget",
    '`until`; `budget`: `browser`, `second_factor`',
  ],
  sign_out: [
    'a session ended',
    '`reason`: `asked_for`, `signed_in_again`, `return_address`, `ended_elsewhere`, `all_others_ended`, `too_many_sessions` with `sessions`',
  ],
  logout_notice: [
    'a client was told that a session ended, or could not be',
    '`actor`, `outcome`: `delivered`, `given_up`; `attempts`, `reason`',
  ],
  mail_failed: [
    'a mail could not be delivered',
    '`actor`, `mail`, `purpose`, `attempts`, `reason`: `refused`, `too_often`, `too_late`, `unreadable`',
  ],
  mail_retried: ['an operator sent a failed or waiting mail again', '`actor`, `mail`, `purpose`'],
  mail_withdrawn: ['an operator withdrew a mail that waited', '`actor`, `mail`, `purpose`'],
  account_registered: [
    'a person confirmed an account',
    '`method`: the provider, `email`, `invite`, `setup`; `roles`; `password`: true if one was chosen',
  ],
  confirmation_asked: [
    'a code or link was asked for, by a page, for an invitation or for setting up',
    '`purpose`; `mailed`; `roles`',
  ],
  invitation_withdrawn: ['an operator withdrew an invitation', '`actor`, `roles`'],
  invitation_sent_again: [
    'an operator sent an invitation again, or copied another link of it',
    '`actor`, `mailed`, `roles`',
  ],
  confirmation_failed: ['a wrong code was entered', '`purpose`; `attempt`'],
  consent_given: ['a user allowed it on the consent or device page', '`scopes`, `id`, `device`'],
  consent_denied: ['a user denied it on the consent or device page', '`scopes`, `id`, `device`'],
  consent_revoked: [
    "an operator revoked a consent, or a person removed a client's access",
    '`id`, `actor`; `reason`: `access_removed`',
  ],
  device_started: ['a device requested codes', '`id` or `device`: the id of the later grant; `scopes`'],
  device_approved: ['a user allowed it', '`id` or `device`: the id of the later grant; `scopes`'],
  tokens_issued: [
    'a code was redeemed, a refresh token exchanged, …',
    '`type`, `grant`, `jti`, `scopes`; of a code `redirect_uri`, and `pkce` when it had no challenge; `repeat`: a replaced token inside the leeway; `skipped`: rotations the database did not know of',
  ],
  code_replayed: ['a used code came again; its grant ended', '`grant`'],
  refresh_token_replayed: ['a replaced token came again; its grant ended', '`grant`'],
  token_revoked: ['a client revoked a token', '`type`, `grant`, `jti`'],
  refusal: [
    'an endpoint refused; not for unknown paths and host names',
    '`reason`, `error`, `id`, and the values of the rule',
  ],
  passkey_added: ['a person added one', '`passkey`, `synced`'],
  passkey_removed: ['a person removed one', '`passkey`, `synced`'],
  external_login_added: ['a person linked a provider', '`method`'],
  external_login_removed: ['a person unlinked a provider', '`method`'],
  keys_created: ['keys were made that there were not', '`keys`, `actor`'],
  keys_rotated: ['the keys that sign were rotated', '`keys`, `actor`'],
  keys_imported: ['public keys of a former system were put into the key set', '`keys`, `untilMs`, `actor`'],
  setup_changed: [
    'an operator saw to a point of the list of a new installation, or had a test mail sent',
    '`actor`; `mark`: `hidden`, `mail`, `backup`, `keys`; `done`, or `test`',
  ],
  provider_accepted: [
    'an operator let the links to a provider count, whose settings name another source of subjects',
    '`provider`, `source`, `before`, `actor`',
  ],
  branding_changed: ['an operator changed the looks or links of pages and mails', '`actor`, `members`'],
  user_added: ['by an `actor`', '`actor`, `roles`, `members`; `password`: true if one was set'],
  user_changed: [
    'by an `actor`, or by the person',
    '`change`: `locked`, `unlocked`, `password_set`, `imported` with the `import`, `browsers_forgotten`, `browser_forgotten`, `totp_on`, `totp_off`, `totp_removed`, `recovery_codes_made`, `recovery_code_used` with `left`, `second_factor_reset`, `role_added`, `role_removed`, `roles_set`, `sessions_ended`, `password_reset` (and `password_set` by a person) with `revoked`, `email_set`, `email_restored`, `set` with the `members`',
  ],
  user_deleted: ['by an `actor`, or asked for by the person', '`actor`; `reason`: `asked_for`'],
  data_exported: [
    "a person's data were exported, or everybody's for another system",
    '`actor`; `kind`: `users`, `keycloak`',
  ],
  data_imported: [
    '`latchkey import` stored a batch',
    '`actor`, `import`, `kind`, `read`, `created`, `updated`, `skipped`, `failed`',
  ],
  deletion_planned: ['a person asked for the deletion', '`due_at`'],
  deletion_cancelled: ['a person cancelled it', '`reason`: `asked_for`, `signed_in`'],
  client_added: [
    'an operator registered it, or it registered itself',
    '`actor` and what was registered; `registration`: `token`, `open`, `document`',
  ],
  client_changed: [
    'by an operator, or by the client itself',
    "`actor`; `change`: `applied`, `set`, `imported` or `registration` with the `members`, `secret_rotated` with `overlap_seconds`, `secret_hashed` (an imported client's secret was hashed anew at its first use), `secret_sealed` (it was sealed anew, because the key that sealed it was replaced)",
  ],
  client_deleted: ['an operator deleted it, or it deleted its registration', '`actor`'],
  client_test_sign_in: [
    'an administrator signed in with it as a test; its tokens were revoked at once, and given to nobody',
    '`actor`; `type`: `authorization_code`, `client_credentials`',
  ],
  registration_token_added: ['an operator made an initial access token', '`actor`, `uses`, `expires_at`'],
  attribute_added: ['a field of people was declared', '`actor`, `name`'],
  attribute_changed: ['the declaration of a field of people changed', '`actor`, `name`, `members`'],
  attribute_deleted: ['a field of people was deleted with all values', '`actor`, `name`, `people`'],
  role_added: ['a role was described', '`actor`, `name`'],
  role_changed: ['the description of a role changed', '`actor`, `name`, `members`'],
  role_deleted: ['a role was taken from everyone', '`actor`, `name`, `taken_from`'],
  group_added: ['a group of people was made', '`actor`, `group`, `roles`'],
  group_changed: [
    'its members, or the roles that it gives',
    '`actor`, `group`, `members`, of one role `change` and `role`',
  ],
  group_deleted: ['with its memberships', '`actor`, `group`'],
  group_member_added: ['somebody came into a group', '`actor`, `group`'],
  group_member_removed: ['somebody was taken out of a group', '`actor`, `group`'],
  scope_added: ['by an operator', '`actor`, `name`, `resources`'],
  scope_changed: ['by an operator', '`actor`, `name`, `members`'],
  scope_deleted: ['by an operator', '`actor`, `name`, `taken_from`'],
  claim_rule_added: ['by an operator', '`actor`, `claim`, `from`; `scope` or `resource`, or the client'],
  claim_rule_removed: ['by an operator', '`actor`, `claim`, `from`; `scope` or `resource`, or the client'],
  database_restored: ['a backup replaced the database', '`actor`, `file`'],
  database_moved: ['`db copy` marked it as moved', '`actor`, `to`'],
  database_reopened: ['the mark was removed', '`actor`'],
  gap_acknowledged: [
    'an operator accepted what `verify` had found',
    '`actor`, `reason`, `checkpoint`, `places`, `first`',
  ],
  not_recorded: [
    'events not recorded one by one',
    '`count`, `reason`: `too_many` with `networks` and the three with the `most`; `unwritable`',
  ],
}

export function auditReference(): string {
  const rows = (Object.keys(auditKinds) as AuditKind[]).map((kind) => `| \`${kind}\` | ${meanings[kind].join(' | ')} |`)
  return `# Events of the audit trail

Generated from \`src/audit/reference.ts\`; change it there. [The audit trail](audit.md) says what every entry has besides.

| Kind | When | Details |
|---|---|---|
${rows.join('\n')}
`
}
