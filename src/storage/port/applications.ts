/** Applications that may use a person's account: by a stored consent, by an open grant, or by both. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'
import type { User } from '../../users/user.ts'

/** Times are epoch milliseconds. */
export type Application = {
  readonly client: Client
  /** Sorted, without duplicates: of all consents and open grants. */
  readonly scopes: readonly string[]
  /** The first of its consents and open grants. */
  readonly createdAtMs: number
  /** When tokens were last issued under an open grant; null: no grant is open. */
  readonly lastUsedAtMs: number | null
}

export type Applications = {
  /** Ascending by the client's id. Grants that are over at `nowMs` do not count. */
  list(user: Pick<User, 'id' | 'grantsEndedAtMs'>, nowMs: number): Promise<Application[]>
  /** Deletes the person's consents to the client and revokes its grants. Returns false if there were none. */
  remove(userId: string, clientId: string, nowMs: number, events?: AuditEvents): Promise<boolean>
}
