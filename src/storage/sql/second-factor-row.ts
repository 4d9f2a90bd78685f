import type { SecondFactors } from '../../users/second-factor.ts'
import {
  columns,
  type Joined,
  listToText,
  type Prefixed,
  prefixed,
  type SecondFactorsTable,
  textToList,
} from './tables.ts'

export type SecondFactorRow = Prefixed<'f', SecondFactorsTable>
export const secondFactorColumns = prefixed('second_factors', 'f', columns.second_factors)

export function toFactorsRow(factors: SecondFactors): SecondFactorsTable {
  const { totp, furtherApps, pendingTotp } = factors
  return {
    user_id: factors.userId,
    totp_secret: totp?.sealedSecret ?? null,
    totp_since_ms: totp?.sinceMs ?? null,
    totp_last_step: totp?.lastStep ?? null,
    totp_name: totp?.name ?? null,
    further_apps:
      totp === null || furtherApps === undefined || furtherApps.length === 0 ? null : JSON.stringify(furtherApps),
    pending_secret: pendingTotp?.sealedSecret ?? null,
    pending_until_ms: pendingTotp?.untilMs ?? null,
    recovery_hashes: listToText(factors.recoveryHashes),
    recovery_since_ms: factors.recoverySinceMs,
    mail_code: factors.mailCode && JSON.stringify(factors.mailCode),
    mail_barred: Number(factors.isMailBarred),
    failed_attempts: factors.failedAttempts,
    paused_until_ms: factors.pausedUntilMs,
    wrong_codes: factors.wrongCodes && JSON.stringify(factors.wrongCodes),
    version: factors.version,
  }
}

/** Returns the factors of an outer-joined row, if any. */
export function joinedFactors(row: Joined<SecondFactorRow>): SecondFactors | undefined {
  if (!row.f_user_id) return undefined
  const { f_totp_secret: secret, f_pending_secret: pending } = row
  return {
    userId: row.f_user_id,
    totp:
      secret === null
        ? null
        : {
            ...{ sealedSecret: secret, sinceMs: row.f_totp_since_ms ?? 0, lastStep: row.f_totp_last_step ?? 0 },
            ...(row.f_totp_name !== null && { name: row.f_totp_name }),
          },
    // An earlier version may have removed the first one, and the others are none without it.
    ...(row.f_further_apps !== null && secret !== null && { furtherApps: JSON.parse(row.f_further_apps) }),
    pendingTotp: pending === null ? null : { sealedSecret: pending, untilMs: row.f_pending_until_ms ?? 0 },
    recoveryHashes: textToList(row.f_recovery_hashes ?? '[]'),
    recoverySinceMs: row.f_recovery_since_ms,
    mailCode: row.f_mail_code === null ? null : JSON.parse(row.f_mail_code),
    isMailBarred: row.f_mail_barred === 1,
    failedAttempts: row.f_failed_attempts ?? 0,
    pausedUntilMs: row.f_paused_until_ms,
    wrongCodes: row.f_wrong_codes === null ? null : JSON.parse(row.f_wrong_codes),
    version: row.f_version ?? 0,
  }
}
