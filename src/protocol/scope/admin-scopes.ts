/**
 * The permissions of the admin API. Each is a scope of that name, built in like `openid`: it has no row, a client may be
 * permitted it, and an access token with it has the audience of the API. A registered scope of the same name, from before
 * there was an admin API, stays an ordinary scope and permits nothing there.
 */
import { resourceBelow } from '../discovery/issuer.ts'

/** `admin:write` includes all of them, `admin:read` whatever reads. `X` includes `X:read`. */
export const adminScopes = [
  'admin:write',
  'admin:read',
  'admin:users',
  'admin:users:read',
  'admin:clients',
  'admin:clients:read',
  'admin:audit',
  'admin:audit:read',
  'admin:keys',
  'admin:keys:read',
] as const

export type Permission = (typeof adminScopes)[number]
export type Permissions = ReadonlySet<Permission>

/** What each permits, for the consent page and the description of the API. */
export const adminScopeWords: Readonly<Record<Permission, string>> = {
  'admin:write': 'Everything',
  'admin:read': 'Read everything',
  'admin:users': 'Look after people, roles, sessions, consents and grants',
  'admin:users:read': 'Read people, roles, sessions, consents and grants',
  'admin:clients': 'Look after applications and scopes',
  'admin:clients:read': 'Read applications and scopes',
  'admin:audit': 'Read and verify the audit trail',
  'admin:audit:read': 'Read the audit trail',
  'admin:keys': 'Read and rotate keys',
  'admin:keys:read': 'Read keys',
}

export function isAdminScope(scope: string): scope is Permission {
  return (adminScopes as readonly string[]).includes(scope)
}

/** The audience of access tokens for the admin API, wherever it listens. */
export function adminAudience(issuer: string): string {
  return resourceBelow(issuer, 'admin/api')
}

/** Returns everything that the scopes permit. Other scopes are ignored. */
export function permissionsOf(scopes: readonly string[]): Permissions {
  const held = new Set(scopes.filter(isAdminScope))
  return new Set(
    adminScopes.filter((permission) => {
      if (held.has(permission) || held.has('admin:write')) return true
      if (!permission.endsWith(':read')) return false
      // `admin` by itself is no permission, so nothing but the scope gives `admin:read`.
      const whole = permission.slice(0, -':read'.length)
      return held.has('admin:read') || (isAdminScope(whole) && held.has(whole))
    }),
  )
}

/** The roles of people that give permissions. Their other roles give none. */
export const administratorRole = 'latchkey-admin'
export const viewerRole = 'latchkey-viewer'
/** They are always there, because permissions follow from them. */
export const builtInRoles: readonly string[] = [administratorRole, viewerRole]

export function permissionsOfRoles(roles: readonly string[]): Permissions {
  const scopes = [
    ...(roles.includes(administratorRole) ? ['admin:write'] : []),
    ...(roles.includes(viewerRole) ? ['admin:read'] : []),
  ]
  return permissionsOf(scopes)
}

/**
 * Whether somebody can administer the service: has the role, is not locked by an operator, and has not asked for the
 * deletion of the account. A lockout after failed passwords does not count.
 */
export function isAdministrator(user: {
  readonly roles: readonly string[]
  readonly disabled: boolean
  readonly lockedUntilMs: number | null
  readonly lockoutBeganAtMs: number | null
  readonly deletionDueAtMs: number | null
}): boolean {
  const isLocked = user.disabled || (user.lockedUntilMs !== null && user.lockoutBeganAtMs === null)
  return user.roles.includes(administratorRole) && !isLocked && user.deletionDueAtMs === null
}

/** Whether `holder` has each of `permissions`: nobody gives out, or takes control of, more than they have themselves. */
export function covers(holder: Permissions, permissions: Permissions): boolean {
  return permissions.isSubsetOf(holder)
}
