/** Registered scopes. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Scope } from '../../protocol/scope/scope.ts'

export type Scopes = {
  /** Returns the registered scopes among `names`, in no particular order. */
  findMany(names: readonly string[]): Promise<Scope[]>
  /** Ascending by name. */
  list(): Promise<Scope[]>
  /** Returns false if the name is taken. */
  create(scope: Scope, events?: AuditEvents): Promise<boolean>
  /**
   * Returns who uses the scope: ids of the clients that may request it, ascending, and the number of consents and
   * grants valid at `nowMs`.
   */
  dependents(
    name: string,
    nowMs: number,
  ): Promise<{ readonly clients: readonly string[]; readonly consents: number; readonly grants: number }>
  /**
   * Runs `decide` on the stored scope and commits its result if the scope is still the same. Retries after a concurrent
   * change, so `decide` must be pure. Changes nothing if `decide` returns `undefined`. Resolves to the current scope;
   * undefined: there is none.
   */
  update(name: string, decide: (scope: Scope) => Scope | undefined, events?: AuditEvents): Promise<Scope | undefined>
  delete(name: string, events?: AuditEvents): Promise<boolean>
  /**
   * Deletes the scope, and takes it from the clients that may request it, from consents and from grants. Consents that
   * had it no longer answer any request. Returns false if the scope is no longer as given.
   */
  deleteEverywhere(scope: Scope, events?: AuditEvents): Promise<boolean>
}
