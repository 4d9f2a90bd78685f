/** The OpenAPI 3.1 document of the admin API, derived from its operations. */

import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import { cacheable, empty } from '../http/answer.ts'
import type { Endpoint } from '../http/request.ts'
import { baseOf } from '../protocol/discovery/issuer.ts'
import { adminScopes, adminScopeWords } from '../protocol/scope/admin-scopes.ts'
import type { Service } from '../service.ts'
import { idempotencyKeyPattern } from './idempotency.ts'
import type { Operation } from './operation.ts'
import { nameOf, problemSchema } from './schemas.ts'
import { conditionPattern } from './version.ts'

/** Answers without a token; the document is the same for everybody. */
export function openApiEndpoint({ settings }: Service, operations: readonly Operation[], base: string): Endpoint {
  const text = JSON.stringify(openApiDocument(operations, base, settings.oauth.issuer))
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  const answer = cacheable('public, max-age=300', 'application/json', Buffer.from(text), { etag })
  const unchanged = { ...empty(304), headers: { 'cache-control': 'public, max-age=300', etag } }
  const isKnown = (tags = '') => tags.split(',').some((tag) => tag.trim() === etag)
  return async ({ headers }) => (isKnown(headers['if-none-match']) ? unchanged : answer)
}

export function openApiDocument(operations: readonly Operation[], base: string, issuer: string) {
  const components = new Map<string, unknown>()
  const problem = content(schemaOf(problemSchema, components), 'application/problem+json')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of operations) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}')
    const methods = paths[path] ?? {}
    paths[path] = methods
    methods[one.method.toLowerCase()] = describe(one, components, problem)
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Latchkey admin API',
      version: '1',
      summary: 'People, applications, scopes, keys and the audit trail.',
      description:
        'Texts contain neither NUL nor half of a surrogate pair. Names, addresses and other members follow rules that no schema says: a value that breaks one is answered with 400, and `errors` names the member and the rule. So are a `cursor` of another list, filters that go with no other one, and periods that are too long.',
    },
    servers: [{ url: `${base}admin/api/v1` }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { latchkey: oauth(issuer) },
    },
  }
}

function describe(one: Operation, components: Map<string, unknown>, problem: object) {
  const { method, path, summary, query, body, status, answer, answerType, hasVersion, permission } = one
  const success = {
    description: status === 204 ? 'Done.' : 'The answer.',
    ...(answer && content(schemaOf(answer, components), answerType ?? 'application/json')),
    ...((hasVersion || status === 201) && answer && { headers: headersOf(one) }),
  }
  const refusals = statusesOf(one).map((code) => [code, { description: refusalWords[code], ...problem }] as const)
  const parameters = [...pathParameters(path), ...queryParameters(query, components), ...headerParameters(one)]
  return {
    operationId: idOf(one),
    tags: [path.split('/')[1]],
    summary,
    security: [{ latchkey: permission === null ? [] : [permission] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(schemaOf(body, components), method, one.isBodyOptional !== true) }),
    responses: { [status]: success, ...Object.fromEntries(refusals) },
  }
}

/** Every operation that needs a permission can have the first ones. */
export function statusesOf({ method, body, hasVersion, permission, refusals = [] }: Operation): number[] {
  const isConditional = hasVersion === true && ['PUT', 'PATCH', 'DELETE'].includes(method)
  const codes: number[] = [
    ...(permission === null ? [400, 401] : [400, 401, 403]),
    ...refusals,
    ...(method === 'POST' ? [409, 422] : []),
    ...(isConditional ? [412] : []),
    ...(body ? [415] : []),
    ...(isConditional && method !== 'DELETE' ? [428] : []),
  ]
  return [...new Set(codes)].sort((a, b) => a - b)
}

const refusalWords: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a member is not valid: `errors` names each.',
  401: 'The access token is missing, not valid, or needs a stronger sign-in.',
  403: 'The caller lacks a permission.',
  404: 'There is no such record.',
  409: 'The record exists already, or something prevents the change.',
  412: 'The record was changed since the version that `If-Match` names.',
  415: 'The body is not JSON.',
  422: 'Another request was sent with this `Idempotency-Key`.',
  428: '`If-Match` is missing.',
  429: 'Too many of them are open.',
}

/** Such as `getScopesByName`. */
export function idOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path.split(/[/-]/).filter((word) => word !== '')
  const name = words.map((word) => (word.startsWith(':') ? `By_${word.slice(1)}` : word))
  return `${method.toLowerCase()}${name.map(capitalized).join('')}`.replaceAll(/_(\w)/g, (_, letter) =>
    letter.toUpperCase(),
  )
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: Operation['query'], components: Map<string, unknown>) {
  return Object.entries((query?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema, components) as { description?: string }
    return { name, in: 'query', ...(description && { description }), schema: rest }
  })
}

function headerParameters({ method, hasVersion }: Operation) {
  if (method === 'POST') return [idempotencyKey]
  const isDemanded = method === 'PUT' || method === 'PATCH'
  if (!hasVersion || (!isDemanded && method !== 'DELETE')) return []
  const description = 'The ETag of the version that is changed, or `*` for any.'
  return [{ name: 'If-Match', in: 'header', required: isDemanded, description, schema: ifMatchSchema }]
}

const ifMatchSchema = { type: 'string', maxLength: 4096, pattern: conditionPattern }

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A random value. For 24 hours the same request with the same value is carried out once.',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
}

function headersOf({ status, hasVersion }: Operation) {
  return {
    ...(hasVersion && { ETag: { description: 'The version of the record.', schema: { type: 'string' } } }),
    ...(status === 201 && { Location: { description: 'The address of the record.', schema: { type: 'string' } } }),
  }
}

function requestBody(schema: unknown, method: string, required: boolean) {
  const types = ['application/json', ...(method === 'PATCH' ? ['application/merge-patch+json'] : [])]
  return { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function content(schema: unknown, type: string) {
  return { content: { [type]: { schema } } }
}

/** Returns the schema as plain JSON, with references to the named ones, which are added to the components. */
function schemaOf(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const plain = () =>
    Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [
        name,
        name === 'patternProperties' ? ofAnyValue(value) : schemaOf(value, components),
      ]),
    )
  if (isTuple(schema)) return tupleOf(schema, components)
  const name = nameOf(schema)
  if (name === undefined) return plain()
  if (!components.has(name)) components.set(name, plain())
  return { $ref: `#/components/schemas/${name}` }
}

type Tuple = { readonly type: 'array'; readonly items: readonly unknown[] }

const isTuple = (schema: object): schema is Tuple => 'items' in schema && Array.isArray(schema.items)

/** Of JSON Schema 2020-12, where a list of `items` is called `prefixItems`. */
function tupleOf(
  { items, ...others }: Tuple & { readonly additionalItems?: unknown },
  components: Map<string, unknown>,
) {
  const { additionalItems: _, ...plain } = others
  return { ...plain, prefixItems: items.map((one) => schemaOf(one, components)), items: false }
}

function oauth(issuer: string) {
  const scopes = Object.fromEntries(adminScopes.map((scope) => [scope, adminScopeWords[scope]]))
  const tokenUrl = `${baseOf(issuer)}connect/token`
  return {
    type: 'oauth2',
    flows: {
      clientCredentials: { tokenUrl, scopes },
      authorizationCode: { authorizationUrl: `${baseOf(issuer)}connect/authorize`, tokenUrl, scopes },
    },
  }
}

/** Generators of clients make an index signature of the patterns, which every other member has to fit. */
function ofAnyValue(patterns: object) {
  return Object.fromEntries(Object.keys(patterns).map((pattern) => [pattern, { description: 'A text.' }]))
}
