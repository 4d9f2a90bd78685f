/** Accounts whose owners asked for their deletion (`User.deletionDueAtMs`). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { User } from '../../users/user.ts'

export type Deletions = {
  /** Returns at most a hundred of the accounts that are due, those first that have been due longest. */
  due(nowMs: number): Promise<User[]>
  /**
   * Deletes the account with everything that depends on it, if it is still due. Returns false if it was cancelled or
   * deleted meanwhile.
   */
  delete(userId: string, nowMs: number, events?: AuditEvents): Promise<boolean>
}
