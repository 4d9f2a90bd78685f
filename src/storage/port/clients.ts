/** Registered clients. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'

export type Clients = {
  find(id: string): Promise<Client | undefined>
  /** Ascending by id. */
  list(): Promise<Client[]>
  /** Returns false if the id is taken. */
  create(client: Client, events?: AuditEvents): Promise<boolean>
  /** Creates all of them, or none if an id is taken: then returns false. */
  createAll(clients: readonly Client[], events?: AuditEvents): Promise<boolean>
  /**
   * Runs `decide` on the stored client and commits its result on exactly that version. Retries after a concurrent
   * change, so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Keeps consents and grants.
   * Resolves to the current client; undefined: there is none.
   */
  update(id: string, decide: (client: Client) => Client | undefined, events?: AuditEvents): Promise<Client | undefined>
  /** Counts what is deleted with the client, as far as it is valid at `nowMs`. */
  dependents(id: string, nowMs: number): Promise<{ readonly consents: number; readonly grants: number }>
  /** Deletes the client with its consents and grants. Returns false if there was none. */
  delete(id: string, events?: AuditEvents): Promise<boolean>
}
