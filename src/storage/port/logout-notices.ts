/** The outbox of logout tokens (OpenID Connect Back-Channel Logout 1.0). The commit that ends a session fills it. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'

/** The end of a session, to be told to one client. */
export type LogoutNotice = {
  readonly id: string
  readonly clientId: string
  /** Undefined: deleted meanwhile. */
  readonly client: Client | undefined
  readonly userId: string
  /** The session as the client's id tokens name it. */
  readonly sid: string
  /** Attempts that began. */
  readonly attempts: number
}

export type LogoutNotices = {
  /** Returns notices that are due, a bounded number, longest due first, except those of the clients in `except`. */
  due(nowMs: number, except: readonly string[]): Promise<LogoutNotice[]>
  /**
   * Begins the attempt after the first `attempts`. True for exactly one of any number of processes. The notice is due
   * again at `dueAtMs`, unless it is finished before: an attempt that a crash interrupted is repeated.
   */
  claim(id: string, attempts: number, dueAtMs: number): Promise<boolean>
  /** Removes a notice: delivered, or given up. */
  finish(id: string, events?: AuditEvents): Promise<void>
  /**
   * Counts an attempt for every notice of the client that is due and has had `attempts`: its address does not answer.
   */
  postpone(clientId: string, attempts: number, nowMs: number, dueAtMs: number): Promise<void>
}
