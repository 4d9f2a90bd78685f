/** The schemas of scopes. */
import type { TSchema } from 'typebox'
import { scopeTexts } from '../protocol/scope/scope-members.ts'
import { claimRulesSchema, named, nullable, text, time } from './schemas.ts'
import { Type } from './type.ts'

const resources = Type.Array(Type.String(), { description: 'Audiences (`aud`) of access tokens with the scope.' })

const textsInLanguages = (schema: TSchema) => ({
  additionalProperties: false,
  patternProperties: { [`^(${scopeTexts.join('|')})#[A-Za-z0-9-]{2,40}$`]: schema },
})

export const scopeSchema = named(
  'Scope',
  Type.Object(
    {
      name: Type.String(),
      display_name: nullable(Type.String()),
      description: nullable(Type.String()),
      resources,
      claims: claimRulesSchema,
      purpose: nullable(Type.String()),
      access_token_type: nullable(Type.String()),
      created_at: time(),
    },
    textsInLanguages(Type.String()),
  ),
)

const members = {
  display_name: Type.Optional(nullable(text(200, 'Its name on the consent page; `display_name#de` in a language.'))),
  description: Type.Optional(
    nullable(text(1000, 'Its description on the consent page; `description#de` in a language.')),
  ),
  resources: Type.Optional(nullable(resources)),
  claims: Type.Optional(nullable(claimRulesSchema)),
  purpose: Type.Optional(
    nullable(text(1000, 'Why it is asked for, as the consent page says; `purpose#de` in a language.')),
  ),
  access_token_type: Type.Optional(
    nullable(text(20, '`typ` of access tokens for its resources: `at+jwt` or `JWT`; null: as the client has it.')),
  ),
}
const inLanguages = textsInLanguages(nullable(text(1000)))
export const newScope = named('NewScope', Type.Object({ name: text(100), ...members }, inLanguages))
export const scopeChanges = named(
  'ScopeChanges',
  Type.Object({ ...members, name: Type.Optional(Type.String()), created_at: Type.Optional(time()) }, inLanguages),
)
