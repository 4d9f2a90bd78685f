/** Makes the reference of the admin API, from its operations. */
import { openApiDocument } from '../src/admin/openapi.ts'
import { operations } from '../src/admin/operations.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

type Described = {
  readonly summary: string
  readonly security: readonly { readonly latchkey: readonly string[] }[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

/** Returns `docs/admin-api-reference.md`. */
export function adminReference(): string {
  const issuer = 'https://id.example.com/'
  // As JSON, so that it is what callers read.
  const document = JSON.parse(JSON.stringify(openApiDocument(operations, issuer, issuer))) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => row(`${method.toUpperCase()} ${path}`, one)),
  )
  const records = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    `### ${name}`,
    '',
    '| Member | Value | |',
    '|---|---|---|',
    ...Object.entries(schema.properties ?? {}).map(([member, value]) => {
      const isOptional = schema.required?.includes(member) !== true
      return `| \`${member}\`${isOptional ? '' : ' *'} | ${cell(wordsFor(value))} | ${cell(value.description ?? '')} |`
    }),
    '',
  ])
  return [
    '# The admin API: every call',
    '',
    'Generated from the operations; `/admin/api/openapi.json` of a running service has the same as OpenAPI 3.1. Paths are below',
    '`/admin/api/v1`.',
    '',
    '| Call | What it does | Permission | Parameters | Body | Answer |',
    '|---|---|---|---|---|---|',
    ...calls,
    '',
    '## Records',
    '',
    'An asterisk marks members that are always there.',
    '',
    ...records,
  ].join('\n')
}

function row(call: string, { summary, security, parameters = [], requestBody, responses }: Described): string {
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => `\`${name}\``)
  const [status = '', answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const shown = Object.values(answer?.content ?? {})[0]?.schema
  const permission = security[0]?.latchkey[0]
  const cells = [
    `\`${call}\``,
    summary,
    permission === undefined ? 'any' : `\`${permission}\``,
    query.join(', '),
    body === undefined ? '' : wordsFor(body),
    `${status}${shown === undefined ? '' : ` ${wordsFor(shown)}`}`,
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

function wordsFor(schema: Schema): string {
  const { $ref, type, format, enum: values, const: value, anyOf, items } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(', ')
  if (value !== undefined) return `\`${value}\``
  if (anyOf !== undefined) return anyOf.map(wordsFor).join(' or ')
  if (items !== undefined) return `list of ${wordsFor(items)}`
  if (schema.properties?.items !== undefined && schema.properties.next !== undefined) {
    return `page of ${wordsFor(schema.properties.items.items ?? {})}`
  }
  const names: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', boolean: 'yes or no' }
  const plain = typeof type === 'string' ? type : ''
  return format === undefined ? (names[plain] ?? (plain || 'anything')) : format
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
