/** What a client names of others: the clients whose roles its tokens tell beside its own. */
import { type Problem, problem } from '../../problem.ts'
import { everyClient } from '../claims/client-roles.ts'
import type { Client } from './client.ts'
import type { MemberChange } from './client-members.ts'

/** What is known of those that changes name. */
export type ReferenceFacts = {
  /** Those of `clientsNamedIn` that are not there. Absent: all are, or an import brings them in any order. */
  readonly missingClients?: readonly string[]
}

/** Returns the texts that changes add to a list. */
const addedTo = (changes: readonly MemberChange[], member: string): readonly string[] =>
  changes
    .filter((change) => change.member === member && change.operation !== 'remove')
    .flatMap(({ value }) => [value].flat())
    .filter((value) => typeof value === 'string')

/** Returns the ids of clients that changes name. */
export const clientsNamedIn = (changes: readonly MemberChange[]): readonly string[] => [
  ...new Set(addedTo(changes, 'role_clients').filter((id) => id !== everyClient)),
]

/** Returns what is wrong with what a client newly names. What is there already stays as it is. */
export function referenceProblems(
  before: Client,
  { id, metadata: { role_clients: named } }: Client,
  { missingClients = [] }: ReferenceFacts,
): Problem[] {
  const had = before.metadata.role_clients
  const added = named.filter((one) => !had.includes(one))
  if (added.length === 0) return []
  const missing = added.find((one) => missingClients.includes(one))
  const about = (fault: string) => problem('role_clients', 'role_clients', fault)
  return [
    ...(added.includes(id) ? [about(`holds ${id}: the roles of a client are in its own tokens anyway`)] : []),
    ...(named.includes(everyClient) && named.length > 1 ? [about('is * alone, for every client, or names some')] : []),
    ...(missing === undefined ? [] : [problem('role_clients', `The client ${missing}`, 'is not there')]),
  ]
}
