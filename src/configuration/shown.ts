/** Records as files and plans show them, and files of them that can be applied again. */
import { stringify } from 'yaml'
import { unfiledMembers } from '../person-fields.ts'
import type { StoredBrand } from '../protocol/branding/brand.ts'
import { type Resource, resourceRecord } from '../protocol/claims/resource-rules.ts'
import { type Client, consoleClientId } from '../protocol/client/client.ts'
import { clientRecord, scopeRecord } from '../protocol/client/records.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { attributeRecord } from '../users/attribute-record.ts'
import type { Attribute } from '../users/attributes.ts'
import { groupRecord } from '../users/group-changes.ts'
import type { Group } from '../users/groups.ts'
import { type Role, roleRecord } from '../users/roles.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'
import { identifiers, type Kind, kinds } from './declaration.ts'

/** A record in JSON, as every interface shows it. Without secrets. */
export type Shown = Readonly<Record<string, unknown>>

export const shownAttribute = (attribute: Attribute): Shown => {
  const { created_at: _, ...record } = attributeRecord(attribute)
  return record
}

export const shownScope = (scope: Scope): Shown => {
  const { created_at: _, ...record } = scopeRecord(scope)
  return record
}

export const shownResource = (resource: Resource): Shown => resourceRecord(resource)

export const shownRole = (role: Role): Shown => {
  const { created_at: _, ...record } = roleRecord(role)
  return record
}

/** `groups`: all that its parents are among. */
export function shownGroup(group: Group, groups: ReadonlyMap<string, Group>): Shown {
  const { name, parent, description, roles } = groupRecord(group, groups)
  return { name, parent, description, roles }
}

/** Without the time of its registration, which files do not have. */
export function shownClient(client: Client, nowMs: number): Shown {
  const { client_id_issued_at: _, previous_secret_expires_at: __, ...record } = clientRecord(client, nowMs)
  return record
}

export function shownUser(user: User, nowMs: number): Shown {
  return Object.fromEntries(Object.entries(userRecord(user, nowMs)).filter(([name]) => !unfiledMembers.includes(name)))
}

/** Whether files speak for the client: not for those that registered themselves, and not for the console. */
export function isConfigured({ id, metadata }: Client): boolean {
  return metadata.registration === 'operator' && id !== consoleClientId
}

export const shownBrand = ({ members }: StoredBrand): Shown =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The records of some kinds, in the order in which they are written. */
export type Documents = { readonly [K in Kind]?: readonly Shown[] }

/** Returns what a file has, ready for YAML or JSON. A kind without records is an empty list: the file is about it. */
export function toFile(documents: Documents): Documents {
  const content = kinds.flatMap((kind) => {
    const records = documents[kind]
    if (kind === 'branding') return (records ?? []).map((record) => [kind, escaped(record)])
    return records === undefined ? [] : [[kind, records.map((record) => escaped(identifiedFirst(kind, record)))]]
  })
  return Object.fromEntries(content)
}

export function toYaml(documents: Documents): string {
  // Lines are not folded: addresses can be searched for.
  return stringify(toFile(documents), { lineWidth: 0, aliasDuplicateObjects: false })
}

function identifiedFirst(kind: Kind, record: Shown): Shown {
  const identifier = identifiers[kind]
  const { [identifier]: id, ...rest } = record
  return { [identifier]: id, ...rest }
}

/** Keeps texts that look like references as they are. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, escaped(item)]))
}
