/** Decides which scopes can be registered. */
import { addressFault, type Judged, judge, lineFault, type Problem, problem } from '../../problem.ts'
import { isAdminScope } from './admin-scopes.ts'
import { resourceFault } from './resource-name.ts'
import { builtInScopes, isScopeToken, type Scope } from './scope.ts'

/** Limited because every access token with the scope carries all of its audiences. */
const resourcesAtMost = 10
const resourceLengthAtMost = 256

/** The scopes for claims (OpenID Connect Core §5.4, and this service's roles), as the consent page words them. */
export const standardScopes: readonly Pick<Scope, 'name' | 'displayName' | 'description'>[] = [
  { name: 'profile', displayName: 'Your profile', description: 'Your name, and what else your profile contains' },
  { name: 'email', displayName: 'Your email address', description: 'The address, and whether it is confirmed' },
  { name: 'roles', displayName: 'Your roles', description: 'What you may do in this organisation' },
  { name: 'phone', displayName: 'Your telephone number', description: 'The number, and whether it is confirmed' },
  { name: 'address', displayName: 'Your postal address', description: 'Street, place and country' },
]

/** The standard scopes that most clients use. */
export const commonScopes: readonly string[] = ['profile', 'email', 'roles']

/** `found`: what was wrong with its members, as they were read. */
export function registerScope(scope: Scope, found: readonly Problem[] = []): Judged<Scope> {
  const { name, displayName, description, resources, purposes, localized } = scope
  const unique = [...new Set(resources)]
  return judge({ ...scope, resources: unique }, [
    ...found,
    ...nameProblems(name),
    ...textProblems('display_name', 'The display name', displayName, 200),
    ...textProblems('description', 'The description', description, 1000),
    ...resourceProblems(unique),
    ...purposeProblems(purposes),
    ...localizedProblems(localized),
  ])
}

const languagesAtMost = 50
const lengthsAtMost: Readonly<Record<string, number>> = { display_name: 200, description: 1000 }

function localizedProblems(localized: Scope['localized']): Problem[] {
  const members = Object.keys(localized).map((member) => member.split('#')[0] as string)
  return [
    ...Object.keys(lengthsAtMost).flatMap((one) =>
      members.filter((member) => member === one).length > languagesAtMost
        ? [problem(one, 'A scope', `has ${one} in at most ${languagesAtMost} languages`)]
        : [],
    ),
    ...Object.entries(localized).flatMap(([member, text], at) =>
      textProblems(member, member, text, lengthsAtMost[members[at] as string] ?? 0),
    ),
  ]
}

function purposeProblems(purposes: Scope['purposes']): Problem[] {
  if (Object.keys(purposes).length > languagesAtMost) {
    return [problem('purpose', 'A scope', `has a purpose in at most ${languagesAtMost} languages`)]
  }
  return Object.entries(purposes).flatMap(([tag, text]) => {
    const member = tag === '' ? 'purpose' : `purpose#${tag}`
    return textProblems(member, member, text, 1000)
  })
}

function nameProblems(name: string): Problem[] {
  if (builtInScopes.includes(name) || isAdminScope(name))
    return [problem('name', `The scope ${name}`, 'is built in and needs no registration')]
  const fault = isScopeToken(name)
    ? addressFault(name)
    : 'must have 1 to 100 characters of ASCII, no spaces, quotes or backslashes'
  return fault === undefined ? [] : [problem('name', 'The name of a scope', fault)]
}

function textProblems(member: string, what: string, text: string | null, lengthAtMost: number): Problem[] {
  const fault = text === null ? undefined : lineFault(text, lengthAtMost)
  return fault === undefined ? [] : [problem(member, what, fault)]
}

/** RFC 9068 §3: absolute URIs (RFC 8707 §2), and names. */
function resourceProblems(resources: readonly string[]): Problem[] {
  if (resources.length > resourcesAtMost) {
    return [problem('resources', 'A scope', `has at most ${resourcesAtMost} resources`)]
  }
  return resources.flatMap((identifier) => {
    const fault = resourceFault(identifier, resourceLengthAtMost)
    if (fault === undefined) return []
    const isLong = identifier.length > resourceLengthAtMost
    return [problem('resources', isLong ? 'A resource' : `The resource ${JSON.stringify(identifier)}`, fault)]
  })
}
