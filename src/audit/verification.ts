/** Verifies the stored trail, for every interface: how it is read, when a result is final, and the form of the result. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditCheckpoint } from '../storage/port/audit.ts'
import type { StoredKey } from '../storage/port/keys.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { AuditKey, StoredAuditEntry } from './entry.ts'
import { isoTime } from './record.ts'
import { type Fault, type TrailSource, type Verification, type VerifyOptions, verifyTrail } from './verify.ts'

export type VerificationParts = {
  readonly audit: Storage['audit']
  /** Returns the keys whose checkpoints count. Called if there is a checkpoint. */
  readonly keys: () => Promise<readonly StoredKey[]>
  /** Called with the number of entries after each portion. Default: does nothing. */
  readonly progress?: ((entries: number) => void) | undefined
  /** Rows read at once; default 2000. Between two portions other work of the process has its turn. */
  readonly portion?: number
  /** Ends the verification between two portions, which then rejects with the reason. */
  readonly signal?: AbortSignal | undefined
  /** Whether a result is final whatever servers do meanwhile. Default: it has no fault. */
  readonly isInOrder?: (found: Verification) => boolean
}

/** Attempts at a verification while servers remove old entries. */
const attempts = 3

const hasNoFault = ({ fault }: Verification): boolean => fault === undefined

/**
 * Verifies again after a fault if servers have signed meanwhile, because they may have removed entries during the read.
 */
export async function verifySettled(parts: VerificationParts, options: VerifyOptions = {}): Promise<Verification> {
  const { audit, progress = () => {}, isInOrder = hasNoFault } = parts
  for (let attempt = 1; ; attempt += 1) {
    const before = (await audit.lastCheckpoint())?.number
    const found = await verifyTrail(sourceOf(parts), progress, options)
    const isSettled = (await audit.lastCheckpoint())?.number === before
    if (isInOrder(found) || isSettled || attempt === attempts) return found
  }
}

function sourceOf({ audit, keys, portion = 2000, signal }: VerificationParts): TrailSource {
  async function* all<Row>(read: (after: Row | undefined) => Promise<readonly Row[]>) {
    for (let after: Row | undefined; ; ) {
      const rows = await read(after)
      if (rows.length > 0) yield rows
      if (rows.length < portion) return
      after = rows.at(-1)
      await nextTurn()
      signal?.throwIfAborted()
    }
  }
  const entriesFrom = (fromMs: number) => {
    const first: AuditKey = { atMs: fromMs, writer: '', seq: 0 }
    return all<StoredAuditEntry>((after) => audit.stored(after ?? first, portion))
  }
  return {
    keys: async () => ((await audit.lastCheckpoint()) === undefined ? [] : keys()),
    checkpoints: () => all<AuditCheckpoint>((after) => audit.checkpoints(after?.number ?? 0, portion)),
    entries: () => entriesFrom(Number.MIN_SAFE_INTEGER),
    between: entriesFrom,
  }
}

export function verificationJson(found: Verification) {
  const { fault, entries, writers, checkpoints, provenToMs, unproven, fromMs, missed } = found
  const counts = {
    entries,
    writers,
    checkpoints,
    from: timeJson(fromMs),
    signed_to: timeJson(provenToMs),
    not_signed: unproven,
    missed: { too_many: missed.tooMany, unwritable: missed.unwritable, unformatted: missed.unformatted },
    acknowledged: found.acknowledged.map(({ fault, at, actor, reason }) => ({
      ...faultJson(fault),
      at: isoTime(at),
      actor,
      reason,
    })),
  }
  if (fault === undefined) return { intact: true, ...counts }
  return { intact: false, ...counts, fault: faultJson(fault) }
}

export function faultJson({ entry, ...others }: Fault) {
  const place = entry && { ...entry, atMs: undefined, at: timeJson(entry.atMs) }
  return { ...others, ...(place && { entry: place }) }
}

const timeJson = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))
