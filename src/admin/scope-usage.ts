/** `/scopes/{name}/usage`: who would notice that a scope goes. */
import { refuse } from '../protocol/refusals/index.ts'
import { type Operation, operation } from './operation.ts'
import { named, strictObject } from './schemas.ts'
import { Type } from './type.ts'

export const scopeUsageOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/scopes/:name/usage',
    permission: 'admin:clients:read',
    summary: 'Counts who uses a scope. Reads all consents and grants in parts: seconds for a million',
    status: 200,
    answer: named(
      'ScopeUsage',
      strictObject({
        clients: Type.Array(Type.String(), { description: 'The ids of the clients that may request it.' }),
        consents: Type.Integer({ description: 'Consents that name it.' }),
        grants: Type.Integer({ description: 'Grants with it that have a valid refresh token.' }),
      }),
    ),
    refusals: [404],
    async run({ params: { name = '' }, service: { storage }, nowMs }) {
      const [scope] = await storage.scopes.findMany([name])
      if (scope === undefined) return refuse('admin_record_unknown', 'scope', { name })
      return { body: await storage.scopes.dependents(name, nowMs) }
    },
  }),
]
