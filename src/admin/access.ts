/**
 * Operations on what gives access and belongs to somebody (`access-kinds.ts`), of everybody (`/sessions`) and of one person
 * (`/users/{id}/sessions`): a list, a record and an end. Only what is in force is there.
 */
import type { TObject } from 'typebox'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { type AccessPage, type AccessQuery, accessPageRows } from '../storage/port/access-pages.ts'
import { cursorAfter, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkUser } from './permissions.ts'
import { listQuery, pageSchema, text } from './schemas.ts'
import { Type } from './type.ts'
import { personOf } from './user-facts.ts'

type Owned = { readonly id: string; readonly userId: string }

/** One of the three. `ownerOf`: its id, and that of the person whom it belongs to. */
type Kind<Row> = {
  readonly path: 'sessions' | 'grants' | 'authorizations'
  readonly schema: TObject
  /** What the summaries call one of them. */
  readonly one: string
  readonly end: string
  page(call: Call, query: AccessQuery): Promise<AccessPage<Row>>
  find(call: Call, id: string): Promise<Row | undefined>
  isInForce(call: Call, row: Row): boolean
  ownerOf(row: Row): Owned
  /** Absent: they belong to no application. */
  clientOf?(row: Row): string
  toRecord(row: Row): unknown
  /** Resolves to false if it had ended already. */
  remove(call: Call, row: Row): Promise<boolean>
}

/** Rows read for one page. A filter that lets few through gives a page with fewer items, and a cursor to go on with. */
const readAtMost = 10 * accessPageRows

const clientFilter = { client_id: Type.Optional(text(256, 'Those of this client.')) }
const userFilter = { user_id: Type.Optional(text(256, 'Those of this person.')) }

type Filters = {
  readonly limit?: number
  readonly cursor?: string
  readonly user_id?: string
  readonly client_id?: string
}

export function operationsOf<Row>(kind: Kind<Row>): Operation[] {
  const { path, one, schema } = kind
  const filters = kind.clientOf === undefined ? {} : clientFilter
  const reading = { method: 'GET', permission: 'admin:users:read', status: 200 } as const
  const ending = { method: 'DELETE', permission: 'admin:users', status: 204, refusals: [404] } as const
  const short = 'With filters a page can be short, or empty, and have a `next`'
  return [
    operation({
      ...reading,
      path: `/${path}`,
      summary: `Lists the ${path} that are in force, oldest first. ${short}`,
      query: listQuery({ ...userFilter, ...filters }),
      answer: pageSchema(schema),
      run: (call) => list(kind, call, (call.query as Filters).user_id),
    }),
    operation({
      ...reading,
      path: `/${path}/:item`,
      summary: `Returns ${one}`,
      answer: schema,
      refusals: [404],
      async run(call) {
        const found = await rowOf(kind, call)
        return isRefusal(found) ? found : { body: kind.toRecord(found.row) }
      },
    }),
    operation({ ...ending, path: `/${path}/:item`, summary: kind.end, run: (call) => remove(kind, call) }),
    operation({
      ...reading,
      path: `/users/:id/${path}`,
      summary: `Lists the ${path} of a person that are in force, oldest first. ${short}`,
      query: listQuery(filters),
      answer: pageSchema(schema),
      refusals: [404],
      async run(call) {
        const user = await personOf(call)
        return isRefusal(user) ? user : list(kind, call, user.id)
      },
    }),
    operation({
      ...ending,
      path: `/users/:id/${path}/:item`,
      summary: `The same for ${one} of a person`,
      run: (call) => remove(kind, call),
    }),
  ]
}

async function list<Row>(kind: Kind<Row>, call: Call<Filters>, userId: string | undefined): Promise<Outcome> {
  const page = pageOf(call)
  if ('faults' in page) return page
  const { client_id: clientId } = call.query
  const items: unknown[] = []
  let after: string | undefined = page.after ?? ''
  for (let read = 0; after !== undefined && read < readAtMost; read += accessPageRows) {
    const { rows, next }: AccessPage<Row> = await kind.page(call, { userId, after })
    for (const row of rows) {
      if (clientId !== undefined && kind.clientOf?.(row) !== clientId) continue
      if (!kind.isInForce(call, row)) continue
      items.push(kind.toRecord(row))
      if (items.length === page.limit) return shown(call, items, kind.ownerOf(row).id)
    }
    after = next
  }
  return shown(call, items, after)
}

function shown(call: Call<Filters>, items: readonly unknown[], after: string | undefined): Outcome {
  return { body: { items, next: after === undefined ? null : cursorAfter(call, after) } }
}

/** The row of the path; the same refusal for what belongs to another person and for what does not exist. */
async function rowOf<Row>(kind: Kind<Row>, call: Call): Promise<{ readonly row: Row } | Refusal> {
  const { item = '', id } = call.params
  const row = await kind.find(call, item)
  const isTheirs = row !== undefined && (id === undefined || kind.ownerOf(row).userId === id)
  return isTheirs && kind.isInForce(call, row) ? { row } : refuse('admin_record_unknown', kind.path, { id: item })
}

async function remove<Row>(kind: Kind<Row>, call: Call): Promise<Outcome> {
  const found = await rowOf(kind, call)
  if (isRefusal(found)) return found
  const owner = await call.service.storage.users.find(kind.ownerOf(found.row).userId)
  const refused = owner && checkUser(call.caller, owner)
  if (refused !== undefined) return refused
  const isRemoved = await kind.remove(call, found.row)
  return isRemoved ? {} : refuse('admin_record_unknown', kind.path, { id: call.params.item ?? '' })
}
