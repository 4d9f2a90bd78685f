/** `latchkey serve`: reads options and settings, and starts the server process in `server/`. */
import { type Command, Option } from 'commander'
import { checkHistory } from '../keys/founding.ts'
import { isLoopbackHost } from '../protocol/loopback.ts'
import { demo, withDemoOrigin } from '../server/demo.ts'
import { createLog, lineForm } from '../server/log.ts'
import { logOutput } from '../server/log-output.ts'
import { Refused } from '../server/refused.ts'
import { serve } from '../server/serve.ts'
import { listenToParent, listenToSignals } from '../server/signals.ts'
import { readWorkers, superviseWorkers } from '../server/workers.ts'
import { exposureProblems } from '../settings/exposure.ts'
import type { Settings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import { type CommandContext, type CommonOptions, Misused, requireSettings, withCommonOptions } from './context.ts'
import { record } from './text.ts'

type ServeOptions = CommonOptions & {
  readonly demo?: boolean
  readonly check?: boolean
  readonly workers?: string
  readonly new?: boolean
  /** The number of a worker started by `--workers`, from 1. */
  readonly worker?: string
}

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('serve').description('run the service'))
    .option('--demo', 'add a demo client, scope and user; on loopback addresses only')
    .option('--check', 'start, then stop at once; exit code 0 if the service can run')
    .option('--new', 'start as a new provider although the master key of an earlier database exists')
    .option('--workers <number>', 'run this many processes on one port')
    .addOption(new Option('--worker <number>').hideHelp())
    .action((_options, command: Command) => start(context, command.optsWithGlobals()))
}

async function start(context: CommandContext, options: ServeOptions): Promise<void> {
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
    const announce = () => {
      if (readable) output.write(announcement(settings, isDemo))
      else log.info({ issuer: settings.oauth.issuer, database: databaseText(settings) }, 'ready')
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

/** The message for a person who started the service in a terminal. */
function announcement(settings: Settings, isDemo: boolean): string {
  const login = `sign in as ${demo.userName} with the password ${demo.password}`
  const lines = record([
    ['  Issuer', settings.oauth.issuer],
    ['  Database', databaseText(settings)],
    ...(isDemo ? ([['  Demo', login]] as const) : []),
    ['  Stop', 'Ctrl+C'],
  ])
  return `\nLatchkey is ready.\n\n${lines}\n\n`
}
