/** Backup and restore, all or nothing. */
import { existsSync, realpathSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { eventBy } from '../audit/entry.ts'
import { purposesOf } from '../keys/lifecycle.ts'
import { loadMasterKey } from '../keys/master-key.ts'
import { emptyState, loadState } from '../keys/ring-state.ts'
import { Refused } from '../server/refused.ts'
import { databaseName } from '../storage/name.ts'
import { migrateDatabase, openStorage, readSchema } from '../storage/open.ts'
import { type KeptDatabase, openRows } from '../storage/open-rows.ts'
import type { Arrival } from '../storage/port/servers.ts'
import { copyRows, countAll, type RowStore, type RowWriter, type TableCount } from '../storage/rows.ts'
import { compareSchema } from '../storage/schema.ts'
import { derivedTables } from '../storage/sql/tables.ts'
import { backupSqlite, inspectSqlite, publishSqlite } from '../storage/sqlite/file.ts'
import { type CommandContext, currentActor } from './context.ts'
import { type Transfer, tablesJson } from './db-address.ts'
import { sweepDrafts, withDraft } from './drafts.ts'

type Report = Transfer['report']

/** Creates a backup: an embedded database with the schema and rows of the original, whatever its engine. */
export async function backUp({ context, database, report, print }: Transfer, name: string): Promise<void> {
  const file = inFolderOf(context, name)
  const taken = `${file} already exists. Name another file, or remove it first.`
  if (existsSync(file)) throw new Refused(taken)
  if (!existsSync(dirname(file))) throw new Refused(`There is no folder ${dirname(file)} to write the backup to.`)
  try {
    sweepDrafts(file, context.clock(), report)
    await withDraft(file, context.random, async (draft) => {
      if (database.kind === 'sqlite') await backupSqlite(database.file, draft)
      else await exportRows(database, draft, report)
      if (inspectSqlite(draft).length === 0) {
        throw new Refused(`${databaseName(database)} is not a database of Latchkey: there is nothing to back up.`)
      }
      if (!publishSqlite(draft, file)) throw new Refused(taken)
    })
  } catch (error) {
    throw isFromFileSystem(error) ? new Refused(`The backup cannot be written to ${file} (${error.code}).`) : error
  }
  const advice = 'It does not contain the master key: keep a copy of that elsewhere.'
  print({ file, database: databaseName(database) }, `The backup of ${databaseName(database)} is ${file}. ${advice}`)
}

/** Writes a snapshot of all rows to a new file with the same schema. */
async function exportRows(database: KeptDatabase, file: string, report: Report): Promise<void> {
  const { applied, unknown } = await readSchema(database)
  refuseNewer(databaseName(database), unknown)
  const upTo = applied.toSorted().at(-1)
  if (upTo === undefined) throw new Refused(`${databaseName(database)} is not a database of Latchkey.`)
  const target: KeptDatabase = { kind: 'sqlite', file }
  await migrateDatabase(target, { upTo })
  await transfer(database, target, { whenFull: 'The file was just made.', report })
}

export async function restore({ context, settings, database, report, print }: Transfer, name: string, force: boolean) {
  const file = inFolderOf(context, name)
  if (!existsSync(file)) throw new Refused(`There is no file ${file}.`)
  if (database.kind === 'sqlite' && existsSync(database.file) && realpathSync(database.file) === realpathSync(file)) {
    throw new Refused(`${file} is the database itself. Name a backup.`)
  }
  const { applied, pending, unknown } = compareSchema(inspectSqlite(file))
  if (applied.length === 0) throw new Refused(`${file} is not a backup of Latchkey.`)
  refuseNewer(file, unknown)
  await prepareTarget(database)
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-restore-'))
  try {
    const counts = await transfer(
      { kind: 'sqlite', file: pending.length === 0 ? file : await upgradedCopy(file, folder, report) },
      database,
      { whenFull: force ? 'replace' : 'To replace everything in it, add --force.', report },
    )
    await recordRestore(context, database, file)
    await warnAboutKeys({ context, settings, database })
    const text = `${databaseName(database)} holds what ${file} held. Restart servers that ran meanwhile.`
    print({ file, database: databaseName(database), tables: tablesJson(counts) }, text)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Records the restore, because the trail continues from the backup and everything since is gone. */
async function recordRestore({ clock }: CommandContext, database: KeptDatabase, file: string): Promise<void> {
  const storage = await openStorage(database, { migrate: false })
  try {
    await storage.audit.append([eventBy(currentActor(), clock(), 'database_restored', {}, { file })])
    // The restored content supersedes any mark of a move or a copy.
    await storage.servers.reopen()
    await storage.servers.endArrival()
  } finally {
    await storage.close()
  }
}

/** Migrates a copy of a backup from an earlier version; the backup itself is not changed. */
async function upgradedCopy(file: string, folder: string, report: Report): Promise<string> {
  const copied = join(folder, 'backup.db')
  await copyFile(file, copied).catch((error) => {
    throw new Refused(`${file} cannot be copied to ${folder}, to bring it up to date there (${error.code}).`)
  })
  await migrateDatabase({ kind: 'sqlite', file: copied }, { report: (migration) => report(`migration ${migration}`) })
  return copied
}

/** Creates the database if it is missing, with the schema of this version. */
export async function prepareTarget(database: KeptDatabase): Promise<void> {
  await migrateDatabase(database)
  refuseNewer(databaseName(database), (await readSchema(database)).unknown)
}

type Filling = {
  /** What to do if the target holds rows: replace them, or refuse with this advice. */
  readonly whenFull: 'replace' | (string & {})
  readonly report: Report
  /** Marks the target with it beforehand; whoever fills it removes the mark. Default: no mark. */
  readonly arrival?: Arrival
}

async function transfer(from: KeptDatabase, to: KeptDatabase, filling: Filling): Promise<TableCount[]> {
  const source = await openRows(from, { readOnly: true })
  try {
    return await fillFrom(source, to, filling)
  } finally {
    await source.close()
  }
}

/** Copies a snapshot of the source in one transaction of the target. */
export async function fillFrom(
  source: Pick<RowStore, 'snapshot'>,
  to: KeptDatabase,
  { whenFull, report, arrival }: Filling,
): Promise<TableCount[]> {
  const target = await openRows(to, { readOnly: false })
  const requireRoom = async (writer: RowWriter): Promise<boolean> => {
    const present = (await countAll(writer)).filter(({ rows }) => rows > 0)
    if (present.length === 0) return true
    // What an unfinished copy left is nobody's yet.
    if (whenFull === 'replace' || (await writer.isArriving())) return false
    throw new Refused(`${notEmpty(to, present)} ${whenFull}`)
  }
  try {
    if (arrival !== undefined) {
      await target.fill(async (writer) => {
        await requireRoom(writer)
        await writer.markArrival(arrival)
      })
    }
    return await target.fill(async (writer) => {
      if (!(await requireRoom(writer))) await writer.clear()
      return source.snapshot((reader) => copyRows(reader, writer, ({ table, rows }) => report(`${table}: ${rows}`)))
    })
  } finally {
    await target.close()
  }
}

function notEmpty(database: KeptDatabase, present: readonly TableCount[]): string {
  // What is derived from other rows says nothing new.
  const own = present.filter(({ table }) => !derivedTables.has(table))
  const held = (own.length > 0 ? own : present).map(({ table, rows }) => `${table}: ${rows}`).join(', ')
  return `${databaseName(database)} is not empty (${held}).`
}

/** Columns and tables of a newer schema would be missing from the copy. */
export function refuseNewer(place: string, unknown: readonly string[]): void {
  if (unknown.length === 0) return
  throw new Refused(
    `${place} was made by a newer version of Latchkey (it has the migration ${unknown[0]}): use the command of that version.`,
  )
}

/** A backup contains the keys, but not the master key that decrypts them. */
async function warnAboutKeys({ context, settings, database }: Pick<Transfer, 'context' | 'settings' | 'database'>) {
  const storage = await openStorage(database, { migrate: false })
  try {
    const rows = await storage.keys.list()
    if (rows.length === 0) return
    await loadState(rows, emptyState, purposesOf(settings), await loadMasterKey(settings, false), context.clock())
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'KeyRingProblem') throw error
    context.stderr.write(`warning: ${error.message}\n`)
  } finally {
    await storage.close()
  }
}

function isFromFileSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

function inFolderOf(context: CommandContext, name: string): string {
  return resolve(context.cwd ?? process.cwd(), name)
}
