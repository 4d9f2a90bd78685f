/** Known browsers, for the list of their owner. Sign-ins store them (`users.ts`). */
import type { AuditEvents } from '../../audit/entry.ts'
import type { KnownBrowser } from '../../users/known-browser.ts'

export type KnownBrowsers = {
  /** Most recently used first, expired ones included. */
  list(userId: string): Promise<KnownBrowser[]>
  /** Deletes one. Returns false if the person has none of that id. */
  forget(userId: string, id: string, events?: AuditEvents): Promise<boolean>
}
