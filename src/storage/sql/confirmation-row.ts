/** Confirmations as rows. */
import type { Confirmation, ConfirmationDetails, ConfirmationPurpose } from '../../users/confirmation.ts'
import { normalizeName } from '../../users/user.ts'
import { type ConfirmationsTable, columns, type Prefixed, prefixed } from './tables.ts'

export type ConfirmationRow = Prefixed<'cf', ConfirmationsTable>
export const confirmationColumns = prefixed('confirmations', 'cf', columns.confirmations)

/**
 * While an undo lives, the address that it restores is nobody else's, neither as an address nor as a name. The request for
 * the change holds it before: another commit at the same moment may not see the undo yet.
 */
export async function toHoldingRow(confirmation: Confirmation): Promise<ConfirmationsTable> {
  const { purpose, details } = confirmation
  const email = purpose === 'undo' ? details.email : details.formerEmail
  if (email === undefined) return toRow(confirmation)
  const { skeletonOf } = await import('../../users/skeleton.ts')
  return { ...toRow(confirmation), held_name: normalizeName(email), held_skeleton: skeletonOf(email) || null }
}

function toRow(confirmation: Confirmation): ConfirmationsTable {
  return {
    id: confirmation.id,
    purpose: confirmation.purpose,
    subject: confirmation.subject,
    user_id: confirmation.userId,
    token_hash: confirmation.tokenHash,
    code_hash: confirmation.codeHash,
    browser_hash: confirmation.browserHash,
    attempts: confirmation.attempts,
    confirmed_at_ms: confirmation.confirmedAtMs,
    details: JSON.stringify(confirmation.details),
    created_at_ms: confirmation.createdAtMs,
    expires_at_ms: confirmation.expiresAtMs,
    begun_by: confirmation.begunBy ?? null,
    session_id: confirmation.sessionId ?? null,
    held_name: null,
    held_skeleton: null,
  }
}

export function toConfirmation(row: ConfirmationRow): Confirmation {
  return {
    id: row.cf_id,
    purpose: row.cf_purpose as ConfirmationPurpose,
    subject: row.cf_subject,
    userId: row.cf_user_id,
    tokenHash: row.cf_token_hash,
    codeHash: row.cf_code_hash,
    browserHash: row.cf_browser_hash,
    attempts: row.cf_attempts,
    confirmedAtMs: row.cf_confirmed_at_ms,
    details: JSON.parse(row.cf_details) as ConfirmationDetails,
    createdAtMs: row.cf_created_at_ms,
    expiresAtMs: row.cf_expires_at_ms,
    ...(row.cf_begun_by !== null && { begunBy: row.cf_begun_by }),
    ...(row.cf_session_id !== null && { sessionId: row.cf_session_id }),
  }
}
