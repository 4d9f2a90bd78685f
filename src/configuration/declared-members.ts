/** Members that files declare: their values, those that no record has, and those that a record shows and nobody sets. */
import { type Problem, problem } from '../problem.ts'

/** Returns a problem for each that is declared with another value than the stored record has. Unchanged ones may come back. */
export function changedReadOnly(
  members: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> | undefined,
  readOnly: readonly string[],
): Problem[] {
  return readOnly
    .filter((member) => Object.hasOwn(members, member))
    .filter((member) => stored === undefined || JSON.stringify(members[member]) !== JSON.stringify(stored[member]))
    .map((member) => problem(member, member, 'cannot be set; leave it out'))
}

/**
 * Whether a declaration has exactly the members of the stored record, `besides` aside. Such a record is not judged again:
 * the rules may have become stricter since.
 */
export function isAsStored(
  members: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> | undefined,
  besides: readonly string[],
): boolean {
  return stored !== undefined && canonical(members, besides) === canonical(stored, besides)
}

function canonical(record: Readonly<Record<string, unknown>>, besides: readonly string[]): string {
  const members = Object.entries(record).filter(([member]) => !besides.includes(member))
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the text; null: there is none. */
export function optionalText(
  members: Readonly<Record<string, unknown>>,
  member: string,
  problems: Problem[],
): string | null {
  const value = members[member] ?? null
  if (value === null || typeof value === 'string') return value
  problems.push(problem(member, member, 'must be a text'))
  return null
}

export function unknownMembers(
  members: Readonly<Record<string, unknown>>,
  known: readonly string[],
  owner: string,
): Problem[] {
  return Object.keys(members)
    .filter((member) => !known.includes(member))
    .map((member) => problem(member, member, `is not a member of ${owner}. These are: ${known.join(', ')}`))
}
