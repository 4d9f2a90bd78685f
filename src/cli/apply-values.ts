/** What people have that files leave out: values of attributes, and memberships. */
import type { Plan } from '../configuration/plan.ts'
import type { Patterns } from '../patterns.ts'
import { type Problem, problem } from '../problem.ts'
import { membersAtOnce } from '../storage/port/groups.ts'
import type { Storage } from '../storage/port/storage.ts'
import { changesKind } from '../users/attribute-record.ts'
import { valueFault } from '../users/attribute-values.ts'
import { countsOf } from './removing.ts'

/** Returns a problem for each attribute that the values of people do not allow. Reads all values of those that change their kind. */
export async function unfitValues(storage: Storage, { changes }: Plan, { matches }: Patterns): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { record } of changes) {
    if (record.kind !== 'attribute') continue
    const { before, after } = record
    const name = (after ?? before)?.name ?? ''
    const fault =
      before === undefined
        ? await leavingFault(storage, name)
        : after === undefined
          ? await lossFault(storage, name)
          : await misfitFault(storage, before, after, matches)
    if (fault !== undefined) problems.push(problem('attributes', `The attribute ${name}`, fault))
  }
  return problems
}

/** Returns a problem for each group that would be deleted although people are in it: no file has these. */
export async function membersLost({ groups }: Storage, { changes }: Plan): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { record, id } of changes) {
    if (record.kind !== 'group' || record.before === undefined || record.after !== undefined) continue
    const { length } = await groups.members(record.before.id)
    if (length === 0) continue
    const count = length < membersAtOnce ? `${length} ${length === 1 ? 'person is' : 'people are'}` : 'many people are'
    const advice = `Delete it first: latchkey group delete ${id} --yes --recursive`
    const fault = `would be deleted, because no file declares it, and ${count} in it. ${advice}`
    problems.push(problem('groups', `The group ${id}`, fault))
  }
  return problems
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
): Promise<string | undefined> {
  const isUnique = after.unique && !before.unique
  const [unfit, shared] = [
    changesKind(before, after)
      ? await attributes.misfits(after.name, (value) => valueFault(after, value, matches) === undefined)
      : [],
    isUnique ? await attributes.sharing(after.name) : [],
  ]
  if (unfit.length > 0) return `has values that do not fit, of these people and perhaps of others: ${unfit.join(', ')}`
  return shared.length > 0 ? `cannot be unique: several people have the same value: ${shared.join(', ')}` : undefined
}
