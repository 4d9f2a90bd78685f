/** Checks query and body of a request against their schemas. */
import type { TObject, TSchema } from 'typebox'
import type { MemberFault } from '../http/answers.ts'
import { readQuery } from '../http/parameters.ts'
import type { Request } from '../http/request.ts'
import type { Problem } from '../problem.ts'
import { isNestedTooDeeply, repeatedMember } from '../protocol/json-value.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import type { Faults } from './operation.ts'
import { Check, Errors } from './type.ts'

const faultsAtMost = 20

/**
 * A body that does not match its schema. `rest`: its other members, in a list with nothing in the place of the faulty ones; undefined:
 * it has no members, or it is faulty as a whole.
 */
export type FaultyBody = Faults & { readonly rest: object | undefined }

/** Returns the parameters as the schema types them. */
export function readParameters(
  request: Request,
  schema: TObject | undefined,
): { readonly query: unknown } | Refusal | Faults {
  const parameters = readQuery(request)
  if (isRefusal(parameters)) return parameters
  const query: Record<string, unknown> = {}
  const faults: MemberFault[] = []
  for (const [name, value] of parameters) {
    const property = (schema?.properties as Readonly<Record<string, { readonly type?: string }>> | undefined)?.[name]
    if (property?.type === 'array') query[name] = [...((query[name] as string[] | undefined) ?? []), value]
    else if (Object.hasOwn(query, name))
      faults.push(fault(name, 'parameter_repeated', `${name} was sent more than once.`))
    else Object.defineProperty(query, name, { value: typed(value, property?.type), enumerable: true, writable: true })
  }
  const all = [...faults, ...faultsOf(schema ?? noParameters, query)]
  return all.length === 0 ? { query } : { faults: all.slice(0, faultsAtMost) }
}

const noParameters = { type: 'object', properties: {}, additionalProperties: false } as unknown as TObject

function typed(value: string, type: string | undefined): unknown {
  if (type === 'integer' && /^\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true'
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the body as JSON that matches the schema. A patch may be sent as `application/merge-patch+json` too. */
export function readBody(
  request: Request,
  schema: TSchema | undefined,
  isOptional = false,
): { readonly body: unknown } | Refusal | FaultyBody {
  if (schema === undefined) return { body: undefined }
  if (request.body.length === 0 && isOptional) return { body: {} }
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const isPatch = request.method === 'PATCH' && type === 'application/merge-patch+json'
  if (type !== 'application/json' && !isPatch) {
    return refuse('admin_media_type', 'Content-Type', { received: type ?? '' })
  }
  let text: string
  let body: unknown
  try {
    text = utf8.decode(request.body)
    body = JSON.parse(text)
  } catch {
    return refuse('admin_body_malformed', '', { rule: 'it is no JSON in UTF-8' })
  }
  if (isNestedTooDeeply(body)) return refuse('admin_body_malformed', '', { rule: 'it is nested too deeply' })
  const repeated = repeatedMember(text)
  if (repeated !== undefined)
    return refuse('admin_body_malformed', '', { rule: 'a member is there twice', member: repeated })
  const faults = [...unstorable(body, ''), ...faultsOf(schema, body)]
  return faults.length === 0 ? { body } : { faults: faults.slice(0, faultsAtMost), rest: withoutFaulty(body, faults) }
}

/** Returns the members of an object or a list that no fault is about. Those of a list keep their places. */
function withoutFaulty(body: unknown, faults: readonly MemberFault[]): object | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const faulty = new Set(faults.map(({ member, pointer = `/${escaped(member)}` }) => pointer.split('/')[1]))
  if (faulty.has(undefined)) return undefined
  if (Array.isArray(body)) return body.map((one, at) => (faulty.has(`${at}`) ? undefined : one))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !faulty.has(escaped(name))))
}

/** Neither NUL nor half of a surrogate pair can be stored as text. */
function unstorable(value: unknown, path: string): MemberFault[] {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return []
    return [fault(path, 'member_invalid', `${lastOf(path)} must not contain NUL or half a character.`, path)]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const below = `${path}/${escaped(name)}`
    return [...unstorable(name, below), ...unstorable(one, below)]
  })
}

type SchemaError = ReturnType<typeof Errors>[number]

/** Returns one fault for each faulty place of the value. */
export function faultsOf(schema: TSchema, value: unknown): MemberFault[] {
  if (Check(schema, value)) return []
  const faults: MemberFault[] = []
  const all = Map.groupBy(Errors(schema, value), ({ instancePath }) => instancePath)
  const paths = [...all.keys()]
  for (const [path, found] of all) {
    // Of a union, the alternative that goes deepest is the one that was meant.
    const isMeant = !paths.some((one) => one.startsWith(`${path}/`))
    const errors = isMeant ? found : found.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'type')
    faults.push(...unknownMembers(schema, path, errors), ...missingMembers(path, errors))
    const broken = errors.filter(({ keyword }) => !['boolean', 'required', 'additionalProperties'].includes(keyword))
    if (broken.length > 0) faults.push(fault(path, 'member_invalid', `${lastOf(path)} ${sentence(broken)}.`, path))
  }
  return faults
}

/** Returns the problems that a rule found as faults of members; without a member, of the body as a whole. */
export function faultsOfProblems(problems: readonly Problem[]): MemberFault[] {
  return problems.map(({ member, message }) => fault(member, 'member_invalid', message, placeOf(member)))
}

/** The place of a member that is not at the top. */
function placeOf(member: string): string | undefined {
  if (member === '') return ''
  return member.startsWith('attributes.') ? `/${member.replace('.', '/')}` : undefined
}

function unknownMembers(schema: TSchema, path: string, errors: readonly SchemaError[]): MemberFault[] {
  const found = errors.find(({ keyword }) => keyword === 'additionalProperties')
  const names = (found?.params as { additionalProperties?: readonly string[] } | undefined)?.additionalProperties ?? []
  const properties = (schema as { properties?: object }).properties
  const known = path === '' && properties !== undefined ? ` Known are: ${Object.keys(properties).join(', ')}.` : ''
  return names.map((name) => {
    const shown = name.slice(0, 64)
    return fault(shown, 'member_unknown', `${shown} is not known here.${known}`, `${path}/${escaped(shown)}`)
  })
}

function missingMembers(path: string, errors: readonly SchemaError[]): MemberFault[] {
  const found = errors.find(({ keyword }) => keyword === 'required')
  const names = (found?.params as { requiredProperties?: readonly string[] } | undefined)?.requiredProperties ?? []
  return names.map((name) => fault(name, 'member_missing', `${name} is missing.`, `${path}/${escaped(name)}`))
}

type Format = { readonly format: string }

/** The alternatives of a union are one sentence. */
function sentence(errors: readonly SchemaError[]): string {
  const types = errors.flatMap(({ keyword, params }) => (keyword === 'type' ? [(params as { type: string }).type] : []))
  const choices = errors.flatMap(({ keyword, params }) =>
    keyword === 'enum' ? (params as { allowedValues: readonly unknown[] }).allowedValues.map(String) : [],
  )
  const all = [...new Set([...choices, ...types.flat()])]
  if (choices.length > 0) return `must be one of: ${all.join(', ')}`
  const isTime = errors.some(({ keyword, params }) => keyword === 'format' && (params as Format).format === 'date-time')
  if (isTime) return 'must be a time such as 2030-01-31T12:00:00Z; in an address, a + of its offset is sent as %2B'
  // Of an alternative whose type is right, the fault is another one, such as a length.
  const meant = errors.find(({ keyword }) => keyword !== 'anyOf' && keyword !== 'type')
  if (meant === undefined && all.length > 0) return `must be ${all.join(' or ')}`
  return meant?.message ?? 'is not valid'
}

function fault(member: string, code: string, message: string, pointer?: string): MemberFault {
  return { member, code, message, ...(pointer !== undefined && { pointer }) }
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const lastOf = (path: string): string => (path === '' ? 'The body' : path.slice(path.lastIndexOf('/') + 1).slice(0, 64))
