/** `latchkey import … --sync` and `--compare`: what changed in a source since its last import, and what differs. */
import { type Command, Option } from 'commander'
import { adoptedFinding, endedConsents } from '../import/ended-consents.ts'
import { type Gone, settleGone } from '../import/gone.ts'
import type { Patience } from '../import/patience.ts'
import type { Kind } from '../import/readers.ts'
import type { ImportResult } from '../import/run.ts'
import type { Difference, Syncing } from '../import/sync.ts'
import { Refused } from '../server/refused.ts'
import { visible } from '../text.ts'
import { Exit, Misused, type Workspace } from './context.ts'
import type { ImportOptions } from './import-options.ts'
import { removeAll } from './removing.ts'

/** Sources that say of everybody which ways to sign in they have. */
const wholeKinds: readonly Kind[] = ['keycloak', 'aspnet-identity']
const kindsWithoutPeople: readonly Kind[] = ['openiddict']

export function withSyncOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--sync',
        'bring what changed in the source since its last import; what was changed here stays',
      ).conflicts('onConflict'),
    )
    .addOption(
      new Option('--compare', 'change nothing, and say what differs; exit code 2 if anything does').conflicts([
        ...['onConflict', 'sync', 'dryRun', 'yes', 'deleteMany', 'wrap', 'restart'],
      ]),
    )
    .option('--yes', 'with --sync: delete the people and applications that came from the source and are gone there')
    .option(
      '--delete-many',
      'with --yes: also if more than half of them are gone, or more than ten and more than a tenth',
    )
}

/** Throws `Misused` for options that go with `--sync` alone. */
export function requireSync({ sync, yes, deleteMany }: ImportOptions): void {
  if (yes === true && sync !== true) throw new Misused('--yes goes with --sync.')
  if (deleteMany === true && yes !== true) throw new Misused('--delete-many goes with --sync and --yes.')
}

/** Whether the run stores nothing. */
export const storesNothing = ({ dryRun, compare }: ImportOptions): boolean => dryRun === true || compare === true

/** Returns what the run compares with; undefined: it is a plain import. `id`: of the import. `nowMs`: when this run began. */
export async function syncingOf(
  { imports }: Workspace['storage'],
  kind: Kind,
  { sync, compare }: ImportOptions,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Promise<Syncing | undefined> {
  if (sync !== true && compare !== true) return undefined
  const begun = await imports.find(id)
  const isFirst =
    begun === undefined
      ? (await imports.numberOf('person', kind)) === 0
      : (await imports.unseen('person', kind, begun.startedAtMs)).length === 0
  // Of a run that goes on, some came with it.
  const created = begun?.counts.created ?? 0
  const numberOf = async (one: 'person' | 'client') => Math.max(0, (await imports.numberOf(one, kind)) - created)
  const known = { person: await numberOf('person'), client: await numberOf('client') }
  return {
    ...{
      known,
      origin: kind,
      isCompared: compare === true,
      isFirst,
      isWhole: wholeKinds.includes(kind),
      differences: [],
      remembersConsents: (await imports.numberOf('consent', kind)) > 0,
      sinceMs: begun?.startedAtMs ?? nowMs,
      consents: { clients: new Set(), given: new Set(), adopted: new Set() },
    },
    found: { keys: new Set(), ids: new Set() },
  }
}

/** Finds who is gone, and deletes them with `--yes`. */
export async function settle(
  { storage, event }: Workspace,
  kind: Kind,
  options: ImportOptions,
  { syncing, patience }: { readonly syncing: Syncing; readonly patience: Patience },
  { startedAtMs, isSomebodyLeftOut, leftOut, stoppedBy }: ImportResult,
): Promise<Gone | undefined> {
  if (stoppedBy !== undefined) return undefined
  const barred = isSomebodyLeftOut
    ? 'A row of the source was left out, and may be one of those who seem to be gone.'
    : options.yes !== true
      ? '--yes deletes people and applications that are gone.'
      : undefined
  const gone = await settleGone({
    ...{ storage, patience, syncing, startedAtMs, leftOut, barred, event },
    hasPeople: !kindsWithoutPeople.includes(kind),
    isDryRun: storesNothing(options),
    allowsMany: options.deleteMany === true,
  })
  if (!storesNothing(options) && gone.records.some((one) => one.deleted)) {
    await patience.ask(() => removeAll(storage))
  }
  return {
    ...gone,
    findings: [...gone.findings, ...adoptedFinding(syncing, kind), ...(await endedConsents(storage, syncing))],
  }
}

/** What `--json` says of those who are gone. */
export function goneRecord(gone: Gone | undefined) {
  if (gone === undefined) return {}
  return { gone: gone.people, others: gone.others, ...(gone.barred.length > 0 && { barred: gone.barred }) }
}

/** Throws `Refused` if something of the source did not come, or was not deleted though it was to be. */
export function requireAll({ stoppedBy, failed, read }: ImportResult, { yes }: ImportOptions, gone?: Gone): void {
  if (stoppedBy !== undefined) throw new Refused(`${stoppedBy} What came before it was imported.`)
  const left = failed > 0 ? [`${failed === 1 ? '1 row' : `${failed} rows`} of ${read} left out.`] : []
  const barred = yes === true ? (gone?.barred ?? []).map((reason) => `Not deleted: ${reason}`) : []
  if (left.length + barred.length > 0) throw new Refused(...left, ...barred)
}

export function goneText(gone: Gone | undefined): string {
  if (gone === undefined) return ''
  const { people, records, barred, others } = gone
  const all = [...people, ...records]
  const deleted = all.filter((one) => one.deleted).length
  const lines = [
    ...(all.length > 0 ? [`${all.length} gone from the source: ${deleted} deleted.`] : []),
    ...barred.map((reason) => `Not deleted: ${reason}`),
    ...(others.people > 0 ? [`Not from this source, and left alone: ${others.people} (${named(others)}).`] : []),
  ]
  return lines.map((line) => `\n${line}`).join('')
}

function named({ people, usernames }: Gone['others']): string {
  const names = usernames.slice(0, 10).map(visible).join(', ')
  return people > 10 ? `${names} …` : names
}

/** Prints what differs. Throws `Exit` with 2 if anything does, and `Refused` if the source could not be read to its end. */
export function printComparison(
  { print }: Workspace,
  { read, rows, isSomebodyLeftOut, stoppedBy }: ImportResult,
  { differences }: Syncing,
  gone: Gone | undefined,
): void {
  // Of the rest nothing is known.
  if (stoppedBy !== undefined) throw new Refused(stoppedBy)
  const here = (gone?.people ?? []).map(({ username }): Difference => {
    return { kind: 'person', source: username, member: '', here: true }
  })
  const records = (gone?.records ?? []).map(
    ({ kind, source }): Difference => ({ kind, source, member: '', here: true }),
  )
  const all = [...differences, ...here, ...records]
  const left = rows.map(({ isThere, ...row }) => row)
  const text = [
    ...rows.map(({ line, reason }) => `line ${line}: ${visible(reason)}`),
    ...all.map(differenceText),
    all.length === 0 ? `${read} compared: equal.` : `${read} compared: ${all.length} differences.`,
  ]
  const others = gone && goneText({ people: [], records: [], findings: [], barred: [], others: gone.others })
  print({ read, rows: left, differences: all, others: gone?.others }, `${text.join('\n')}${others ?? ''}`)
  if (all.length > 0 || isSomebodyLeftOut) throw new Exit(2)
}

function differenceText({ kind, source, member, there, here }: Difference): string {
  const what = [kind, source].join(' ')
  if (member === '') return visible(`${what}: ${here === undefined ? 'not here' : 'gone from the source'}`)
  const values = there === undefined && here === undefined ? 'another one' : `there ${said(there)}, here ${said(here)}`
  return visible(`${what}: ${member}: ${values}`)
}

const said = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
