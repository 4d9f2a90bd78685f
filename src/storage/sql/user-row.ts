import { textToPairwise } from '../../users/pairwise-subjects.ts'
import type { RequestingSession } from '../../users/session.ts'
import { emailKey, isSharedKey, normalizeName, type User } from '../../users/user.ts'
import { attributesToText, textToAttributes } from '../../users/user-attributes.ts'
import { claimsToText, textToClaims } from '../../users/user-claims.ts'
import type { ExchangeUser } from '../port/grants.ts'
import { groupIdsOf, type Memberships, memberships } from './memberships.ts'
import { removedNames, withoutRemoved } from './removed-names.ts'
import {
  columns,
  type FullUsersTable,
  type Joined,
  listToText,
  type NamedUsersTable,
  type Prefixed,
  prefixed,
  textToList,
  type UsersTable,
} from './tables.ts'

type RemovedRoles = { readonly u_removed_roles: string | null }
/** The roles of a user, without those that were deleted. */
const rolesOf = (row: { readonly u_roles: string } & RemovedRoles) => withoutRemoved(row.u_roles, row.u_removed_roles)

/** Read with a user, but not written with one. */
const pairwiseColumns = prefixed('users', 'u', ['pairwise_subjects'])
type PairwiseRow = Prefixed<'u', Pick<FullUsersTable, 'pairwise_subjects'>>

export type UserRow = Prefixed<'u', UsersTable> & PairwiseRow & RemovedRoles & Memberships
export const userColumns = [
  ...prefixed('users', 'u', columns.users),
  ...pairwiseColumns,
  removedNames('role', 'u_removed_roles'),
  memberships,
] as const

/** The columns of an `ExchangeUser`. */
const exchangeUserNames = [
  'id',
  'name',
  'email',
  'email_confirmed',
  'roles',
  'disabled',
  'locked_until_ms',
  'lockout_began_at_ms',
  'grants_ended_at_ms',
  'created_at_ms',
  'claims',
  'attributes',
] as const
export const exchangeUserColumns = [
  ...prefixed('users', 'u', exchangeUserNames),
  ...pairwiseColumns,
  removedNames('role', 'u_removed_roles'),
  memberships,
] as const
export type ExchangeUserRow = Prefixed<'u', Pick<UsersTable, (typeof exchangeUserNames)[number]>> &
  PairwiseRow &
  RemovedRoles &
  Memberships

export function fromUser(user: User): UsersTable {
  return {
    id: user.id,
    name: user.name,
    normalized_name: normalizeName(user.name),
    email: user.email,
    normalized_email: emailKey(user),
    email_confirmed: Number(user.emailConfirmed),
    password_hash: user.passwordHash,
    roles: listToText(user.roles),
    disabled: Number(user.disabled),
    locked_until_ms: user.lockedUntilMs,
    failed_attempts: user.failedAttempts,
    lockout_began_at_ms: user.lockoutBeganAtMs,
    sessions_ended_at_ms: user.sessionsEndedAtMs,
    grants_ended_at_ms: user.grantsEndedAtMs,
    created_at_ms: user.createdAtMs,
    updated_at_ms: user.updatedAtMs,
    version: user.version,
    claims: claimsToText(user.claims),
    deletion_due_at_ms: user.deletionDueAtMs,
    unclaimed: Number(user.isUnclaimed === true),
    attributes: attributesToText(user.attributes),
    required_actions: listToText(user.requiredActions ?? []),
    had_second_factor: Number(user.hadSecondFactor === true),
  }
}

/** Adds the name skeleton. Loads the table of confusable characters on first use. */
export async function fromNewUser(user: User): Promise<NamedUsersTable> {
  const { skeletonOf } = await import('../../users/skeleton.ts')
  // The skeleton is empty for an invisible name, which nothing can resemble.
  return { ...fromUser(user), name_skeleton: skeletonOf(user.name) || null }
}

export function toUser(row: UserRow): User {
  return {
    id: row.u_id,
    name: row.u_name,
    email: row.u_email,
    emailConfirmed: row.u_email_confirmed === 1,
    passwordHash: row.u_password_hash,
    roles: rolesOf(row),
    ...groupIdsOf(row),
    ...textToPairwise(row.u_pairwise_subjects),
    disabled: row.u_disabled === 1,
    lockedUntilMs: row.u_locked_until_ms,
    failedAttempts: row.u_failed_attempts,
    lockoutBeganAtMs: row.u_lockout_began_at_ms,
    sessionsEndedAtMs: row.u_sessions_ended_at_ms,
    grantsEndedAtMs: row.u_grants_ended_at_ms,
    createdAtMs: row.u_created_at_ms,
    updatedAtMs: row.u_updated_at_ms,
    version: row.u_version,
    claims: textToClaims(row.u_claims),
    attributes: textToAttributes(row.u_attributes),
    deletionDueAtMs: row.u_deletion_due_at_ms,
    ...(row.u_unclaimed === 1 && { isUnclaimed: true }),
    ...(isSharedKey(row.u_normalized_email) && { sharesEmail: true }),
    ...requiredOf(row),
    ...(row.u_had_second_factor === 1 && { hadSecondFactor: true }),
  }
}

/** Most people have none. */
function requiredOf({ u_required_actions: text }: Pick<UserRow, 'u_required_actions'>) {
  return text === '[]' ? {} : { requiredActions: textToList(text) as NonNullable<User['requiredActions']> }
}

export function toExchangeUser(row: ExchangeUserRow): ExchangeUser {
  return {
    id: row.u_id,
    name: row.u_name,
    email: row.u_email,
    emailConfirmed: row.u_email_confirmed === 1,
    roles: rolesOf(row),
    ...groupIdsOf(row),
    ...textToPairwise(row.u_pairwise_subjects),
    disabled: row.u_disabled === 1,
    lockedUntilMs: row.u_locked_until_ms,
    lockoutBeganAtMs: row.u_lockout_began_at_ms,
    grantsEndedAtMs: row.u_grants_ended_at_ms,
    createdAtMs: row.u_created_at_ms,
    claims: textToClaims(row.u_claims),
    attributes: textToAttributes(row.u_attributes),
  }
}

/** The same for the columns of an `ExchangeUser`. */
export function joinedExchangeUser(row: Joined<ExchangeUserRow>): ExchangeUser | undefined {
  return row.u_id === null ? undefined : toExchangeUser(row as ExchangeUserRow)
}

/** The user of an authorization request. */
export const requestingUserColumns = [
  ...exchangeUserColumns,
  ...prefixed('users', 'u', ['sessions_ended_at_ms']),
] as const
export type RequestingUserRow = ExchangeUserRow & Prefixed<'u', Pick<UsersTable, 'sessions_ended_at_ms'>>

export function joinedRequestingUser(row: Joined<RequestingUserRow>): RequestingSession['user'] | undefined {
  const user = joinedExchangeUser(row)
  return user && { ...user, sessionsEndedAtMs: row.u_sessions_ended_at_ms }
}

/** Returns the user of an outer-joined row, if any. */
export function joinedUser(row: Joined<UserRow>): User | undefined {
  return row.u_id === null ? undefined : toUser(row as UserRow)
}
