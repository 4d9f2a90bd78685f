/** Pushed authorization requests (RFC 9126). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { PushedRequest } from '../../protocol/authorization-request/pushed-request.ts'
import type { SpentBefore, SpentValue } from './spent-values.ts'

export type PushedRequests = {
  /** Stores the request and uses up `spends` in one commit. Nothing was stored unless true. */
  store(request: PushedRequest, spends?: readonly SpentValue[]): Promise<true | SpentBefore>
  /** Returns it whether completed and expired or not, until the sweeper removes it. */
  find(id: string): Promise<PushedRequest | undefined>
  /** Marks the request as answered. True for exactly one caller. */
  complete(id: string, nowMs: number, events?: AuditEvents): Promise<boolean>
}
