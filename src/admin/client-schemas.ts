/** Schemas of clients, derived from the table of their members (`protocol/client/member-table.ts`). */
import type { TSchema } from 'typebox'
import { clientMembers, listedValues, type ReadOnlyMember, readOnlyMembers } from '../protocol/client/client-members.ts'
import { recordTable, type SettableMember } from '../protocol/client/member-table.ts'
import { localizedMembers } from '../protocol/client/metadata-members.ts'
import { claimRulesSchema, named, nullable } from './schemas.ts'
import { Type } from './type.ts'

const texts = Type.Array(Type.String())

function schemaOf(member: SettableMember): TSchema {
  const listed = listedValues(member)
  if (listed !== undefined) return Type.Enum([...listed])
  switch (clientMembers[member]) {
    case 'flag':
      return Type.Boolean()
    case 'list':
      return texts
    case 'seconds':
      return Type.Integer()
    case 'object':
      return Type.Record(Type.String(), Type.Unknown())
    case 'rules':
      return claimRulesSchema
    case 'words':
      return Type.String({ description: 'Words, separated by spaces.' })
    default:
      return Type.String()
  }
}

const settable = Object.keys(clientMembers) as SettableMember[]

/** Members in a language, such as `client_name#de` (RFC 7591 §2.2). */
export const inLanguages = (schema: TSchema) => ({
  additionalProperties: false,
  patternProperties: { [`^(${localizedMembers.join('|')})#[A-Za-z0-9-]{2,40}$`]: schema },
})

const readOnly = {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'In seconds since 1970.' }),
  registration: Type.Optional(Type.Enum(['operator', 'token', 'open', 'document'])),
  granted_signing_algs: Type.Optional(Type.Array(Type.String())),
  document_fresh_until: Type.Optional(Type.Integer()),
  public_since: Type.Optional(Type.Integer()),
  sector_identifier: Type.Optional(Type.String({ description: 'The host that is the sector of a pairwise client.' })),
  warnings: Type.Optional(Type.Array(Type.String(), { description: 'What the registration means for others.' })),
  allowed_origins: Type.Optional(Type.Array(Type.String(), { description: 'What web_origins comes to.' })),
  wildcard_uris: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Addresses that end in * and mean every path below. An import with --allow-wildcards brought them.',
    }),
  ),
  set_by_operator: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of a client that registered itself: what operators set, which its own updates stay under.',
    }),
  ),
  previous_secret_expires_at: Type.Optional(Type.Integer({ description: 'Until when the replaced secret is valid.' })),
} satisfies Readonly<Record<ReadOnlyMember | 'warnings', TSchema>>

const shown = Object.fromEntries(
  settable.map((member) => {
    const schema = schemaOf(member)
    return [member, Object.hasOwn(recordTable, member) ? schema : Type.Optional(schema)]
  }),
)

/** A client by the names of RFC 7591 §2. Members that have their defaults may be missing. */
export const clientSchema = named('Client', Type.Object({ ...readOnly, ...shown }, inLanguages(Type.String())))

/** What a person copies into a project. */
export const setupSchema = named(
  'ClientSetup',
  Type.Object({
    title: Type.String({ description: 'The file that the code belongs in, or the place where it is typed.' }),
    language: Type.String(),
    code: Type.String({
      description: 'With the values of the client; in the answer that registers it, its secret among them: shown once.',
    }),
    environment: Type.Optional(
      Type.Object(
        { title: Type.String(), code: Type.String() },
        { description: 'A file of the variables that the code reads, such as .env, with the secrets.' },
      ),
    ),
    install: Type.Optional(Type.String({ description: 'Commands that install the library.' })),
    run: Type.Optional(Type.String({ description: 'Commands that start what the code makes.' })),
    notes: texts,
  }),
)

/** A library or product that a client can be registered for. */
const templateSchema = named(
  'ClientTemplate',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    kind: Type.Enum(['server', 'browser', 'product', 'installed', 'api']),
    takes: Type.Enum(['application', 'api', 'scheme', 'nothing']),
    default_url: Type.Optional(Type.String({ description: 'Where it runs while it is developed.' })),
    members: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Those that it sets, with the default address.',
    }),
  }),
)

export const templatesSchema = Type.Object({ items: Type.Array(templateSchema) })

/** The same with a secret, which is shown once. */
export const clientWithSecretSchema = named(
  'ClientWithSecret',
  Type.Object(
    {
      ...readOnly,
      ...shown,
      client_secret: Type.Optional(Type.String({ description: 'Shown once.' })),
      client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: never.' })),
      setup: Type.Optional(setupSchema),
      secret_shown: Type.Optional(Type.Boolean({ description: 'In a replay, in place of the secret.' })),
    },
    inLanguages(Type.String()),
  ),
)

const changes = Object.fromEntries(settable.map((member) => [member, Type.Optional(nullable(schemaOf(member)))]))

export const newClientSchema = named(
  'NewClient',
  Type.Object(
    {
      ...changes,
      client_id: Type.Optional(Type.String({ maxLength: 200, description: 'Default: a random one.' })),
      template: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The library or product that it is for: its members are the defaults.',
        }),
      ),
      base_url: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'With template: where it runs. Default: where it runs in development.',
        }),
      ),
    },
    inLanguages(nullable(Type.String())),
  ),
)

export const clientChangesSchema = named(
  'ClientChanges',
  Type.Object(
    {
      ...Object.fromEntries([...readOnlyMembers, 'warnings'].map((member) => [member, Type.Optional(Type.Unknown())])),
      ...changes,
    },
    inLanguages(nullable(Type.String())),
  ),
)
