/** `latchkey db …`: the database as a whole. */
import type { Command } from 'commander'
import { eventBy } from '../audit/entry.ts'
import { checkHistory } from '../keys/founding.ts'
import { whyNotHere } from '../server/moved.ts'
import { Refused } from '../server/refused.ts'
import type { Settings } from '../settings/settings.ts'
import { databaseName } from '../storage/name.ts'
import { migrateDatabase, openStorage, readSchema } from '../storage/open.ts'
import { type KeptDatabase, openRows } from '../storage/open-rows.ts'
import { countAll, type TableCount } from '../storage/rows.ts'
import type { SchemaState } from '../storage/schema.ts'
import {
  type CommandContext,
  type CommonOptions,
  currentActor,
  printResult,
  requireSettings,
  withCommonOptions,
} from './context.ts'
import { requireKept, type Transfer, tablesJson } from './db-address.ts'
import { copy } from './db-copy.ts'
import { backUp, restore } from './db-transfer.ts'
import { record, table } from './text.ts'

export function register(parent: Command, context: CommandContext): void {
  const db = withCommonOptions(parent.command('db').description('the database: schema, backups, moving'))
  const leaf = (signature: string, description: string) =>
    withCommonOptions(db.command(signature).description(description))

  leaf('migrate', 'bring the schema up to date; the server also does so at a start')
    .option('--new', 'create a new database although the master key of an earlier one exists')
    .action((options: { new?: boolean }, command: Command) =>
      run(context, (transfer) => migrate(transfer, options.new === true))(options, command),
    )
  leaf('status', 'show engine, schema, size and row counts').action(run(context, status))
  leaf('backup <file>', 'copy everything into one file; the service may run').action(
    (file: string, _options, command: Command) => run(context, (transfer) => backUp(transfer, file))(_options, command),
  )
  leaf('restore <file>', 'restore the database from a backup')
    .option('--force', 'replace the current content of the database')
    .action((file: string, options: { force?: boolean }, command: Command) =>
      run(context, (transfer) => restore(transfer, file, options.force === true))(options, command),
    )
  leaf('copy', 'move everything into an empty database')
    .requiredOption('--from <url>', 'the database to read: sqlite:FILE or postgres://…')
    .requiredOption('--to <url>', 'the empty database to fill')
    .option('--online', 'copy the current state of a database that stays in service')
    .action((options: { from: string; to: string; online?: boolean }, command: Command) =>
      copy(context, command.optsWithGlobals(), options),
    )
  leaf('reopen', 'make a database usable again after db copy moved it').action(run(context, reopen))
}

/** Runs `work` on the database of the settings. */
function run(context: CommandContext, work: (transfer: Transfer) => Promise<void>) {
  return async (_options: unknown, command: Command): Promise<void> => {
    const options: CommonOptions = command.optsWithGlobals()
    const settings: Settings = requireSettings(context, options)
    const database = requireKept(settings.database.url, 'Database:Url')
    await work({
      context,
      settings,
      database,
      report: (line) => context.stderr.write(`${line}\n`),
      print: (value, text) => printResult(context, options, value, text),
    })
  }
}

async function migrate({ settings, database, report, print }: Transfer, isNew: boolean): Promise<void> {
  checkHistory(settings, isNew)
  const done = await migrateDatabase(database, { report: (migration) => report(`migration ${migration}`) })
  const text =
    done.length === 0 ? 'The schema is already up to date.' : `The schema is up to date: ${counted(done.length)} run.`
  print({ migrations: done }, text)
}

async function status({ database, print }: Transfer): Promise<void> {
  const schema = await readSchema(database)
  const rows = await openRows(database, { readOnly: true })
  try {
    const engine = await rows.version()
    const sizeBytes = await rows.sizeBytes()
    const counts = await rows.snapshot(countAll)
    const json = { database: databaseName(database), engine, sizeBytes, schema, tables: tablesJson(counts) }
    print(json, statusText(database, engine, sizeBytes, schema, counts))
  } finally {
    await rows.close()
  }
}

/** Refuses if there is no mark, because the operator may mean another database. */
async function reopen({ context, database, print }: Transfer): Promise<void> {
  const storage = await openStorage(database, { migrate: true, create: false })
  try {
    const name = databaseName(database)
    const event = eventBy(currentActor(), context.clock(), 'database_reopened', {})
    if (!(await storage.servers.reopen([event]))) {
      throw (await whyNotHere(storage, database)) ?? new Refused(`${name} is not marked as moved.`)
    }
    print({ database: name, reopened: true }, `${name} can be served again. Do not serve its copy as well.`)
  } finally {
    await storage.close()
  }
}

function statusText(
  database: KeptDatabase,
  engine: string,
  sizeBytes: number,
  { applied, pending, unknown }: SchemaState,
  counts: readonly TableCount[],
): string {
  const summary = record([
    ['Database', databaseName(database)],
    ['Engine', engine],
    ['Size', `${(sizeBytes / 1_000_000).toFixed(1)} MB`],
    ['Applied', applied.toSorted()],
    ['Pending', pending.length === 0 ? 'none' : [...pending, '(run: latchkey db migrate)']],
    ['Unknown', unknown.length === 0 ? 'none' : [...unknown, '(from a newer version of Latchkey)']],
  ])
  const rows = counts.map((count) => [count.table, String(count.rows)])
  return rows.length === 0 ? summary : `${summary}\n\n${table(['TABLE', 'ROWS'], rows)}`
}

function counted(migrations: number): string {
  return migrations === 1 ? '1 migration was' : `${migrations} migrations were`
}
