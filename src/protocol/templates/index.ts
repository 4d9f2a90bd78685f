/** The templates, and what a registration by one of them asks for. */
import { type Judged, type Problem, problem, type Rejection } from '../../problem.ts'
import { asRefusal, isRefusal } from '../../refusal.ts'
import type { Client } from '../client/client.ts'
import type { MemberChange } from '../client/client-members.ts'
import { nearest } from '../nearest.ts'
import type { Scope } from '../scope/scope.ts'
import { withoutRules } from '../scope/scope.ts'
import { registerScope, standardScopes } from '../scope/scope-registration.ts'
import { javaAndDotnet } from './java-and-dotnet.ts'
import { javascript } from './javascript.ts'
import { kinds } from './kinds.ts'
import { products } from './products.ts'
import { servers } from './servers.ts'
import type { Setup, Template, TemplateMembers } from './template.ts'

const tables: readonly (readonly Template[])[] = [javascript, javaAndDotnet, servers, products, kinds]

/** In the order of every list. */
export const clientTemplates: readonly Template[] = tables.flat()

/** A template with the address that it was chosen for. */
export type ChosenTemplate = {
  readonly template: Template
  /** Without a slash at its end. */
  readonly base: string
}

/** The names of what is at fault, as the interface calls it. */
type Names = { readonly template: string; readonly base: string }

/** Finds the template, and judges the address. `base` undefined: where the library runs in development. */
export function chooseTemplate(id: string, base: string | undefined, names: Names): Judged<ChosenTemplate> {
  const template = clientTemplates.find((one) => one.id === id)
  if (template === undefined) return refused(problem(names.template, ...unknownTemplate(id)))
  const fault = base === undefined ? undefined : baseFault(template, base)
  if (fault !== undefined) return refused(problem(names.base, `The address of the template ${template.id}`, fault))
  const where = base ?? template.developedAt
  // A resource is compared character by character (RFC 8707 §2); paths are added to the others.
  return { template, base: template.takes === 'api' ? where : where.replace(/\/+$/, '') }
}

const refused = (found: Problem): Rejection => asRefusal({ problems: [found] })

function unknownTemplate(id: string): [what: string, fault: string] {
  const ids = clientTemplates.map((one) => one.id)
  const similar = nearest(id, ids)
  const advice = similar === undefined ? `These are: ${ids.join(', ')}` : `The nearest one is ${similar}`
  return [`The template ${JSON.stringify(id)}`, `is not known. ${advice}`]
}

/** A reversed domain name, or another scheme with a dot (RFC 8252 §7.1). */
const scheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/i
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/?$/
const lengthAtMost = 400

function baseFault({ takes }: Template, base: string): string | undefined {
  if (takes === 'nothing') return 'is not needed: leave it out'
  if (base.length > lengthAtMost) return `must have at most ${lengthAtMost} characters`
  if (takes === 'scheme') {
    if (scheme.test(base) || loopback.test(base)) return undefined
    return 'must be a scheme with a dot, such as com.example.app, or http://127.0.0.1'
  }
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) return 'must be an http or https address'
  // It becomes part of files in a dozen languages, none of which gives a meaning to these characters.
  return /^[\w:/.~%[\]-]+$/.test(base)
    ? undefined
    : 'must have no query, fragment, user or other signs: the paths of the library are added to it'
}

/** Returns the fault of a client id, as the end of a sentence. It is printed into shell commands and configuration files of many kinds. */
function idFault(id: string): string | undefined {
  return /^[\w.~@:/+-]+$/.test(id)
    ? undefined
    : 'must have letters, digits and . _ ~ @ : / + - alone, which mean the same in the settings of every library'
}

/** Returns the changes of the template with those that were given: a given member wins, and scopes are added to. */
export function templateChanges({ template, base }: ChosenTemplate, given: readonly MemberChange[]): MemberChange[] {
  const own: MemberChange[] = Object.entries(template.members(base)).flatMap(([member, value]) => {
    const isGiven = given.some((one) => one.member === member && one.operation === 'set')
    if (member !== 'scope') return isGiven ? [] : [{ member, operation: 'set', value }]
    const more = given.flatMap((one) => (one.member === 'scope' ? words(one.value) : []))
    return [{ member, operation: 'set', value: [...new Set([...words(value), ...more])] }]
  })
  const isMerged = own.some(({ member }) => member === 'scope')
  return [...own, ...given.filter(({ member }) => !(isMerged && member === 'scope'))]
}

const words = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(' ').filter(Boolean) : []

/**
 * Returns the scopes that have to be there for the client: those of the standard that it is permitted, and that of an API, which
 * has the name of its client.
 */
export function templateScopes(
  { template, base }: ChosenTemplate,
  clientId: string,
  changes: readonly MemberChange[],
  createdAtMs: number,
): readonly Scope[] {
  const permitted = changes.flatMap(({ member, value }) => (member === 'scope' ? words(value) : []))
  const standard = standardScopes.filter(({ name }) => permitted.includes(name))
  const made = standard.map((one): Scope => ({ ...one, resources: [], ...withoutRules, createdAtMs }))
  if (template.takes !== 'api') return made
  const own = { displayName: null, description: null, resources: [base], ...withoutRules, createdAtMs }
  return [...made, { name: clientId, ...own, ...template.scope }]
}

/** Returns those that have to be added. `known`: those of them that are there. */
export function missingScopes(scopes: readonly Scope[], known: readonly Scope[]): readonly Scope[] {
  return scopes.filter(({ name }) => !known.some((one) => one.name === name))
}

/**
 * Returns what a registration by a template is refused for beside the client itself: the id, and the scope of an API, which has the
 * name of its client.
 */
export function templateProblems(clientId: string, scopes: readonly Scope[]): readonly Problem[] {
  const fault = idFault(clientId)
  if (fault !== undefined) return [problem('client_id', 'The id of a client of a template', fault)]
  return scopes.flatMap((scope) => {
    const judged = registerScope(scope)
    return isRefusal<Scope | Rejection>(judged) ? judged.problems.map((one) => ({ ...one, member: 'client_id' })) : []
  })
}

/** Returns the settings of the library for the client. `secret`: empty where it has none. */
export function templateSetup(
  { template, base }: ChosenTemplate,
  client: Client,
  issuer: string,
  secret: string,
): Setup {
  return template.setup({
    issuer,
    clientId: client.id,
    secret,
    base,
    redirectUri: client.redirectUris[0] ?? '',
    scope: ['openid', ...client.scopes.filter((one) => one !== 'openid')].join(' '),
  })
}

type TemplateRecord = {
  readonly id: string
  readonly title: string
  readonly takes: Template['takes']
  readonly default_url?: string
  readonly members: TemplateMembers
}

/** As every interface shows it: its members where the library runs in development. */
export const templateRecord = ({ id, title, takes, developedAt, members }: Template): TemplateRecord => ({
  id,
  title,
  takes,
  ...(developedAt !== '' && { default_url: developedAt }),
  members: members(developedAt),
})

/** The problem of an API whose id is the name of a scope that exists. */
export function takenScope(name: string): Problem {
  return problem('client_id', `The scope ${name}`, 'is there already: choose another id for the API')
}
