/** Users whose password hash came from another system and has to be wrapped. */

export type WeakPasswords = {
  /** Returns the first users of the queue with their present hash, at most 50. */
  next(): Promise<readonly WeakPassword[]>
  /**
   * Replaces the hash that `one` was read with, and takes the user off the queue. False: the user has another hash by now,
   * and nothing was stored.
   */
  replace(one: WeakPassword, hash: string): Promise<boolean>
  /** Takes a user off the queue, unless the user has another hash by now. */
  dismiss(one: WeakPassword): Promise<void>
  /** Returns how many users are left. Counts to one more than `atMost` (default: all of them). */
  count(atMost?: number): Promise<number>
}

/** `hash` null: the user has no password any more. */
export type WeakPassword = { readonly userId: string; readonly hash: string | null }
