/**
 * Who may change whom: nobody gives out a permission that they do not have, by client, role or person, and nobody takes
 * control of somebody who has more. Pure; `holder` is who calls (`call.caller`), or what they may do in this call.
 */

import { type Client, consoleClientId } from '../protocol/client/client.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import {
  covers,
  type Permission,
  type Permissions,
  permissionsOf,
  permissionsOfRoles,
} from '../protocol/scope/admin-scopes.ts'
import type { Member } from '../storage/port/catalogue.ts'
import type { Caller } from './caller.ts'

type Holder = Pick<Caller, 'permissions'> & { readonly catalogue: Pick<Caller['catalogue'], 'rolesOf'> }

/**
 * Refuses any change of a person who has more permissions by roles: password, second factor, passkeys, linked accounts,
 * address, mail with a reset, lock, deletion.
 */
export function checkUser({ permissions, catalogue }: Holder, person: Member): Refusal | undefined {
  const roles = catalogue.rolesOf(person)
  return check(permissions, permissionsOfRoles(roles), { roles: [...roles] })
}

/**
 * Refuses roles that give more, by themselves or by what they include, and taking them from somebody who has them. Roles without
 * permissions are free.
 */
export function checkRoles(
  { permissions, catalogue }: Holder,
  before: readonly string[],
  after: readonly string[],
): Refusal | undefined {
  const changed = [...before.filter((role) => !after.includes(role)), ...after.filter((role) => !before.includes(role))]
  const everybody = catalogue.rolesOf({ roles: [] })
  const given = catalogue.rolesOf({ roles: changed }).filter((role) => !everybody.includes(role))
  return check(permissions, permissionsOfRoles(given), { roles: changed })
}

/** Refuses the deletion of roles with the client that they belong to, for who may not delete roles. */
export function checkRoleDeletion(holder: Holder, roles: readonly string[]): Refusal | undefined {
  return (
    check(holder.permissions, permissionsOf(['admin:users']), { roles: [...roles] }) ?? checkRoles(holder, [], roles)
  )
}

/** Refuses members of a group that gives more, to be added and to be removed alike. */
export function checkMembership({ permissions, catalogue }: Holder, groupId: string): Refusal | undefined {
  const given = catalogue.rolesOf({ roles: [], groupIds: [groupId] })
  return check(permissions, permissionsOfRoles(given), { roles: [...given] })
}

/**
 * Refuses any change of a client that may request more, and any change after which it may: whoever sets its secret, keys
 * or redirect URIs acts as the client, or receives the tokens of its users. `clients`: before and after the change. The
 * client of the console has every permission, also before it is registered.
 */
export function checkClient(
  holder: Permissions,
  ...clients: readonly Pick<Client, 'id' | 'scopes'>[]
): Refusal | undefined {
  const scopes = clients.flatMap(({ id, scopes }) => (id === consoleClientId ? ['admin:write'] : scopes))
  return check(holder, permissionsOf(scopes), { client: clients[0]?.id ?? '', scopes: [...permissionsOf(scopes)] })
}

/** Refuses who lacks a permission, by the token or by the roles of its person. */
export function checkPermission(
  { permissions, tokenPermissions, clientId }: Caller,
  needed: Permission,
): Refusal | undefined {
  if (permissions.has(needed)) return undefined
  const reason = tokenPermissions.has(needed) ? 'admin_role_insufficient' : 'admin_scope_insufficient'
  return refuse(reason, '', { client: clientId, required: needed, permitted: [...permissions] })
}

function check(
  holder: Permissions,
  permissions: Permissions,
  detail: Readonly<Record<string, string | string[]>>,
): Refusal | undefined {
  return covers(holder, permissions) ? undefined : refuse('admin_permission_exceeded', '', detail)
}
