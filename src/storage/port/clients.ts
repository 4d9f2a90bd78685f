/** Registered clients. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Client } from '../../protocol/client/client.ts'

/** Clients of a page. */
export const clientPageRows = 500
/** Those of a page for who needs only the first ones. */
export const fewClientRows = 64
export type ClientRows = typeof clientPageRows | typeof fewClientRows

export type ClientFilter = {
  /** A part of the id or the name. The database compares the longest run of ASCII in it, whatever the case. */
  readonly text?: string | undefined
  readonly scope?: string | undefined
  /** Named anywhere in the metadata. */
  readonly algorithm?: string | undefined
}

export type Clients = {
  find(id: string): Promise<Client | undefined>
  /**
   * Returns the first clients that registered the address for the return from a sign-out, as far as the database can tell.
   * Leaves out clients that anybody could have registered.
   */
  findByLogoutUri(uri: string): Promise<Client[]>
  /** Ascending by id. */
  list(): Promise<Client[]>
  /** Returns false if the id is taken. */
  create(client: Client, events?: AuditEvents): Promise<boolean>
  /** Creates all of them, or none if an id is taken: then returns false. */
  createAll(clients: readonly Client[], events?: AuditEvents): Promise<boolean>
  /**
   * Runs `decide` on the stored client and commits its result on exactly that version. Retries after a concurrent
   * change, so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Keeps consents and grants. A client
   * that registered itself no longer ends unused once its consent is implicit.
   * Resolves to the current client; undefined: there is none.
   */
  update(id: string, decide: (client: Client) => Client | undefined, events?: AuditEvents): Promise<Client | undefined>
  /** Counts what is deleted with the client, as far as it is valid at `nowMs`. */
  dependents(id: string, nowMs: number): Promise<{ readonly consents: number; readonly grants: number }>
  /**
   * Deletes the client with its consents and grants. Returns false if there was none, or none of `version` (default: any).
   */
  delete(id: string, events?: AuditEvents, version?: number): Promise<boolean>
  /**
   * Returns the next `atMost` (default: `clientPageRows`) clients whose id follows `after` (empty: from the first), by id. `among`: leaves out
   * clients that these say nothing of, as far as the database can tell.
   */
  page(after: string, among?: ClientFilter, atMost?: ClientRows): Promise<Client[]>
}
