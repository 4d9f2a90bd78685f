/** `GET /clients`: the list of applications, and the search in it. */

import { type Client, clientType } from '../protocol/client/client.ts'
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
    found.push(...rows.filter((client) => isWanted(client, call.query)))
    after = rows.at(-1)?.id
    if (after === undefined || rows.length < atMost) break
  }
  return listed(call, page, found, ({ id }) => id, shownIn(call))
}

/** How often a page of the list asks the database. */
const readsAtMost = 10
const shownIn =
  ({ nowMs }: Pick<Call, 'nowMs'>) =>
  (client: Client) =>
    clientRecord(client, nowMs)

function isWanted(client: Client, { search, scope, grant_type, type }: Filters): boolean {
  if (scope !== undefined && !client.scopes.includes(scope)) return false
  if (grant_type !== undefined && !(client.grantTypes as readonly string[]).includes(grant_type)) return false
  if (type !== undefined && clientType(client) !== type) return false
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [client.id, client.name, ...client.name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted))
}
