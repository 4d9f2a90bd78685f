import type { AuditKind } from '../../src/audit/kinds.ts'
import { isPeriod, spanOf } from './activity-period.ts'
import type { Call } from './api.ts'

/** Kinds that are chosen together. */
export const kindGroups = {
  sign_ins: ['sign_in', 'sign_in_failed', 'second_factor_asked', 'locked_out', 'sign_out', 'confirmation_failed'],
  accounts: [
    ...(['account_registered', 'confirmation_asked', 'invitation_withdrawn', 'user_added', 'user_changed'] as const),
    'invitation_sent_again',
    ...(['user_deleted', 'deletion_planned', 'deletion_cancelled', 'passkey_added', 'passkey_removed'] as const),
    ...(['external_login_added', 'external_login_removed', 'locked_out'] as const),
  ],
  access: [
    ...(['consent_given', 'consent_denied', 'consent_revoked', 'device_started', 'device_approved'] as const),
    ...(['tokens_issued', 'token_revoked', 'code_replayed', 'refresh_token_replayed', 'refusal'] as const),
  ],
  applications: [
    ...(['client_added', 'client_changed', 'client_deleted', 'client_test_sign_in', 'scope_added'] as const),
    ...(['scope_changed', 'scope_deleted', 'claim_rule_added', 'claim_rule_removed'] as const),
    'registration_token_added',
  ],
  roles: [
    ...(['role_added', 'role_changed', 'role_deleted', 'group_added', 'group_changed', 'group_deleted'] as const),
    ...(['group_member_added', 'group_member_removed'] as const),
    ...(['attribute_added', 'attribute_changed', 'attribute_deleted'] as const),
  ],
  operation: [
    ...(['keys_created', 'keys_rotated', 'keys_imported', 'setup_changed', 'data_exported', 'data_imported'] as const),
    ...([
      'mail_failed',
      'mail_retried',
      'mail_withdrawn',
      'logout_notice',
      'database_restored',
      'database_moved',
    ] as const),
    ...(['database_reopened', 'gap_acknowledged', 'not_recorded', 'branding_changed', 'provider_accepted'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly AuditKind[]>>

export type KindGroup = keyof typeof kindGroups
export const kindGroupNames = Object.keys(kindGroups) as KindGroup[]

/** The filters, as they stand in the address of the page. */
export const filterNames = [
  ...(['kind', 'group', 'outcome', 'user_id', 'client_id', 'trace_id', 'when', 'since', 'until', 'console'] as const),
] as const
export type Filters = Record<(typeof filterNames)[number], string>

export const noFilters = Object.fromEntries(filterNames.map((name) => [name, ''])) as Filters

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as Filters
}

/** The groups of kinds that are chosen; in the address they stand with commas between them. */
export const groupsIn = ({ group }: Pick<Filters, 'group'>): KindGroup[] =>
  group.split(',').filter((name): name is KindGroup => Object.hasOwn(kindGroups, name))

const consoleId = 'latchkey-console'

/** Returns the filters as the API takes them. Without others, what the console itself causes is left out. */
export function queryOf(filters: Filters, now: Date): NonNullable<Call['query']> {
  const { kind, outcome, user_id, client_id, trace_id, when, console } = filters
  const kinds = [...new Set([...(kind === '' ? [] : [kind]), ...groupsIn(filters).flatMap((name) => kindGroups[name])])]
  const { since, until } = isPeriod(when) ? spanOf(when, now) : filters
  const isApart = console === '' && client_id === '' && trace_id === ''
  return {
    ...(kinds.length > 0 && { kind: kinds }),
    ...{ outcome, user_id, client_id, trace_id, since, until },
    exclude_client_id: isApart ? consoleId : '',
  }
}
