/** Registered clients. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'

export type Clients = {
  find(id: string): Promise<Client | undefined>
  /** Ascending by id. */
  list(): Promise<Client[]>
  /** False: the id is taken. */
  create(client: Client, events?: AuditEvents): Promise<boolean>
  /**
   * Runs `decide` on the client as stored and commits what it returns on exactly that version; decided anew when another
   * change came between, so `decide` must be pure. `undefined` from `decide` changes nothing. Consents and grants stay.
   * Resolves to the client as it now is, or undefined when there is none.
   */
  update(id: string, decide: (client: Client) => Client | undefined, events?: AuditEvents): Promise<Client | undefined>
  /** What goes with the client when it is deleted, as far as it still counts at `nowMs`. */
  dependents(id: string, nowMs: number): Promise<{ readonly consents: number; readonly grants: number }>
  /** Removes the client with its stored consents and grants. False: there was none. */
  delete(id: string, events?: AuditEvents): Promise<boolean>
}
