/** Which address an undo restores after a change of the e-mail address, and what else ends with a change. */
import { undoneSinceMs } from './changes.ts'
import { type Confirmation, isPending } from './confirmation.ts'
import { normalizeName, type User } from './user.ts'

/** What a change of the address gives the owner of the address that was proven longest. */
export type EmailUndo = {
  /** Where the undo goes, and what it restores. */
  readonly email: string
  /** Since when it removes what was added to the account. */
  readonly dropsSinceMs: number
}

/**
 * Decides on a change to `email`. `pending`: the undos of the person. An address that replaced another one within the
 * lifetime of an undo was not proven for long: it may be a stranger's, so the undo goes on to the first one, with the time
 * of the first change. `corrects`: the change goes back to that address, so that no undo is of use any more.
 */
export function undoOfChange(
  user: Pick<User, 'email' | 'emailConfirmed'>,
  email: string,
  pending: readonly Confirmation[],
  nowMs: number,
): { readonly undo: EmailUndo | undefined; readonly corrects: boolean } {
  const [eldest] = pending
    .filter((one) => isPending(one, 'undo', nowMs) && one.details.email !== undefined)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
  const isSame = (one: string) => normalizeName(one) === normalizeName(email)
  if (eldest?.details.email === undefined) {
    const isLost = user.emailConfirmed && !isSame(user.email)
    return { undo: isLost ? { email: user.email, dropsSinceMs: undoneSinceMs(nowMs) } : undefined, corrects: false }
  }
  if (isSame(eldest.details.email)) return { undo: undefined, corrects: true }
  if (isSame(user.email)) return { undo: undefined, corrects: false }
  return { undo: { email: eldest.details.email, dropsSinceMs: dropsSince(eldest) }, corrects: false }
}

/** Returns since when an undo removes what was added to the account. */
export function dropsSince({ details, createdAtMs }: Pick<Confirmation, 'details' | 'createdAtMs'>): number {
  return details.dropsSinceMs ?? undoneSinceMs(createdAtMs)
}
