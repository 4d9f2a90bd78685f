/** What an operator set on a client that registered itself: a ceiling that its own updates and its document stay under. */
import { type Problem, problem } from '../../problem.ts'
import { registeredMethod } from '../client-authentication/registration.ts'
import { isTexts } from '../json-value.ts'
import { parseScope } from '../scope/scope.ts'
import type { Client } from './client.ts'
import { signedResponseMembers } from './client-algorithms.ts'
import { clientMemberKind, isListMember, isRecordValue, type MemberChange, setterOf } from './client-members.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { recordTable } from './member-table.ts'
import { localizedMember } from './metadata-members.ts'

export type OperatorValues = ClientMetadata['set_by_operator']

/** Whether no client can change the member, whoever set it. */
function isUnchangeable(member: string): boolean {
  return member === 'response_types' || setterOf(member) === 'operator'
}

/** Returns the client with a note of what the operator's changes set. A member that is set to its default is the client's again. */
export function withOperatorValues(after: Client, changes: readonly MemberChange[]): Client {
  if (after.metadata.registration === 'operator') return after
  const values: Record<string, unknown> = { ...after.metadata.set_by_operator }
  for (const { member, operation, value } of changes) {
    if (isUnchangeable(member)) continue
    const name = canonical(member)
    if (operation === 'set' && value === null) delete values[name]
    else values[name] = memberOf(after, name)
  }
  return { ...after, metadata: { ...after.metadata, set_by_operator: values } }
}

function memberOf(client: Client, member: string): unknown {
  if (member === 'client_name') return client.name
  if (member === 'token_endpoint_auth_method') return registeredMethod(client)
  if (isRecordValue(member)) return client[recordTable[member].property]
  return client.metadata.localized[member] ?? client.metadata[member as keyof ClientMetadata]
}

/** Languages may be spelled in several ways. */
const canonical = (member: string): string => localizedMember(member)?.name ?? member

/** Whether an operator set the member. */
export function hasCeiling(member: string, values: OperatorValues): boolean {
  return Object.hasOwn(values, canonical(member))
}

/** Returns the problem of a value that the client gives itself; undefined: it is under the ceiling, or there is none. */
export function ceilingProblem({ member, value }: MemberChange, values: OperatorValues): Problem | undefined {
  if (!hasCeiling(member, values)) return undefined
  const ceiling = values[canonical(member)]
  if (JSON.stringify(underCeiling(member, value, values)) === JSON.stringify(normal(member, value))) return undefined
  const kind = clientMemberKind(member)
  if (isListMember(member)) {
    const listed = (ceiling as readonly string[]).join(' ')
    return problem(member, member, `must stay within what an operator set: ${listed === '' ? 'none' : listed}`)
  }
  const most = kind === 'seconds' ? 'must be at most' : 'must stay'
  return problem(member, member, `${most} ${JSON.stringify(ceiling)}, which an operator set`)
}

/** Returns the value that is nearest to `own` under the ceiling. What is no value of the member stays for the rule to refuse. */
export function underCeiling(member: string, own: unknown, values: OperatorValues): unknown {
  const value = normal(member, own)
  if (!hasCeiling(member, values)) return own
  const ceiling = values[canonical(member)]
  if (isListMember(member)) {
    return isTexts(value) && isTexts(ceiling) ? value.filter((item) => ceiling.includes(item)) : value
  }
  // What may be signed with is granted apart (`granted_signing_algs`), and any of it is as good.
  if ((signedResponseMembers as readonly string[]).includes(member)) return value
  switch (clientMemberKind(member)) {
    case 'seconds':
      return typeof value === 'number' && typeof ceiling === 'number' ? Math.min(value, ceiling) : value
    case 'flag':
      return ceiling === true && value === false ? true : value
    default:
      return ceiling
  }
}

/** Scopes are given as a text or as a list. Every client has `openid`. */
function normal(member: string, value: unknown): unknown {
  if (member !== 'scope') return value
  const items = typeof value === 'string' ? parseScope(value) : value
  return isTexts(items) ? items.filter((item) => item !== 'openid') : items
}
