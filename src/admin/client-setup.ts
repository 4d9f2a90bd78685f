/** `/clients/{client_id}/setup`: the settings of a library for an application, without its secret. */
import { isRefusal } from '../refusal.ts'
import { unknownClient } from './client-facts.ts'
import { setupSchema } from './client-schemas.ts'
import { type Operation, operation } from './operation.ts'
import { named, nullable, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const query = strictObject({
  template: Type.Optional(
    Type.String({ maxLength: 100, description: 'Default: the one that the application was registered for.' }),
  ),
})

const answer = named(
  'LaterClientSetup',
  strictObject({ template: nullable(Type.String()), setup: nullable(setupSchema) }),
)

export const clientSetupOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/clients/:client_id/setup',
    permission: 'admin:clients:read',
    summary:
      'Returns the settings of a library for an application, with YOUR_CLIENT_SECRET and YOUR_SESSION_SECRET where secrets belong',
    query,
    status: 200,
    answer,
    refusals: [404],
    async run({ params, query: { template }, service: { storage, settings } }) {
      const client = await storage.clients.find(params.client_id ?? '')
      if (client === undefined) return unknownClient(params.client_id)
      const { laterSetup } = await import('../protocol/templates/registered.ts')
      const found = laterSetup(client, template, settings.oauth.issuer)
      return isRefusal(found) ? found : { body: found }
    },
  }),
]
