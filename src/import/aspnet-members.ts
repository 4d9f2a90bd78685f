/** How ASP.NET Core Identity keeps locks, roles, claims and passkeys of people. */
import { personFields } from '../person-fields.ts'
import { emailFault } from '../users/email.ts'
import { commandOf } from './commands.ts'
import type { RowResult } from './source-table.ts'
import { keyForm, type TableRow } from './tables.ts'

export function isTrue(text: unknown): boolean {
  return typeof text === 'string' && /^(?:1|true|t|yes)$/i.test(text)
}

/**
 * A lockout counts only where it is enabled. The last year of the calendar, and `infinity`, mean for good. Whose end cannot be read is
 * locked for good: nobody gets in who did not get in there.
 */
export function lockOf(end: unknown, isEnabled: unknown, isDisabled: unknown, name: unknown): RowResult {
  if (isDisabled === true) return { members: { disabled: true } }
  if (typeof end !== 'string' || end === '' || !isTrue(isEnabled)) return {}
  if (/^-infinity$/i.test(end)) return { members: { locked_until: '0001-01-01T00:00:00Z' } }
  if (/^infinity$/i.test(end)) return { members: { disabled: true } }
  const time = timeOf(end)
  if (time !== undefined) return { members: time.startsWith('9999') ? { disabled: true } : { locked_until: time } }
  const reason = `LockoutEnd (${end}) of ${name} is no time such as 2030-01-31 12:00:00+00:00. The person comes locked for good.`
  const note = { member: 'LockoutEnd', severity: 'held', reason, ...commandOf('user unlock', name) } as const
  return { members: { disabled: true }, notes: [note] }
}

/** Reads `2026-01-31 12:00:00.1234567 +01:00`, which is in UTC without an offset, as ISO 8601; undefined: it has another form. */
function timeOf(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text.trim())
  if (match === null) return undefined
  const offset = match[3] ?? 'Z'
  return `${match[1]}T${match[2]}${/^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset}`
}

/** Reports a role without a name, or of which there is no row. */
export function namedRoles(held: unknown, names: unknown): RowResult {
  const all = held as readonly TableRow[]
  const roles = all.flatMap(({ RoleId }) => (names as ReadonlyMap<string, string>).get(keyForm(RoleId ?? '')) ?? [])
  const reason = 'The role has no name, or no row in AspNetRoles.'
  return { members: { roles }, lost: roles.length < all.length ? [{ member: 'AspNetUserRoles', reason }] : [] }
}

/** The person's own of these are columns of AspNetUsers and roles. */
const ownTypes = new Set(['sub', 'name', 'email', 'email_verified', 'role', 'roles', 'preferred_username', 'username'])

/** Claims that the protocol itself puts into tokens (RFC 7519 §4.1, OpenID Connect Core §2, RFC 9068 §2.2). */
const protocolTypes = new Set([
  ...[
    'iss',
    'aud',
    'exp',
    'nbf',
    'iat',
    'jti',
    'auth_time',
    'nonce',
    'acr',
    'amr',
    'azp',
    'at_hash',
    'c_hash',
    's_hash',
  ],
  ...['client_id', 'scope', 'sid', 'cnf', 'act', 'may_act', 'typ', 'events', 'authorization_details'],
])

/** Standard claims come with a single value, unless a column has the claim; the others are what declared attributes take. */
export function identityClaims(rows: unknown, phoneNumber: unknown, columns: unknown): RowResult {
  const taken = new Set(Object.keys((columns ?? {}) as object))
  const byType = Map.groupBy(rows as readonly TableRow[], ({ ClaimType }) => String(ClaimType))
  const members: Record<string, string> = {}
  const lost: { member: string; reason: string }[] = []
  const others: { member: string; name: string; value: unknown }[] = []
  for (const [type, all] of byType) {
    const member = `claim ${type}`
    const values = all.map(({ ClaimValue }) => ClaimValue)
    const [value] = values
    if (protocolTypes.has(type))
      lost.push({ member, reason: `${type} is a claim of the protocol, which no person brings.` })
    else if (ownTypes.has(type)) lost.push({ member, reason: `${type} is the person's own, from AspNetUsers.` })
    else if (!Object.hasOwn(personFields, type)) others.push({ member, name: type, value: values })
    else if (taken.has(type) || (type.startsWith('phone_number') && phoneNumber)) {
      lost.push({ member, reason: `${type} comes from a column of AspNetUsers.` })
    } else if (values.length > 1) lost.push({ member, reason: `${type} has one value here, and there are several.` })
    else if (typeof value === 'string') members[type] = value
  }
  return { members, lost, fields: others }
}

/** A blank at an end cannot be typed: the sign-in page leaves it out. */
export function nameOf(name: unknown): RowResult {
  if (typeof name !== 'string') return {}
  const username = name.trim()
  if (username === name) return { members: { username } }
  const reason = `The user name "${name}" has blanks at an end, which sign-in pages leave out. The person comes as ${username}, and may type either.`
  return { members: { username }, notes: [{ member: 'UserName', severity: 'changed', reason }] }
}

/** Who has none, or one that is none, comes without. */
export function addressOf(email: unknown, isConfirmed: unknown, name: unknown): RowResult {
  if (typeof email !== 'string' || email === '') return {}
  const fault = emailFault(email)
  if (fault === undefined) return { members: { email, email_verified: isTrue(isConfirmed) } }
  const reason = `The e-mail address of ${name} (${email}) ${fault}. The person comes without it, and signs in with the user name.`
  return { notes: [{ member: 'Email', severity: 'lost', reason, ...commandOf('user set', name, 'email=ADDRESS') }] }
}
