/** What clients of files name of others: those that the same files declare are there as well, and those that they delete are not. */

import { clientPartOf } from '../protocol/claims/client-roles.ts'
import type { Client } from '../protocol/client/client.ts'
import type { IdHolder, ReferenceFacts } from '../protocol/client/client-references.ts'
import { rolesGiving } from '../users/effective-roles.ts'
import { ruleOf } from '../users/role-changes.ts'
import type { Role } from '../users/roles.ts'
import type { Declarations } from './declaration.ts'
import { idsOf } from './matching.ts'

/** `clientIds`: of those that are there afterwards. `roles`: as they are afterwards. */
export function referencesWith(
  declared: Declarations,
  known: ReferenceFacts,
  guardedRoles: readonly string[],
  {
    pruned,
    clientIds,
    roles,
  }: {
    readonly pruned: readonly { readonly before: Client | undefined }[]
    readonly clientIds: ReadonlySet<string>
    readonly roles: readonly Role[]
  },
): ReferenceFacts {
  const gone = pruned.flatMap(({ before }) => before?.id ?? [])
  const { missingClients = [], idHolders = [], ownerlessRoles = [] } = known
  const described = new Set(roles.map(({ name }) => name))
  const ofFiles = new Set(idsOf(declared, 'clients'))
  // A client that goes has no id any more, and one of the files has the subject that they say.
  const isStale = ({ is, client = '' }: IdHolder) => gone.includes(client) || (is === 'account' && ofFiles.has(client))
  const rules = new Map(roles.map((role) => [role.name, ruleOf(role)]))
  return {
    missingClients: [...missingClients.filter((id) => !clientIds.has(id)), ...gone],
    idHolders: [...idHolders.filter((one) => !isStale(one)), ...holdersIn(declared)],
    ownerlessRoles: ownerlessRoles.filter((role) => !described.has(role) && !clientIds.has(clientPartOf(role) ?? '')),
    administratorRoles: rolesGiving(guardedRoles, rules),
  }
}

const holdersIn = ({ records }: Declarations): readonly IdHolder[] =>
  records.flatMap(({ kind, id: client, members }): readonly IdHolder[] => {
    const { id, service_account_subject: subject } = members
    if (kind === 'users') return typeof id === 'string' ? [{ id, is: 'person' }] : []
    if (kind !== 'clients') return []
    const own = { id: client, is: 'client', client } as const
    return typeof subject === 'string' ? [own, { id: subject, is: 'account', client }] : [own]
  })
