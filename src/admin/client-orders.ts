/** The orders of the list of applications, and the rows of a page in each. */
import type { Client } from '../protocol/client/client.ts'
import { clientKinds, kindOf } from '../protocol/client/client-kind.ts'
import {
  type ClientOrder,
  type ClientPlace,
  type ClientRows,
  clientOrders,
  clientPageRows,
  clientsCountedTo,
  lowerAscii,
} from '../storage/port/clients.ts'
import type { ClientUse } from '../storage/port/statistics.ts'
import type { Storage } from '../storage/port/storage.ts'
import { usedSinceMs } from './client-usage.ts'
import { listed, type Page } from './list.ts'
import type { Call, Done, Faults } from './operation.ts'

/** What is put in order here, since no index has it. */
const computed = ['kind', '-kind', 'last_used', '-last_used', 'tokens', '-tokens'] as const
type Computed = (typeof computed)[number]
export const clientSorts = [...clientOrders, ...computed] as const
export type ClientSort = (typeof clientSorts)[number]

export const isInStorage = (sort: ClientSort): sort is ClientOrder =>
  (clientOrders as readonly ClientSort[]).includes(sort)

export const kindOfClient = ({ grantTypes, metadata, authentication }: Client) =>
  kindOf({
    grant_types: grantTypes,
    application_type: metadata.application_type,
    token_endpoint_auth_method: authentication.method,
  })

/** The place of a client in every order of the storage, as cursors have it. */
export const placeAfter = ({ id, name, createdAtMs }: ClientPlace): string => JSON.stringify({ id, name, createdAtMs })

export function rowsInOrder(
  { clientLists }: Storage,
  order: ClientOrder,
  after: string | undefined,
  atMost: ClientRows,
) {
  const place = after === undefined ? undefined : (JSON.parse(after) as ClientPlace)
  return clientLists.inOrder(order, place, atMost)
}

/**
 * Reads the first clients by id, `clientsCountedTo` at most, and returns what `read` makes of each page of them: whole ones can be of
 * many kilobytes, and together would fill the memory. `isWhole` false: there are more.
 */
export async function firstClients<T>(
  { clients }: Storage,
  filter: { readonly text?: string | undefined; readonly scope?: string | undefined },
  read: (page: readonly Client[]) => Promise<readonly T[]>,
): Promise<{ readonly found: readonly T[]; readonly isWhole: boolean }> {
  const found: T[] = []
  let after = ''
  for (let seen = 0; ; ) {
    const rows = await clients.page(after, filter, clientPageRows)
    const counted = rows.slice(0, clientsCountedTo - seen)
    found.push(...(await read(counted)))
    seen += rows.length
    after = rows.at(-1)?.id ?? ''
    if (seen > clientsCountedTo) return { found, isWhole: false }
    if (rows.length < clientPageRows) return { found, isWhole: true }
  }
}

type Sorting = { readonly limit?: number; readonly cursor?: string; readonly search?: string; readonly scope?: string }

/** Reads all, puts those that are wanted in order, and returns the page. Faults: they are too many for that. */
export async function sortedAtOnce(
  call: Call<Sorting>,
  page: Page,
  sort: Computed,
  wantedOf: (clients: readonly Client[]) => Promise<readonly Client[]>,
  toRecord: (client: Client) => unknown,
): Promise<Done | Faults> {
  const { query, nowMs, service } = call
  const { clients, clientActivity } = service.storage
  const { found, isWhole } = await firstClients(
    service.storage,
    { text: query.search, scope: query.scope },
    async (rows) => {
      const wanted = await wantedOf(rows)
      const ids = wanted.map(({ id }) => id)
      const uses = sort.endsWith('kind') ? [] : await clientActivity.ofClients(ids, usedSinceMs(nowMs))
      const useOf = new Map(uses.map((use) => [use.clientId, use]))
      return wanted.map((client) => ({ id: client.id, key: keyIn(sort, client, useOf.get(client.id)) }))
    },
  )
  if (!isWhole) {
    const message = `More than ${clientsCountedTo} applications are put in no order but name and created_at.`
    return { faults: [{ member: 'sort', code: 'member_invalid', message }] }
  }
  const sign = sort.startsWith('-') ? -1 : 1
  const compared = (a: string, b: string) => sign * Buffer.compare(Buffer.from(a), Buffer.from(b))
  const inOrder = found.toSorted((a, b) => compared(a.key, b.key))
  const left = inOrder.filter(({ key }) => page.after === undefined || compared(key, page.after) > 0)
  const shown = await Promise.all(left.slice(0, page.limit).map(({ id }) => clients.find(id)))
  const byId = new Map(shown.flatMap((client) => (client === undefined ? [] : [[client.id, client] as const])))
  // One that was deleted meanwhile leaves a shorter page.
  return listed(
    call,
    { ...page, limit: byId.size },
    left.filter(({ id }, at) => at >= page.limit || byId.has(id)),
    ({ key }) => key,
    ({ id }) => toRecord(byId.get(id) as Client),
  )
}

/** A text that sorts as the order does, byte by byte: of equal ones by name and id. */
function keyIn(sort: Computed, client: Client, use: ClientUse | undefined): string {
  const place = `${lowerAscii(client.name)} ${client.id}`
  if (sort.endsWith('kind')) return `${clientKinds.indexOf(kindOfClient(client))} ${place}`
  const number = (sort.endsWith('tokens') ? use?.tokens : use?.lastAtMs) ?? 0
  return `${String(number).padStart(16, '0')} ${place}`
}
