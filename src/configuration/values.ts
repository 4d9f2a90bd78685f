/** Values of declared members. */
import { type Problem, problem } from '../problem.ts'

export { isTexts } from '../protocol/json-value.ts'

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
