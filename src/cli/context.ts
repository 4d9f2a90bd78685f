/** What every command shares: its surroundings, its options, its output, and the way to the database. */
import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type AuditDetails, type AuditEvent, type AuditKind, eventBy } from '../audit/entry.ts'
import type { Judged, Problem } from '../problem.ts'
import { Refused } from '../server/refused.ts'
import { readSettings } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/port/storage.ts'
import { visibleJson } from '../text.ts'

/** The surroundings of a command. Tests bring their own. */
export type CommandContext = {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  /** Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Ends what goes on until it is told to stop; default: SIGINT and SIGTERM do. */
  readonly interrupted?: AbortSignal
}

/** Registers the commands of one group. */
export type CommandGroup = { register(parent: Command, context: CommandContext): void }

/** What a rule made of a change. Throws `Refused` with everything that is wrong. */
export function accepted<T>(judged: Judged<T>): T {
  if ('problems' in judged) throw Refused.because(judged.problems)
  return judged.value
}

/**
 * Lets a storage verb decide by a rule: `decide` for the verb, and `check` to be called afterwards, which throws `Refused`
 * when the rule refused at the last time.
 */
export function deciding<T>(rule: (current: T) => Judged<T> | undefined) {
  let problems: readonly Problem[] = []
  return {
    decide(current: T): T | undefined {
      const judged = rule(current)
      problems = judged && 'problems' in judged ? judged.problems : []
      return judged && 'value' in judged ? judged.value : undefined
    },
    check(): void {
      if (problems.length > 0) throw Refused.because(problems)
    },
  }
}

/** Wrong usage: one line on standard error, exit code 2. */
export class Misused extends Error {
  override readonly name = 'Misused'
}

export type CommonOptions = { readonly config?: string; readonly json?: boolean }

/** The options that every command takes. Help is `--help` everywhere, and not a command besides. */
export function withCommonOptions(command: Command): Command {
  return command
    .helpCommand(false)
    .addOption(new Option('--config <file>', 'read this file instead of latchkey.json'))
    .addOption(new Option('--json', 'print JSON'))
}

/** For options that are repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

/** An instant with its offset: without one it would mean something else on every machine. Epoch milliseconds. */
export function parseTime(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds
  } catch {
    throw new InvalidArgumentError('Write it like 2030-01-31T12:00:00Z, or with an offset such as +01:00.')
  }
}

/** The settings, or a refusal with every problem in them. */
export function requireSettings(context: CommandContext, options: CommonOptions): Settings {
  const { env, cwd } = context
  const read = readSettings({ file: options.config, ...(env && { env }), ...(cwd && { cwd }) })
  if (read.ok) return read.settings
  throw new Refused(...read.problems)
}

type EventParties = Partial<Pick<AuditEvent, 'userId' | 'clientId'>>

export type Session = {
  readonly settings: Settings
  readonly storage: Storage
  /** What the command does, for the audit trail, with the operating-system user who runs it. */
  event(kind: AuditKind, parties: EventParties, details?: AuditDetails): AuditEvent
  /** Prints `value` as JSON after `--json`, otherwise the text. */
  print(value: unknown, text: string): void
}

/** Runs `work` on the database of the settings, which must exist. Its schema is brought up to date where that is needed. */
export async function withStorage(
  context: CommandContext,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const options: CommonOptions = command.optsWithGlobals()
  const settings = requireSettings(context, options)
  if (settings.database.url.kind === 'sqlite-memory') {
    throw new Refused(
      'Database:Url is sqlite::memory:, which only the server itself can see. Set it to a file or a server first.',
    )
  }
  const { openStorage } = await import('../storage/open.ts')
  const storage = await openStorage(settings.database.url, { migrate: true, create: false })
  try {
    await (await import('../server/moved.ts')).refuseMoved(storage, settings.database.url)
    const print = (value: unknown, text: string) => printResult(context, options, value, text)
    const event: Session['event'] = (kind, parties, details) =>
      eventBy(currentActor(), context.clock(), kind, parties, details)
    await work({ settings, storage, event, print })
  } finally {
    await storage.close()
  }
}

/** The operating-system user of this process; accounts in containers need not have a name. */
export function currentActor(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

export function printResult(context: CommandContext, options: CommonOptions, value: unknown, text: string): void {
  context.stdout.write(`${options.json === true ? visibleJson(JSON.stringify(value, null, 2)) : text}\n`)
}
