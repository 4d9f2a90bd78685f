/** Finds people by the words of their full name, by their roles, and by their second factors. */
import type { User } from '../../users/user.ts'

/** The rows of one page of people. */
export const userPageRows = 500
/** The rows of a page for who needs only the first ones. */
export const fewUserRows = 64
export type UserRows = typeof userPageRows | typeof fewUserRows
/** People with a role who are returned at once. */
export const holdersAtMost = 5000

/** A person under one of the keys that find them (`searchKeys`). */
export type Found = { readonly key: string; readonly user: User }

/** A place in the index, such as that of the last row of the page before. */
export type IndexPlace = { readonly key: string; readonly userId: string }

export type UserSearch = {
  /**
   * Reads at most `atMost` rows (default: `userPageRows`) of the index after `after` whose key begins with `start`, ascending by key and id.
   * A person with several such words is in several rows. `next`: the last row read; absent: no row comes after these.
   */
  page(
    start: string,
    after: IndexPlace,
    atMost?: UserRows,
  ): Promise<{ readonly found: readonly Found[]; readonly next?: IndexPlace }>
  /**
   * Returns some people with the role, at most `atMost`, in no order. Undefined: more have it, or the index is not filled
   * yet.
   */
  holders(role: string, atMost: number): Promise<User[] | undefined>
  /** Whether anybody has the role. Reads the index, or all people while it is not filled. */
  isHeld(role: string): Promise<boolean>
  /**
   * Returns the roles that somebody has, at most `holdersAtMost`. Reads a row of the index for each, or all people while it
   * is not filled.
   */
  heldRoles(): Promise<string[]>
  /** Returns those of the people who have an authenticator app or a passkey. */
  withSecondFactor(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** How far people who were there before the index are in it; undefined: their addition did not begin. */
  fill(): Promise<SearchFill | undefined>
  /** Does nothing if it began already. */
  beginFill(nowMs: number): Promise<void>
  /**
   * Adds the keys of the next people, a hundred at most, and ends the fill after the last. Does nothing if another
   * process was first. Somebody who changes meanwhile is left with the keys of that change.
   */
  fillNext(fill: SearchFill): Promise<void>
}

export type SearchFill = {
  /** People up to this id are in the index. */
  readonly afterId: string
  readonly people: number
  readonly beganAtMs: number
  readonly isDone: boolean
}
