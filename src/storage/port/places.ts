/** Limits that count for all processes together: each has a number of places, which are free again after a time. */
import type { MailLimit } from '../../users/mail-limits.ts'

/** A place that was taken. */
export type Place = { readonly id: string; readonly expiresAtMs: number }

export type Places = {
  /**
   * Takes one place of each limit, or none. Undefined: one of them has no place left. Of requests that race, no more
   * succeed than there are places.
   */
  take(limits: readonly MailLimit[], nowMs: number): Promise<readonly Place[] | undefined>
  /** Frees places before their time. Leaves those that somebody else has taken since. */
  free(places: readonly Place[]): Promise<void>
}
