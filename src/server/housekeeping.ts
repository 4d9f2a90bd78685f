/**
 * Background work of a running service: follows and rotates the key ring, sweeps expired rows, and maintains the audit
 * trail.
 */
import type { Logger } from 'pino'
import { type TrailKeeper, trailKeeper } from '../audit/keeper.ts'
import { NotIntact } from '../audit/removal.ts'
import { dayMs, removeExcess } from '../audit/retention.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { KeyRingContext } from '../keys/ring.ts'
import { rotateWhenDue } from '../keys/rotate.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { isoTime } from '../text.ts'
import { type UptimeKeeper, uptimeIntervalMs } from '../tokens/uptime.ts'
import { deliveriesWith } from './deliveries.ts'
import { beatEveryMs, type Presence } from './presence.ts'
import { searchFilling } from './search-filling.ts'

/** Far shorter than the time that a new key is published before it is used. */
const keysEveryMs = 10_000
const sweepEveryMs = 60_000
const deletionsEveryMs = 60_000
/** How often weak password hashes are wrapped, for how long each time, and how often an empty queue is looked at. */
const wrapEveryMs = 2000
const wrapForMs = 1000
const wrapIdleRuns = 30
const fillEveryMs = 1000
const rotationEveryMs = 60_000
const checkpointEveryMs = 60_000
/** How soon a client is told that a session ended, and a mail is sent that another process queued. */
const deliverEveryMs = 1000
/** How soon a read-only database is detected when requests write nothing. */
const writesEveryMs = 30_000
/** Every tenth run removes old entries, including the first, which leaves a checkpoint behind. */
const cutEveryRuns = 10
/** Rows per kind and write: small enough not to delay requests noticeably. */
const sweepLimit = 500
/** Writes per run. Together they keep up with more than a thousand new grants a second. */
const sweepsAtMost = 200

export type Housekeeping = {
  /** Applies changed settings from the next run on. */
  follow(settings: Settings): void
  /** Sends the mails that were queued just now. */
  mailsQueued(): void
  /** Resolves when the current runs have ended. */
  stop(): Promise<void>
  /** Signs the end of the audit trail after the last entry was written. Never rejects. */
  seal(): Promise<void>
}

export type HousekeepingContext = KeyRingContext & {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly random: (bytes: number) => Uint8Array
  readonly log: Logger
  readonly presence: Pick<Presence, 'beat'>
  /** Absent: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'counter' | 'gauge'> | undefined
  /** Absent if this process answers no token requests. */
  readonly uptime?: UptimeKeeper
}

export function startHousekeeping(context: HousekeepingContext): Housekeeping {
  const { keys, storage, clock, log, uptime } = context
  let { settings } = context
  const replaced = () => log.warn('the audit trail was replaced: a backup was restored, or its end was removed')
  const keeper = trailKeeper({ storage, keys, clock, replaced })
  const recordUptime = async () => uptime?.record(settings.oauth.refreshTokenReuseLeewaySeconds * 1000)
  let checkpointRuns = 0
  const deliveries = deliveriesWith({ ...context, settings: () => settings })
  const tasks = [
    // Without a warning every second: the check of writes below reports a database that fails.
    repeat(
      deliverEveryMs,
      () => deliveries.look().catch((error: Error) => log.debug({ reason: error.message })),
      '',
      log,
    ),
    repeat(uptimeIntervalMs, recordUptime, 'the uptime could not be recorded', log),
    repeat(
      checkpointEveryMs,
      async () => {
        await keeper.checkpoint()
        checkpointRuns += 1
        const cut = () => cutTrail(keeper, storage, settings.audit, clock(), log)
        // Also while something holds the table, such as a dump.
        if (checkpointRuns % cutEveryRuns === 1) await storage.audit.partitions.extend(clock()).finally(cut)
      },
      trailFailure,
      log,
    ),
    // Failures are not logged here, because the check of writes below reports them.
    repeat(beatEveryMs, () => context.presence.beat().catch(() => {}), '', log),
    repeat(writesEveryMs, watchWrites(storage, writesEveryMs, log), writesFailure, log),
    repeat(keysEveryMs, () => keys.refresh(0), 'the key ring could not be read again', log),
    repeat(
      sweepEveryMs,
      async () => {
        // Kept while their tokens may be presented, to distinguish these from invented ones.
        const secretsKeptMs = settings.oauth.refreshTokenLifetimeSeconds * 1000 + dayMs
        const removed = await sweepUp(storage, clock, secretsKeptMs)
        if (removed > 0) log.debug({ removed }, 'removed expired rows')
      },
      'expired rows could not be removed',
      log,
    ),
    repeat(deletionsEveryMs, () => deleteAccounts({ ...context, settings }), 'accounts could not be deleted', log),
    repeat(wrapEveryMs, wrapping(context), 'imported password hashes could not be wrapped', log),
    repeat(
      fillEveryMs,
      searchFilling({ ...storage, clock }),
      'people could not be added to the index of full names',
      log,
    ),
    repeat(
      rotationEveryMs,
      async () => {
        const added = await rotateWhenDue({ ...context, settings })
        if (added === undefined) return
        await keys.refresh(0)
        log.info({ keys: added.length, usedFrom: isoTime(added[0]?.activeAtMs ?? 0) }, 'new keys are published')
      },
      'the keys could not be rotated',
      log,
    ),
  ]
  const first = signFirst(keeper, storage).catch((error: Error) => log.warn({ reason: error.message }, trailFailure))
  return {
    follow(next) {
      settings = next
    },
    mailsQueued: () => deliveries.mailsQueued(),
    async stop() {
      await Promise.all([first, ...tasks.map((task) => task.stop())])
      await deliveries.stop()
    },
    async seal() {
      try {
        await recordUptime()
        await storage.audit.flush()
        await keeper.checkpoint()
      } catch (error) {
        log.warn({ reason: (error as Error).message }, trailFailure)
      }
    },
  }
}

/** Signs a trail without checkpoints at once, instead of after a minute. */
async function signFirst(keeper: TrailKeeper, { audit }: Storage): Promise<void> {
  if ((await audit.lastCheckpoint()) === undefined) await keeper.checkpoint()
}

const trailFailure = 'the audit trail could not be signed'

const writesFailure = 'the database takes no writes: the service is not ready'

/** Logs when the database stops accepting writes, and when it accepts them again. */
function watchWrites(storage: Storage, maxAgeMs: number, log: Logger): () => Promise<void> {
  let isTaking = true
  return async () => {
    try {
      await storage.checkWrites(maxAgeMs)
      if (!isTaking) log.info('the database takes writes again')
      isTaking = true
    } catch (error) {
      if (isTaking) log.error({ reason: (error as Error).message }, writesFailure)
      isTaking = false
    }
  }
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
function wrapping({ storage, random, log }: HousekeepingContext): () => Promise<void> {
  let runsToSkip = 0
  return async () => {
    runsToSkip -= 1
    if (runsToSkip > 0) return
    // Also after a failure.
    runsToSkip = wrapIdleRuns
    if ((await storage.weakPasswords.next()).length === 0) return
    runsToSkip = 0
    const { isIdle, wrapHashes } = await import('./wrapping.ts')
    const endMs = performance.now() + wrapForMs
    const context = { weakPasswords: storage.weakPasswords, random }
    const done = await wrapHashes(context, () => isIdle() && performance.now() < endMs)
    if (done > 0) log.debug({ done }, 'wrapped imported password hashes')
  }
}

/** Loads what deletes accounts only when one is due. */
async function deleteAccounts(context: HousekeepingContext): Promise<void> {
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

/** Runs `work` periodically, never concurrently. A failure is logged, and the next run retries. */
function repeat(everyMs: number, work: () => Promise<void>, failure: string, log: Logger): Pick<Housekeeping, 'stop'> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: Error) => log.warn({ reason: error.message }, failure))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
