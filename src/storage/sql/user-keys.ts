/** What is kept of a person beside their row, and changes with it. */
import type { User } from '../../users/user.ts'
import { valueStatements } from './attribute-values.ts'
import { mustChange } from './prepared.ts'
import { keepClientsOf } from './registration-keeping.ts'
import { searchStatements } from './search-keys.ts'
import { setMark } from './set-up-marks.ts'
import type { Statement } from './statement.ts'
import type { NamedUsersTable } from './tables.ts'
import { insertUser } from './user-names.ts'

/**
 * Returns what follows every insert and change of a user's row in the same commit. `before` undefined: the user is new. Where the
 * commit is not applied, `requireValues` says whether a value was the reason.
 */
export function keyStatements(before: User | undefined, after: User): Statement[] {
  return [
    ...searchStatements(before, after),
    ...valueStatements(before, after),
    ...keepClientsOf(before?.roles ?? [], after.roles),
  ]
}

/** Returns what stores a new user. */
export function userStatements(row: NamedUsersTable, user: User): Statement[] {
  return [mustChange(insertUser(row)), ...keyStatements(undefined, user)]
}

/** Returns the commit of a new user, from which on nobody sets the installation up in a browser. */
export function newUserStatements(row: NamedUsersTable, user: User): Statement[] {
  return [setMark('ended', user.createdAtMs), ...userStatements(row, user)]
}
