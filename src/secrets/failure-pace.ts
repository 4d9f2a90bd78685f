/**
 * Gives failed password checks one duration. A check of a foreign hash is dearer than one of ours, and would tell
 * imported people from unknown ones.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type ForeignHash, foreignSetting } from './foreign-hash.ts'

/** The least time of a check of this process for each kind of foreign hash, in milliseconds. */
const leastMs = new Map<string, number>()
/** One system has one or few. */
const kindsAtMost = 100

let slowestMs = 0

/** Records how long a check took. The least counts: other work of the machine only adds. */
export function notePace(foreign: ForeignHash, ms: number): void {
  // Without the salt, which ends every setting.
  const kind = foreignSetting({ ...foreign, salt: foreign.salt.subarray(0, foreign.kind === 'bcrypt' ? 7 : 0) })
  const known = leastMs.get(kind)
  if (known === undefined ? leastMs.size >= kindsAtMost : ms >= known) return
  leastMs.set(kind, ms)
  slowestMs = Math.max(...leastMs.values())
}

/**
 * Waits until a failed check that began at `startMs` (`performance.now()`) took as long as the slowest kind of foreign hash
 * that this process has checked. Does nothing in a process that has checked none.
 */
export async function evenPace(startMs: number): Promise<void> {
  const restMs = startMs + slowestMs - performance.now()
  if (restMs > 0) await pause(restMs)
}
