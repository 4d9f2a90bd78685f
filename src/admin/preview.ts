/** `/clients/{client_id}/preview`: what tokens of an application would say about a person. Nothing is issued. */
import { previewRequest, previewTokens } from '../protocol/claims/preview.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { accessTokenSeconds, identityTokenSeconds } from '../tokens/lifetimes.ts'
import { unknownClient } from './client-facts.ts'
import { type Operation, operation } from './operation.ts'
import { named, nullable, strictObject, text } from './schemas.ts'
import { Type } from './type.ts'

const owner = {
  scope: Type.Optional(Type.String()),
  client: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
}
const previewedSchema = named(
  'PreviewedToken',
  strictObject({
    claims: Type.Record(Type.String(), Type.Unknown()),
    rules: Type.Array(strictObject({ claim: Type.String(), from: Type.String(), ...owner }), {
      description: 'What set each claim that the protocol does not.',
    }),
    left_out: Type.Array(strictObject({ claim: Type.String(), why: Type.String() })),
  }),
)
const previewSchema = named(
  'Preview',
  strictObject({
    id_token: nullable(previewedSchema),
    access_token: previewedSchema,
    userinfo: nullable(previewedSchema),
    introspection: previewedSchema,
  }),
)

const body = strictObject({
  user: text(320, 'A user name, or the id of a person.'),
  scope: Type.Optional(nullable(text(10_000, 'Separated by spaces; default: all that the application may request.'))),
  resource: Type.Optional(nullable(text(500, 'Default: all that the scopes lead to.'))),
})

export const previewOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/clients/:client_id/preview',
    permission: 'admin:clients',
    summary: 'Returns what tokens would say about a person, and what each claim comes from. Nothing is issued',
    body,
    status: 200,
    answer: previewSchema,
    refusals: [404],
    async run({ params, body: { user, scope = null, resource = null }, service, nowMs }) {
      const { storage, settings } = service
      const { oauth } = settings
      const client = await storage.clients.find(params.client_id ?? '')
      if (client === undefined) return unknownClient(params.client_id)
      const person = (await storage.users.findByName(user)) ?? (await storage.users.find(user))
      if (person === undefined) return refuse('admin_record_unknown', 'user', { name: user })
      const catalogue = await storage.catalogue.now()
      const asked = previewRequest(client, scope, resource, await storage.scopes.list(), oauth.issuer)
      if (isRefusal(asked)) return asked
      const preview = previewTokens({
        ...asked,
        issuer: oauth.issuer,
        client,
        subject: await catalogue.describe(person),
        algorithm: oauth.accessTokenAlgorithm,
        accessTokenSeconds: accessTokenSeconds(client, settings),
        identityTokenSeconds: identityTokenSeconds(client, settings),
        nowMs,
      })
      return { body: preview }
    },
  }),
]
