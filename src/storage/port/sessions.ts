/** Sessions in storage. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { StoredSession } from '../../users/session.ts'

export type Sessions = {
  /** Returns the session with its user, whatever their state: whether it is alive is decided by a rule. */
  find(id: string): Promise<StoredSession | undefined>
  /** Extends the expiry. Does nothing if the session was deleted. */
  renew(id: string, expiresAtMs: number, lastSeenAtMs: number): Promise<void>
  delete(id: string, events?: AuditEvents): Promise<void>
}
