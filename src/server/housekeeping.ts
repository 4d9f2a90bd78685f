/** Background work of a running service: its own, and that which one process does for all (`shared-work.ts`). */
import type { Logger } from 'pino'
import { trailKeeper } from '../audit/keeper.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { KeyRingContext } from '../keys/ring.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type UptimeKeeper, uptimeIntervalMs } from '../tokens/uptime.ts'
import { deliveriesWith } from './deliveries.ts'
import { fixedLease, type Lease, leaseEveryMs } from './lease.ts'
import { beatEveryMs, type Presence } from './presence.ts'
import { type Repeating, repeating, type Work } from './repeating.ts'
import { shareWork, trailFailure } from './shared-work.ts'

/** Far shorter than the time that a new key is published before it is used. */
const keysEveryMs = 10_000
/** How soon a client is told that a session ended, and a mail is sent that another process queued. */
const deliverEveryMs = 1000
/** How soon a read-only database is detected when requests write nothing. */
const writesEveryMs = 30_000

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
  /** Default: its own, which never rests. */
  readonly repeating?: Pick<Repeating, 'repeat'>
  /** Absent: this process does the work that one does for all. */
  readonly lease?: Lease
}

export function startHousekeeping(context: HousekeepingContext): Housekeeping {
  const { keys, storage, clock, log, uptime, lease = fixedLease(true) } = context
  const { repeat } = context.repeating ?? repeating()
  let { settings } = context
  const replaced = () => log.warn('the audit trail was replaced: a backup was restored, or its end was removed')
  const keeper = trailKeeper({ storage, keys, clock, replaced })
  const recordUptime = async (nextMs?: number) =>
    uptime?.record(settings.oauth.refreshTokenReuseLeewaySeconds * 1000, nextMs)
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
    // Failures are not logged here, because the check of writes below reports them.
    repeat(beatEveryMs, (nextMs) => context.presence.beat(nextMs).catch(() => {}), '', log),
    repeat(writesEveryMs, watchWrites(storage, log), writesFailure, log),
    // Without a warning: the check of writes reports a database that fails, and the work waits for it.
    repeat(
      leaseEveryMs,
      (nextMs) => lease.renew(nextMs).catch((error: Error) => log.debug({ reason: error.message })),
      '',
      log,
    ),
    repeat(keysEveryMs, () => keys.refresh(0), 'the key ring could not be read again', log),
    ...shareWork({ ...context, settings: () => settings, keeper, lease, repeat }),
  ]
  // What a process that was killed left unsigned: it may have come to no turn of its own.
  const first = Promise.all([
    keeper.checkpoint().catch((error: Error) => log.warn({ reason: error.message }, trailFailure)),
    lease.renew().catch((error: Error) => log.debug({ reason: error.message })),
  ])
  return {
    follow(next) {
      settings = next
    },
    mailsQueued: () => deliveries.mailsQueued(),
    async stop() {
      await Promise.all([first, ...tasks.map((task) => task.stop())])
      await lease.end()
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

const writesFailure = 'the database takes no writes: the service is not ready'

/**
 * Logs when the database stops accepting writes, and when it accepts them again. While the service rests, only looks for the
 * file: even to begin a write wakes the thread that writes. Each request and each `/readyz` finds out about the rest.
 */
function watchWrites(storage: Storage, log: Logger): Work {
  let isTaking = true
  return async (nextMs) => {
    try {
      await storage.checkWrites(nextMs > writesEveryMs ? Number.POSITIVE_INFINITY : writesEveryMs)
      if (!isTaking) log.info('the database takes writes again')
      isTaking = true
    } catch (error) {
      if (isTaking) log.error({ reason: (error as Error).message }, writesFailure)
      isTaking = false
    }
  }
}
