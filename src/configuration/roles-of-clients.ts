/** Roles that belong to clients: they are declared with their client, and deleted with it. */

import { type Problem, problem } from '../problem.ts'
import { clientPartOf } from '../protocol/claims/client-roles.ts'
import type { Client } from '../protocol/client/client.ts'
import { missingClient } from '../users/role-changes.ts'
import { type Role, undescribedRole } from '../users/roles.ts'
import type { Declarations } from './declaration.ts'
import { idsOf, type Match, missing } from './matching.ts'
import { isConfigured } from './shown.ts'

/** Returns the clients that files with clients leave out. */
export function undeclaredClients(declared: Declarations, clients: readonly Client[]): Match<Client>[] {
  return declared.kinds.has('clients') ? missing(declared, 'clients', clients.filter(isConfigured), ({ id }) => id) : []
}

type Stored = {
  readonly clients: readonly Client[]
  readonly roles: readonly Role[]
  readonly goingRoles: readonly string[]
}

/**
 * Returns the roles that go with their clients: they would become plain roles, told to everybody. Those that the files declare are
 * refused instead (`ownerProblems`), and those that are pruned themselves are deleted already.
 */
export function goingRoles(
  declared: Declarations,
  { roles, goingRoles: names }: Stored,
  isPruned: boolean,
): Match<Role>[] {
  const described = new Map(roles.map((role) => [role.name, role]))
  const known = new Set([...idsOf(declared, 'roles'), ...(isPruned ? described.keys() : [])])
  return names
    .filter((name) => !known.has(name))
    .map((name) => ({ before: described.get(name) ?? undescribedRole(name), declaration: undefined }))
}

/** Returns the problem of a declared role that is new and whose client is not there, or whose client would be deleted. */
export function ownerProblems(
  { before, after }: { readonly before: Role | undefined; readonly after: Role },
  clientIds: ReadonlySet<string>,
  { goingRoles: going }: Pick<Stored, 'goingRoles'>,
): Problem[] {
  const owner = clientPartOf(after.name)
  if (owner === undefined || clientIds.has(owner)) return []
  if (before === undefined) return [missingClient(owner)]
  if (!going.includes(after.name)) return []
  return [
    problem('name', `The client ${owner}`, 'would be deleted, because no file declares it, and the role belongs to it'),
  ]
}
