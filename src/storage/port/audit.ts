/**
 * The audit trail in storage. Verbs that change something take their events along; this part covers everything else.
 */
import type { AuditEntry, AuditEvent, AuditEvents, AuditKey, StoredAuditEntry } from '../../audit/entry.ts'

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
  readonly kind?: string
  readonly userId?: string
  readonly clientId?: string
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

export type Audit = {
  /** Records events without other changes, at once and in one commit. */
  append(events: AuditEvents): Promise<void>
  /**
   * Records an event shortly, in one commit with others; the caller does not wait. Counts events beyond the limits
   * instead. Written at the latest when the storage closes. Never throws and sends no request to the database.
   */
  note(event: AuditEvent): void
  /** Writes the noted events that are still pending. */
  flush(): Promise<void>
  /** Returns at most `limit` entries after `after`, in key order. */
  list(filter: AuditFilter, after: AuditKey | undefined, limit: number): Promise<AuditEntry[]>
  /** Returns the last `limit` entries of a part (default: all), in key order. */
  newest(filter: AuditFilter, limit: number, part?: AuditPart): Promise<AuditEntry[]>
  /**
   * Returns at most `limit` (up to `largestAuditPage`) entries before `before`, newest first. A page with filters can have fewer,
   * or none, before the last one: it reads at most `scannedAtMost` entries.
   */
  page(filter: AuditFilter, before: AuditKey | undefined, limit: number): Promise<AuditPage>
  /**
   * Returns the last `activityRows` entries about a person before `before`, newest first. Without issued tokens and refusals, of
   * which there are most.
   */
  activity(userId: string, before: AuditKey | undefined): Promise<AuditEntry[]>
  /** Returns entries of a part (default: all) exactly as stored, in key order. */
  stored(after: AuditKey | undefined, limit: number, part?: AuditPart): Promise<StoredAuditEntry[]>
  /** Returns the last entry of every writer in the period from `fromMs` (inclusive) to `beforeMs` (exclusive). */
  tails(fromMs: number, beforeMs: number): Promise<AuditTail[]>
  /**
   * Returns the time of the oldest entry from `fromMs` on after skipping `skip`; undefined: there are no more than
   * `skip`.
   */
  timeOf(fromMs: number, skip: number, part?: AuditPart): Promise<number | undefined>
  /** Returns the number of entries in chains of refusals. */
  countRefusals(): Promise<number>
  /** Removes all entries of a part before `beforeMs`. Returns their number. */
  cut(beforeMs: number, part?: AuditPart): Promise<number>
  /** Returns false if the number is taken. */
  addCheckpoint(checkpoint: AuditCheckpoint): Promise<boolean>
  /** Returns at most `limit` checkpoints after `afterNumber`, ascending. */
  checkpoints(afterNumber: number, limit: number): Promise<AuditCheckpoint[]>
  /** Removes the checkpoints of these ranges, both ends inclusive, at once. Returns their number. */
  removeCheckpoints(ranges: readonly { readonly from: number; readonly to: number }[]): Promise<number>
  lastCheckpoint(): Promise<AuditCheckpoint | undefined>
  readonly partitions: AuditPartitions
}
