/** What operators see at a glance: how many there are of something, and what happened over time. */
import type { Activity, ActivityStep } from '../../audit/activity.ts'

export type TotalKind = 'people' | 'clients' | 'sessions' | 'grants'

export type Totals = Readonly<Record<TotalKind, number>> & {
  /** False: there are at least so many; a later call knows all. */
  readonly isExact: boolean
  /** When counting began, in epoch milliseconds. */
  readonly atMs: number
}

/** Counts of hours are kept for this time. */
export const activityKeptMs = 401 * 86_400_000

export type Statistics = {
  /** Adds to the counts of hours, in one commit. */
  add(hours: readonly Activity[]): Promise<void>
  /**
   * Returns the counts from `fromMs` (inclusive) to `beforeMs` (exclusive) by hour or by day in UTC, ascending; steps in which nothing
   * happened are absent. Includes what this process counted so far; other processes add theirs within seconds.
   */
  activity(fromMs: number, beforeMs: number, step: ActivityStep): Promise<Activity[]>
  /**
   * Returns how many people and clients, and how many sessions and grants that have not ended. Takes a bounded time whatever there is: a
   * large table is counted in the background, at most once a minute.
   */
  totals(nowMs: number): Promise<Totals>
}
