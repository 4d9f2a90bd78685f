/** Pushed authorization requests (RFC 9126). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { PushedRequest } from '../../protocol/pushed-request.ts'

export type PushedRequests = {
  store(request: PushedRequest): Promise<void>
  /** Returns it whether completed and expired or not, until the sweeper removes it. */
  find(id: string): Promise<PushedRequest | undefined>
  /** Marks the request as answered. True for exactly one caller. */
  complete(id: string, nowMs: number, events?: AuditEvents): Promise<boolean>
}
