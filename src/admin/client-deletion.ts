/** The deletion of a client with the roles that belong to it. */
import { clientRecord } from '../protocol/client/records.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { ClientHasRoles } from '../storage/port/clients.ts'
import { namedHoldersAtMost } from '../storage/port/users.ts'
import { endKeys, unknownClient } from './client-facts.ts'
import type { Call, Outcome } from './operation.ts'
import { checkClient, checkRoleDeletion } from './permissions.ts'
import { etagOf } from './version.ts'

export async function deleteClient(call: Call<{ readonly force?: boolean }>): Promise<Outcome> {
  const { storage } = call.service
  const id = call.params.client_id ?? ''
  const client = await storage.clients.find(id)
  if (client === undefined) return unknownClient(id)
  const no: Refusal | undefined =
    call.expects(etagOf(clientRecord(client, call.nowMs), client.version)) ??
    checkClient(call.caller.permissions, client)
  if (no !== undefined) return no
  const roles = await storage.clients.rolesOf(id)
  if (roles.length > 0 && call.query.force !== true) {
    const used_by = { count: roles.length, roles: roles.slice(0, namedHoldersAtMost) }
    return { refusal: refuse('admin_record_in_use', 'client_id', { name: id }), members: { used_by } }
  }
  const exceeding = roles.length > 0 ? checkRoleDeletion(call.caller, roles) : undefined
  if (exceeding !== undefined) return exceeding
  const events = [
    call.event('client_deleted', { clientId: id }),
    ...roles.map((name) => call.event('role_deleted', {}, { name })),
  ]
  try {
    const isDeleted = await storage.clients.delete(id, events, client.version, { roles, nowMs: call.nowMs })
    if (!isDeleted) return refuse('admin_version_stale', 'If-Match')
  } catch (error) {
    // Somebody added a role meanwhile.
    if (error instanceof ClientHasRoles) return deleteClient(call)
    throw error
  }
  await endKeys(call.service)
  return {}
}
