/** `/me`: who calls, and what they may do. */

import { adminScopes } from '../protocol/scope/admin-scopes.ts'
import { type Operation, operation } from './operation.ts'
import { named, nullable, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const meSchema = named(
  'Me',
  strictObject({
    client_id: Type.String({ description: 'The client that the access token was issued to.' }),
    id: nullable(Type.String({ description: 'The person whose token it is; null: the client calls for itself.' })),
    username: nullable(Type.String()),
    permissions: Type.Array(Type.Enum([...adminScopes]), {
      description: 'What this call may do: all that the list names.',
    }),
  }),
)

export const meOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/me',
    permission: null,
    summary: 'Returns who calls, and what they may do',
    status: 200,
    answer: meSchema,
    async run({ caller: { clientId, user, permissions } }) {
      const body = {
        client_id: clientId,
        id: user?.id ?? null,
        username: user?.name ?? null,
        permissions: adminScopes.filter((permission) => permissions.has(permission)),
      }
      return { body }
    },
  }),
]
