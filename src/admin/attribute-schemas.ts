/** The schemas of declared fields of people. */
import { attributeTypes, editors, viewers } from '../users/attributes.ts'
import { named, nullable, text, time } from './schemas.ts'
import { Type } from './type.ts'

/** Labels and helps have a member for each language, such as `label#de`. */
const translations = { '^(label|help)#[A-Za-z0-9-]{1,35}$': nullable(Type.String()) }
const oneOf = (values: readonly string[]) => Type.String({ enum: [...values] })
const choice = Type.Object(
  { value: Type.String(), label: Type.Optional(Type.String()) },
  { additionalProperties: false, patternProperties: { '^label#[A-Za-z0-9-]{1,35}$': Type.String() } },
)
const integer = nullable(Type.Integer())

export const attributeSchema = named(
  'Attribute',
  Type.Object(
    {
      name: Type.String(),
      type: oneOf(attributeTypes),
      many: Type.Boolean({ description: 'A list of values, in order, without duplicates.' }),
      choices: Type.Optional(Type.Array(choice, { description: 'Of the type `choice`.' })),
      label: Type.Optional(Type.String({ description: 'Its name on pages; `label#de` in a language.' })),
      help: Type.Optional(Type.String()),
      required: Type.Boolean(),
      edited_by: oneOf(editors),
      seen_by: oneOf(viewers),
      unique: Type.Boolean({ description: 'No two people have the same value.' }),
      pattern: nullable(Type.String({ description: 'RE2 syntax, for the whole value.' })),
      min: integer,
      max: integer,
      searchable: Type.Boolean(),
      created_at: time(),
    },
    { additionalProperties: false, patternProperties: translations },
  ),
)
const members = {
  type: Type.Optional(nullable(oneOf(attributeTypes))),
  many: Type.Optional(nullable(Type.Boolean())),
  choices: Type.Optional(nullable(Type.Array(Type.Union([Type.String(), choice]), { maxItems: 1000 }))),
  label: Type.Optional(nullable(Type.String())),
  help: Type.Optional(nullable(Type.String())),
  required: Type.Optional(nullable(Type.Boolean())),
  edited_by: Type.Optional(nullable(oneOf(editors))),
  seen_by: Type.Optional(nullable(oneOf(viewers))),
  unique: Type.Optional(nullable(Type.Boolean())),
  pattern: Type.Optional(nullable(text(4096))),
  min: Type.Optional(integer),
  max: Type.Optional(integer),
  searchable: Type.Optional(nullable(Type.Boolean())),
}
const open = { additionalProperties: false, patternProperties: translations }
export const newAttributeSchema = named('NewAttribute', Type.Object({ name: text(100), ...members }, open))
export const attributeChanges = named(
  'AttributeChanges',
  Type.Object({ ...members, name: Type.Optional(Type.String()), created_at: Type.Optional(time()) }, open),
)
