/** `latchkey serve`: reads options and settings, and starts the server process in `server/`. */
import { parseArgs } from 'node:util'
import { checkHistory } from '../keys/founding.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { withDemoOrigin } from '../server/demo.ts'
import { createLog, lineForm } from '../server/log.ts'
import { logOutput } from '../server/log-output.ts'
import { Refused } from '../server/refused.ts'
import { serve } from '../server/serve.ts'
import type { SetUpOffer } from '../server/set-up.ts'
import { listenToParent, listenToSignals } from '../server/signals.ts'
import { readWorkers, superviseWorkers } from '../server/workers.ts'
import { demo } from '../settings/demo.ts'
import { exposureProblems } from '../settings/exposure.ts'
import type { Settings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import { isoTime, shortTime } from '../text.ts'
import { type CommandContext, type CommonOptions, Misused, requireSettings } from './context.ts'
import { record } from './text.ts'

export type ServeOptions = CommonOptions & {
  readonly demo?: boolean
  readonly check?: boolean
  readonly workers?: string
  readonly new?: boolean
  /** The number of a worker started by `--workers`, from 1. */
  readonly worker?: string
}

/**
 * Reads the command line of `latchkey serve`. Undefined: it is wrong, or asks for help; the library for command lines says
 * so (`serve-command.ts`).
 */
export function readServeOptions(argv: readonly string[]): ServeOptions | undefined {
  const flag = { type: 'boolean' } as const
  const value = { type: 'string' } as const
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { config: value, json: flag, demo: flag, check: flag, new: flag, workers: value, worker: value },
      allowPositionals: true,
    })
    return positionals.length === 1 && positionals[0] === 'serve' ? values : undefined
  } catch {
    return undefined
  }
}

export async function startService(context: CommandContext, options: ServeOptions): Promise<void> {
  const { stdout, stderr, clock, random } = context
  const workers = readWorkers(options.workers ?? '1')
  if (workers === undefined) throw new Misused('--workers takes a number from 1 to 64.')
  const readSettings = () => settingsFor(context, options)
  const settings = readSettings()
  // Checked by the first process only: a worker that is replaced later must not start a new installation.
  if (options.worker === undefined) checkHistory(settings, options.new === true)
  const worker = Number(options.worker ?? 0)
  const [isDemo, check] = [options.demo === true, options.check === true]
  const readable = stdout.isTTY === true && options.json !== true
  // The runtime prints warnings to standard error, whose reader may be gone.
  stderr.on('error', () => {})
  const output = logOutput(stdout, { clock, form: lineForm(readable) })
  const log = createLog(settings.log.level, output, readable)
  const signals = worker === 0 ? listenToSignals(readable) : listenToParent()
  if (workers > 1 && worker === 0 && !check) {
    try {
      await superviseWorkers(workers, settings, signals, log)
    } finally {
      signals.ignore()
    }
  } else {
    const announce = (offer: SetUpOffer | undefined) => {
      if (readable) return output.write(announcement(settings, isDemo, offer))
      log.info({ issuer: settings.oauth.issuer, database: databaseText(settings) }, 'ready')
      if (offer === undefined) return
      // As a warning it also shows where the log level is `warn`.
      log.warn({ open: offer.address, until: isoTime(offer.expiresAtMs) }, notSetUp)
    }
    await serve({ settings, readSettings, clock, random, log, output, signals, worker, isDemo, check, announce })
  }
  log.info('stopped')
}

/** Returns the effective settings. Throws `Refused` with every problem. */
function settingsFor(context: CommandContext, options: ServeOptions): Settings {
  const settings = forWorker(requireSettings(context, options), Number(options.worker ?? 1))
  requireExposure(settings, options.demo === true)
  return options.demo === true ? withDemoOrigin(settings) : settings
}

/**
 * Returns the settings of a worker. Each serves its own metrics: the first on `Metrics:Port`, the others on the ports
 * that follow.
 */
function forWorker(settings: Settings, worker: number): Settings {
  const { metrics } = settings
  if (metrics.port === null || metrics.port === 0) return settings
  return { ...settings, metrics: { ...metrics, port: metrics.port + worker - 1 } }
}

/** Throws `Refused` if the settings expose the service without protection, or expose the demo at all. */
function requireExposure(settings: Settings, isDemo: boolean): void {
  const { issuer } = settings.oauth
  if (isDemo && !isLoopbackHost(new URL(issuer).hostname)) {
    throw new Refused(
      `--demo adds a user with a published password, so it needs a loopback issuer; OAuth:Issuer is ${issuer}.`,
    )
  }
  const problems = exposureProblems(settings, isDemo)
  if (problems.length > 0) throw new Refused(...problems)
}

function databaseText({ database: { url: database } }: Settings): string {
  return database.kind === 'sqlite-memory' ? 'in memory: lost when the service stops' : databaseName(database)
}

const notSetUp = 'nobody has an account yet: open the address to become the administrator; it works once'

/** The message for a person who started the service in a terminal. */
function announcement(settings: Settings, isDemo: boolean, offer: SetUpOffer | undefined): string {
  const login = `sign in as ${demo.userName} with the password ${demo.password}`
  const lines = record([
    ['  Issuer', settings.oauth.issuer],
    ['  Database', databaseText(settings)],
    ...(settings.admin.enabled ? ([['  Console', `${settings.admin.url}admin/`]] as const) : []),
    ...(isDemo ? ([['  Demo', login]] as const) : []),
    ['  Stop', 'Ctrl+C'],
  ])
  // On a line of its own, so that a terminal keeps it in one piece.
  const setUp =
    offer === undefined
      ? ''
      : `Set it up: open this address. It works once, until ${shortTime(offer.expiresAtMs)}.\n${offer.address}\n\n`
  return `\nLatchkey is ready.\n\n${lines}\n\n${setUp}`
}
