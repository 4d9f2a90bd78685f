/** `latchkey serve`: runs the service until it is told to stop. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Logger } from 'pino'
import { unformattedEvents } from '../audit/draft.ts'
import { attemptLimiter } from '../http/attempt-limiter.ts'
import { type HandlerSwitch, handlerSwitch } from '../http/handler-switch.ts'
import { logGate, networkOf } from '../http/log-gate.ts'
import { checkHistory } from '../keys/founding.ts'
import { openKeyRing } from '../keys/ring.ts'
import { auditLossLog } from '../server/audit-loss.ts'
import { demo, requireExposure, seedDemo, withDemoOrigin } from '../server/demo.ts'
import { beat } from '../server/heartbeat.ts'
import { closeInTime, listenOrRefuse } from '../server/listening.ts'
import { createLog, lineForm } from '../server/log.ts'
import { type LogOutput, logOutput } from '../server/log-output.ts'
import { giveBackMemory } from '../server/memory.ts'
import { movedAway } from '../server/moved.ts'
import { enter, type Presence } from '../server/presence.ts'
import { listenToParent, listenToSignals } from '../server/signals.ts'
import { openTelemetry } from '../server/telemetry.ts'
import { openWhenThere } from '../server/waiting.ts'
import { readWorkers, readyMessage, superviseWorkers } from '../server/workers.ts'
import type { Settings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import { openStorage } from '../storage/open.ts'
import type { Storage } from '../storage/port/port.ts'
import { uptimeKeeper } from '../tokens/uptime.ts'
import { type CommandContext, type CommonOptions, Misused, requireSettings, withCommonOptions } from './context.ts'
import { record } from './text.ts'

type ServeOptions = CommonOptions & {
  readonly demo?: boolean
  readonly check?: boolean
  readonly workers?: string
  readonly new?: boolean
  /** Set for a process that `--workers` started: which one it is, from 1. */
  readonly worker?: string
}

/** How long those who waited for the listening have to come, before the rest is loaded. */
const firstRequestsMs = 20

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('serve').description('run the service'))
    .option('--demo', 'add a demo client, scope and user; for a loopback issuer only')
    .option('--check', 'start, then stop at once: exit code 0 when it could serve')
    .option('--new', 'begin as a new provider although there is the master key of an earlier database')
    .option('--workers <number>', 'run so many processes on the one port')
    .addOption(new Option('--worker <number>').hideHelp())
    .action((_options, command: Command) => start(context, command.optsWithGlobals()))
}

async function start(context: CommandContext, options: ServeOptions): Promise<void> {
  const workers = readWorkers(options.workers ?? '1')
  if (workers === undefined) throw new Misused('--workers takes a number from 1 to 64.')
  const settings = settingsFor(context, options)
  // The first process alone: a worker that is replaced later must not begin anew.
  if (options.worker === undefined) checkHistory(settings, options.new === true)
  if (workers === 1 || options.worker !== undefined || options.check === true) return serve(context, options, settings)
  const readable = isReadable(context, options)
  const log = createLog(settings.log.level, outputOf(context, readable), readable)
  const signals = listenToSignals(readable)
  try {
    await superviseWorkers(workers, settings, signals, log)
  } finally {
    signals.ignore()
  }
  log.info('stopped')
}

async function serve(context: CommandContext, options: ServeOptions, settings: Settings): Promise<void> {
  const { clock, random } = context
  const worker = Number(options.worker ?? 0)
  const readable = isReadable(context, options)
  const output = outputOf(context, readable)
  const log = createLog(settings.log.level, output, readable)
  const signals = worker === 0 ? listenToSignals(readable) : listenToParent()
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
  try {
    const opened = await openWhenThere(
      () =>
        openStorage(settings.database.url, {
          migrate: true,
          apart: true,
          lost: loss.report,
          networkOf,
          ...(metrics && { metrics }),
        }),
      { seconds: options.check === true ? 0 : settings.database.waitAtStartSeconds, stopped: signals.stopped, log },
    )
    if (opened === undefined) {
      log.info('stopped')
      return
    }
    storage = await telemetry.watch(opened)
    const [keys, entered] = await Promise.all([
      openKeyRing({ storage, settings, clock, random, warn: (message) => log.warn(message) }),
      enter({ storage, database: settings.database.url, clock, random }),
    ])
    presence = entered
    if (options.demo === true) await seedDemo(storage, clock, random)
    const { buildApp } = await import('../app.ts')
    const lifecycle = { isStopping: false }
    const attempts = attemptLimiter(settings.rateLimit.loginPerMinute, clock)
    const uptime = uptimeKeeper({ uptimes: storage.uptimes, clock, random })
    const parts = { storage, keys, clock, random, log, metrics, tracing, lifecycle, attempts, logGate: gate, uptime }
    const app = await buildApp({ ...parts, settings })
    handlers = handlerSwitch(app)
    await telemetry.listen(keys, attempts, handlers)
    await listen(handlers, settings, worker > 0, log)
    // Loading holds everybody up, so those who waited for the listening have their turn first.
    await wait(firstRequestsMs)
    const [{ startHousekeeping }, { reloadWith }, { announceHashing }] = await Promise.all([
      import('../server/housekeeping.ts'),
      import('../server/reload.ts'),
      import('../server/password-hashing.ts'),
    ])
    void announceHashing(log, lifecycle)
    const common = { keys, storage, settings, clock, random, log }
    const housekeeping = startHousekeeping({ ...common, presence: entered, uptime })
    signals.reload = reloadWith({
      settings,
      read: () => settingsFor(context, options),
      build: (settings) => buildApp({ ...parts, settings }),
      taken(settings) {
        attempts.allow(settings.rateLimit.loginPerMinute)
        housekeeping.follow(settings)
      },
      handlers,
      log,
    })
    if (worker <= 1) announce(output, settings, options, readable, log)
    if (worker > 0) process.send?.(readyMessage)
    giveBackMemory()
    if (options.check === true) await storage.checkWrites()
    const signal = options.check === true ? 'check' : await Promise.race([signals.stopped, entered.moved])
    lifecycle.isStopping = true
    // What is acknowledged on a database that was moved is lost, so that nobody is waited for then.
    const move = typeof signal === 'object' ? signal : undefined
    handlers.drain()
    log.info({ signal: move === undefined ? signal : 'moved' }, 'stopping')
    if (options.check !== true && move === undefined) await wait(settings.server.drainDelaySeconds * 1000)
    await Promise.all([closeInTime(handlers, log), housekeeping.stop()])
    await housekeeping.seal()
    gate.close()
    if (move !== undefined) throw movedAway(settings.database.url, move)
  } finally {
    signals.ignore()
    // After a failure: what listens would keep the process from ending.
    void handlers?.close()
    handlers?.closeAllConnections()
    await presence?.leave().catch(() => {})
    await storage?.close()
    await telemetry.close()
  }
  log.info('stopped')
}

/** The settings as the service runs on them. Throws `Refused` with every problem. */
function settingsFor(context: CommandContext, options: ServeOptions): Settings {
  const settings = forWorker(requireSettings(context, options), Number(options.worker ?? 1))
  requireExposure(settings, options.demo === true)
  return options.demo === true ? withDemoOrigin(settings) : settings
}

/** Each worker shows its own numbers: the first under `Metrics:Port`, the others under those that follow it. */
function forWorker(settings: Settings, worker: number): Settings {
  const { metrics } = settings
  if (metrics.port === null || metrics.port === 0) return settings
  return { ...settings, metrics: { ...metrics, port: metrics.port + worker - 1 } }
}

/** Whether a person reads the output. */
function isReadable({ stdout }: CommandContext, options: ServeOptions): boolean {
  return stdout.isTTY === true && options.json !== true
}

function outputOf({ stdout, stderr, clock }: CommandContext, readable: boolean): LogOutput {
  // Warnings of the runtime go there, and nobody need read them.
  stderr.on('error', () => {})
  return logOutput(stdout, { clock, form: lineForm(readable) })
}

async function listen(
  handlers: HandlerSwitch,
  { server: { host, port } }: Settings,
  shared: boolean,
  log: Logger,
): Promise<void> {
  await listenOrRefuse('Server', { host, port }, async () => {
    for (const origin of await handlers.listen({ host, port, shared })) log.info(`listening at ${origin}`)
  })
}

function announce(output: LogOutput, settings: Settings, options: ServeOptions, readable: boolean, log: Logger): void {
  const { issuer } = settings.oauth
  const database =
    settings.database.url.kind === 'sqlite-memory'
      ? 'in memory: everything is lost at the end'
      : databaseName(settings.database.url)
  if (!readable) {
    log.info({ issuer, database }, 'ready')
    return
  }
  const login = `sign in as ${demo.userName} with the password ${demo.password}`
  const lines = record([
    ['  Issuer', issuer],
    ['  Database', database],
    ...(options.demo === true ? ([['  Demo', login]] as const) : []),
    ['  Stop', 'Ctrl+C'],
  ])
  output.write(`\nLatchkey is ready.\n\n${lines}\n\n`)
}
