/**
 * Requests made from the OpenAPI document alone, as a property-based tester of APIs makes them: what the document allows is
 * carried out or refused as it says, and what it does not allow is refused.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { adminProgram } from '../support/admin.ts'
import { serviceForFile } from '../support/service.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header'; readonly schema: Schema }
type Described = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Requests of each operation. */
const requestsOfEach = 40
/** Streams do not end, and these two would take the caller's own access. */
const leftOut = ['getAuditStream', 'deleteClientsByClientId', 'deleteScopesByName']

const service = await serviceForFile({ Mail__Url: 'file:mails', Keys__MasterKey: `${'A'.repeat(43)}=` })
const admin = await adminProgram(service)
const api = (await (await fetch(new URL('admin/api/openapi.json', service.issuer))).json()) as Document
const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: true,
  validateFormats: true,
})
addFormats.default(ajv)
ajv.addVocabulary(['components'])

const operationsOf = (): [path: string, method: string, one: Described][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, string, Described] => [path, method, one]),
  )

const validators = new Map<string, ValidateFunction>()
/** `schema` with its references into the document. */
function validatorOf(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = validators.get(text)
  if (known !== undefined) return known
  const { components } = api
  const compiled = ajv.compile({ ...(JSON.parse(text) as object), components })
  validators.set(text, compiled)
  return compiled
}

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

class Maker {
  readonly next: () => number
  constructor(seed: number) {
    this.next = sequence(seed)
  }
  below = (count: number): number => Math.floor(this.next() * count)
  pick = <T>(items: readonly T[]): T => items[this.below(items.length)] as T

  value(given: Schema): unknown {
    const schema = resolved(given)
    if (schema.enum !== undefined) return this.pick(schema.enum)
    if (schema.anyOf !== undefined) return this.value(this.pick(schema.anyOf))
    switch (schema.type) {
      case 'string':
        return this.text(schema)
      case 'integer':
        return (
          (schema.minimum ?? -5) + this.below(Math.min((schema.maximum ?? 1000) - (schema.minimum ?? -5) + 1, 5000))
        )
      case 'boolean':
        return this.next() < 0.5
      case 'null':
        return null
      case 'array':
        return Array.from({ length: this.below(4) }, () => this.value(schema.items ?? {}))
      case 'object':
        return this.object(schema)
      default:
        return this.pick<unknown>([null, 7, 'any', [], {}])
    }
  }

  object({ properties = {}, required = [] }: Schema): object {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || this.next() < 0.3)
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.value(schema)]))
  }

  text({ format, pattern, maxLength = 60 }: Schema): string {
    if (format === 'date-time') return new Date(this.below(2 ** 31) * 1000).toISOString()
    if (pattern !== undefined) return '*'
    const words = [
      '',
      'a',
      'openid',
      'demo',
      'alice',
      'x@example.com',
      'https://a.example/',
      'Ünïcode 𝒳',
      '%00',
      '"',
      '..',
      '-1',
    ]
    return this.pick([...words, 'y'.repeat(this.below(maxLength + 1))]).slice(0, maxLength)
  }
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.slice('#/components/schemas/'.length)
  return name === undefined ? schema : resolved(api.components.schemas[name] ?? {})
}

const bodySchemaOf = (one: Described): Schema | undefined => one.requestBody?.content['application/json']?.schema

/** What stands in a path: a record that is there, or any text. */
function addressOf(path: string, one: Described, maker: Maker): string {
  const known = ['demo', 'openid', 'demo_api', 'admin', 'ID2052', 'nobody', 'ä/ö']
  const filled = path.replaceAll(/\{(\w+)\}/g, () => encodeURIComponent(maker.pick(known)))
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of one.parameters ?? []) {
    if (place !== 'query' || maker.next() < 0.6) continue
    const value = maker.value(schema)
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

function headersOf(one: Described): Record<string, string> {
  return one.parameters?.some(({ name }) => name === 'If-Match') ? { 'if-match': '*' } : {}
}

describe('requests made from the OpenAPI document', () => {
  it('has schemas that are valid and without an unknown keyword under JSON Schema 2020-12', () => {
    const schemas = operationsOf().flatMap(([, , one]) => [
      ...(one.parameters ?? []).map(({ schema }) => schema),
      ...Object.values({ ...one.responses, body: one.requestBody }).flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema }) => schema),
      ),
    ])
    assert.ok(schemas.length > 200)
    for (const schema of schemas) {
      assert.ok(validatorOf(schema), JSON.stringify(schema))
      assert.deepEqual(ajv.validateSchema(schema as never), true, JSON.stringify(schema))
    }
  })

  it('carries out what the document allows, or refuses it as the document says', async () => {
    let sent = 0
    let carriedOut = 0
    for (const [at, [path, method, one]] of operationsOf().entries()) {
      if (leftOut.includes(one.operationId)) continue
      for (let round = 0; round < requestsOfEach; round += 1) {
        const maker = new Maker(at * 1000 + round)
        const address = addressOf(path, one, maker)
        const schema = bodySchemaOf(one)
        const body = schema && maker.value(schema)
        const answer = await admin.send(method.toUpperCase(), address, { body, headers: headersOf(one) })
        const what = `${one.operationId} ${address} ${JSON.stringify(body)} ${answer.status} ${JSON.stringify(answer.body)}`
        const documented = one.responses[answer.status]
        assert.ok(documented, what)
        const [described] = Object.values(documented.content ?? {})
        if (described !== undefined) {
          const validate = validatorOf(described.schema)
          assert.ok(validate(answer.body), `${what} ${JSON.stringify(validate.errors)}`)
        }
        if (answer.status === 400) {
          // Each fault names what was sent, or a member that the rules miss.
          const known = new Set([
            ...(one.parameters ?? []).map(({ name }) => name),
            ...Object.keys(schema === undefined ? {} : (resolved(schema).properties ?? {})),
          ])
          const errors: { path: string }[] = answer.body.errors ?? []
          assert.ok(errors.length > 0 || answer.body.code !== 'ID9605', what)
          for (const { path } of errors)
            assert.ok(path === '' || known.has(path.split('/')[1] ?? '') || /^\/\d+$/.test(path), what)
        }
        sent += 1
        if (answer.status < 300) carriedOut += 1
      }
    }
    assert.ok(sent > 2000 && carriedOut > 500, `${carriedOut} of ${sent}`)
  })

  it('refuses what the document does not allow, and changes nothing', async () => {
    let refused = 0
    for (const [path, method, one] of operationsOf()) {
      if (leftOut.includes(one.operationId)) continue
      const headers = headersOf(one)
      const address = path.replaceAll(/\{\w+\}/g, 'demo')
      const send = async (body: unknown, query = '') =>
        (await admin.send(method.toUpperCase(), `${address}${query}`, { body, headers })).status
      assert.equal(await send(bodySchemaOf(one) && {}, '?nothing=1'), 400, one.operationId)
      const schema = bodySchemaOf(one)
      if (schema === undefined) continue
      for (const body of [{ surprising: true }, 7, 'text', null, [[]]]) {
        assert.equal(await send(body), 400, `${one.operationId} ${JSON.stringify(body)}`)
        refused += 1
      }
      for (const [name, member] of Object.entries(resolved(schema).properties ?? {})) {
        const wrong = [7.5, { a: { b: 1 } }, [[[]]], true].find((value) => !validatorOf(member)(value))
        if (wrong === undefined) continue
        assert.equal(await send({ [name]: wrong }), 400, `${one.operationId} ${name}`)
        refused += 1
      }
    }
    assert.ok(refused > 100, String(refused))
  })
})
