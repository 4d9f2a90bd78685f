/**
 * Whose account it is, as long as whoever made it may not be the owner of its address: an account of a provider's
 * registration, until somebody proves the address; and one whose address was confirmed in a browser other than the one
 * that asked, for seven days. Times are epoch milliseconds.
 */
import type { User } from './user.ts'

/** Whoever meant to register themselves finds out within minutes. A second factor that was set up later stays. */
const claimableMs = 7 * 86_400_000

/** Whether the owner of the address may take the account over, with all that was added to it removed. */
export function isClaimable(user: User, nowMs: number): boolean {
  if (user.isUnclaimed !== true) return false
  return !user.emailConfirmed || nowMs - user.createdAtMs < claimableMs
}

/** Returns the account as its owner's, whom nobody may follow. */
export function claimed(user: User): User {
  const { isUnclaimed: _, ...owned } = user
  return owned
}
