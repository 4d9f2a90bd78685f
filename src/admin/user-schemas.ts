/** The schemas of people, made of the declarations of their fields. */
import type { TArray, TBoolean, TNull, TOptional, TSchema, TString, TUnion } from 'typebox'
import {
  type Address,
  addressMembers,
  type FieldName,
  fieldEntries,
  type MemberName,
  memberEntries,
  type PersonField,
  type PersonMember,
  type personFields,
  type personMembers,
} from '../person-fields.ts'
import { named, nullable, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'

const addressSchema = strictObject(
  Object.fromEntries(Object.keys(addressMembers).map((name) => [name, Type.Optional(Type.String())])) as {
    readonly [Member in keyof Address]-?: TOptional<TString>
  },
)
const texts = Type.Array(Type.String(), { maxItems: 1000 })

type SchemasByType = {
  readonly text: TString
  readonly time: TString
  readonly flag: TBoolean
  readonly texts: TArray<TString>
  readonly address: typeof addressSchema
}
type SchemaOf<Declared extends PersonField | PersonMember> = Declared extends { readonly isNullable: true }
  ? TUnion<[SchemasByType[Declared['type']], TNull]>
  : SchemasByType[Declared['type']]

function schemaOf(declared: PersonField | PersonMember): TSchema {
  const described = { ...(declared.description !== undefined && { description: declared.description }) }
  switch (declared.type) {
    // The rules bound the length.
    case 'text': {
      const text = Type.String(described)
      return 'isNullable' in declared ? nullable(text) : text
    }
    case 'time':
      return 'isNullable' in declared ? nullable(time(declared.description)) : time(declared.description)
    case 'flag':
      return Type.Boolean(described)
    case 'texts':
      return texts
    case 'address':
      return addressSchema
  }
}

type Fields = { readonly [Name in FieldName]: SchemaOf<(typeof personFields)[Name]> }
type Members = { readonly [Name in MemberName]: SchemaOf<(typeof personMembers)[Name]> }

function fields(schema: (field: PersonField) => TSchema): object {
  return Object.fromEntries(fieldEntries.map(([name, field]) => [name, Type.Optional(schema(field))]))
}

/** The fields of a record: absent if they are not set. */
const recordFields = fields(schemaOf) as { readonly [Name in FieldName]: TOptional<Fields[Name]> }

/** The fields of a change: null removes one. */
const fieldChanges = fields((field) => nullable(schemaOf(field))) as {
  readonly [Name in FieldName]: TOptional<TUnion<[Fields[Name], TNull]>>
}

const recordMembers = Object.fromEntries(memberEntries.map(([name, member]) => [name, schemaOf(member)])) as Members

/** As requests have them. */
const sentMembers = Object.fromEntries(
  memberEntries.map(([name, member]) => {
    const { atMost: maxLength } = member
    if (maxLength === undefined) return [name, schemaOf(member)]
    const text = Type.String({ maxLength })
    return [name, 'isNullable' in member ? nullable(text) : text]
  }),
) as Members

const memberChanges = Object.fromEntries(
  Object.entries(sentMembers).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { readonly [Name in MemberName]: TOptional<Members[Name]> }

export const rolesSchema = named('UserRoles', texts)

const effectiveRoles = Type.Array(
  strictObject({
    role: Type.String(),
    from: Type.Array(Type.String(), {
      description: '`own`, the path of a group, `included by` a role, or `everybody`.',
    }),
  }),
  { description: 'The roles that the person has in effect, by name, and where each comes from.' },
)

/** Values by the names of attributes. Which there can be is declared while the service runs. */
const attributeValue = Type.Union([
  Type.String(),
  Type.Integer(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String(), Type.Integer(), Type.Boolean()])),
])
const attributes = Type.Optional(Type.Record(Type.String(), attributeValue))
const sentAttributes = Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown())))

export const userSchema = named(
  'User',
  strictObject({ ...recordMembers, effective_roles: effectiveRoles, ...recordFields, attributes }),
)

const password = Type.String({ maxLength: 4096 })

export const newUserSchema = named(
  'NewUser',
  strictObject({
    username: sentMembers.username,
    email: sentMembers.email,
    email_verified: Type.Optional(Type.Boolean({ default: false })),
    password: Type.Optional(nullable(password)),
    roles: Type.Optional(texts),
    required_actions: Type.Optional(texts),
    had_second_factor: Type.Optional(Type.Boolean({ default: false })),
    ...fieldChanges,
    attributes: sentAttributes,
  }),
)

export const passwordSchema = named('NewPassword', strictObject({ password }))

/** With the members that have operations of their own, and those that never change: they may be sent back as they were read. */
export const userChangesSchema = named(
  'UserChanges',
  strictObject({
    ...memberChanges,
    effective_roles: Type.Optional(effectiveRoles),
    ...fieldChanges,
    attributes: sentAttributes,
  }),
)
