/** `/keys`: the signing keys and secrets of the service. Their values never leave it. */

import { keyRecord } from '../keys/lifecycle.ts'
import { KeyRingProblem } from '../keys/master-key.ts'
import { rotateKeys } from '../keys/rotate.ts'
import { refuse } from '../protocol/refusals/index.ts'
import { listedFrom } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { listQuery, named, nullable, pageSchema, strictObject, time } from './schemas.ts'
import { Type } from './type.ts'

export const keySchema = named(
  'Key',
  strictObject({
    id: Type.String(),
    use: Type.String({
      description:
        '`sign`, `audit`, `imported` (a public key of a former system, which signs nothing), or what a secret is for.',
    }),
    algorithm: Type.String(),
    state: Type.Enum(['published', 'active', 'retired', 'expired']),
    created_at: time(),
    active_at: time('From when on it is used.'),
    expires_at: nullable(time()),
  }),
)

export const keyOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/keys',
    permission: 'admin:keys:read',
    summary: 'Lists the keys and their states',
    query: listQuery({}),
    status: 200,
    answer: pageSchema(keySchema),
    async run(call) {
      const ring = await call.service.storage.keys.list()
      const rows = [...ring].sort((a, b) => (a.id < b.id ? -1 : 1))
      return listedFrom(
        call,
        rows,
        ({ id }) => id,
        (key) => keyRecord(key, ring, call.nowMs),
      )
    },
  }),
  operation({
    method: 'POST',
    path: '/keys/rotate',
    permission: 'admin:keys',
    summary: 'Replaces every key; tokens and sessions stay valid',
    status: 200,
    answer: pageSchema(keySchema),
    run: rotate,
  }),
]

/** The new keys are published now and used some minutes later. */
async function rotate(call: Call): Promise<Outcome> {
  const { storage, settings, clock, random, keys } = call.service
  const eventOf = (kind: 'keys_rotated', details: Parameters<Call['event']>[2]) => call.event(kind, {}, details)
  try {
    const added = await rotateKeys({ storage, settings, clock, random, eventOf })
    await keys.refresh(0)
    const ring = await storage.keys.list()
    return { body: { items: added.map((key) => keyRecord(key, ring, call.nowMs)), next: null } }
  } catch (error) {
    if (error instanceof KeyRingProblem) return refuse('keys_not_rotated')
    throw error
  }
}
