/** `POST /users/{id}/authorizations`: an operator stores a consent for a person. */
import type { Rejection } from '../problem.ts'
import { authorizationRecord } from '../protocol/client/records.ts'
import type { Authorization } from '../protocol/grant/grant.ts'
import { consentOfOperator } from '../protocol/grant/operator-consent.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { uuidv7 } from '../secrets/opaque.ts'
import { consentSchema } from './access-kinds.ts'
import { type Operation, type Outcome, operation } from './operation.ts'
import { checkClient } from './permissions.ts'
import { strictObject, text } from './schemas.ts'
import { Type } from './type.ts'
import { changeablePerson, unknownUser } from './user-facts.ts'

export const userConsentOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/users/:id/authorizations',
    permission: 'admin:users',
    summary:
      'Stores a consent for a person, who is then not asked. For clients with `consent` external it is the only way in. One of the same scopes becomes one of the operator, with its id',
    body: strictObject({
      client_id: text(256, 'The application.'),
      scopes: Type.Array(text(200), { minItems: 1, maxItems: 100, description: 'It covers these and fewer.' }),
    }),
    status: 201,
    answer: consentSchema,
    refusals: [404],
    async run(call): Promise<Outcome> {
      const user = await changeablePerson(call)
      if (isRefusal(user)) return user
      const { client_id: clientId, scopes: asked } = call.body
      const { storage, random } = call.service
      const client = await storage.clients.find(clientId)
      if (client === undefined) {
        const message = `There is no client ${clientId}.`
        return { faults: [{ member: 'client_id', code: 'unknown_client', message }] }
      }
      // Whoever agrees for somebody gives the client what they do not have themselves.
      const no = checkClient(call.caller.permissions, { id: client.id, scopes: asked })
      if (no !== undefined) return no
      const made = { id: uuidv7(call.nowMs, random), userId: user.id, createdAtMs: call.nowMs }
      const consent = consentOfOperator(made, client, asked, await storage.scopes.findMany(asked))
      if (isRefusal<Authorization | Rejection>(consent)) return consent
      const { id, scopes } = consent
      const given = call.event('consent_given', { userId: user.id, clientId: client.id }, { id, scopes })
      const stored = await storage.authorizations.store(consent, [given])
      if (stored === 'gone') return unknownUser(user.id)
      if (stored === 'completed') return refuse('admin_record_unknown', 'authorization', { id })
      return { body: authorizationRecord(stored), location: `/authorizations/${stored.id}` }
    },
  }),
]
