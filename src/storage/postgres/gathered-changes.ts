/**
 * Makes the changes of several requests, and their audit entries, with one statement and one commit. Each changes one row, which its
 * key names, and no two in a statement have the same key. What one of them does not find is its own outcome; where the statement
 * fails, nothing of it is stored.
 */
import { type EntryRow, entryColumns, insertEntries } from '../audit-rows.ts'
import type { Committed } from '../engine.ts'
import { StorageUnavailable } from '../port/unavailable.ts'
import type { Statement, Value } from '../sql/statement.ts'
import { hasUndoneAll } from './errors.ts'
import { arrayArguments, arrayOf, gatheredParameters, gatheredPlaces, type Send } from './gathered-text.ts'
import { type GatheringBounds, gathering, heldUpAfterMs } from './gathering.ts'

/** A commit of one statement. The entries continue chains that no other commit uses meanwhile. */
export type Change = { readonly statement: Statement; readonly entries: readonly EntryRow[] }

export type ChangeParts = {
  /** Commits one by itself. */
  readonly alone: (change: Change) => Promise<Committed>
  /** Sends a statement that changes something, and resolves when it is durable. */
  readonly send: Send
} & GatheringBounds

/** A dearer change goes by itself: what it writes would hold up the others. */
const lengthAtMost = 16_384

/** `commit`: undefined if the commit cannot be one of several; `waiting`, `drained`: as those of a gathering. */
export function gatheringChanges({ alone, send, ...bounds }: ChangeParts) {
  // Where it is unknown what became of a commit, another attempt would meet what the first has stored.
  const isOfAll = (error: unknown) => !hasUndoneAll(error instanceof StorageUnavailable ? error.cause : error)
  const changes = gathering<Change, Committed>({
    ...bounds,
    kindOf: gatheredChange,
    keyOf: ({ statement }) => keyOf(statement),
    alone,
    together: (several) => commitGathered(several, send),
    // Once more with the limit for locks: what waits for one delays what was sent behind it on the connection.
    async again(change) {
      try {
        const [outcome] = await commitGathered([change], send)
        return outcome as Committed
      } catch (error) {
        if (isOfAll(error)) throw error
        return alone(change)
      }
    },
    isOfAll,
  })
  return {
    commit: (statements: readonly Statement[], entries: readonly EntryRow[]): Promise<Committed> | undefined => {
      const [statement] = statements
      if (statement?.changed === undefined || statements.length > 1 || !isSmall(statement, entries)) return undefined
      // They are read by name.
      if (partitionsOf(entries).length > 1) return undefined
      return changes.run({ statement, entries })
    },
    waiting: changes.waiting,
    drained: changes.drained,
  }
}

const keyOf = ({ changed }: Statement): string => String(changed?.key)

/** The partitions of the entries that others continue, of which there is one at least. */
function partitionsOf(entries: readonly EntryRow[]): readonly string[] {
  const named = entries.flatMap(({ after, partition }) => (after && partition !== undefined ? [partition] : []))
  return named.length === 0 ? ['audit_entries'] : [...new Set(named)]
}

/** Whether the values are few, and can be those of an array: none has NUL. */
function isSmall(statement: Statement, entries: readonly EntryRow[]): boolean {
  let length = 0
  for (const values of [statement.toSql('postgres').parameters, ...entries.map((entry) => entry.values)]) {
    for (const value of values) {
      if (typeof value !== 'string') continue
      if (value.includes('\0')) return false
      length += value.length
    }
  }
  return length <= lengthAtMost
}

/** Commits changes of one kind, no two with the same key. Resolves to the outcome of each. */
export async function commitGathered(changes: readonly Change[], send: Send): Promise<Committed[]> {
  const [first] = changes
  if (first === undefined) return []
  const statements = changes.map(({ statement }) => statement)
  const rows = await send(gatheredChange(first), [...gatheredParameters(statements), ...entryParameters(changes)])
  const changed = new Set(rows.map(([key]) => String(key)))
  return statements.map((statement): Committed => {
    if (changed.has(keyOf(statement))) return { applied: true, changes: [1] }
    return statement.mustChange ? { applied: false, changes: [] } : { applied: true, changes: [0] }
  })
}

/** By partition, and by the text for one. */
const texts = new Map<string, Map<string, string>>()

/** Returns the statement for any number of changes and entries. It returns the keys of the rows that it changed. */
export function gatheredChange({ statement, entries }: Change): string {
  const [partition = ''] = partitionsOf(entries)
  const { text, parameters } = statement.toSql('postgres')
  const ofPartition = texts.get(partition) ?? new Map<string, string>()
  texts.set(partition, ofPartition)
  const known = ofPartition.get(text)
  if (known !== undefined) return known
  const { arrays, names, text: each } = gatheredPlaces(statement)
  // Whoever waits for a lock does that alone. The transaction of the statement ends this limit.
  const limit = `(select set_config('lock_timeout', '${heldUpAfterMs}ms', true)) as patience`
  const source = ` from unnest(${arrays}) as gathered(${names.join(', ')}), ${limit} where `
  // The values of the row come before the first condition, and have none.
  const act = `${each.replace(' where ', () => source)} returning ${statement.changed?.column} as key`
  const made =
    `with act as (${act}), entry as (${insertEntries} ${selection(parameters.length + 1, partition)}) ` +
    'select key from act'
  ofPartition.set(text, made)
  return made
}

/** What an entry has besides its own columns: the key of its change, and of the entry before it the time and the hash. */
const besides = ['key', 'before_at_ms', 'before_hash'] as const
const noted = [...besides, ...entryColumns]
const numbers: readonly string[] = ['before_at_ms', 'at_ms', 'seq']
const seqAt = entryColumns.indexOf('seq')

/** An entry that continues a chain derives its number from the one before; if that is gone, the statement fails. */
function selection(first: number, partition: string): string {
  const places = noted.map((name, at) => ({
    number: first + at,
    type: numbers.includes(name) ? ('bigint' as const) : ('text' as const),
  }))
  const before =
    `(select seq + 1 from ${partition} as before where before.at_ms = noted.before_at_ms and ` +
    'before.writer = noted.writer and before.seq = noted.seq and before.hash = noted.before_hash)'
  const columns = entryColumns.map((name) =>
    name === 'seq' ? `case when noted.before_hash is null then noted.seq else ${before} end` : `noted.${name}`,
  )
  return (
    `select ${columns.join(', ')} from unnest(${arrayArguments(places)}) as noted(${noted.join(', ')}) ` +
    'where noted.key in (select key from act)'
  )
}

/** The values of all entries: an array for each column. */
function entryParameters(changes: readonly Change[]): Value[] {
  const rows = changes.flatMap(({ statement, entries }) =>
    entries.map(({ values, after }): Value[] => [
      keyOf(statement),
      after?.atMs ?? null,
      after?.hash ?? null,
      ...(after ? values.with(seqAt, after.seq) : values),
    ]),
  )
  return noted.map((_, at) => arrayOf(rows.map((row) => row[at] ?? null)))
}
