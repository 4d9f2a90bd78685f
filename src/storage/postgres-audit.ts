/** How PostgreSQL commits take their audit entries with them: in the same statement, and in chains that never fork. */
import { newTail, type Tail } from '../audit/chain.ts'
import type { Draft } from '../audit/draft.ts'
import { appendAll, entryColumns, insertEntries } from './audit-rows.ts'
import type { Committed } from './engine.ts'
import type { Value } from './sql/prepared.ts'

/** `prepare` false: a text that hardly comes again. */
type Query = { readonly text: string; readonly parameters: Value[]; readonly prepare?: boolean }

/** Acts record one entry, or two. What was noted comes in any number. */
const preparedAtMost = 4

/**
 * Chains of this process, as many as commits that record something were ever under way at once. A commit has its chain for
 * itself; it gives the chain back when the outcome is known. After a failure nobody can say for certain how far the chain
 * came (a lost connection, a silent server), so that it ends there and another one is begun.
 */
export function auditLanes() {
  // The one that was used last goes first, so that few are used while few are needed.
  const free: Tail[] = []
  return {
    async record(
      drafts: readonly Draft[],
      commit: (rows: readonly Value[][]) => Promise<Committed>,
    ): Promise<Committed> {
      const tail = free.pop() ?? newTail()
      const appended = appendAll(tail, drafts)
      const outcome = await commit(appended.rows)
      const { applied, changes } = outcome
      const isRecorded = applied && (changes.length === 0 || changes.some((rows) => rows > 0))
      free.push(isRecorded ? appended.tail : tail)
      return outcome
    },
  }
}

/** The act and its entries as one statement; it gives one row with `changed`, the number of rows that the act changed. */
export function recording(act: Query, entries: readonly Value[][]): Query {
  const first = act.parameters.length + 1
  const text = once(`${entries.length} ${act.text}`, () => {
    const rows = selections(entries.length, first, ' where exists (select 1 from act)')
    return `with act as (${act.text} returning 1), entry as (${insertEntries} ${rows}) select count(*)::integer as changed from act`
  })
  return { text, parameters: [...act.parameters, ...entries.flat()] }
}

/** The entries by themselves. */
export function insertionOf(entries: readonly Value[][]): Query {
  const text = `${insertEntries} ${selections(entries.length, 1, '')}`
  return { text, parameters: entries.flat(), prepare: entries.length <= preparedAtMost }
}

/** The text for each act is made once. */
const texts = new Map<string, string>()

function once(key: string, make: () => string): string {
  let text = texts.get(key)
  if (text === undefined) {
    text = make()
    texts.set(key, text)
  }
  return text
}

/** Typed, because PostgreSQL does not derive the types of a selection from what it is inserted into. */
function selections(count: number, first: number, condition: string): string {
  return Array.from({ length: count }, (_, row) => {
    const values = entryColumns.map((column, at) => {
      const type = column === 'at_ms' || column === 'seq' ? 'bigint' : 'text'
      return `cast($${first + row * entryColumns.length + at} as ${type})`
    })
    return `select ${values.join(', ')}${condition}`
  }).join(' union all ')
}
