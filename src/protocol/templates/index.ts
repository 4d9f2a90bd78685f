/** The templates, and the choice of one of them. */
import { type Judged, type Problem, problem, type Rejection } from '../../problem.ts'
import { asRefusal } from '../../refusal.ts'
import { nearest } from '../nearest.ts'
import { goAndRust } from './go-and-rust.ts'
import { javaAndDotnet } from './java-and-dotnet.ts'
import { javascript } from './javascript.ts'
import { kinds } from './kinds.ts'
import { products } from './products.ts'
import { python } from './python.ts'
import { rubyAndPhp } from './ruby-and-php.ts'
import type { Template, TemplateMembers } from './template.ts'

const tables: readonly (readonly Template[])[] = [
  javascript,
  javaAndDotnet,
  goAndRust,
  python,
  rubyAndPhp,
  products,
  kinds,
]

/** In the order of every list. */
export const clientTemplates: readonly Template[] = tables.flat()

/** A template with the address that it was chosen for. */
export type ChosenTemplate = {
  readonly template: Template
  /** Without a slash at its end. */
  readonly base: string
}

/** The names of what is at fault, as the interface calls it. */
export type TemplateNames = { readonly template: string; readonly base: string }

/** Finds the template, and judges the address. `base` undefined: where the library runs in development. */
export function chooseTemplate(id: string, base: string | undefined, names: TemplateNames): Judged<ChosenTemplate> {
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

/** How a list groups templates: where the code runs, or a finished product. */
export type TemplateKind = 'server' | 'browser' | 'product' | 'installed' | 'api'

function kindOf(template: Template): TemplateKind {
  if (products.includes(template)) return 'product'
  const { token_endpoint_auth_method: method, grant_types: grants } = template.members(template.developedAt)
  if (method !== 'none') return Array.isArray(grants) && grants.includes('authorization_code') ? 'server' : 'api'
  return template.takes === 'application' ? 'browser' : 'installed'
}

type TemplateRecord = {
  readonly id: string
  readonly title: string
  readonly kind: TemplateKind
  readonly takes: Template['takes']
  readonly default_url?: string
  readonly members: TemplateMembers
}

/** As every interface shows it: its members where the library runs in development. */
export function templateRecord(template: Template): TemplateRecord {
  const { id, title, takes, developedAt, members } = template
  return {
    id,
    title,
    kind: kindOf(template),
    takes,
    ...(developedAt !== '' && { default_url: developedAt }),
    members: members(developedAt),
  }
}
