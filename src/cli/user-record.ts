/** Prints users for people. */

import { isoTime, shortTime } from '../text.ts'
import type { EffectiveRole } from '../users/effective-roles.ts'
import { isLocked } from '../users/lockout.ts'
import type { User } from '../users/user.ts'
import { record } from './text.ts'

export const userHeadings = ['NAME', 'E-MAIL', 'CONFIRMED', 'ROLES', 'STATE', 'CREATED']

export function userRow(user: User, nowMs: number): string[] {
  const { name, email, emailConfirmed, roles } = user
  return [
    name,
    email || '-',
    emailConfirmed ? 'yes' : 'no',
    roles.join(', '),
    state(user, nowMs),
    shortTime(user.createdAtMs),
  ]
}

export function userText(
  user: User,
  nowMs: number,
  groups: readonly string[],
  effective: readonly EffectiveRole[],
): string {
  return record([
    ['name', user.name],
    ['id', user.id],
    ['e-mail', addressText(user)],
    ['password', user.passwordHash === null ? 'none' : 'set'],
    ['roles', user.roles],
    ['groups', groups],
    ['in effect', effective.map(({ role, from }) => `${role} (${from.join(', ')})`)],
    ['state', state(user, nowMs)],
    ...askedRows(user),
    ['created', isoTime(user.createdAtMs)],
    ...claimRows(user),
    ...Object.entries(user.attributes).map(([name, value]): [string, string] => [name, valueText(value)]),
  ])
}

function addressText({ email, emailConfirmed, sharesEmail }: User): string {
  if (email === '') return 'none'
  const shared = sharesEmail === true ? ', others may have it, too' : ''
  return `${email} (${emailConfirmed ? 'confirmed' : 'not confirmed'}${shared})`
}

/** What the next sign-in asks for. */
function askedRows({ requiredActions = [], hadSecondFactor }: User): [string, string | readonly string[]][] {
  const had = 'a second factor of another system did not come'
  return [
    ...(requiredActions.length === 0 ? [] : [['asks for', requiredActions] as [string, readonly string[]]]),
    ...(hadSecondFactor === true ? [['note', had] as [string, string]] : []),
  ]
}

function claimRows({ claims: { updated_at: _, ...claims } }: User): [string, string][] {
  return Object.entries(claims).map(([claim, value]) => [
    // The record begins with the user name.
    claim === 'name' ? 'full name' : claim,
    valueText(value),
  ])
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function state(user: User, nowMs: number): string {
  if (!isLocked(user, nowMs)) return 'active'
  return user.disabled || user.lockedUntilMs === null ? 'locked' : `locked until ${shortTime(user.lockedUntilMs)}`
}
