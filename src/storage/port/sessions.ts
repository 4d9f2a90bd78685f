/** Sessions of browsers. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Session } from '../../users/session.ts'
import type { User } from '../../users/user.ts'

export type Sessions = {
  /** With its user, whatever the state of either: whether it is alive is a rule, not a query. */
  find(id: string): Promise<{ session: Session; user: User } | undefined>
  /** Moves the expiry on. Does nothing when the session has gone. */
  renew(id: string, expiresAtMs: number, lastSeenAtMs: number): Promise<void>
  delete(id: string, events?: AuditEvents): Promise<void>
}
