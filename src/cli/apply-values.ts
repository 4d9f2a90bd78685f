/** What values that people have say about attributes that files change or leave out. */
import type { Change } from '../configuration/changes.ts'
import type { Plan } from '../configuration/plan.ts'
import type { Patterns } from '../patterns.ts'
import { type Problem, problem } from '../problem.ts'
import type { Storage } from '../storage/port/storage.ts'
import { changesKind } from '../users/attribute-record.ts'
import { valueFault } from '../users/attribute-values.ts'
import { countsOf } from './removing.ts'

/**
 * Returns a problem for each attribute that the values of people do not allow, and the changes with the checks that they rest on. Reads
 * all values of those that change their kind.
 */
export async function unfitValues(
  storage: Storage,
  { changes }: Plan,
  { matches }: Patterns,
): Promise<{ readonly problems: readonly Problem[]; readonly changes: Plan['changes'] }> {
  const problems: Problem[] = []
  const checked: Change[] = []
  for (const change of changes) {
    const { record } = change
    if (record.kind !== 'attribute') {
      checked.push(change)
      continue
    }
    const { before, after } = record
    const name = (after ?? before)?.name ?? ''
    const { fault, ...rests } =
      before === undefined
        ? { fault: await leavingFault(storage, name) }
        : after === undefined
          ? { fault: await lossFault(storage, name) }
          : await misfitFault(storage, before, after, matches)
    checked.push({ ...change, record: { ...record, ...rests } })
    if (fault !== undefined) problems.push(problem('attributes', `The attribute ${name}`, fault))
  }
  return { problems, changes: checked }
}

async function leavingFault({ removals }: Storage, name: string): Promise<string | undefined> {
  const isLeaving = (await removals.list()).some((one) => one.kind === 'attribute' && one.name === name)
  return isLeaving ? 'was deleted, and its values are still being removed. Try again in a moment' : undefined
}

async function lossFault({ attributes }: Storage, name: string): Promise<string | undefined> {
  const counted = countsOf([[await attributes.count(name), 'person has a value', 'people have a value']])
  const advice = `Delete it first: latchkey attribute delete ${name}`
  return counted && `would be deleted, because no file declares it, and ${counted}. ${advice}`
}

type Attribute = Parameters<typeof changesKind>[0]

async function misfitFault(
  { attributes }: Storage,
  before: Attribute,
  after: Attribute,
  matches: Patterns['matches'],
): Promise<{ readonly fault: string | undefined; readonly checked?: number }> {
  const isUnique = after.unique && !before.unique
  const found = changesKind(before, after)
    ? await attributes.misfits(after.name, (value) => valueFault(after, value, matches) === undefined)
    : undefined
  const rests = found && { checked: found.checked }
  if (found !== undefined && found.people.length > 0) {
    const people = found.people.join(', ')
    return { fault: `has values that do not fit, of these people and perhaps of others: ${people}` }
  }
  const shared = isUnique ? await attributes.sharing(after.name) : []
  if (shared.length === 0) return { fault: undefined, ...rests }
  return { fault: `cannot be unique: several people have the same value: ${shared.join(', ')}` }
}
