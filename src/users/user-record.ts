/** A user as JSON, the same in every interface. */
import { type MemberName, type PersonRecord, type Withheld, withheld } from '../person-fields.ts'
import { seenByPerson } from './attribute-changes.ts'
import type { Attribute } from './attributes.ts'
import { noEndMs } from './changes.ts'
import { isLocked } from './lockout.ts'
import type { User } from './user.ts'
import type { AttributeValues } from './user-attributes.ts'

/** `attributes`: values of declared attributes; absent: none. */
export type UserRecord = PersonRecord & { readonly attributes?: AttributeValues }

/** How each member is read of a user. */
const readers: { readonly [Name in MemberName]: (user: User, nowMs: number) => PersonRecord[Name] } = {
  id: ({ id }) => id,
  username: ({ name }) => name,
  // Null: none.
  email: ({ email }) => (email === '' ? null : email),
  email_verified: ({ emailConfirmed }) => emailConfirmed,
  roles: ({ roles }) => roles,
  required_actions: ({ requiredActions = [] }) => requiredActions,
  had_second_factor: ({ hadSecondFactor = false }) => hadSecondFactor,
  // Null: not locked.
  locked_until: (user, nowMs) => (isLocked(user, nowMs) ? isoTime(user.lockedUntilMs ?? noEndMs) : null),
  disabled: ({ disabled }) => disabled,
  created_at: ({ createdAtMs }) => isoTime(createdAtMs),
}

export function userRecord(user: User, nowMs: number): UserRecord {
  const { updated_at: _, ...claims } = user.claims
  const members = Object.entries(readers).map(([name, read]) => [name, read(user, nowMs)])
  const { attributes } = user
  return { ...Object.fromEntries(members), ...claims, ...(Object.keys(attributes).length > 0 && { attributes }) }
}

/** Returns what people read about themselves: without what concerns operators. */
export function ownRecord(
  user: User,
  declared: ReadonlyMap<string, Attribute>,
  nowMs: number,
): Omit<UserRecord, Withheld> {
  const own = { ...user, attributes: seenByPerson(user.attributes, declared) }
  const members = Object.entries(userRecord(own, nowMs)).filter(([name]) => !withheld.includes(name))
  return Object.fromEntries(members) as Omit<UserRecord, Withheld>
}

export function isoTime(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' })
}
