/** The members of a scope that can be set, by their names in records, and what they hold. */
import { type Problem, problem } from '../../problem.ts'
import { readRules } from '../claims/rule-reading.ts'
import { isTexts } from '../json-value.ts'
import { accessTokenTypes } from '../token/access-token-type.ts'
import type { Scope } from './scope.ts'

export type ScopeMembers = Readonly<Record<string, unknown>>
type Settable = Omit<Scope, 'name' | 'createdAtMs'>

/** Those without a language. */
export const scopeMembers: readonly string[] = [
  'display_name',
  'description',
  'resources',
  'claims',
  'purpose',
  'access_token_type',
]

/** Those that people read, which may have a language. */
export const scopeTexts: readonly string[] = ['display_name', 'description', 'purpose']

const withLanguage = new RegExp(`^(${scopeTexts.join('|')})#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,5})$`)

/** Whether a scope has a member of this name that can be set; texts may have a language, as in `purpose#de`. */
export const isScopeMember = (member: string): boolean => scopeMembers.includes(member) || withLanguage.test(member)

/** Whether it is a text with a language, or `purpose`. */
export const isScopeText = (member: string): boolean => member === 'purpose' || withLanguage.test(member)

/** Reads the members of a scope. Those that are left out take their defaults; what is no value is a problem, and left out. */
export function readScopeMembers(members: ScopeMembers): {
  readonly scope: Settable
  readonly problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const text = (member: string): string | null => {
    const value = members[member] ?? null
    if (value === null || typeof value === 'string') return value
    problems.push(problem(member, member, 'must be a text'))
    return null
  }
  const resources = members.resources ?? []
  if (!isTexts(resources)) problems.push(problem('resources', 'resources', 'must be a list of texts'))
  const claims = readRules(members.claims ?? [])
  if ('fault' in claims) problems.push(problem('claims', 'claims', claims.fault))
  const translations = Object.keys(members).flatMap((member) => {
    const [, of = member, tag = ''] = withLanguage.exec(member) ?? []
    const value = isScopeText(member) ? text(member) : null
    return value === null ? [] : [{ of, tag: tag.toLowerCase(), value }]
  })
  const purposes = translations.flatMap(({ of, tag, value }) => (of === 'purpose' ? [[tag, value] as const] : []))
  const localized = translations.flatMap(({ of, tag, value }) =>
    of === 'purpose' ? [] : [[`${of}#${tag}`, value] as const],
  )
  const given = members.access_token_type ?? null
  const accessTokenType = accessTokenTypes.find((type) => type === given) ?? null
  if (given !== accessTokenType) {
    const fault = `must be one of ${accessTokenTypes.join(', ')}`
    problems.push(problem('access_token_type', 'access_token_type', fault))
  }
  const scope = {
    displayName: text('display_name'),
    description: text('description'),
    resources: isTexts(resources) ? resources : [],
    claims: 'fault' in claims ? [] : claims.value,
    purposes: Object.fromEntries(purposes),
    localized: Object.fromEntries(localized),
    accessTokenType,
  }
  return { scope, problems }
}

/** Returns `purpose`, which may be null, and those in languages. */
export function purposeMembers(purposes: Scope['purposes']): Readonly<Record<string, string | null>> {
  const { '': purpose = null, ...others } = purposes
  return { purpose, ...Object.fromEntries(Object.entries(others).map(([tag, text]) => [`purpose#${tag}`, text])) }
}
