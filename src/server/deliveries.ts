/** Sends what waits in the outboxes: logout tokens and mails. Loads what sends them only when there is something. */
import type { Logger } from 'pino'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Outbox } from './outbox.ts'

export type Deliveries = {
  /** Begins what is due. */
  look(): Promise<void>
  /** Begins with mails that were queued just now. */
  mailsQueued(): void
  /** Resolves when nothing is under way. */
  stop(): Promise<void>
}

/** How often queued mails are counted for the metrics. */
const countEveryMs = 30_000

export function deliveriesWith(context: {
  readonly keys: KeyRing
  readonly storage: Storage
  readonly settings: () => Settings
  readonly clock: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly log: Logger
  /** Absent: nothing is counted. */
  readonly metrics?: Pick<Metrics, 'counter' | 'gauge'> | undefined
}): Deliveries {
  const { storage, settings, clock, metrics } = context
  const notices = { delivered: 0, failed: 0 }
  const mails = { sent: 0, failed: 0 }
  let queued = 0
  let countedAtMs = Number.NEGATIVE_INFINITY
  metrics?.counter('logout_notices_delivered', () => notices.delivered)
  metrics?.counter('logout_notices_failed', () => notices.failed)
  metrics?.counter('mails_sent', () => mails.sent)
  metrics?.counter('mails_failed', () => mails.failed)
  metrics?.gauge('mails_queued', () => queued)
  let logoutOutbox: Outbox | undefined
  let mailOutbox: Outbox | undefined
  let isStopping = false

  async function lookForNotices(): Promise<void> {
    if (logoutOutbox === undefined) {
      if ((await storage.logoutNotices.due(clock(), [])).length === 0) return
      const [{ logoutSender }, { outboundWith, reachFrom }] = await Promise.all([
        import('./logout-sender.ts'),
        import('../outbound/outbound.ts'),
      ])
      const outboundOf = (now: Settings) =>
        outboundWith({ issuer: now.oauth.issuer, clock, reach: reachFrom(now), way: now.outbound })
      logoutOutbox ??= logoutSender({ ...context, outbound: followingReloads(settings, outboundOf), counts: notices })
    }
    await logoutOutbox.look()
  }

  async function lookForMails(): Promise<void> {
    if (settings().mail.url === null || isStopping) return
    if (mailOutbox === undefined) {
      if ((await storage.mails.due(clock())).length === 0) return
      const { mailSender } = await import('./mail-sender.ts')
      mailOutbox ??= mailSender({ ...context, counts: mails })
    }
    await mailOutbox.look()
  }

  async function countMails(): Promise<void> {
    if (metrics === undefined || performance.now() - countedAtMs < countEveryMs) return
    countedAtMs = performance.now()
    queued = await storage.mails.countQueued()
  }

  return {
    async look() {
      await Promise.all([lookForNotices(), lookForMails(), countMails()])
    },
    mailsQueued() {
      // The next regular look comes soon anyway.
      lookForMails().catch(() => {})
    },
    async stop() {
      isStopping = true
      await Promise.all([logoutOutbox?.stop(), mailOutbox?.stop()])
    },
  }
}

/** Sends with what was made of the settings that are in force. A reload replaces their record. */
function followingReloads(settings: () => Settings, outboundOf: (now: Settings) => Outbound): Pick<Outbound, 'post'> {
  let madeOf = settings()
  let outbound = outboundOf(madeOf)
  return {
    post(...parameters) {
      const now = settings()
      if (now !== madeOf) {
        madeOf = now
        outbound = outboundOf(now)
      }
      return outbound.post(...parameters)
    },
  }
}
