/** A user as JSON, the same in every interface. */
import { noEndMs } from './changes.ts'
import { isLocked } from './lockout.ts'
import type { User } from './user.ts'
import type { UserClaims } from './user-claims.ts'

export type UserRecord = Omit<UserClaims, 'updated_at'> & {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly email_verified: boolean
  readonly roles: readonly string[]
  /** ISO 8601 in UTC; null: not locked. */
  readonly locked_until: string | null
  /** Locked by an operator, without an end. */
  readonly disabled: boolean
  readonly created_at: string
}

export function userRecord(user: User, nowMs: number): UserRecord {
  const { updated_at: _, ...claims } = user.claims
  return {
    id: user.id,
    username: user.name,
    email: user.email,
    email_verified: user.emailConfirmed,
    roles: user.roles,
    locked_until: isLocked(user, nowMs) ? isoTime(user.lockedUntilMs ?? noEndMs) : null,
    disabled: user.disabled,
    created_at: isoTime(user.createdAtMs),
    ...claims,
  }
}

/** Returns what people read about themselves: without what concerns operators. */
export function ownRecord(user: User, nowMs: number): Omit<UserRecord, 'locked_until' | 'disabled'> {
  const { locked_until: _, disabled: __, ...record } = userRecord(user, nowMs)
  return record
}

export function isoTime(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'millisecond' })
}
