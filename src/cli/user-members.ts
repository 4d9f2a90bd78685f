/** What `latchkey user set` is given: members of every person, and values of declared attributes. */
import { personFields } from '../person-fields.ts'
import { Refused } from '../server/refused.ts'
import type { AttributeChanges } from '../users/attribute-changes.ts'
import { readValue } from '../users/attribute-values.ts'
import type { Attribute } from '../users/attributes.ts'
import { type UserMembers, userMemberProblem, userMembers } from '../users/changes.ts'
import { Misused } from './context.ts'
import { type MemberText, parseMembers, toValue } from './member-values.ts'

/** Throws `Misused` for one that is set twice. */
export function givenMembers(words: readonly string[]): readonly MemberText[] {
  const given = parseMembers(words)
  const list = given.find(({ operation }) => operation !== 'set')
  if (list !== undefined) throw new Misused(`${list.member} is not a list: set it with =`)
  if (new Set(given.map(({ member }) => member)).size < given.length) throw new Misused('Set each member once.')
  return given
}

/** Reads values of declared attributes as their types; what is none is left to the rule. */
export function attributesOf(given: readonly MemberText[], declared: ReadonlyMap<string, Attribute>): AttributeChanges {
  return Object.fromEntries(
    given.map(({ member, text }) => {
      const attribute = declared.get(member)
      return [member, (attribute && readValue(attribute, text)) ?? null]
    }),
  )
}

/** Throws `Refused` for a member that cannot be set. `attributes`: the names of those that are declared. */
export function membersOf(given: readonly MemberText[], attributes: readonly string[]): UserMembers {
  const problems = given
    .map(({ member }) => userMemberProblem(member, attributes))
    .filter((found) => found !== undefined)
  if (problems.length > 0) throw Refused.because(problems)
  return Object.fromEntries(given.map((one) => [one.member, memberValue(one)]))
}

/** Returns null for a claim or an address without a value, which removes it. */
function memberValue(given: MemberText) {
  const { member, text } = given
  if (text === '' && (Object.hasOwn(personFields, member) || member === 'email')) return null
  const type = userMembers[member as keyof UserMembers]
  if (type === 'texts')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  if (type === 'text' || type === 'flag') return toValue(type, given)
  try {
    return JSON.parse(text)
  } catch {
    throw Refused.because([{ member, message: `${member} must be a JSON object.` }])
  }
}
