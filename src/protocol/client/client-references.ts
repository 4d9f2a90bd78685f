/**
 * What a client names of others: the clients whose roles its tokens tell beside its own, and what it is when it gets tokens for itself (RFC
 * 6749 §4.4). It is never taken for a person then: its subject is nobody else's id, and its tokens name the client, whatever their subject.
 */
import { type Problem, problem } from '../../problem.ts'
import { everyClient, ownerlessProblem } from '../claims/client-roles.ts'
import { builtInRoles } from '../scope/admin-scopes.ts'
import type { Client } from './client.ts'
import type { MemberChange } from './client-members.ts'

/** Whose an id is: a person's, a client's own, or that of the service account of a client. `client`: its id; of a person absent. */
export type IdHolder = { readonly id: string; readonly is: 'person' | 'client' | 'account'; readonly client?: string }

/** What is known of those that changes name. */
export type ReferenceFacts = {
  /** Those of `clientsNamedIn` that are not there. Absent: all are, or an import brings them in any order. */
  readonly missingClients?: readonly string[]
  /** Who has the ids of `subjectsIn`. Absent: nobody. */
  readonly idHolders?: readonly IdHolder[]
  /** Roles that give rights over the whole service, by themselves or by what they include. Absent: those that are built in. */
  readonly administratorRoles?: ReadonlySet<string>
  /** Those of `rolesGivenIn` that would belong to a client that is not there. Absent: none. */
  readonly ownerlessRoles?: readonly string[]
}

/** Returns the texts that changes give to a member. */
const givenTo = (changes: readonly MemberChange[], member: string): readonly string[] =>
  changes
    .filter((change) => change.member === member && change.operation !== 'remove')
    .flatMap(({ value }) => [value].flat())
    .filter((value) => typeof value === 'string')

/** Returns the ids of clients that changes name. */
export const clientsNamedIn = (changes: readonly MemberChange[]): readonly string[] => [
  ...new Set(givenTo(changes, 'role_clients').filter((id) => id !== everyClient)),
]

/** Returns the subjects that changes give, which may be ids of others. */
export const subjectsIn = (changes: readonly MemberChange[]): readonly string[] =>
  givenTo(changes, 'service_account_subject')

/** Returns the roles that changes give to service accounts. */
export const rolesGivenIn = (changes: readonly MemberChange[]): readonly string[] =>
  givenTo(changes, 'service_account_roles')

/** Returns what is wrong with what a client newly names. What is there already stays as it is. */
export const referenceProblems = (before: Client, after: Client, facts: ReferenceFacts): Problem[] => [
  ...roleClientProblems(before, after, facts),
  ...subjectProblems(before, after, facts),
  ...accountRoleProblems(before, after, facts),
]

const newIn = (after: readonly string[], before: readonly string[]): readonly string[] =>
  after.filter((one) => !before.includes(one))

function roleClientProblems(before: Client, { id, metadata }: Client, { missingClients = [] }: ReferenceFacts) {
  const { role_clients: named } = metadata
  const added = newIn(named, before.metadata.role_clients)
  if (added.length === 0) return []
  const missing = added.find((one) => missingClients.includes(one))
  const about = (fault: string) => problem('role_clients', 'role_clients', fault)
  return [
    ...(added.includes(id) ? [about(`holds ${id}: the roles of a client are in its own tokens anyway`)] : []),
    ...(named.includes(everyClient) && named.length > 1 ? [about('is * alone, for every client, or names some')] : []),
    ...(missing === undefined ? [] : [problem('role_clients', `The client ${missing}`, 'is not there')]),
  ]
}

function subjectProblems(before: Client, { id, metadata }: Client, { idHolders = [] }: ReferenceFacts): Problem[] {
  const { service_account_subject: subject } = metadata
  if (subject === null || subject === before.metadata.service_account_subject) return []
  const holder = idHolders.find((one) => one.id === subject && one.client !== id)
  if (holder === undefined) return []
  const whose = {
    person: 'belongs to a person, for whom tokens of the client would be taken',
    client: 'belongs to another client, for which tokens of this one would be taken',
    account: `is the one of the client ${holder.client} already`,
  }
  return [problem('service_account_subject', `The id ${subject}`, whose[holder.is])]
}

function accountRoleProblems(before: Client, { metadata }: Client, facts: ReferenceFacts): Problem[] {
  const { administratorRoles = new Set(builtInRoles), ownerlessRoles = [] } = facts
  const added = newIn(metadata.service_account_roles, before.metadata.service_account_roles)
  const guarded = added.find((role) => administratorRoles.has(role))
  const ownerless = added.find((role) => ownerlessRoles.includes(role))
  const about = (subject: string, fault: string) => problem('service_account_roles', subject, fault)
  return [
    ...(guarded === undefined
      ? []
      : [about(`The role ${guarded}`, 'gives rights over the whole service: it is given with --allow-admin alone')]),
    ...(ownerless === undefined ? [] : [ownerlessProblem('service_account_roles', ownerless)]),
  ]
}
