import type { Authorization, Grant } from '../../protocol/grant/grant.ts'
import type { StoredSession } from '../../users/session.ts'

/** The rows of one page. Fewer: no row comes after them. */
export const accessPageRows = 500

/** `after`: the id of the last row of the page before; empty: there is none. */
export type AccessQuery = { readonly userId?: string | undefined; readonly after: string }

/** Rows of deleted people are left out. `next`: the id of the last row read; absent: no row comes after these. */
export type AccessPage<Row> = { readonly rows: readonly Row[]; readonly next?: string }

/** A grant, and what can end it from outside. */
export type StoredGrant = {
  readonly grant: Grant
  /** When all grants of the user last ended; null: they never did. */
  readonly grantsEndedAtMs: number | null
  /** Whether the consent that it is based on is stored, or none is needed. */
  readonly authorizationStands: boolean
}

/** Sessions of several people that are read at once. */
export const sessionsOfPeopleAtMost = 1000

/** `isWhole` false: there may be more. */
export type SessionsOfPeople = { readonly sessions: readonly StoredSession[]; readonly isWhole: boolean }

/** `isWhole` false: there are more. */
export type AccessOfClient = {
  readonly grants: readonly StoredGrant[]
  readonly authorizations: readonly Authorization[]
  readonly isWhole: boolean
}
