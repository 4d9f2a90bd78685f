/** Locks that an import set, and those of operators, which no import lifts or shortens. */

import { noEndMs } from '../users/changes.ts'
import type { ImportedRecord } from '../users/imported-person.ts'
import type { User } from '../users/user.ts'
import type { Marks } from './app-marks.ts'
import { lockEndMs, lockSet, markOf, marksOf, storedValues } from './sync.ts'

/** Returns the marks with that of the lock that an import set; `lock` undefined: none did. */
export const withLockSet = (marks: Marks, lock: string | undefined): Marks =>
  lock === undefined ? marks : { ...marks, [lockSet]: lock }

/** Returns the mark of the lock of an import that a person has after a run; undefined: none, or it is an operator's. */
export function lockAfter(
  isTaken: boolean,
  there: Marks,
  stored: User,
  last: Marks,
  nowMs: number,
): string | undefined {
  const here = marksOf(storedValues(stored, nowMs)).lock
  if (here !== undefined && here !== last[lockSet]) return undefined
  return isTaken ? there.lock : here
}

/** Returns the marks of a person whom an import changes without `--sync`: what the source does not say stays as it was. */
export function replacedMarks(there: Marks, last: Marks, saysLock: boolean, set: string | undefined): Marks {
  const { lock, [lockSet]: _, ...before } = last
  const { [lockSet]: __, ...marks } = there
  return { ...before, ...(!saysLock && lock && { lock }), ...marks, ...(set && { [lockSet]: set }) }
}

/**
 * Returns the record without a lock, or the end of one, that would free somebody whom an operator locked here, and whether that was so.
 * `lastLock`: the mark of the lock that an import set; undefined: none did, or it is not known.
 */
export function keepingOwnLock(
  source: ImportedRecord,
  stored: User,
  lastLock: string | undefined,
  nowMs: number,
): { readonly source: ImportedRecord; readonly isKept: boolean } {
  const { locked, ...rest } = source
  if (locked === undefined) return { source, isKept: false }
  const endMs = lockEndMs(stored, nowMs)
  // A lockout after failed passwords is of this service.
  if (endMs === null) return { source: locked === null ? rest : source, isKept: false }
  const mark = storedValues(stored, nowMs).get('lock')
  if (lastLock !== undefined && lastLock === markOf(mark)) return { source, isKept: false }
  const thereMs = locked === null ? 0 : locked === 'disabled' ? noEndMs : locked.untilMs
  return thereMs > endMs ? { source, isKept: false } : { source: rest, isKept: thereMs < endMs }
}
