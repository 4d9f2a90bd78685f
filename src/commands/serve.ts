/** `latchkey serve`: runs the service until it is told to stop. */
import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openKeyRing } from '../keys/ring.ts'
import type { Settings } from '../settings.ts'
import { openStorage } from '../storage/open.ts'
import { type CommandContext, type CommonOptions, Refused, requireSettings, withCommonOptions } from './context.ts'
import { demo, requireLoopback, seedDemo, withDemoOrigin } from './demo.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createLog } from './log.ts'
import { record } from './text.ts'

type ServeOptions = CommonOptions & { readonly demo?: boolean; readonly check?: boolean }

/** How long requests that are under way may take to finish once the service was told to stop. */
const graceMs = 10_000

export function register(parent: Command, context: CommandContext): void {
  withCommonOptions(parent.command('serve').description('run the service'))
    .option('--demo', 'add a demo client, scope and user; for a loopback issuer only')
    .option('--check', 'start, then stop at once: exit code 0 when it could serve')
    .action((_options, command: Command) => serve(context, command.optsWithGlobals()))
}

async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  const { clock, random, stdout } = context
  const read = requireSettings(context, options)
  if (options.demo === true) requireLoopback(read)
  const settings = options.demo === true ? withDemoOrigin(read) : read
  const readable = stdout.isTTY === true && options.json !== true
  const log = createLog(settings.log.level, stdout, readable)
  const stopped = untilToldToStop()
  const storage = await openStorage(settings.database, { migrate: true, apart: true })
  try {
    const keys = await openKeyRing({ storage, settings, clock, random, warn: (message) => log.warn(message) })
    if (options.demo === true) await seedDemo(storage, clock, random)
    const { buildApp } = await import('../app.ts')
    const app = await buildApp({ settings, storage, keys, clock, random, log })
    await listen(app, settings)
    const housekeeping = startHousekeeping(keys, storage, clock, log)
    announce(context, settings, options, readable, log)
    // Once at rest, and once more when the writer of a first start has gone too.
    for (const afterMs of [1_000, 15_000]) setTimeout(releaseStartupMemory, afterMs).unref()
    const signal = options.check === true ? 'check' : await stopped
    log.info({ signal }, 'stopping')
    await Promise.all([closeWithin(app, graceMs, log), housekeeping.stop()])
  } finally {
    await storage.close()
  }
  log.info('stopped')
}

/**
 * What a start leaves behind, V8 would keep for as long as nothing else is allocated: 8 MB of an idle service. The
 * collection takes a few milliseconds, once. Without the flag that allows it, nothing happens.
 */
function releaseStartupMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
}

/** The name of the first signal that asks for an end. A second one ends the process at once. */
function untilToldToStop(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  return promise
}

async function listen(app: FastifyInstance, { server: { host, port } }: Settings): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` })
  } catch (error) {
    await app.close()
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || code === undefined) throw error
    throw new Refused(`${host}:${port} cannot be listened on: ${listenAdvice[code] ?? `${code}.`}`)
  }
}

const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using the port. Stop that one, or choose another with Server:Port.',
  EACCES: 'ports below 1024 need a privilege. Choose another with Server:Port, or put a proxy in front.',
  EADDRNOTAVAIL: 'this machine does not have that address. Check Server:Host.',
  ENOTFOUND: 'the name is not known. Check Server:Host.',
}

/** Takes no new connection and lets requests finish, but not for ever. */
async function closeWithin(app: FastifyInstance, ms: number, log: Logger): Promise<void> {
  const timer = setTimeout(() => {
    log.warn('some requests did not finish in time; their connections are closed')
    app.server.closeAllConnections()
  }, ms)
  await app.close()
  clearTimeout(timer)
}

function announce(
  { stdout }: CommandContext,
  settings: Settings,
  options: ServeOptions,
  readable: boolean,
  log: Logger,
): void {
  const { issuer } = settings.oauth
  const database = describeDatabase(settings)
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
  stdout.write(`\nLatchkey is ready.\n\n${lines}\n\n`)
}

/** Without user name and password. */
function describeDatabase({ database }: Settings): string {
  if (database.kind === 'sqlite') return database.file
  if (database.kind === 'sqlite-memory') return 'in memory: everything is lost at the end'
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
