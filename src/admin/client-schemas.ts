/** Schemas of clients, derived from the table of their members (`protocol/client/client-members.ts`). */
import type { TSchema } from 'typebox'
import { clientMembers, readOnlyMembers } from '../protocol/client/client-members.ts'
import type { MemberKind } from '../protocol/client/member-kinds.ts'
import { registrableMethods } from '../protocol/client-authentication/registration.ts'
import { named, nullable } from './schemas.ts'
import { Type } from './type.ts'

const texts = Type.Array(Type.String())

function schemaOf(member: string, kind: MemberKind): TSchema {
  if (member === 'token_endpoint_auth_method') return Type.Enum([...registrableMethods])
  if (member === 'consent') return Type.Enum(['explicit', 'implicit'])
  switch (kind) {
    case 'flag':
      return Type.Boolean()
    case 'list':
      return texts
    case 'seconds':
      return Type.Integer()
    case 'object':
      return Type.Record(Type.String(), Type.Unknown())
    case 'words':
      return Type.String({ description: 'Words, separated by spaces.' })
    default:
      return Type.String()
  }
}

const settable = Object.entries(clientMembers)

/** Members in a language, such as `client_name#de` (RFC 7591 §2.2). */
const inLanguages = (schema: TSchema) => ({
  additionalProperties: false,
  patternProperties: { '^(client_name|client_uri|logo_uri|policy_uri|tos_uri)#[A-Za-z0-9-]{2,40}$': schema },
})

const readOnly = {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'In seconds since 1970.' }),
  registration: Type.Optional(Type.Enum(['operator', 'token', 'open', 'document'])),
  granted_signing_algs: Type.Optional(Type.Array(Type.String())),
  document_fresh_until: Type.Optional(Type.Integer()),
  public_since: Type.Optional(Type.Integer()),
  warnings: Type.Optional(Type.Array(Type.String(), { description: 'What the registration means for others.' })),
  set_by_operator: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of a client that registered itself: what operators set, which its own updates stay under.',
    }),
  ),
  previous_secret_expires_at: Type.Optional(Type.Integer({ description: 'Until when the replaced secret is valid.' })),
}

const always = [
  ...['client_name', 'redirect_uris', 'post_logout_redirect_uris', 'scope', 'grant_types', 'response_types'],
  ...['token_endpoint_auth_method', 'consent', 'require_pkce'],
]

const shown = Object.fromEntries(
  settable.map(([member, kind]) => {
    const schema = schemaOf(member, kind)
    return [member, always.includes(member) ? schema : Type.Optional(schema)]
  }),
)

/** A client by the names of RFC 7591 §2. Members that have their defaults may be missing. */
export const clientSchema = named('Client', Type.Object({ ...readOnly, ...shown }, inLanguages(Type.String())))

/** The same with a secret, which is shown once. */
export const clientWithSecretSchema = named(
  'ClientWithSecret',
  Type.Object(
    {
      ...readOnly,
      ...shown,
      client_secret: Type.Optional(Type.String({ description: 'Shown once.' })),
      client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: never.' })),
      secret_shown: Type.Optional(Type.Boolean({ description: 'In a replay, in place of the secret.' })),
    },
    inLanguages(Type.String()),
  ),
)

const changes = Object.fromEntries(
  settable.map(([member, kind]) => [member, Type.Optional(nullable(schemaOf(member, kind)))]),
)

export const newClientSchema = named(
  'NewClient',
  Type.Object(
    { client_id: Type.Optional(Type.String({ maxLength: 200, description: 'Default: a random one.' })), ...changes },
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
