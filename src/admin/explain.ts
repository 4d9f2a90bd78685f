/** `/explain`: what a refusal means, and `/clients/{client_id}/refusals`. */

import { explainedRecord, refusalsInTrail, refusalsOfClient } from '../audit/refusals.ts'
import { explainId } from '../protocol/refusals/explanation.ts'
import { refuse } from '../protocol/refusals/index.ts'
import type { Storage } from '../storage/port/storage.ts'
import { unknownClient } from './client-facts.ts'
import { type Operation, operation } from './operation.ts'
import { named, strictObject } from './schemas.ts'
import { Type } from './type.ts'

const entry = {
  rule: Type.String(),
  id: Type.String({ description: 'The number of the entry in the catalogue of errors.' }),
  error: Type.String(),
  what: Type.String(),
  why: Type.String(),
  fix: Type.String(),
  source: Type.String(),
}
const recorded = {
  trace_id: Type.String(),
  time: Type.String({ format: 'date-time' }),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'The received and registered values.' }),
}
const refusalSchema = named('RecordedRefusal', strictObject({ ...recorded, ...entry }))
const explanationSchema = named(
  'Explanation',
  strictObject({
    ...entry,
    trace_id: Type.Optional(recorded.trace_id),
    time: Type.Optional(recorded.time),
    detail: Type.Optional(recorded.detail),
  }),
)

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 }))
const listOf = (schema: typeof refusalSchema | typeof explanationSchema) =>
  strictObject({ items: Type.Array(schema), next: Type.Null() })

/** Those of this process that wait to be written count as well. */
async function refusalsNow(storage: Storage, traceId: string) {
  const found = await refusalsInTrail(storage, traceId)
  if (found.length > 0) return found
  await storage.audit.flush()
  return refusalsInTrail(storage, traceId)
}

export const explainOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/explain/:what',
    permission: 'admin:audit:read',
    summary: 'Explains the refusals of a request by its trace id, or a code such as `ID2052`',
    status: 200,
    answer: listOf(explanationSchema),
    refusals: [404],
    async run({ params, service }) {
      const what = params.what ?? ''
      const code = /^(?:ID)?(\d{4})$/i.exec(what)?.[1]
      const items =
        code === undefined
          ? (await refusalsNow(service.storage, what.toLowerCase().slice(0, 64))).flatMap(
              (one) => explainedRecord(one) ?? [],
            )
          : explainId(`ID${code}`).map(({ facts: _inWords, ...one }) => one)
      return items.length === 0 ? refuse('admin_record_unknown', 'refusal', { what }) : { body: { items, next: null } }
    },
  }),
  operation({
    method: 'GET',
    path: '/clients/:client_id/refusals',
    permission: 'admin:clients:read',
    summary: 'Returns the last refusals of an application, newest first',
    query: strictObject({ limit }),
    status: 200,
    answer: listOf(refusalSchema),
    refusals: [404],
    async run({ params, query, service }) {
      const id = params.client_id ?? ''
      if ((await service.storage.clients.find(id)) === undefined) return unknownClient(id)
      const found = await refusalsOfClient(service.storage, id, query.limit ?? 50)
      return { body: { items: found.flatMap((one) => explainedRecord(one) ?? []), next: null } }
    },
  }),
]
