/** The orders of the list of people, and the rows of a page in each. */
import type { Storage } from '../storage/port/storage.ts'
import type { TimePlace, UserCondition, UserOrder, UserRows } from '../storage/port/users.ts'
import { normalizeName, type User } from '../users/user.ts'
import type { Bounds, UserListQuery } from './user-list-query.ts'

/** A person, and the place of their row: what the next page begins after. */
export type OrderedRow = { readonly user: User; readonly after: string }
/** `seen`: how many people were looked through for them; absent: these alone. */
export type OrderedRows = {
  readonly rows: readonly OrderedRow[]
  readonly next?: string | undefined
  readonly seen?: number
}

/** Texts that sort as the order does, byte by byte. */
function placeIn(order: UserOrder, { name, createdAtMs, id }: User): string {
  return order.endsWith('username') ? normalizeName(name) : `${String(createdAtMs).padStart(15, '0')} ${id}`
}

/** Reads on. `after` empty: from the beginning. */
export async function rowsInOrder(
  { users, userLists }: Storage,
  after: string,
  atMost: UserRows,
  query: UserListQuery,
  bounds: Bounds,
): Promise<OrderedRows> {
  const { locked, email_verified } = query
  const {
    order,
    created: { fromMs, beforeMs },
  } = bounds
  const isFew = locked === true || email_verified === false
  const condition = order === 'username' && !isFew ? conditionOf(query, bounds) : undefined
  if (condition !== undefined) {
    const { users, next, seen } = await userLists.window(after, condition)
    return { rows: users.map((user) => ({ user, after: placeIn(order, user) })), next, seen }
  }
  const placeOr = (createdAtMs: number): TimePlace => {
    const [ms, id = ''] = after.split(' ')
    return after === '' ? { createdAtMs, id: '' } : { createdAtMs: Number(ms), id }
  }
  const read = {
    username: () => {
      if (locked === true) return userLists.inState('locked', after, atMost)
      if (email_verified === false) return userLists.inState('unconfirmed', after, atMost)
      return users.page('name', '', after, atMost)
    },
    '-username': () => userLists.namesBefore(after, atMost),
    created_at: () => userLists.newer(placeOr(fromMs), beforeMs, atMost),
    '-created_at': () => userLists.older(placeOr(beforeMs), fromMs, atMost),
  }
  const rows = (await read[order]()).map((user) => ({ user, after: placeIn(order, user) }))
  return { rows, next: rows.length < atMost ? undefined : rows.at(-1)?.after }
}

/** Returns what the database itself looks for, of all that is asked: what fewest people are first. */
function conditionOf(
  { second_factor, source }: UserListQuery,
  { lastSignIn, groupId }: Bounds,
): UserCondition | undefined {
  if (groupId !== undefined) return { is: 'inGroup', text: groupId }
  if (source !== undefined) return { is: 'from', text: source }
  if (lastSignIn.fromMs !== undefined) return { is: 'signedInSince', atMs: lastSignIn.fromMs }
  if (second_factor === true) return { is: 'withFactor' }
  if (lastSignIn.beforeMs !== undefined) return { is: 'notSignedInSince', atMs: lastSignIn.beforeMs }
  return second_factor === false ? { is: 'withoutFactor' } : undefined
}

/** Puts people who were read at once in order, and leaves those after a place. */
export function inOrder(people: readonly User[], order: UserOrder, after: string): OrderedRows {
  const sign = order.startsWith('-') ? -1 : 1
  const compared = (a: string, b: string) => sign * Buffer.compare(Buffer.from(a), Buffer.from(b))
  const rows = people.map((user) => ({ user, after: placeIn(order, user) }))
  rows.sort((a, b) => compared(a.after, b.after))
  return { rows: rows.filter((row) => after === '' || compared(row.after, after) > 0) }
}
