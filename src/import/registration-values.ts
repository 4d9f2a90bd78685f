/** The values by which applications, scopes, roles and groups are compared with their source. */
import type { Client } from '../protocol/client/client.ts'
import { clientRecord } from '../protocol/client/records.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { isSealed } from '../secrets/sealed-secret.ts'
import type { FindingKind } from '../storage/port/imports.ts'
import type { Registered } from './registrations.ts'
import type { RegistrationOutcome } from './source.ts'

type Values = Readonly<Record<string, unknown>>
/** `secret`: the hash of an application's secret. */
export type Stored = { readonly values: Values; readonly secret?: string }
export type Known = { readonly kind: FindingKind; readonly key: string; readonly values: Values }

export function knownOf(record: Registered): Known {
  if ('client' in record) return { kind: 'client', key: record.client.id, values: record.client.members }
  if ('scope' in record) return { kind: 'scope', key: record.scope.name, values: ofScope(record.scope) }
  if ('role' in record) return { kind: 'role', key: record.role.name, values: ofRole(record.role) }
  return { kind: 'group', key: record.group.path, values: ofGroup(record.group) }
}

export function ofClient(client: Client, nowMs: number): Stored {
  const record: Values = clientRecord(client, nowMs)
  const { client_id: _, client_id_issued_at: __, previous_secret_expires_at: ___, ...values } = record
  const { authentication } = client
  const hash = authentication.method === 'client_secret' ? authentication.secretHash : undefined
  // One that signs is sealed, and not compared.
  return { values, ...(hash !== undefined && !isSealed(hash) && { secret: hash }) }
}

export const ofScope = ({
  displayName,
  description,
  resources,
  claims = [],
}: Pick<Scope, 'displayName' | 'description' | 'resources'> & { readonly claims?: readonly unknown[] }): Values => ({
  ...{ display_name: displayName, description, resources, claims },
})

type RoleValues = {
  readonly description: string | null
  readonly includes: readonly string[]
  readonly isDefault: boolean
}
export const ofRole = ({ description, includes, isDefault }: RoleValues): Values => ({
  ...{ description, includes: [...new Set(includes)].sort(), default: isDefault },
})

export const ofGroup = (group: { readonly description: string | null; readonly roles: readonly string[] }): Values => ({
  ...{ description: group.description, roles: [...new Set(group.roles)].sort() },
})

/** Returns what would be stored of an application or scope. */
export function afterOf(
  outcome: RegistrationOutcome,
  kind: FindingKind,
  nowMs: number,
): { readonly after: Stored } | undefined {
  const changes = 'changes' in outcome ? (outcome.changes?.records ?? []) : []
  const after = changes.findLast((one) => one.kind === kind)?.after
  if (after === undefined) return undefined
  return { after: kind === 'client' ? ofClient(after as Client, nowMs) : { values: ofScope(after as Scope) } }
}

const properties: Readonly<Record<string, string>> = { display_name: 'displayName', default: 'isDefault' }

/** Returns the record of a scope, role or group with these values in place of its own. */
export function withOwn(record: Registered, kind: FindingKind, values: Values): Registered {
  const own = Object.fromEntries(Object.entries(values).map(([name, value]) => [properties[name] ?? name, value]))
  const given = (record as unknown as Readonly<Record<string, object>>)[kind]
  return { ...record, [kind]: { ...given, ...own } } as Registered
}
