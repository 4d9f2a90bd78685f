/** Registered scopes. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Scope } from '../../protocol/scope.ts'

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
  delete(name: string, events?: AuditEvents): Promise<boolean>
}
