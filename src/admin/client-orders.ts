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

/** Reads the first clients by id, `clientsCountedTo` at most. `isWhole` false: there are more. */
export async function firstClients(
  { clients }: Storage,
  filter: { readonly text?: string | undefined; readonly scope?: string | undefined } = {},
): Promise<{ readonly clients: readonly Client[]; readonly isWhole: boolean }> {
  const found: Client[] = []
  for (let after: string | undefined = ''; after !== undefined && found.length <= clientsCountedTo; ) {
    const rows: Client[] = await clients.page(after, filter, clientPageRows)
    found.push(...rows)
    after = rows.length < clientPageRows ? undefined : rows.at(-1)?.id
  }
  return { clients: found.slice(0, clientsCountedTo), isWhole: found.length <= clientsCountedTo }
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
  const { clients, isWhole } = await firstClients(service.storage, { text: query.search, scope: query.scope })
  if (!isWhole) {
    const message = `More than ${clientsCountedTo} applications are put in no order but name and created_at.`
    return { faults: [{ member: 'sort', code: 'member_invalid', message }] }
  }
  const wanted = await wantedOf(clients)
  const ids = wanted.map(({ id }) => id)
  const uses = sort.endsWith('kind') ? [] : await service.storage.clientActivity.ofClients(ids, usedSinceMs(nowMs))
  const useOf = new Map(uses.map((use) => [use.clientId, use]))
  const rows = wanted.map((client) => ({ client, key: keyIn(sort, client, useOf.get(client.id)) }))
  const sign = sort.startsWith('-') ? -1 : 1
  const compared = (a: string, b: string) => sign * Buffer.compare(Buffer.from(a), Buffer.from(b))
  rows.sort((a, b) => compared(a.key, b.key))
  const left = rows.filter(({ key }) => page.after === undefined || compared(key, page.after) > 0)
  return listed(
    call,
    page,
    left,
    ({ key }) => key,
    ({ client }) => toRecord(client),
  )
}

/** A text that sorts as the order does, byte by byte: of equal ones by name and id. */
function keyIn(sort: Computed, client: Client, use: ClientUse | undefined): string {
  const place = `${lowerAscii(client.name)} ${client.id}`
  if (sort.endsWith('kind')) return `${clientKinds.indexOf(kindOfClient(client))} ${place}`
  const number = (sort.endsWith('tokens') ? use?.tokens : use?.lastAtMs) ?? 0
  return `${String(number).padStart(16, '0')} ${place}`
}
