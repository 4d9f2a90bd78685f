/**
 * What all commands share: environment, options, output and access to the database.
 *
 * Belongs here: one file for each group of commands: parse options, call a rule, print.
 * Belongs elsewhere: rules (`protocol/`, `users/`), and the process that `serve` runs (`server/`).
 */
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { type AuditDetails, type AuditEvent, type AuditKind, eventBy } from '../audit/entry.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Judged, Problem, Rejection } from '../problem.ts'
import { isRefusal } from '../refusal.ts'
import { withDemoMail } from '../server/demo-mail.ts'
import { Refused } from '../server/refused.ts'
import { readSettings } from '../settings/read.ts'
import type { Settings } from '../settings/settings.ts'
import type { StorageOptions } from '../storage/open.ts'
import type { Storage } from '../storage/port/storage.ts'
import { LastAdministrator } from '../storage/port/users.ts'
import { visibleJson } from '../text.ts'

/** The environment of a command. Tests provide their own. */
export type CommandContext = {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Cryptographically secure. */
  readonly random: (bytes: number) => Uint8Array
  /** Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Waits so many milliseconds; default: by a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
  /** Ends a command that runs until interrupted; default: SIGINT and SIGTERM. */
  readonly interrupted?: AbortSignal
}

/** Registers the commands of one group. */
export type CommandGroup = { register(parent: Command, context: CommandContext): void }

/** Returns the value that a rule accepted. Throws `Refused` with all its problems otherwise. */
export function accepted<T extends object>(judged: Judged<T>): T {
  if (isRefusal<object | Rejection>(judged)) throw Refused.because(judged.problems)
  return judged
}

/**
 * Adapts a rule to a storage verb. `decide` is passed to the verb. `check` is called afterwards and throws `Refused` if
 * the rule's last run refused.
 */
export function deciding<T extends object>(rule: (current: T) => Judged<T> | undefined) {
  let problems: readonly Problem[] = []
  return {
    decide(current: T): T | undefined {
      const judged = rule(current)
      problems = isRefusal<object | Rejection | undefined>(judged) ? judged.problems : []
      return isRefusal(judged) ? undefined : judged
    },
    check(): void {
      if (problems.length > 0) throw Refused.because(problems)
    },
  }
}

/** Wrong usage: one line on standard error, exit code 2. */
export class Misused extends Error {
  override readonly name = 'Misused'
  /** Whether that line was written already. */
  readonly isPrinted: boolean

  constructor(message: string, isPrinted = false) {
    super(message)
    this.isPrinted = isPrinted
  }
}

/** Ends a command that did what it was asked with an exit code other than 0. Prints nothing. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly code: number

  constructor(code: number) {
    super(`exit code ${code}`)
    this.code = code
  }
}

export type CommonOptions = { readonly config?: string; readonly json?: boolean }

/** Adds the options of every command. Help is available as `--help` only, not as a command. */
export function withCommonOptions(command: Command): Command {
  return command
    .helpCommand(false)
    .option('--config <file>', 'read this file instead of latchkey.json')
    .option('--json', 'print JSON')
}

/** Collects the values of a repeated option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

/** Reads the settings. Throws `Refused` with every problem. */
export function requireSettings(context: CommandContext, options: CommonOptions): Settings {
  const { env, cwd } = context
  const read = readSettings({ file: options.config, ...(env && { env }), ...(cwd && { cwd }) })
  if (read.ok) return read.settings
  throw new Refused(...read.problems)
}

/**
 * Reads the settings of a command that works beside a server. While the demo of `npm start` runs on the same database,
 * mail goes where the demo sends it, unless the settings say otherwise. Throws `Refused` with every problem.
 */
export function besideDemo(context: CommandContext, options: CommonOptions): Settings {
  const settings = requireSettings(context, options)
  return settings.mail.url === null ? withDemoMail(settings) : settings
}

type EventParties = Partial<Pick<AuditEvent, 'userId' | 'clientId'>>

/** What a command on the database works with. */
export type Workspace = {
  readonly settings: Settings
  readonly storage: Storage
  /** Returns the audit event of this command, with the operating-system user as actor. */
  event(kind: AuditKind, parties: EventParties, details?: AuditDetails): AuditEvent
  /** Prints `value` as JSON with `--json`, otherwise `text`. */
  print(value: unknown, text: string): void
}

/** `asking` runs each reading, and `opening` what opens the database; either may run it again. Default: once. */
export type Waiting = {
  readonly asking?: NonNullable<StorageOptions['asking']>
  readonly opening?: NonNullable<StorageOptions['asking']>
}

/** Runs `work` on the database of the settings, which must exist. Migrates its schema if needed. */
export async function withStorage(
  context: CommandContext,
  command: Command,
  work: (workspace: Workspace) => Promise<void>,
  { asking, opening = (open) => open() }: Waiting = {},
): Promise<void> {
  const options: CommonOptions = command.optsWithGlobals()
  const settings = besideDemo(context, options)
  if (settings.database.url.kind === 'sqlite-memory') {
    throw new Refused(
      'Database:Url is sqlite::memory:, which only the server itself can see. Set it to a file or a server first.',
    )
  }
  const { openStorage } = await import('../storage/open.ts')
  const storage = await opening(() =>
    openStorage(settings.database.url, {
      migrate: true,
      create: false,
      needsConfirmedEmail: () => settings.accounts.requireConfirmedEmail,
      ...(asking && { asking }),
    }),
  )
  try {
    await (await import('../server/moved.ts')).refuseMoved(storage, settings.database.url)
    const print = (value: unknown, text: string) => printResult(context, options, value, text)
    const event: Workspace['event'] = (kind, parties, details) =>
      eventBy(currentActor(), context.clock(), kind, parties, details)
    await work({ settings, storage, event, print })
  } catch (error) {
    if (!(error instanceof LastAdministrator)) throw error
    throw new Refused('Nobody who can sign in would have the role latchkey-admin any more. Nothing was changed.')
  } finally {
    await storage.close()
  }
}

/** Opens the key ring of the database. */
export async function openKeys(
  { clock, random, stderr }: CommandContext,
  { storage, settings }: Pick<Workspace, 'storage' | 'settings'>,
): Promise<KeyRing> {
  const { openKeyRing } = await import('../keys/ring.ts')
  const warn = (message: string) => stderr.write(`warning: ${message}\n`)
  return openKeyRing({ storage, settings, clock, random, actor: currentActor(), warn })
}

/** Returns the operating-system user of this process; in a container the account may have no name. */
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
