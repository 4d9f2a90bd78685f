/** What the service asks of a database about clients and scopes; see `port.ts`. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client.ts'
import type { Scope } from '../../protocol/scope.ts'

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

export type Scopes = {
  /** Those of `names` that are registered, in no particular order. */
  findMany(names: readonly string[]): Promise<Scope[]>
  /** Ascending by name. */
  list(): Promise<Scope[]>
  /** False: the name is taken. */
  create(scope: Scope, events?: AuditEvents): Promise<boolean>
  /** Who uses the scope: ids of clients that may ask for it, ascending, and what was given and still counts at `nowMs`. */
  dependents(
    name: string,
    nowMs: number,
  ): Promise<{ readonly clients: readonly string[]; readonly consents: number; readonly grants: number }>
  delete(name: string, events?: AuditEvents): Promise<boolean>
}
