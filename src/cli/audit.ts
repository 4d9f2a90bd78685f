/** `latchkey audit …`: lists the audit trail and verifies it. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuditEntry } from '../audit/entry.ts'
import { following, Position } from '../audit/following.ts'
import { type Outcome, outcomes, wantedKinds } from '../audit/kinds.ts'
import { auditRecord } from '../audit/record.ts'
import type { AuditFilter } from '../storage/port/audit.ts'
import type { Storage } from '../storage/port/storage.ts'
import { isoTime, visible, visibleJson } from '../text.ts'
import { type AcknowledgeOptions, acknowledge } from './audit-acknowledge.ts'
import { type DivideOptions, divide, parseDays } from './audit-divide.ts'
import { signNow, verify } from './audit-proof.ts'
import {
  type CommandContext,
  type CommonOptions,
  collect,
  type Workspace,
  withCommonOptions,
  withStorage,
} from './context.ts'
import { table } from './text.ts'
import { parseTime } from './time.ts'

type ListOptions = {
  readonly since?: number
  readonly until?: number
  readonly kind?: readonly string[]
  readonly outcome?: Outcome
  readonly excludeClient?: string
  readonly user?: string
  readonly client?: string
  readonly trace?: string
  readonly limit: number
  readonly follow?: boolean
}

export function register(parent: Command, context: CommandContext): void {
  const audit = withCommonOptions(parent.command('audit').description('the audit trail: who did what'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(audit.command(signature).description(description))

  leaf('list', 'list the latest entries')
    .option('--since <time>', 'only entries from this time on, such as 2030-01-31T12:00:00Z', parseTime)
    .option('--until <time>', 'only entries up to this time', parseTime)
    .option('--kind <kind>', 'only entries of this kind, such as sign_in_failed; repeatable', collect)
    .addOption(new Option('--outcome <outcome>', 'only what failed, or only everything else').choices(outcomes))
    .option('--exclude-client <id>', 'without the sign-ins and tokens of this client, such as latchkey-console')
    .option('--user <name>', 'only entries of this user, by name or id')
    .option('--client <id>', 'only entries of this client')
    .option('--trace <id>', 'only entries of the request with this trace id')
    .option('--limit <number>', 'at most this many entries', parseLimit, 100)
    .option('--follow', 'keep printing new entries, until Ctrl+C')
    .action((options: ListOptions, command: Command) =>
      withStorage(context, command, (workspace) => list(context, workspace, options, command.optsWithGlobals())),
    )

  leaf('verify', 'prove that no entry was changed, removed, moved or inserted')
    .option('--anchor <hash>', 'require the checkpoint with this hash, which was kept elsewhere')
    .addOption(trustOption())
    .action((options: { anchor?: string; trust: readonly string[] }, command: Command) =>
      withStorage(context, command, (workspace) =>
        verify(context, workspace, { ...options, ...command.optsWithGlobals() }),
      ),
    )

  leaf('acknowledge', 'accept what verify finds, as it is now; a signed entry records who did so and why')
    .requiredOption('--reason <text>', 'why it is accepted: what happened, and who investigated it')
    .addOption(trustOption())
    .action((options: AcknowledgeOptions, command: Command) =>
      withStorage(context, command, (workspace) => acknowledge(context, workspace, options)),
    )

  leaf('checkpoint', 'sign the trail now, and print the hash to keep elsewhere').action((_options, command: Command) =>
    withStorage(context, command, (workspace) => signNow(context, workspace)),
  )

  leaf('divide', 'store the trail in partitions by time, which are dropped as a whole when they are old (PostgreSQL)')
    .option('--days <number>', 'how many days a partition has', parseDays, 7)
    .action((options: DivideOptions, command: Command) =>
      withStorage(context, command, (workspace) => divide(context, workspace, options)),
    )
}

const trustOption = () =>
  new Option('--trust <key>', 'accept this signing key although the master key does not decrypt it; repeatable')
    .argParser(collect)
    .default([])

async function list(
  context: CommandContext,
  { storage, print }: Workspace,
  options: ListOptions,
  { json = false }: CommonOptions,
): Promise<void> {
  const filter = await filterOf(storage, options)
  if (options.follow === true) {
    await follow(context, storage, filter, options.limit, (entry) =>
      context.stdout.write(
        `${json ? visibleJson(JSON.stringify(auditRecord(entry))) : visible(entryRow(entry).join('  '))}\n`,
      ),
    )
    return
  }
  const entries = await storage.audit.newest(filter, options.limit)
  const text = entries.length === 0 ? 'No entries match.' : table(headings, entries.map(entryRow))
  print(entries.map(auditRecord), text)
}

async function filterOf(storage: Storage, options: ListOptions): Promise<AuditFilter> {
  const { since: sinceMs, until: untilMs, user, client: clientId, trace: traceId } = options
  const kind = wantedKinds(options.kind, options.outcome)
  const userId = user === undefined ? undefined : ((await storage.users.findByName(user))?.id ?? user)
  const all = { sinceMs, untilMs, kind, userId, clientId, traceId, withoutClientId: options.excludeClient }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const followEveryMs = 1000

/** Prints the latest entries, then new ones as they arrive. Ends on interruption, or when the output is closed. */
async function follow(
  { interrupted = interruption(), stdout, clock }: CommandContext,
  { audit }: Storage,
  filter: AuditFilter,
  limit: number,
  show: (entry: AuditEntry) => void,
): Promise<void> {
  const closed = new AbortController()
  stdout.once('error', () => closed.abort())
  const signal = AbortSignal.any([interrupted, closed.signal])
  const position = await Position.end(audit, clock())
  for (const entry of await audit.newest(filter, limit)) {
    position.take(entry)
    show(entry)
  }
  const readPage = following(audit, position, filter)
  while (!signal.aborted) {
    const isEnd = await readPage(clock(), show)
    if (isEnd) await wait(followEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

const headings = ['TIME', 'KIND', 'USER', 'CLIENT', 'ADDRESS', 'TRACE', 'DETAILS']

function entryRow({ atMs, kind, userId, clientId, address, traceId, details }: AuditEntry): string[] {
  const members = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const cells = [kind, userId ?? '-', clientId ?? '-', address ?? '-', traceId ?? '-', members.join(' ')]
  return [isoTime(atMs), ...cells]
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (/^\d{1,7}$/.test(text) && limit > 0) return limit
  throw new InvalidArgumentError('Give a whole number, 1 or more.')
}
