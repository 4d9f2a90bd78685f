/**
 * Belongs here: changes of the schema, one file for each, which only add and are never edited after a release.
 * Belongs elsewhere: statements of a running service (`sql/`).
 */
import type { Migration } from 'kysely'

/**
 * `online`: runs outside a transaction on PostgreSQL, because it works on large tables while requests are served. It may be
 * interrupted and run again.
 */
export type OnlineMigration = Migration & { readonly online?: boolean }

/**
 * In execution order; append only. Numbers that were left out are never used: a database that has a later migration would
 * refuse to run an earlier one. A name consists of four digits and a description. The first digit is the major version of the
 * schema. Migrations 0002 … 0999 may only add: new tables, and new columns that older code can omit on writes and ignore on
 * reads. An index may give way to another that serves the same statements. During a rolling upgrade two versions share one
 * database, and a program accepts additions that it does not know. Each migration runs in its own transaction while requests
 * are served, unless it is `online`, and changes one table in use: with two, it could deadlock with a request that reads both.
 * A change or removal starts the next thousand (1000), which older programs refuse.
 */
export const migrations: Readonly<Record<string, () => Promise<OnlineMigration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
  '0002-audit-trail': () => import('./0002-audit-trail.ts'),
  '0003-known-browsers': () => import('./0003-known-browsers.ts'),
  '0004-normal-forms': () => import('./0004-normal-forms.ts'),
  '0005-refusal-chains': () => import('./0005-refusal-chains.ts'),
  '0006-uptimes': () => import('./0006-uptimes.ts'),
  '0007-servers': () => import('./0007-servers.ts'),
  '0008-name-skeletons': () => import('./0008-name-skeletons.ts'),
  '0009-client-secrets': () => import('./0009-client-secrets.ts'),
  '0010-fill-name-skeletons': () => import('./0010-fill-name-skeletons.ts'),
  '0011-unique-name-skeletons': () => import('./0011-unique-name-skeletons.ts'),
  '0012-client-grant-types': () => import('./0012-client-grant-types.ts'),
  '0013-grant-sessions': () => import('./0013-grant-sessions.ts'),
  '0014-client-metadata': () => import('./0014-client-metadata.ts'),
  '0015-user-claims': () => import('./0015-user-claims.ts'),
  '0016-grant-confirmations': () => import('./0016-grant-confirmations.ts'),
  '0017-grant-claims': () => import('./0017-grant-claims.ts'),
  '0018-pushed-requests': () => import('./0018-pushed-requests.ts'),
  '0019-device-codes': () => import('./0019-device-codes.ts'),
  '0020-logout-notices': () => import('./0020-logout-notices.ts'),
  '0021-client-registrations': () => import('./0021-client-registrations.ts'),
  '0022-mails': () => import('./0022-mails.ts'),
  '0023-confirmations': () => import('./0023-confirmations.ts'),
  '0024-second-factors': () => import('./0024-second-factors.ts'),
  '0025-passkeys': () => import('./0025-passkeys.ts'),
  '0026-deletions': () => import('./0026-deletions.ts'),
  '0036-grants-by-user': () => import('./0036-grants-by-user.ts'),
  '0037-browser-agents': () => import('./0037-browser-agents.ts'),
  '0038-activity': () => import('./0038-activity.ts'),
  '0039-mails-by-user': () => import('./0039-mails-by-user.ts'),
  '0040-idempotency-keys': () => import('./0040-idempotency-keys.ts'),
  '0041-roles': () => import('./0041-roles.ts'),
  '0042-administrators': () => import('./0042-administrators.ts'),
  '0045-weak-passwords': () => import('./0045-weak-passwords.ts'),
  '0046-imports': () => import('./0046-imports.ts'),
  '0048-second-factor-times': () => import('./0048-second-factor-times.ts'),
  '0050-user-search': () => import('./0050-user-search.ts'),
  '0053-activity-hours': () => import('./0053-activity-hours.ts'),
  '0054-user-search-keys': () => import('./0054-user-search-keys.ts'),
  '0055-room-for-updates': () => import('./0055-room-for-updates.ts'),
  '0056-unclaimed-accounts': () => import('./0056-unclaimed-accounts.ts'),
  '0057-fill-unclaimed-accounts': () => import('./0057-fill-unclaimed-accounts.ts'),
  '0058-consents-by-client': () => import('./0058-consents-by-client.ts'),
  '0059-provider-names': () => import('./0059-provider-names.ts'),
  '0060-external-registrations': () => import('./0060-external-registrations.ts'),
  '0061-begun-confirmations': () => import('./0061-begun-confirmations.ts'),
  '0063-gathered-notices': () => import('./0063-gathered-notices.ts'),
  '0064-gathered-notices-key': () => import('./0064-gathered-notices-key.ts'),
  '0065-keys-for-clients': () => import('./0065-keys-for-clients.ts'),
  '0066-registration-permits': () => import('./0066-registration-permits.ts'),
  '0068-password-kinds': () => import('./0068-password-kinds.ts'),
  '0069-removals': () => import('./0069-removals.ts'),
  '0070-grants-by-client': () => import('./0070-grants-by-client.ts'),
  '0071-session-clients-by-client': () => import('./0071-session-clients-by-client.ts'),
  '0079-imported-passwords': () => import('./0079-imported-passwords.ts'),
  '0080-device-codes-by-session': () => import('./0080-device-codes-by-session.ts'),
  '0085-attested-passkeys': () => import('./0085-attested-passkeys.ts'),
  '0086-groups': () => import('./0086-groups.ts'),
  '0087-attributes': () => import('./0087-attributes.ts'),
  '0088-user-attributes': () => import('./0088-user-attributes.ts'),
  '0089-role-rules': () => import('./0089-role-rules.ts'),
  '0090-claim-rules': () => import('./0090-claim-rules.ts'),
  '0091-room-for-factors': () => import('./0091-room-for-factors.ts'),
  '0092-narrower-grants-by-user': () => import('./0092-narrower-grants-by-user.ts'),
  '0096-access-token-types': () => import('./0096-access-token-types.ts'),
  '0097-clients-with-rules': () => import('./0097-clients-with-rules.ts'),
  '0098-attribute-checks': () => import('./0098-attribute-checks.ts'),
  '0099-checks-before-values': () => import('./0099-checks-before-values.ts'),
  '0100-consented-claims': () => import('./0100-consented-claims.ts'),
  '0104-clients-with-origins': () => import('./0104-clients-with-origins.ts'),
  '0107-pairwise-subjects': () => import('./0107-pairwise-subjects.ts'),
  '0108-operator-consents': () => import('./0108-operator-consents.ts'),
  '0116-required-actions': () => import('./0116-required-actions.ts'),
  '0126-import-findings': () => import('./0126-import-findings.ts'),
  '0127-import-sources': () => import('./0127-import-sources.ts'),
  '0131-imported-consents': () => import('./0131-imported-consents.ts'),
  '0132-clients-with-accounts': () => import('./0132-clients-with-accounts.ts'),
  '0136-import-origins': () => import('./0136-import-origins.ts'),
  '0137-replaced-passwords': () => import('./0137-replaced-passwords.ts'),
  '0138-passkeys-of-other-systems': () => import('./0138-passkeys-of-other-systems.ts'),
  '0139-further-apps': () => import('./0139-further-apps.ts'),
  '0140-set-up-marks': () => import('./0140-set-up-marks.ts'),
  '0141-people-by-time': () => import('./0141-people-by-time.ts'),
  '0142-people-by-state': () => import('./0142-people-by-state.ts'),
  '0144-client-activity': () => import('./0144-client-activity.ts'),
  '0147-invitations-by-time': () => import('./0147-invitations-by-time.ts'),
  '0148-mails-by-state': () => import('./0148-mails-by-state.ts'),
  '0149-scopes-in-languages': () => import('./0149-scopes-in-languages.ts'),
  '0151-branding': () => import('./0151-branding.ts'),
  '0153-clients-in-order': () => import('./0153-clients-in-order.ts'),
  '0158-user-handles-of-passkeys': () => import('./0158-user-handles-of-passkeys.ts'),
  '0161-provider-sources': () => import('./0161-provider-sources.ts'),
}
