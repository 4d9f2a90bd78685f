/** `latchkey db copy`: moves a database that is not being served, or copies one that is. */
import { setTimeout as pause } from 'node:timers/promises'
import { eventBy } from '../audit/entry.ts'
import { movedAway } from '../server/moved.ts'
import { beatEveryMs } from '../server/presence.ts'
import { Refused } from '../server/refused.ts'
import { databaseName } from '../storage/name.ts'
import { openStorage, readSchema } from '../storage/open.ts'
import { type KeptDatabase, openRows } from '../storage/open-rows.ts'
import type { Storage } from '../storage/port/storage.ts'
import { countAll, DatabaseInUse, type TableCount } from '../storage/rows.ts'
import { isoTime } from '../text.ts'
import { type CommandContext, type CommonOptions, currentActor, printResult } from './context.ts'
import { databaseAt, type Transfer, tablesJson } from './db-address.ts'
import { fillFrom, prepareTarget, refuseNewer } from './db-transfer.ts'

type Report = Transfer['report']

type CopyOptions = {
  readonly from: string
  readonly to: string
  readonly online?: boolean
}

export async function copy(context: CommandContext, common: CommonOptions, options: CopyOptions): Promise<void> {
  const folder = context.cwd ?? process.cwd()
  const from = databaseAt('--from', options.from, folder)
  const to = databaseAt('--to', options.to, folder)
  const report: Report = (line) => context.stderr.write(`${line}\n`)
  const { pending, unknown } = await readSchema(from)
  refuseNewer(databaseName(from), unknown)
  if (pending.length > 0) {
    throw new Refused(`The schema of ${databaseName(from)} is not up to date. Migrate it first: latchkey db migrate`)
  }
  const isOnline = options.online === true
  const atMs = context.clock()
  const counts = await (isOnline ? copyOnline(from, to, context, report) : move(from, to, context, report))
  const name = { from: databaseName(from), to: databaseName(to) }
  const key =
    to.kind === 'sqlite'
      ? `put the old master key into ${to.file}.key, or name it with Keys:MasterKey or Keys:MasterKeyFile`
      : 'set Keys:MasterKey or Keys:MasterKeyFile to the old master key'
  const state = isOnline
    ? `${name.to} holds what ${name.from} held at ${isoTime(atMs)}. What is written there from then on is not in the copy: a service ` +
      'that goes over to it loses users, passwords, locks and revocations of that time, and signs people out whose refresh ' +
      'tokens were used. Never serve both at once: they have the same keys.'
    : `Everything is in ${name.to}. ${name.from} is marked as moved and can no longer be served.`
  const text = `${state} The keys are encrypted as before: ${key}.`
  printResult(context, common, { ...name, online: isOnline, tables: tablesJson(counts) }, text)
}

/**
 * Marks the source first, so that no server starts on it any more, and then the target, so that none starts there before
 * everything is in it. Removes the marks on failure; a command that was killed leaves them, and the next one goes on.
 */
async function move(from: KeptDatabase, to: KeptDatabase, context: CommandContext, report: Report) {
  if (await isCopied(from, to)) return finish(to)
  await mark(from, to, context, report)
  let counts: TableCount[]
  try {
    counts = await copyRowsOf(from, to, true, context, report)
  } catch (error) {
    await unmark(from, context)
    throw error instanceof DatabaseInUse ? new Refused(`${error.message} ${stopFirst}`) : error
  }
  if (!(await at(from, ({ servers }) => servers.endMove()))) {
    throw new Refused(
      `The mark of ${databaseName(from)} was removed during the copy, which is not whole therefore. ${stopFirst}`,
    )
  }
  await at(to, ({ servers }) => servers.endArrival())
  return counts
}

const stopFirst =
  'Stop the service first: what it writes during the copy would be lost. To copy the current state of a running service, add --online.'

/** Whether everything is in the target, and only its mark was left by a command that was killed. */
async function isCopied(from: KeptDatabase, to: KeptDatabase): Promise<boolean> {
  const move = await at(from, ({ servers }) => servers.findMove())
  if (move?.isCopied !== true || move.to !== databaseName(to)) return false
  const arrival = await at(to, ({ servers }) => servers.findArrival()).catch(() => undefined)
  return arrival?.from === databaseName(from)
}

async function finish(to: KeptDatabase): Promise<TableCount[]> {
  const target = await openRows(to, { readOnly: true })
  try {
    const counts = await target.snapshot(countAll)
    await at(to, ({ servers }) => servers.endArrival())
    return counts
  } finally {
    await target.close()
  }
}

async function copyOnline(from: KeptDatabase, to: KeptDatabase, context: CommandContext, report: Report) {
  const counts = await copyRowsOf(from, to, false, context, report)
  await at(to, ({ servers }) => servers.endArrival())
  return counts
}

/**
 * Copies a snapshot of the source in one transaction of the target, which stays marked as being filled. `alone`: requires
 * exclusive use of the source.
 */
async function copyRowsOf(
  from: KeptDatabase,
  to: KeptDatabase,
  alone: boolean,
  context: CommandContext,
  report: Report,
): Promise<TableCount[]> {
  const source = await openRows(from, { readOnly: true, alone })
  try {
    await prepareTarget(to)
    const arrival = { from: databaseName(from), atMs: context.clock() }
    try {
      return await fillFrom(source, to, { whenFull: 'Name an empty database.', report, arrival })
    } catch (error) {
      // Only its own mark: another command may be filling the target.
      await at(to, ({ servers }) => servers.endArrival(arrival)).catch(() => {})
      throw error
    }
  } finally {
    await source.close()
  }
}

async function mark(from: KeptDatabase, to: KeptDatabase, context: CommandContext, report: Report): Promise<void> {
  await at(from, async ({ servers }) => {
    const [name, atMs] = [databaseName(to), context.clock()]
    const event = eventBy(currentActor(), atMs, 'database_moved', {}, { to: name })
    if (!(await servers.markMoved({ to: name, atMs }, [event]))) {
      const earlier = (await servers.findMove()) ?? { to: name, atMs, isSettled: false, isCopied: false }
      if (earlier.isCopied || earlier.to !== name) throw movedAway(from, earlier)
      report(`going on with the move that began at ${isoTime(earlier.atMs)}`)
    }
    if (from.kind === 'postgres' && (await isServed(servers, report))) {
      await servers.reopen([reopened(context)])
      throw new Refused(`${databaseName(from)} is being served. ${stopFirst}`)
    }
    await servers.settleMove()
  })
}

async function unmark(from: KeptDatabase, context: CommandContext): Promise<void> {
  await at(from, ({ servers }) => servers.reopen([reopened(context)]))
}

/** Runs `work` on a database with an up-to-date schema. */
async function at<T>(database: KeptDatabase, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(database, { migrate: false })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

const reopened = (context: CommandContext) => eventBy(currentActor(), context.clock(), 'database_reopened', {})

/** A server without a heartbeat for this long was killed. */
const watchedForMs = 2.5 * beatEveryMs
const lookEveryMs = 500

/** Whether a registered server still sends heartbeats. Does not compare clocks, because they may differ. */
async function isServed(servers: Storage['servers'], report: Report): Promise<boolean> {
  const first = await servers.list()
  if (first.length === 0) return false
  const named = first.map(({ host, pid }) => `${pid} on ${host}`).join(', ')
  report(`waiting ${watchedForMs / 1000} s for servers that did not sign off: process ${named}`)
  const before = new Map(first.map(({ id, seenAtMs }) => [id, seenAtMs]))
  for (let waitedMs = 0; waitedMs < watchedForMs; waitedMs += lookEveryMs) {
    await pause(lookEveryMs)
    const now = await servers.list()
    if (now.some(({ id, seenAtMs }) => before.has(id) && before.get(id) !== seenAtMs)) return true
    // All of them have left meanwhile.
    if (!now.some(({ id }) => before.has(id))) return false
  }
  return false
}
