/** Wraps weak password hashes that were imported (`secrets/password.ts`). */
import { isWeakHash, passwordHashingLoad, wrapHash } from '../secrets/password.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { WeakPassword } from '../storage/port/users.ts'

export type WrappingContext = {
  readonly weakPasswords: Storage['weakPasswords']
  /** Hashes computed in parallel; default: 1. */
  readonly atOnce?: number
  readonly random: (bytes: number) => Uint8Array
}

/**
 * Wraps hashes until none is left or `mayGoOn` says no, which is asked before each. Returns how many users it took off
 * the queue. A hash that a sign-in or a new password replaced meanwhile stays as it is.
 */
export async function wrapHashes(
  { weakPasswords, random, atOnce = 1 }: WrappingContext,
  mayGoOn: (done: number) => boolean,
): Promise<number> {
  /** Returns false if another process was first. */
  async function wrap(one: WeakPassword): Promise<boolean> {
    const wrapped = one.hash !== null && isWeakHash(one.hash) ? await wrapHash(one.hash, random) : undefined
    if (wrapped !== undefined) return weakPasswords.replace(one, wrapped)
    await weakPasswords.dismiss(one)
    return true
  }
  let done = 0
  for (;;) {
    const batch = await weakPasswords.next()
    const before = done
    for (let at = 0; at < batch.length; at += atOnce) {
      if (!mayGoOn(done)) return done
      const outcomes = await Promise.all(batch.slice(at, at + atOnce).map(wrap))
      done += outcomes.filter((isDone) => isDone).length
    }
    if (done === before) return done
  }
}

/** Whether no sign-in is being checked or waits. */
export function isIdle(): boolean {
  const { running, waiting } = passwordHashingLoad()
  return running === 0 && waiting === 0
}
