/** What people have that files change or leave out: values of attributes, and memberships. */
import type { Change } from '../configuration/changes.ts'
import type { Plan } from '../configuration/plan.ts'
import type { Patterns } from '../patterns.ts'
import { type Problem, problem } from '../problem.ts'
import { clientPartOf, ownerlessProblem } from '../protocol/claims/client-roles.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { membersAtOnce } from '../storage/port/groups.ts'
import type { Storage } from '../storage/port/storage.ts'
import { changesKind } from '../users/attribute-record.ts'
import { valueFault } from '../users/attribute-values.ts'
import type { AttributeValue } from '../users/user-attributes.ts'
import { countsOf } from './removing.ts'

/**
 * Returns a problem for each attribute that the values of people do not allow, and the changes with the checks that they rest on. Reads
 * all values of those that change their kind. `isPlan`: nothing is to be changed, so that nothing is written.
 */
export async function unfitValues(
  storage: Storage,
  { changes }: Plan,
  { matches }: Patterns,
  isPlan: boolean,
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
          : await misfitFault(storage, before, after, { matches, isPlan })
    checked.push({ ...change, record: { ...record, ...rests } })
    if (fault !== undefined) problems.push(problem('attributes', `The attribute ${name}`, fault))
  }
  return { problems, changes: checked }
}

/** Returns a problem for each group that would be deleted although people are in it: no file has these. */
export async function membersLost({ groups }: Storage, { changes }: Plan): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { record, id } of changes) {
    if (record.kind !== 'group' || record.before === undefined || record.after !== undefined) continue
    const { length } = await groups.members(record.before.id)
    if (length === 0) continue
    const count = length < membersAtOnce ? `${length} ${length === 1 ? 'person is' : 'people are'}` : 'many people are'
    const advice = `Delete it first: latchkey group delete ${shellWord(id)} --yes --recursive`
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
  { matches, isPlan }: Pick<Patterns, 'matches'> & { readonly isPlan: boolean },
): Promise<{ readonly fault: string | undefined; readonly checked?: number }> {
  const isUnique = after.unique && !before.unique
  const fits = (value: AttributeValue): boolean => valueFault(after, value, matches) === undefined
  const isOther = changesKind(before, after)
  const rests = isOther && !isPlan ? await attributes.misfits(after.name, fits) : undefined
  const people = rests?.people ?? (isOther ? await attributes.unfit(after.name, fits) : [])
  if (people.length > 0) {
    return { fault: `has values that do not fit, of these people and perhaps of others: ${people.join(', ')}` }
  }
  const shared = isUnique ? await attributes.sharing(after.name) : []
  if (shared.length === 0) return { fault: undefined, ...(rests && { checked: rests.checked }) }
  return { fault: `cannot be unique: several people have the same value: ${shared.join(', ')}` }
}

/**
 * Returns a warning for each role that the plan newly gives and that would belong to a client which is not there. It is taken, because files
 * come from other installations, where it may be a plain role.
 */
export async function ownerlessRoles(
  { clientReferences }: Pick<Storage, 'clientReferences'>,
  { changes, after }: Plan,
): Promise<readonly string[]> {
  const clients = new Set(after.clients.map(({ id }) => id))
  const given = changes.flatMap(({ record }) =>
    [...rolesGivenBy(record.after)].filter((role) => !rolesGivenBy(record.before).has(role)),
  )
  const ofOthers = [...new Set(given)].filter((role) => !clients.has(clientPartOf(role) ?? ''))
  const ownerless = await clientReferences.ownerlessAmong(ofOthers)
  return ownerless.map((role) => `${ownerlessProblem('roles', role).message} Until then it is a plain role.`)
}

/** The roles of a person or a group, and those that a role includes. */
function rolesGivenBy(record: object | undefined): ReadonlySet<string> {
  const { roles = [], includes = [] } = (record ?? {}) as { roles?: readonly string[]; includes?: readonly string[] }
  return new Set([...roles, ...includes])
}
