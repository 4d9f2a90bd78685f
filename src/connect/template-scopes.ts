/** Adds the scopes that a client of a template needs. */
import type { AuditEvent } from '../audit/entry.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import type { Storage } from '../storage/port/storage.ts'

/**
 * Adds those that are missing, and returns their names. `recorded`: the audit event of one. A scope that somebody adds in the same
 * instant is kept as it is.
 */
export async function addMissingScopes(
  { scopes: stored }: Pick<Storage, 'scopes'>,
  scopes: readonly Scope[],
  recorded: (scope: Scope) => AuditEvent,
): Promise<readonly string[]> {
  if (scopes.length === 0) return []
  const known = new Set((await stored.findMany(scopes.map(({ name }) => name))).map(({ name }) => name))
  const added: string[] = []
  for (const scope of scopes) {
    if (!known.has(scope.name) && (await stored.create(scope, [recorded(scope)]))) added.push(scope.name)
  }
  return added
}
