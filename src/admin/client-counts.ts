/** `GET /client-counts`: how many applications each filter of their list lets through. */
import { type ClientKind, clientKinds } from '../protocol/client/client-kind.ts'
import { firstClients, kindOfClient } from './client-orders.ts'
import type { Call, Outcome } from './operation.ts'
import { countSchema, named, strictObject } from './schemas.ts'

const kindsSchema = strictObject(
  Object.fromEntries(clientKinds.map((kind) => [kind, countSchema])) as Record<ClientKind, typeof countSchema>,
)
export const clientCountsSchema = named(
  'ClientCounts',
  strictObject({ all: countSchema, kinds: kindsSchema, unused: countSchema, self_registered: countSchema }),
)

export async function countClients({ service: { storage } }: Call<unknown>): Promise<Outcome> {
  const { clients, isWhole: exact } = await firstClients(storage)
  const used = await storage.clientActivity.usedAmong(clients.map(({ id }) => id))
  const counted = (isCounted: (client: (typeof clients)[number]) => boolean) => ({
    count: clients.filter(isCounted).length,
    exact,
  })
  return {
    body: {
      all: counted(() => true),
      kinds: Object.fromEntries(clientKinds.map((kind) => [kind, counted((one) => kindOfClient(one) === kind)])),
      unused: counted(({ id }) => !used.has(id)),
      self_registered: counted(({ metadata }) => metadata.registration !== 'operator'),
    },
  }
}
