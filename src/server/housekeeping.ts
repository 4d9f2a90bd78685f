/**
 * What a running service does by itself: follows and rotates the key ring, removes what has expired, and keeps the audit
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
import { isoTime } from '../text.ts'
import { type UptimeKeeper, uptimeIntervalMs } from '../tokens/uptime.ts'
import { beatEveryMs, type Presence } from './presence.ts'

/** Far shorter than the time for which a new key is published before it is used. */
const keysEveryMs = 10_000
const sweepEveryMs = 60_000
const rotationEveryMs = 60_000
const checkpointEveryMs = 60_000
/** How soon it is noticed that nothing can be written, also while nobody writes. */
const writesEveryMs = 30_000
/** The first turn of every so many removes old entries, which leaves a checkpoint behind. */
const cutEveryTurns = 10
/** Of each kind and turn: a small write that nobody who waits for an answer will notice. */
const sweepLimit = 500
/** Small writes of one turn: together they keep up with more than a thousand new grants a second. */
const sweepsAtMost = 200

export type Housekeeping = {
  /** Takes on other settings, from the next turn on. */
  follow(settings: Settings): void
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>
  /** Signs the end of the audit trail, once nothing is written to it any more. Never rejects. */
  seal(): Promise<void>
}

export type HousekeepingContext = KeyRingContext & {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly log: Logger
  readonly presence: Pick<Presence, 'beat'>
  /** Absent: nobody answers token requests here. */
  readonly uptime?: UptimeKeeper
}

export function startHousekeeping(context: HousekeepingContext): Housekeeping {
  const { keys, storage, clock, log, uptime } = context
  let { settings } = context
  const replaced = () => log.warn('the audit trail is another one: a backup was restored, or its end was removed')
  const keeper = trailKeeper({ storage, keys, clock, replaced })
  const recordUptime = async () => uptime?.record(settings.oauth.refreshTokenReuseLeewaySeconds * 1000)
  let checkpointTurns = 0
  const tasks = [
    repeat(uptimeIntervalMs, recordUptime, 'that the service can answer could not be recorded', log),
    repeat(
      checkpointEveryMs,
      async () => {
        await keeper.checkpoint()
        if (checkpointTurns % cutEveryTurns === 0) await cutTrail(keeper, storage, settings.audit, clock(), log)
        checkpointTurns += 1
      },
      trailFailure,
      log,
    ),
    // Silent about a failure: that writes are not taken is said below.
    repeat(beatEveryMs, () => context.presence.beat().catch(() => {}), '', log),
    repeat(writesEveryMs, watchWrites(storage, writesEveryMs, log), writesFailure, log),
    repeat(keysEveryMs, () => keys.refresh(0), 'the key ring could not be read again', log),
    repeat(
      sweepEveryMs,
      async () => {
        // As long as a token of theirs can be sent: then it is told from an invented one.
        const secretsKeptMs = settings.oauth.refreshTokenLifetimeSeconds * 1000 + dayMs
        const removed = await sweepUp(storage, clock, secretsKeptMs)
        if (removed > 0) log.debug({ removed }, 'removed what had expired')
      },
      'what has expired could not be removed',
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
    async stop() {
      await Promise.all([first, ...tasks.map((task) => task.stop())])
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

/** A trail that was not signed yet is not left so for a minute. */
async function signFirst(keeper: TrailKeeper, { audit }: Storage): Promise<void> {
  if ((await audit.lastCheckpoint()) === undefined) await keeper.checkpoint()
}

const trailFailure = 'the audit trail could not be signed'

const writesFailure = 'the database takes no writes: the service is not ready'

/** Logs when the database stops taking writes, and when it takes them again. */
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

/** Removes what has become too old or too much, as long as that is as it was written. */
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

/** One small write after the other, for as long as there is much to remove; the number removed. */
async function sweepUp(storage: Storage, clock: () => number, secretsKeptMs: number): Promise<number> {
  let total = 0
  for (let sweeps = 0; sweeps < sweepsAtMost; sweeps += 1) {
    const removed = await storage.sweep(clock(), sweepLimit, secretsKeptMs)
    total += removed
    if (removed < sweepLimit) break
  }
  return total
}

/** Runs `work` again and again, never twice at once. A failure is logged, and the next turn tries again. */
function repeat(everyMs: number, work: () => Promise<void>, failure: string, log: Logger): Pick<Housekeeping, 'stop'> {
  let turn: Promise<void> | undefined
  const timer = setInterval(() => {
    turn ??= work()
      .catch((error: Error) => log.warn({ reason: error.message }, failure))
      .finally(() => {
        turn = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await turn
    },
  }
}
