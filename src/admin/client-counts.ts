/** `GET /client-counts`: how many applications each filter of their list lets through. */
import { type ClientKind, clientKinds } from '../protocol/client/client-kind.ts'
import { firstClients, kindOfClient } from './client-orders.ts'
import { countedSince, timeOf } from './client-usage.ts'
import type { Call, Outcome } from './operation.ts'
import { countSchema, named, strictObject } from './schemas.ts'

const kindsSchema = strictObject(
  Object.fromEntries(clientKinds.map((kind) => [kind, countSchema])) as Record<ClientKind, typeof countSchema>,
)
export const clientCountsSchema = named(
  'ClientCounts',
  strictObject({
    ...{ all: countSchema, kinds: kindsSchema, unused: countSchema, self_registered: countSchema },
    counted_since: countedSince,
  }),
)

export async function countClients({ service: { storage } }: Call<unknown>): Promise<Outcome> {
  const counting = firstClients(storage, {}, async (clients) => {
    const used = await storage.clientActivity.usedAmong(clients.map(({ id }) => id))
    return clients.map((client) => ({
      kind: kindOfClient(client),
      isUsed: used.has(client.id),
      isOwn: client.metadata.registration !== 'operator',
    }))
  })
  const [{ found, isWhole: exact }, sinceMs] = await Promise.all([counting, storage.clientActivity.countedSince()])
  const counted = (isCounted: (one: (typeof found)[number]) => boolean) => ({
    count: found.filter(isCounted).length,
    exact,
  })
  return {
    body: {
      all: counted(() => true),
      kinds: Object.fromEntries(clientKinds.map((kind) => [kind, counted((one) => one.kind === kind)])),
      unused: counted(({ isUsed }) => !isUsed),
      self_registered: counted(({ isOwn }) => isOwn),
      counted_since: timeOf(sinceMs),
    },
  }
}
