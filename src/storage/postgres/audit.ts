/** Adds audit entries and mails to PostgreSQL commits: in the same statement, and in chains that never fork. */
import { newTails, type Tails } from '../../audit/chain.ts'
import type { Draft } from '../../audit/entry.ts'
import { appendAll, type EntryRow, entryColumns, insertEntries } from '../audit-rows.ts'
import type { Committed } from '../engine.ts'
import { gatherNotices, insertMails, type MailRow, mailColumns } from '../mail-rows.ts'
import type { Value } from '../sql/statement.ts'
import type { Partition } from './partitions.ts'

/** `prepare` false: a text that is unlikely to recur. */
type Query = { readonly text: string; readonly parameters: Value[]; readonly prepare?: boolean }

/** What a commit records beside its statements. There are no mails without entries. */
export type Recorded = { readonly entries: readonly EntryRow[]; readonly mails: readonly MailRow[] }

/** Acts record one or two entries; flushed notes come in any number. */
const preparedAtMost = 4

export type TrailState = { readonly floorMs: number; readonly partitions: readonly Partition[] }

/** How often the state of the trail is read. */
const stateEveryMs = 60_000

/**
 * Returns the lanes of this process. A lane is a pair of chains that one commit uses at a time and returns when its
 * outcome is known, so there are as many lanes as commits were ever in progress together. After a failure (a lost
 * connection, a silent server) it is unknown how far the chains came, so the lane is dropped and a new one started.
 * `readState`: reads the time of the last checkpoint, in epoch milliseconds, which no entry may be older than, and the partitions
 * of the trail.
 */
export function auditLanes(readState: () => Promise<TrailState>) {
  // Last in, first out, so that few are used while few are needed.
  const free: Tails[] = []
  let known: TrailState | undefined
  let reading: Promise<TrailState> | undefined
  let askedAtMs = performance.now()

  /** Never twice at once. */
  function read(): Promise<TrailState> {
    reading ??= readState()
      .then((state) => {
        known = state
        return state
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  async function state(): Promise<TrailState> {
    // Only the first entries of a process wait for the read, and share it.
    if (known === undefined) return read()
    if (performance.now() >= askedAtMs + stateEveryMs) {
      askedAtMs = performance.now()
      read().catch(() => {})
    }
    return known
  }

  return {
    async record(
      drafts: readonly Draft[],
      commit: (rows: readonly EntryRow[]) => Promise<Committed>,
    ): Promise<Committed> {
      const { floorMs, partitions } = await state()
      const commitAfter = async (tails: Tails): Promise<Committed> => {
        const appended = appendAll(tails, drafts, floorMs)
        const outcome = await commit(partitions.length === 0 ? appended.rows : inPartitions(appended.rows, partitions))
        const { applied, changes } = outcome
        const isRecorded = applied && (changes.length === 0 || changes.some((rows) => rows > 0))
        free.push(isRecorded ? appended.tails : tails)
        return outcome
      }
      try {
        return await commitAfter(free.pop() ?? newTails())
      } catch (error) {
        if (isOfMissingEntry(error)) return commitAfter(newTails())
        throw error
      }
    },
  }
}

/**
 * Names the partition of each entry that another continues. Found by name it costs what it costs in an undivided trail; by the whole
 * trail the statement would be planned anew each time.
 */
function inPartitions(rows: readonly EntryRow[], partitions: readonly Partition[]): EntryRow[] {
  return rows.map((row) => {
    if (row.after === undefined) return row
    const { atMs } = row.after
    // What is in the one after all others may be divided meanwhile.
    const isIn = ({ fromMs, beforeMs }: Partition) => atMs >= (fromMs ?? atMs) && atMs < (beforeMs ?? atMs)
    return { ...row, partition: partitions.find(isIn)?.name }
  })
}

/**
 * Combines the act and its entries into one statement. It returns one row with `changed`, the number of rows that the
 * act changed.
 */
export function recording(act: Query, { entries, mails }: Recorded): Query {
  const first = act.parameters.length + 1
  const text = once(`${shapeOf(entries, mails)} ${act.text}`, () => {
    const condition = ' where exists (select 1 from act)'
    const rows = selections(entries, first, condition)
    const parts = [`act as (${act.text} returning 1)`, `entry as (${insertEntries} ${rows})`]
    parts.push(...insertionOfMails(mails, first + parametersOfAll(entries).length, condition))
    return `with ${parts.join(', ')} select count(*)::integer as changed from act`
  })
  return { text, parameters: [...act.parameters, ...parametersOfAll(entries), ...mails.flat()] }
}

/**
 * Combines acts that must all change something, and their entries, into one statement. Where one of them changes
 * nothing, the statement fails with `division_by_zero`, and nothing is stored. `acts`: no two of the same text, because
 * some engines refuse to insert into a table twice.
 */
export function recordingAll(acts: readonly Query[], { entries, mails }: Recorded): Query {
  const parameters = acts.flatMap((act) => act.parameters)
  const text = once(`all ${shapeOf(entries, mails)} ${acts.map((act) => act.text).join('\n')}`, () => {
    let before = 0
    const parts = acts.map((act, at) => {
      const numbered = act.text.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)
      before += act.parameters.length
      return `act${at} as (${numbered} returning 1)`
    })
    if (entries.length > 0) parts.push(`entry as (${insertEntries} ${selections(entries, before + 1, '')})`)
    parts.push(...insertionOfMails(mails, before + parametersOfAll(entries).length + 1, ''))
    const counts = acts.map((_, at) => `1 / (select count(*) from act${at})`)
    return `with ${parts.join(', ')} select ${counts.join(' + ')} as applied`
  })
  return { text, parameters: [...parameters, ...parametersOfAll(entries), ...mails.flat()] }
}

/** Inserts entries, of which there is at least one, and their mails without an act. */
export function insertionOf({ entries, mails }: Recorded): Query {
  const parameters = parametersOfAll(entries)
  const parts = insertionOfMails(mails, parameters.length + 1, '')
  const before = parts.length === 0 ? '' : `with ${parts.join(', ')} `
  const text = `${before}${insertEntries} ${selections(entries, 1, '')}`
  return { text, parameters: [...parameters, ...mails.flat()], prepare: entries.length <= preparedAtMost }
}

/** Returns the part of a statement that queues mails; none without mails. `first`: the number of its first parameter. */
function insertionOfMails(mails: readonly MailRow[], first: number, condition: string): string[] {
  if (mails.length === 0) return []
  const rows = mails.map((_, row) => {
    const values = mailColumns.map((column, at) => {
      const type = column.endsWith('_ms')
        ? 'bigint'
        : column === 'attempts' || column === 'gathered'
          ? 'integer'
          : 'text'
      return `cast($${first + row * mailColumns.length + at} as ${type})`
    })
    return `select ${values.join(', ')}${condition}`
  })
  return [`mail as (${insertMails} ${rows.join(' union all ')} ${gatherNotices})`]
}

/** Caches the text for each act. */
const texts = new Map<string, string>()

function once(key: string, make: () => string): string {
  let text = texts.get(key)
  if (text === undefined) {
    text = make()
    texts.set(key, text)
  }
  return text
}

/** Entries and mails of the same shape share a text. */
const shapeOf = (entries: readonly EntryRow[], mails: readonly MailRow[]): string =>
  entries.map(({ after, partition = '' }) => (after ? `n${partition}` : 'f')).join('') + 'm'.repeat(mails.length)

const [seqAt, writerAt] = [entryColumns.indexOf('seq'), entryColumns.indexOf('writer')]

/**
 * For an entry that continues a chain, replaces its number by the previous entry's and appends the previous time and
 * hash.
 */
const parametersOf = ({ values, after }: EntryRow): Value[] =>
  after ? [...values.with(seqAt, after.seq), after.atMs, after.hash] : values

const parametersOfAll = (entries: readonly EntryRow[]): Value[] => entries.flatMap(parametersOf)

/**
 * Casts each parameter, because PostgreSQL does not infer the types of a select from the insert around it. An entry
 * that continues a chain derives its number from the previous entry; if that is gone, the number is null and the whole
 * statement fails.
 */
function selections(entries: readonly EntryRow[], first: number, condition: string): string {
  let next = first
  const selection = ({ after, partition = 'audit_entries' }: EntryRow): string => {
    const values = entryColumns.map((column, at) => {
      const type = column === 'at_ms' || column === 'seq' ? 'bigint' : 'text'
      return `cast($${next + at} as ${type})`
    })
    next += entryColumns.length
    if (after) {
      const before = `at_ms = $${next} and writer = ${values[writerAt]} and seq = ${values[seqAt]} and hash = $${next + 1}`
      values[seqAt] = `(select seq + 1 from ${partition} where ${before})`
      next += 2
    }
    return `select ${values.join(', ')}${condition}`
  }
  return entries.map(selection).join(' union all ')
}

/** Whether the previous entry is gone, because a backup was restored or retention removed it. Nothing was stored. */
function isOfMissingEntry(error: unknown): boolean {
  const { code, table_name: table, column_name: column, message } = error as Readonly<Record<string, unknown>>
  // Its partition was dropped, or renamed.
  if (code === '42P01') return String(message).includes('audit_entries_')
  return code === '23502' && String(table).startsWith('audit_entries') && column === 'seq'
}
