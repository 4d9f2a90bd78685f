/** The orders of the list of people, and the rows of a page in each. */
import type { Storage } from '../storage/port/storage.ts'
import type { TimePlace, UserOrder, UserRows } from '../storage/port/users.ts'
import { normalizeName, type User } from '../users/user.ts'
import type { Bounds, UserListQuery } from './user-list-query.ts'

/** A person, and the place of their row: what the next page begins after. */
export type OrderedRow = { readonly user: User; readonly after: string }
export type OrderedRows = { readonly rows: readonly OrderedRow[]; readonly next?: string | undefined }

/** Texts that sort as the order does, byte by byte. */
function placeIn(order: UserOrder, { name, createdAtMs, id }: User): string {
  return order.endsWith('username') ? normalizeName(name) : `${String(createdAtMs).padStart(15, '0')} ${id}`
}

/** Reads on. `after` empty: from the beginning. */
export async function rowsInOrder(
  { users, userLists }: Storage,
  after: string,
  atMost: UserRows,
  { locked, email_verified }: UserListQuery,
  { order, created: { fromMs, beforeMs } }: Bounds,
): Promise<OrderedRows> {
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

/** Puts people who were read at once in order, and leaves those after a place. */
export function inOrder(people: readonly User[], order: UserOrder, after: string): OrderedRows {
  const sign = order.startsWith('-') ? -1 : 1
  const compared = (a: string, b: string) => sign * Buffer.compare(Buffer.from(a), Buffer.from(b))
  const rows = people.map((user) => ({ user, after: placeIn(order, user) }))
  rows.sort((a, b) => compared(a.after, b.after))
  return { rows: rows.filter((row) => after === '' || compared(row.after, after) > 0) }
}
