/**
 * The running process: opens everything that the service needs, answers requests until told to stop, and closes
 * everything.
 *
 * Belongs here: the running process around the application: listening, workers, reload, signals, housekeeping, log
 * and telemetry.
 * Belongs elsewhere: options of commands (`cli/`), and answering requests (`http/`, endpoints).
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { unformattedEvents } from '../audit/draft.ts'
import { budgetsWith } from '../http/budgets.ts'
import { type HandlerSwitch, handlerSwitch } from '../http/handler-switch.ts'
import { logGate, networkOf } from '../http/log-gate.ts'
import { openKeyRing } from '../keys/ring.ts'
import { hashesAtOnce } from '../secrets/password.ts'
import { ignoredVariables } from '../settings/misspelt-variables.ts'
import { spelledProviders } from '../settings/provider-names.ts'
import type { Settings } from '../settings/settings.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port/storage.ts'
import { uptimeKeeper } from '../tokens/uptime.ts'
import { auditLossLog } from './audit-loss.ts'
import { seedDemo } from './demo.ts'
import { doctorFor } from './doctor/running.ts'
import { beat } from './heartbeat.ts'
import { fixedLease, leaseOf } from './lease.ts'
import { closeWithinGrace, listenOrRefuse } from './listening.ts'
import type { LogOutput } from './log-output.ts'
import { giveBackMemory } from './memory.ts'
import { movedAway } from './moved.ts'
import { type NodeRest, nodeRest } from './node-rest.ts'
import { otherCommits } from './other-commits.ts'
import { enter, type Presence } from './presence.ts'
import { repeating } from './repeating.ts'
import { offerSetUp, type SetUpOffer } from './set-up.ts'
import type { Signals } from './signals.ts'
import { openTelemetry } from './telemetry.ts'
import { databaseWait } from './waiting.ts'
import { readyMessage } from './workers.ts'

export type ServeParts = {
  readonly settings: Settings
  /** Reads the settings again for a reload. Throws `Refused` with every problem. */
  readonly readSettings: () => Settings
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  readonly log: Logger
  /** The output of the log. */
  readonly output: LogOutput
  readonly signals: Signals
  /** The number of this process among several on one port, from 1; 0: the only one. */
  readonly worker: number
  /** Whether to add the demo's records. */
  readonly isDemo: boolean
  /** Ends as soon as requests could be answered and the database accepts writes. */
  readonly check: boolean
  /** Called when requests are answered, by the first process only. `offer`: nobody has an account yet. */
  readonly announce: (offer: SetUpOffer | undefined) => void
}

/** Lets waiting clients connect before the rest is loaded. */
const firstRequestsMs = 20

/**
 * Resolves when everything is closed. Rejects with `Refused` or `StorageUnavailable`, also after closing everything.
 */
export async function serve(parts: ServeParts): Promise<void> {
  const { settings, readSettings, clock, random, log, output, signals, worker, isDemo, check, announce } = parts
  if (worker > 0) beat()
  const telemetry = await openTelemetry(settings, log)
  const { metrics, tracing } = telemetry
  const loss = auditLossLog(log)
  const gate = logGate(log)
  metrics?.counter('log_lines_dropped', output.dropped)
  metrics?.counter('log_lines_suppressed', gate.suppressed)
  metrics?.counter('audit_events_dropped', loss.total)
  metrics?.counter('audit_events_unformatted', unformattedEvents)
  let storage: Storage | undefined
  let presence: Presence | undefined
  let handlers: HandlerSwitch | undefined
  let nudge = () => {}
  const isShared = settings.database.url.kind === 'postgres'
  let rest: NodeRest | undefined
  const ready = () => rest?.ready()
  const work = repeating(
    isShared ? (awaken) => rest?.begin(awaken) ?? (() => {}) : otherCommits(settings.database.url),
    () => handlers === undefined || handlers.connections().open === 0,
  )
  let { requireConfirmedEmail } = settings.accounts
  try {
    const seconds = check ? 0 : settings.database.waitAtStartSeconds
    const whenAvailable = databaseWait({ seconds, stopped: signals.stopped, log })
    const application = import('../app.ts')
    const pages = application.then(({ readPages }) => readPages(settings))
    // What is wrong with the database comes first. These are awaited below.
    for (const one of [application, pages]) one.catch(() => {})
    const opened = await whenAvailable(() =>
      openStorage(settings.database.url, {
        migrate: true,
        apart: true,
        checkWay: true,
        lost: loss.report,
        networkOf,
        mailsQueued: () => nudge(),
        written: work.awaken,
        writing: ready,
        needsConfirmedEmail: () => requireConfirmedEmail,
        ...(metrics && { metrics }),
        ...(tracing && { tracing }),
      }),
    )
    if (opened === undefined) return
    const watched = await telemetry.watch(opened)
    storage = watched
    // On the same connections, because a database that confirms no commit keeps those of each attempt.
    const begun = await whenAvailable(async () => {
      const entering = presence ?? enter({ storage: watched, database: settings.database.url, clock, random })
      const warn = (message: string) => log.warn(message)
      const opening = openKeyRing({ storage: watched, settings, clock, random, warn })
      const [present, keys] = await Promise.allSettled([entering, opening])
      if (present.status === 'rejected') throw present.reason
      presence = present.value
      if (keys.status === 'rejected') throw keys.reason
      return { keys: keys.value, entered: present.value }
    })
    if (begun === undefined) return
    const { keys, entered } = begun
    if (isDemo) await seedDemo(storage, clock, random, settings.oauth.accessTokenScope)
    const { buildApp, loadAdminEndpoints, loadSignInEndpoints } = await application
    const lifecycle = { isStopping: false }
    const budgets = budgetsWith(settings.rateLimit, clock, hashesAtOnce)
    const uptime = uptimeKeeper({ uptimes: storage.uptimes, clock, random })
    const common = {
      storage,
      keys,
      clock,
      random,
      log,
      metrics,
      tracing,
      lifecycle,
      budgets,
      logGate: gate,
      uptime,
      ready,
      doctorFor: (settings: Settings) => doctorFor({ settings, storage: opened, clock }),
    }
    const app = await buildApp({ ...common, settings, pages })
    handlers = handlerSwitch(app, {}, work.awaken)
    await telemetry.listen(keys, budgets.attempts, handlers)
    await listen(handlers, settings, worker > 0, log)
    // Loading blocks the event loop, so clients that were waiting are served first.
    await wait(firstRequestsMs)
    await loadSignInEndpoints()
    const [{ startHousekeeping }, { reloadWith }, { announceHashing }] = await Promise.all([
      import('./housekeeping.ts'),
      import('./reload.ts'),
      import('./password-hashing.ts'),
    ])
    void announceHashing(log, lifecycle)
    if (worker <= 1) {
      for (const line of spelledProviders(settings)) log.info(line)
      for (const line of ignoredVariables(settings)) log.warn(line)
    }
    const lease = isShared ? leaseOf({ leases: storage.leases, clock, random }) : fixedLease(worker <= 1)
    if (isShared) rest = nodeRest({ presence: entered, keys, lease })
    const housekeeping = startHousekeeping({ ...common, settings, presence: entered, lease, repeating: work })
    nudge = housekeeping.mailsQueued
    signals.reload = reloadWith({
      settings,
      read: readSettings,
      build: (settings) => buildApp({ ...common, settings }),
      taken(settings) {
        budgets.follow(settings.rateLimit)
        requireConfirmedEmail = settings.accounts.requireConfirmedEmail
        housekeeping.follow(settings)
        work.awaken()
      },
      handlers,
      log,
    })
    const offering = worker <= 1 && !check
    const offer = offering ? offerSetUp({ settings, storage: watched, clock, random }) : undefined
    // `latchkey setup` prints another one.
    if (worker <= 1) announce(await offer?.catch((err) => void log.warn({ err }, 'no address for setting up was made')))
    process.send?.(readyMessage)
    giveBackMemory(work, log)
    if (settings.admin.enabled && !check) void loadAdminEndpoints(() => lifecycle.isStopping)
    if (check) await storage.checkWrites()
    const signal = check ? 'check' : await Promise.race([signals.stopped, entered.moved])
    lifecycle.isStopping = true
    // Commits to a moved database are lost, so the drain delay is skipped then.
    const move = typeof signal === 'object' ? signal : undefined
    handlers.drain()
    log.info({ signal: move === undefined ? signal : 'moved' }, 'stopping')
    if (!check && move === undefined) await wait(settings.server.drainDelaySeconds * 1000)
    await Promise.all([closeWithinGrace(handlers, log), housekeeping.stop()])
    await housekeeping.seal()
    gate.close()
    if (move !== undefined) throw movedAway(settings.database.url, move)
  } finally {
    signals.ignore()
    // After a failure, open listeners would keep the process alive.
    void handlers?.close()
    handlers?.closeAllConnections()
    await presence?.leave().catch(() => {})
    await storage?.close()
    await telemetry.close()
  }
}

async function listen(
  handlers: HandlerSwitch,
  { server: { host, port }, admin }: Settings,
  shared: boolean,
  log: Logger,
): Promise<void> {
  await listenOrRefuse('Server', { host, port }, async () => {
    for (const origin of await handlers.listen({ host, port, shared })) log.info(`listening at ${origin}`)
  })
  const { enabled, port: ownPort } = admin
  if (!enabled || ownPort === null) return
  await listenOrRefuse('Admin', { host, port: ownPort }, async () => {
    const address = { host, port: ownPort, shared, administration: true }
    for (const origin of await handlers.listen(address)) log.info(`listening for administration at ${origin}`)
  })
}
