import type { User } from './user.ts'

/** What is known of somebody who gets an account. */
export type Registration = Pick<User, 'id' | 'name' | 'email' | 'emailConfirmed' | 'passwordHash' | 'roles'>

/** A new account: nothing failed yet, nothing locked, nothing ended. */
export function newUser(registration: Registration, nowMs: number): User {
  return {
    ...registration,
    roles: [...new Set(registration.roles)].sort(),
    disabled: false,
    lockedUntilMs: null,
    failedAttempts: 0,
    lockoutBeganAtMs: null,
    sessionsEndedAtMs: null,
    grantsEndedAtMs: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  }
}
