import type { MailRecord } from '../storage/port/mails.ts'
import { isoTime } from '../users/user-record.ts'
import type { Purpose } from './mail.ts'
import { failureOf } from './mail-failures.ts'

/**
 * Mails that ask their recipient for something, or that an operator sends to try it. All others tell the owner of an account what
 * happened to it: anyone who took over an operator's session could hide what was done if they could be withdrawn.
 */
const requests: ReadonlySet<string> = new Set<Purpose>(['register', 'email', 'reset', 'invite', 'signin', 'test'])

export const isNotice = ({ purpose }: Pick<MailRecord, 'purpose'>): boolean => !requests.has(purpose)

/** A mail as JSON, the same in every interface. */
export function mailRecord(mail: MailRecord) {
  const { id, to, userId, purpose, state, attempts, nextAtMs, error, createdAtMs, endsAtMs } = mail
  return {
    ...{ id, to, user_id: userId, purpose, notice: isNotice(mail), state, attempts },
    next_at: nextAtMs === null ? null : isoTime(nextAtMs),
    failure: failureOf(error),
    error,
    created_at: isoTime(createdAtMs),
    ends_at: isoTime(endsAtMs),
  }
}
