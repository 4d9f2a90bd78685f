/** `GET /clients`: the list of applications, and the search in it. */

import { type Client, clientType } from '../protocol/client/client.ts'
import { clientKinds } from '../protocol/client/client-kind.ts'
import { clientRecord } from '../protocol/client/records.ts'
import { type ClientRows, clientPageRows, clientsCountedTo, fewClientRows } from '../storage/port/clients.ts'
import { clientCountsSchema, countClients } from './client-counts.ts'
import {
  type ClientSort,
  clientSorts,
  isInStorage,
  kindOfClient,
  placeAfter,
  rowsInOrder,
  sortedAtOnce,
} from './client-orders.ts'
import { clientSchema, inLanguages } from './client-schemas.ts'
import { useMembers, usesOf } from './client-usage.ts'
import { cursorAfter, listed, listedByName, namedRecords, nothingYet, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { listQuery, named, searchedPageSchema, text } from './schemas.ts'
import { Type } from './type.ts'

const filters = {
  client_id: namedRecords,
  search: Type.Optional(text(200, 'The beginning of the id, or of a word of the name.')),
  scope: Type.Optional(text(100, 'Those that may request the scope.')),
  grant_type: Type.Optional(text(100, 'Those that have the grant type.')),
  type: Type.Optional(Type.Enum(['public', 'confidential'])),
  kind: Type.Optional(
    Type.Enum([...clientKinds], {
      description:
        'With the code flow: `native`, or else `spa` (public) and `server` (confidential). Without: `device` with its grant type, and `machine`.',
    }),
  ),
  self_registered: Type.Optional(
    Type.Boolean({ description: 'Those that registered themselves, or that an operator registered.' }),
  ),
  used: Type.Optional(
    Type.Boolean({ description: 'Those that got tokens in the last 401 days that are counted, or got none.' }),
  ),
  facts: Type.Optional(
    Type.Boolean({ default: false, description: 'Adds `last_used`, `tokens` and `sign_ins` to each application.' }),
  ),
  sort: Type.Optional(
    Type.Enum([...clientSorts], {
      description: `Descending with \`-\`. By kind, last use and tokens of the last 30 days only up to ${clientsCountedTo} applications. Default: by id.`,
    }),
  ),
}

/** A client as the list has it. */
const listedClient = named(
  'ListedClient',
  Type.Object(
    {
      ...clientSchema.properties,
      last_used: Type.Optional(useMembers.last_used),
      tokens: Type.Optional(useMembers.tokens),
      sign_ins: Type.Optional(useMembers.sign_ins),
    },
    inLanguages(Type.String()),
  ),
)

export const clientListOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/clients',
    permission: 'admin:clients:read',
    summary: 'Lists the applications, by id unless another order is asked for',
    query: listQuery(filters),
    status: 200,
    answer: searchedPageSchema(listedClient),
    async run(call) {
      const outcome = await list(call)
      return call.query.facts === true && 'body' in outcome
        ? { body: await withUses(call, outcome.body as Listed) }
        : outcome
    },
  }),
  operation({
    method: 'GET',
    path: '/client-counts',
    permission: 'admin:clients:read',
    summary: `Counts the applications of each kind, those that got no tokens, and those that registered themselves, of the first ${clientsCountedTo} by id`,
    status: 200,
    answer: clientCountsSchema,
    run: countClients,
  }),
]

type Listed = { readonly items: readonly { readonly client_id: string }[] }

async function withUses({ nowMs, service }: Call, { items, ...page }: Listed) {
  if (items.length === 0) return { items, ...page }
  const ids = items.map(({ client_id }) => client_id)
  const uses = await usesOf(service.storage, ids, nowMs)
  return { items: items.map((item, at) => ({ ...item, ...uses[at] })), ...page }
}

type Filters = {
  readonly search?: string
  readonly scope?: string
  readonly grant_type?: string
  readonly type?: string
  readonly kind?: string
  readonly self_registered?: boolean
  readonly used?: boolean
  readonly facts?: boolean
  readonly sort?: ClientSort
}

async function list(call: Call<Filters & { readonly limit?: number; readonly cursor?: string }>): Promise<Outcome> {
  const { clients } = call.service.storage
  const byId = await listedByName(call, 'client_id', clients.find, (client) => clientRecord(client, call.nowMs))
  if (byId !== undefined) return byId
  const page = pageOf(call)
  if ('faults' in page) return page
  const { sort } = call.query
  if (sort !== undefined && !isInStorage(sort))
    return sortedAtOnce(call, page, sort, (clients) => wantedOf(call, clients), shownIn(call))
  const keyOf = (client: Client) => (sort === undefined ? client.id : placeAfter(client))
  const found: Client[] = []
  let after = page.after
  let lookedAt = 0
  for (let reads = 0; found.length <= page.limit; reads += 1) {
    // A page of few, or of none, that goes on: a filter may fit one of very many.
    if (reads === readsAtMost) {
      const next = cursorAfter(call, after ?? '')
      return found.length === 0 ? nothingYet(next, lookedAt) : { body: { items: found.map(shownIn(call)), next } }
    }
    const atMost = after === page.after && page.limit < fewClientRows ? fewClientRows : clientPageRows
    const rows = await rowsAfter(call, after, atMost)
    lookedAt += rows.length
    found.push(...(await wantedOf(call, rows)))
    const last = rows.at(-1)
    after = last && keyOf(last)
    if (after === undefined || rows.length < atMost) break
  }
  return listed(call, page, found, keyOf, shownIn(call))
}

function rowsAfter({ query, service: { storage } }: Call<Filters>, after: string | undefined, atMost: ClientRows) {
  const { sort, search: text, scope } = query
  if (sort !== undefined && isInStorage(sort)) return rowsInOrder(storage, sort, after, atMost)
  return storage.clients.page(after ?? '', { text, scope }, atMost)
}

const wantedOf = (call: Call<Filters>, clients: readonly Client[]): Promise<readonly Client[]> =>
  usedOrNot(
    call,
    clients.filter((client) => isWanted(client, call.query)),
  )

async function usedOrNot({ service, query }: Call<Filters>, clients: readonly Client[]): Promise<readonly Client[]> {
  if (query.used === undefined || clients.length === 0) return clients
  const used = await service.storage.clientActivity.usedAmong(clients.map(({ id }) => id))
  return clients.filter(({ id }) => used.has(id) === query.used)
}

/** How often a page of the list reads clients from the database, and what of them is used. */
const readsAtMost = 10
const shownIn =
  ({ nowMs }: Pick<Call, 'nowMs'>) =>
  (client: Client) =>
    clientRecord(client, nowMs)

function isWanted(client: Client, filters: Filters): boolean {
  const { search, scope, grant_type, type, kind, self_registered: isOwn } = filters
  if (scope !== undefined && !client.scopes.includes(scope)) return false
  if (grant_type !== undefined && !(client.grantTypes as readonly string[]).includes(grant_type)) return false
  if (type !== undefined && clientType(client) !== type) return false
  if (kind !== undefined && kindOfClient(client) !== kind) return false
  if (isOwn !== undefined && (client.metadata.registration !== 'operator') !== isOwn) return false
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [client.id, client.name, ...client.name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted))
}
