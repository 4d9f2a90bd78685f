/** Records as files and plans show them. */
import { unfiledMembers } from '../person-fields.ts'
import { type Client, consoleClientId } from '../protocol/client/client.ts'
import { clientRecord, scopeRecord } from '../protocol/client/records.ts'
import type { Scope } from '../protocol/scope/scope.ts'
import { type Role, roleRecord } from '../users/roles.ts'
import type { User } from '../users/user.ts'
import { userRecord } from '../users/user-record.ts'

/** A record in JSON, as every interface shows it. Without secrets. */
export type Shown = Readonly<Record<string, unknown>>

export const shownScope = (scope: Scope): Shown => {
  const { created_at: _, ...record } = scopeRecord(scope)
  return record
}

export const shownRole = (role: Role): Shown => {
  const { created_at: _, ...record } = roleRecord(role)
  return record
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
