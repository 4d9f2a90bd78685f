/** Users as the command line takes them in and prints them. */
import { uuidv7 } from '../secrets/opaque.ts'
import { isEmailAddress } from '../users/email.ts'
import { isLocked } from '../users/lockout.ts'
import { newUser } from '../users/registration.ts'
import type { User } from '../users/user.ts'
import { Refused } from './context.ts'
import { isoTime, lineFault, record, shortTime } from './text.ts'

export type NewUser = {
  readonly name: string
  readonly email: string
  readonly emailConfirmed: boolean
  readonly passwordHash: string | null
  readonly roles: readonly string[]
}

/** A year that no clock reaches: an operator's lock without an end. */
export const noEndMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Throws `Refused` for a name, address or role that cannot be used. */
export function checkUser({ name, email, roles }: Pick<NewUser, 'name' | 'email' | 'roles'>): void {
  refuseFault('The user name', lineFault(name, 256))
  const emailFault = lineFault(email, 254) ?? (isEmailAddress(email) ? undefined : 'must look like name@host')
  refuseFault('The e-mail address', emailFault)
  for (const role of roles) checkRole(role)
  checkRoleCount(roles)
}

/** Every access token carries them all, and travels in a header. */
const rolesAtMost = 50

export function checkRoleCount(roles: readonly string[]): void {
  if (new Set(roles).size > rolesAtMost) throw new Refused(`A user has at most ${rolesAtMost} roles.`)
}

export function checkRole(role: string): void {
  refuseFault('A role', lineFault(role, 100))
}

export function createUser(input: NewUser, nowMs: number, random: (bytes: number) => Uint8Array): User {
  return newUser({ ...input, id: uuidv7(nowMs, random) }, nowMs)
}

export function sortedSet(items: readonly string[]): string[] {
  return [...new Set(items)].sort()
}

export function userJson(user: User, nowMs: number) {
  const { id, name, email, emailConfirmed, roles, disabled } = user
  const lockedUntil = isLocked(user, nowMs) ? isoTime(user.lockedUntilMs ?? noEndMs) : null
  return { id, name, email, emailConfirmed, roles, lockedUntil, disabled, createdAt: isoTime(user.createdAtMs) }
}

export const userHeadings = ['NAME', 'E-MAIL', 'CONFIRMED', 'ROLES', 'STATE', 'CREATED']

export function userRow(user: User, nowMs: number): string[] {
  const { name, email, emailConfirmed, roles } = user
  return [name, email, emailConfirmed ? 'yes' : 'no', roles.join(', '), state(user, nowMs), shortTime(user.createdAtMs)]
}

export function userText(user: User, nowMs: number): string {
  return record([
    ['name', user.name],
    ['id', user.id],
    ['e-mail', `${user.email} (${user.emailConfirmed ? 'confirmed' : 'not confirmed'})`],
    ['password', user.passwordHash === null ? 'none' : 'set'],
    ['roles', user.roles],
    ['state', state(user, nowMs)],
    ['created', isoTime(user.createdAtMs)],
  ])
}

function state(user: User, nowMs: number): string {
  if (!isLocked(user, nowMs)) return 'active'
  return user.disabled || user.lockedUntilMs === null ? 'locked' : `locked until ${shortTime(user.lockedUntilMs)}`
}

function refuseFault(what: string, fault: string | undefined): void {
  if (fault !== undefined) throw new Refused(`${what} ${fault}.`)
}
