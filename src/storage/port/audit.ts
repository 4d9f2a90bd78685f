/** The part of the port that keeps the audit trail. Acts take their events with them; this is for all else. */
import type { AuditEntry, AuditEvent, AuditEvents, AuditKey, StoredAuditEntry } from '../../audit/entry.ts'

/** Members that are absent do not filter. */
export type AuditFilter = {
  /** Inclusive. */
  readonly sinceMs?: number
  /** Inclusive. */
  readonly untilMs?: number
  readonly kind?: string
  readonly userId?: string
  readonly clientId?: string
  /** Together with the kind `refusal` it is found by an index, alone it is looked for around the request's refusals. */
  readonly traceId?: string
}

/** The last entry of a writer, of those that were asked about. */
export type AuditTail = AuditKey & { readonly hash: string }

/** A signed statement about the trail: see `audit/checkpoint.ts`. */
export type AuditCheckpoint = {
  /** From 1, without gaps. */
  readonly number: number
  readonly atMs: number
  /** A compact JWS. */
  readonly statement: string
}

/** All entries, or those in chains of refusals alone. */
export type AuditPart = 'all' | 'refusals'

export type Audit = {
  /** Records what has no write of its own, at once and as one commit. */
  append(events: AuditEvents): Promise<void>
  /**
   * The same, soon: with others of its kind in one commit, and without anybody waiting. What comes in too great numbers is
   * counted instead. Written at the latest when the storage closes. Never throws, and is no request to the database.
   */
  note(event: AuditEvent): void
  /** Writes what was noted and not yet written. */
  flush(): Promise<void>
  /** In the order of their keys, at most `limit`, those after `after`. */
  list(filter: AuditFilter, after: AuditKey | undefined, limit: number): Promise<AuditEntry[]>
  /** The last `limit` of them, in the same order. */
  newest(filter: AuditFilter, limit: number): Promise<AuditEntry[]>
  /** Those of a part (default: all) in the same order, to the letter as they are stored. */
  stored(after: AuditKey | undefined, limit: number, part?: AuditPart): Promise<StoredAuditEntry[]>
  /** The last entry of every writer that wrote from `fromMs` on and before `beforeMs`. */
  tails(fromMs: number, beforeMs: number): Promise<AuditTail[]>
  /** The time of the oldest entry from `fromMs` on but `skip`; undefined: there are no more than `skip`. */
  timeOf(fromMs: number, skip: number, part?: AuditPart): Promise<number | undefined>
  /** How many entries there are in chains of refusals. */
  countRefusals(): Promise<number>
  /** Removes all entries of a part before `beforeMs`; the number removed. */
  cut(beforeMs: number, part?: AuditPart): Promise<number>
  /** False: there is a checkpoint of this number already. */
  addCheckpoint(checkpoint: AuditCheckpoint): Promise<boolean>
  /** Ascending, those after `afterNumber`, at most `limit`. */
  checkpoints(afterNumber: number, limit: number): Promise<AuditCheckpoint[]>
  lastCheckpoint(): Promise<AuditCheckpoint | undefined>
}
