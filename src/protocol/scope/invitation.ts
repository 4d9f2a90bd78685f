/** An invitation gives roles, so it ends with the rights of whoever sent it. Times are epoch milliseconds. */
import { covers, type Permission, type Permissions, permissionsOf, permissionsOfRoles } from './admin-scopes.ts'

/** Who sent an invitation, as stored now; null: the person or client was deleted. */
export type Inviter = {
  readonly user?: {
    readonly roles: readonly string[]
    readonly disabled: boolean
    readonly lockedUntilMs: number | null
    readonly lockoutBeganAtMs: number | null
  } | null
  readonly client?: { readonly scopes: readonly string[] } | null
}

const inviting: ReadonlySet<Permission> = new Set(['admin:users'])

/** Whether whoever sent it could send it now. `sender` undefined: an operator at the command line. */
export function invitationStands(roles: readonly string[], sender: Inviter | undefined, nowMs: number): boolean {
  if (sender === undefined) return true
  const holder = permissionsNow(sender, nowMs)
  return covers(holder, inviting) && covers(holder, permissionsOfRoles(roles))
}

function permissionsNow({ user, client }: Inviter, nowMs: number): Permissions {
  if (client) return permissionsOf(client.scopes)
  if (!user || user.disabled) return new Set()
  // A lockout after failed passwords is no decision of anybody.
  const isLocked = user.lockedUntilMs !== null && user.lockedUntilMs > nowMs && user.lockoutBeganAtMs === null
  return isLocked ? new Set() : permissionsOfRoles(user.roles)
}
