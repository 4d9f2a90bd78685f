/** `GET /clients`: the list of applications, and the search in it. */

import { type Client, clientType } from '../protocol/client/client.ts'
import { clientKinds, kindOf } from '../protocol/client/client-kind.ts'
import { clientRecord } from '../protocol/client/records.ts'
import { clientPageRows, fewClientRows } from '../storage/port/clients.ts'
import { clientSchema } from './client-schemas.ts'
import { cursorAfter, listed, listedByName, namedRecords, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { listQuery, pageSchema, text } from './schemas.ts'
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
}

export const clientListOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/clients',
    permission: 'admin:clients:read',
    summary: 'Lists the applications, by id',
    query: listQuery(filters),
    status: 200,
    answer: pageSchema(clientSchema),
    run: list,
  }),
]

type Filters = {
  readonly search?: string
  readonly scope?: string
  readonly grant_type?: string
  readonly type?: string
  readonly kind?: string
  readonly self_registered?: boolean
  readonly used?: boolean
}

async function list(call: Call<Filters & { readonly limit?: number; readonly cursor?: string }>): Promise<Outcome> {
  const { clients } = call.service.storage
  const byId = await listedByName(call, 'client_id', clients.find, (client) => clientRecord(client, call.nowMs))
  if (byId !== undefined) return byId
  const page = pageOf(call)
  if ('faults' in page) return page
  const { search: text, scope } = call.query
  const found: Client[] = []
  let after = page.after
  for (let reads = 0; found.length <= page.limit; reads += 1) {
    // A page of few, or of none, that goes on: a filter may fit one of very many.
    if (reads === readsAtMost)
      return { body: { items: found.map(shownIn(call)), next: cursorAfter(call, after ?? '') } }
    const atMost = after === page.after && page.limit < fewClientRows ? fewClientRows : clientPageRows
    const rows = await clients.page(after ?? '', { text, scope }, atMost)
    found.push(
      ...(await usedOrNot(
        call,
        rows.filter((client) => isWanted(client, call.query)),
      )),
    )
    after = rows.at(-1)?.id
    if (after === undefined || rows.length < atMost) break
  }
  return listed(call, page, found, ({ id }) => id, shownIn(call))
}

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
  if (kind !== undefined && kindOf(kindMembers(client)) !== kind) return false
  if (isOwn !== undefined && (client.metadata.registration !== 'operator') !== isOwn) return false
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [client.id, client.name, ...client.name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted))
}

const kindMembers = ({ grantTypes, metadata, authentication }: Client) => ({
  grant_types: grantTypes,
  application_type: metadata.application_type,
  token_endpoint_auth_method: authentication.method,
})
