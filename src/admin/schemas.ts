/** Schemas that several resources share. */
import type { TObject, TProperties, TSchema } from 'typebox'
import { claimForms, claimPlaces } from '../protocol/claims/claim-rules.ts'
import { Type } from './type.ts'

const names = new WeakMap<object, string>()

/** Gives a schema a name in the OpenAPI document (`components/schemas`). */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  names.set(schema, name)
  return schema
}

export const nameOf = (schema: object): string | undefined => names.get(schema)

/** An object without further members. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  description?: string,
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...(description && { description }) })
}

/** Null stands for the default. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const text = (lengthAtMost: number, description?: string) =>
  Type.String({ maxLength: lengthAtMost, ...(description && { description }) })

/** Rules of a scope, a client or a resource. What each may be is for the rules to say. */
export const claimRulesSchema = Type.Array(
  named(
    'ClaimRule',
    strictObject({
      claim: text(200, 'A name; dots make objects, and an address is one name.'),
      from: text(1100, 'Where the value comes from, such as `attribute:department` or `roles`.'),
      in: Type.Optional(nullable(Type.Array(Type.Enum([...claimPlaces]), { description: 'Null: the default.' }))),
      as: Type.Optional(Type.Enum([...claimForms])),
    }),
  ),
)

/** ISO 8601 in UTC. */
export const time = (description?: string) => Type.String({ format: 'date-time', ...(description && { description }) })

/** Returns the schema of a page of records. */
export function pageSchema<Schema extends TSchema>(items: Schema) {
  return strictObject({
    items: Type.Array(items),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'The `cursor` of the next page; null: this is the last.',
    }),
  })
}

/** A page of a list that stops looking after some records: it may be empty and go on. */
export function searchedPageSchema<Schema extends TSchema>(items: Schema) {
  return strictObject({
    ...pageSchema(items).properties,
    looked_at: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'In an empty page that goes on: how many records it looked at, at least.',
      }),
    ),
  })
}

/** The query of a list: `limit`, `cursor` and filters. */
export function listQuery<Filters extends TProperties>(filters: Filters) {
  return strictObject({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
    cursor: Type.Optional(
      Type.String({ maxLength: 4096, description: '`next` of the page before, with the same filters.' }),
    ),
    ...filters,
  })
}

/** The order of a list of what happened. */
export const order = Type.Enum(['oldest', 'newest'], { default: 'oldest', description: 'Which come first.' })

/** The query of a deletion that something may depend on. */
export const forceQuery = strictObject({
  force: Type.Optional(Type.Boolean({ default: false, description: 'Takes it from everybody who uses it.' })),
})

/** Problem details (RFC 9457). */
export const problemSchema = named(
  'Problem',
  Type.Object({
    type: Type.String({ description: 'The entry of the catalogue of errors.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    error: Type.String(),
    code: Type.String({ description: 'The number of the entry, such as `ID9605`.' }),
    trace_id: Type.String({ description: 'Leads to the entry of the audit trail.' }),
    errors: Type.Optional(
      Type.Array(
        strictObject({
          path: Type.String({
            description: 'A JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter.',
          }),
          message: Type.String(),
          code: Type.String(),
        }),
      ),
    ),
  }),
)

/** A count that reads no more than it needs to. */
export const countSchema = strictObject({
  count: Type.Integer({ minimum: 0 }),
  exact: Type.Boolean({ description: 'False: there are more.' }),
})
