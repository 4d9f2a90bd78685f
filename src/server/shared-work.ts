/** Work that one process does for all that share the database: what each of them could do, and none needs to do twice. */
import type { Logger } from 'pino'
import type { TrailKeeper } from '../audit/keeper.ts'
import { NotIntact } from '../audit/removal.ts'
import { dayMs, removeExcess } from '../audit/retention.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { KeyRingContext } from '../keys/ring.ts'
import { rotateWhenDue } from '../keys/rotate.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime } from '../text.ts'
import type { Lease } from './lease.ts'
import type { Repeated, Repeating } from './repeating.ts'
import { searchFilling } from './search-filling.ts'

const sweepEveryMs = 60_000
const deletionsEveryMs = 60_000
/** How often weak password hashes are wrapped, for how long each time, and how long an empty queue is left alone at least. */
const wrapEveryMs = 2000
const wrapForMs = 1000
const wrapIdleMs = 55_000
const fillEveryMs = 1000
/** How often rows of what was deleted are looked for, and for how long they are removed in a row: less than half of the time. */
const removeEveryMs = 1000
const removeForMs = 400
const rotationEveryMs = 60_000
const checkpointEveryMs = 60_000
/** Every tenth run removes old entries, including the first, which leaves a checkpoint behind. */
const cutEveryRuns = 10
/** Rows per kind and write: small enough not to delay requests noticeably. */
const sweepLimit = 500
/** Writes per run. Together they keep up with more than a thousand new grants a second. */
const sweepsAtMost = 200

export const trailFailure = 'the audit trail could not be signed'

export type SharedContext = Omit<KeyRingContext, 'settings'> & {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly settings: () => Settings
  readonly random: (bytes: number) => Uint8Array
  readonly log: Logger
  readonly keeper: TrailKeeper
  readonly lease: Pick<Lease, 'isHeld'>
  readonly repeat: Repeating['repeat']
}

/** Starts all of it. A process without the lease skips its turns. */
export function shareWork(context: SharedContext): Repeated[] {
  const { keys, keeper, storage, clock, log, lease, repeat } = context
  let checkpointRuns = 0
  const each = (everyMs: number, work: () => Promise<void>, failure: string): Repeated =>
    repeat(everyMs, async () => (lease.isHeld() ? work() : undefined), failure, log)
  return [
    each(
      checkpointEveryMs,
      async () => {
        await keeper.checkpoint()
        checkpointRuns += 1
        const cut = () => cutTrail(keeper, storage, context.settings().audit, clock(), log)
        // Also while something holds the table, such as a dump.
        if (checkpointRuns % cutEveryRuns !== 1) return
        await storage.audit.partitions.extend(clock()).finally(cut)
      },
      trailFailure,
    ),
    each(
      sweepEveryMs,
      async () => {
        // Kept while their tokens may be presented, to distinguish these from invented ones.
        const secretsKeptMs = context.settings().oauth.refreshTokenLifetimeSeconds * 1000 + dayMs
        const removed = await sweepUp(storage, clock, secretsKeptMs)
        if (removed > 0) log.debug({ removed }, 'removed expired rows')
      },
      'expired rows could not be removed',
    ),
    each(
      deletionsEveryMs,
      () => deleteAccounts({ ...context, settings: context.settings() }),
      'accounts could not be deleted',
    ),
    each(wrapEveryMs, wrapping(context), 'imported password hashes could not be wrapped'),
    each(fillEveryMs, searchFilling({ ...storage, clock }), 'people could not be added to the index of full names'),
    each(
      removeEveryMs,
      async () => {
        const endMs = performance.now() + removeForMs
        await storage.removals.goOn(() => lease.isHeld() && performance.now() < endMs)
      },
      'the rows of deleted clients, scopes or roles could not be removed',
    ),
    each(
      rotationEveryMs,
      async () => {
        const added = await rotateWhenDue({ ...context, settings: context.settings() })
        if (added === undefined) return
        await keys.refresh(0)
        log.info({ keys: added.length, usedFrom: isoTime(added[0]?.activeAtMs ?? 0) }, 'new keys are published')
      },
      'the keys could not be rotated',
    ),
  ]
}

/** Removes entries that exceed the retention, if they are intact. */
async function cutTrail(
  keeper: TrailKeeper,
  { audit }: Storage,
  retention: Settings['audit'],
  nowMs: number,
  log: Logger,
): Promise<void> {
  try {
    const thinned = await keeper.thin()
    if (thinned > 0) log.debug({ thinned }, 'replaced old checkpoints by summaries')
    const { old, refusals, acts } = await removeExcess(keeper, audit, retention, nowMs)
    if (old > 0) log.info({ removed: old }, 'removed audit entries that had become too old')
    if (refusals > 0)
      log.warn({ removed: refusals }, 'removed the oldest refusals: the audit trail had no room for more')
    if (acts > 0)
      log.warn({ removed: acts }, 'removed the oldest audit entries: the trail was larger than Audit:MaxSize')
  } catch (error) {
    if (!(error instanceof NotIntact)) throw error
    log.error({ reason: error.message }, 'the audit trail is not intact: its old entries are kept; run audit verify')
  }
}

/** Wraps imported password hashes while nobody signs in, half of the time at most. */
function wrapping({ storage, random, log }: SharedContext): () => Promise<void> {
  let emptyUntilMs = 0
  return async () => {
    if (performance.now() < emptyUntilMs) return
    // Also after a failure.
    emptyUntilMs = performance.now() + wrapIdleMs
    if ((await storage.weakPasswords.next()).length === 0) return
    emptyUntilMs = 0
    const { isIdle, wrapHashes } = await import('./wrapping.ts')
    const endMs = performance.now() + wrapForMs
    const context = { weakPasswords: storage.weakPasswords, random }
    const done = await wrapHashes(context, () => isIdle() && performance.now() < endMs)
    if (done > 0) log.debug({ done }, 'wrapped imported password hashes')
  }
}

/** Loads what deletes accounts only when one is due. */
async function deleteAccounts(
  context: Omit<SharedContext, 'settings'> & { readonly settings: Settings },
): Promise<void> {
  if ((await context.storage.deletions.due(context.clock())).length === 0) return
  const { deleteDueAccounts } = await import('./deletions.ts')
  await deleteDueAccounts(context)
}

/** Sweeps in small writes until little is left. Returns the number of removed rows. */
async function sweepUp(storage: Storage, clock: () => number, secretsKeptMs: number): Promise<number> {
  let total = 0
  for (let sweeps = 0; sweeps < sweepsAtMost; sweeps += 1) {
    const removed = await storage.sweep(clock(), sweepLimit, secretsKeptMs)
    total += removed
    if (removed < sweepLimit) break
  }
  return total
}
