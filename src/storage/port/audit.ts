/** What is asked of the audit trail, and what it answers. */
import type { AuditEntry, AuditKey } from '../../audit/entry.ts'

/** Entries of a page of activity. */
export const activityRows = 50

/** Entries of a page of the trail. */
export const largestAuditPage = 500

/** Entries that a page of the trail with filters reads at most. */
export const scannedAtMost = 20_000

/** Absent members do not filter. */
export type AuditFilter = {
  /** Inclusive. */
  readonly sinceMs?: number
  /** Inclusive. */
  readonly untilMs?: number
  /** One of these. */
  readonly kind?: string | readonly string[]
  readonly userId?: string
  readonly clientId?: string
  /** Without the sign-ins at this client, and its tokens (`isRoutine`). */
  readonly withoutClientId?: string
  /** Indexed together with the kind `refusal`. Alone, searches around the request's refusals. */
  readonly traceId?: string
}

export type AuditPage = {
  readonly entries: readonly AuditEntry[]
  /** The key that the next page is before; undefined: this is the last. */
  readonly next: AuditKey | undefined
}

/** A writer's last entry in the queried period. */
export type AuditTail = AuditKey & { readonly hash: string }

/** A signed statement about the trail; see `audit/checkpoint.ts`. */
export type AuditCheckpoint = {
  /** From 1, without gaps but those that a later one has summaries of. */
  readonly number: number
  readonly atMs: number
  /** A compact JWS. */
  readonly statement: string
}

/** All entries, or only those in chains of refusals. */
export type AuditPart = 'all' | 'refusals'

/** Entries of a period, which are removed together. */
export type AuditPartition = {
  /** Inclusive; null: from the beginning of time. */
  readonly fromMs: number | null
  /** Exclusive; null: to the end of time. */
  readonly beforeMs: number | null
  /** An estimate. */
  readonly entries: number
}

/** The trail in partitions by time, where the database has them and an operator divided it. */
export type AuditPartitions = {
  /** Ascending, without gaps; empty: the trail is not divided. */
  list(): Promise<readonly AuditPartition[]>
  /** Estimates the entries of a trail that could be divided and is not; 0: there is none. */
  undivided(): Promise<number>
  /** Makes the next partitions when they are needed soon. Does nothing if the trail is not divided. */
  extend(nowMs: number): Promise<void>
  /** Drops the partitions that have both ends and end at `beforeMs` or earlier, with all that is in them. */
  drop(beforeMs: number): Promise<void>
  /**
   * Divides the trail into partitions of `lengthMs`, whole days, while it is in use. What is there, and comes within two weeks and one
   * such length, becomes the first partition.
   */
  divide(lengthMs: number, nowMs: number): Promise<'divided' | 'divided before' | 'unsupported'>
}
