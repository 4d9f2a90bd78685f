/** Registered scopes. */
import type { AuditEvents } from '../../audit/entry.ts'
import type { Scope } from '../../protocol/scope.ts'

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
