/** `/clients`: the registered applications. */
import Type from 'typebox'
import { type Client, clientType } from '../protocol/client.ts'
import { changeClient, redefineClient, registerClient, rotateSecret } from '../protocol/client-registration.ts'
import { addedClient, clientRecord } from '../protocol/records.ts'
import { type Refusal, refuse } from '../protocol/refusals/index.ts'
import { isRefusal } from '../refusal.ts'
import { mintClientSecret } from '../secrets/opaque.ts'
import { clientPageRows, fewClientRows } from '../storage/port/clients.ts'
import { changedMembers, changing } from './changing.ts'
import {
  type ClientBody,
  judgingOf,
  publishKeys,
  secretOf,
  shownClient,
  toChanges,
  unknownClient,
} from './client-facts.ts'
import { clientChangesSchema, clientSchema, clientWithSecretSchema, newClientSchema } from './client-schemas.ts'
import { cursorAfter, listed, listedByName, namedRecords, pageOf } from './list.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkClient } from './permissions.ts'
import { listQuery, named, pageSchema, strictObject, text } from './schemas.ts'
import { etagOf } from './version.ts'

const filters = {
  client_id: namedRecords,
  search: Type.Optional(text(200, 'The beginning of the id, or of a word of the name.')),
  scope: Type.Optional(text(100, 'Those that may request the scope.')),
  grant_type: Type.Optional(text(100, 'Those that have the grant type.')),
  type: Type.Optional(Type.Enum(['public', 'confidential'])),
}

const rotation = named(
  'SecretRotation',
  strictObject({
    overlap_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, default: 0, description: 'How long the old secret stays valid.' }),
    ),
  }),
)

const one = {
  path: '/clients/:client_id',
  status: 200,
  answer: clientSchema,
  refusals: [404],
  hasVersion: true,
} as const
const change = {
  ...one,
  permission: 'admin:clients',
  body: clientChangesSchema,
  answer: clientWithSecretSchema,
} as const

export const clientOperations: readonly Operation[] = [
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
  operation({
    method: 'POST',
    path: '/clients',
    permission: 'admin:clients',
    summary: 'Registers an application: public with mandatory PKCE unless its members say otherwise',
    body: newClientSchema,
    status: 201,
    answer: clientWithSecretSchema,
    refusals: [409],
    hasVersion: true,
    run: create,
  }),
  operation({
    ...one,
    method: 'GET',
    permission: 'admin:clients:read',
    summary: 'Returns an application',
    async run({ params, service, nowMs }) {
      const client = await service.storage.clients.find(params.client_id ?? '')
      return client === undefined ? unknownClient(params.client_id) : shownClient(client, nowMs)
    },
  }),
  operation({
    ...change,
    method: 'PUT',
    summary: 'Replaces an application: members that are left out take their defaults, and its secret stays',
    run: (call) => alter(call, 'PUT'),
  }),
  operation({
    ...change,
    method: 'PATCH',
    summary: 'Changes members of an application (JSON merge patch)',
    run: (call) => alter(call, 'PATCH'),
  }),
  operation({
    method: 'DELETE',
    path: one.path,
    permission: 'admin:clients',
    summary: 'Deletes an application with its consents and grants',
    status: 204,
    refusals: [404],
    hasVersion: true,
    run: remove,
  }),
  operation({
    method: 'POST',
    path: '/clients/:client_id/rotate-secret',
    permission: 'admin:clients',
    summary: 'Gives an application a new secret, which is shown once',
    body: rotation,
    isBodyOptional: true,
    status: 200,
    answer: clientWithSecretSchema,
    refusals: [404],
    hasVersion: true,
    run: rotate,
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

async function create(call: Call<unknown, ClientBody>): Promise<Outcome> {
  const { service, nowMs } = call
  const { client_id: given, ...members } = call.body
  const id = typeof given === 'string' ? given : `app-${Buffer.from(service.random(12)).toString('hex')}`
  const changes = toChanges(members, {}, 'PUT')
  const { secret, hash } = mintClientSecret(service.random)
  const client = registerClient(id, changes, await judgingOf(call, changes, hash), nowMs)
  if (isRefusal(client)) return client
  const exceeding = checkClient(call.caller.permissions, client)
  if (exceeding !== undefined) return exceeding
  const event = call.event('client_added', { clientId: id }, addedClient(client))
  if (!(await service.storage.clients.create(client, [event]))) {
    return refuse('admin_record_exists', 'client_id', { client: id })
  }
  await publishKeys(service, client)
  return {
    ...shownClient(client, nowMs, secretOf(client, hash, secret)),
    location: `/clients/${encodeURIComponent(id)}`,
  }
}

async function alter(call: Call<unknown, ClientBody>, method: 'PUT' | 'PATCH'): Promise<Outcome> {
  const { service, nowMs, body, caller } = call
  const id = call.params.client_id ?? ''
  const { secret, hash } = mintClientSecret(service.random)
  const context = await judgingOf(call, toChanges(body, {}, method), hash)
  const { decide, refused } = changing((client: Client) => {
    const record = clientRecord(client, nowMs)
    const stale = call.expects(etagOf(record, client.version))
    if (stale !== undefined) return stale
    const changes = toChanges(body, record, method)
    const next = method === 'PUT' ? redefineClient(client, changes, context) : changeClient(client, changes, context)
    if (isRefusal(next)) return checkClient(caller.permissions, client) ?? next
    const isSame = JSON.stringify(next) === JSON.stringify(client)
    return checkClient(caller.permissions, client, next) ?? (isSame ? client : next)
  })
  const event = call.event('client_changed', { clientId: id }, { change: 'set', ...changedMembers(body) })
  const changed = await service.storage.clients.update(id, decide, [event])
  const no = refused()
  if (no !== undefined) return no
  if (changed === undefined) return unknownClient(id)
  await publishKeys(service, changed)
  return shownClient(changed, nowMs, secretOf(changed, hash, secret))
}

async function rotate(call: Call<unknown, { readonly overlap_seconds?: number }>): Promise<Outcome> {
  const { service, nowMs, body, caller } = call
  const id = call.params.client_id ?? ''
  const overlapSeconds = body.overlap_seconds ?? 0
  const { secret, hash } = mintClientSecret(service.random)
  const { decide, refused } = changing(
    (client: Client) => checkClient(caller.permissions, client) ?? rotateSecret(client, hash, overlapSeconds, nowMs),
  )
  const event = call.event('client_changed', { clientId: id }, { change: 'secret_rotated', overlapSeconds })
  const changed = await service.storage.clients.update(id, decide, [event])
  const no = refused()
  if (no !== undefined) return no
  return changed === undefined ? unknownClient(id) : shownClient(changed, nowMs, secret)
}

async function remove(call: Call): Promise<Outcome> {
  const { storage } = call.service
  const id = call.params.client_id ?? ''
  const client = await storage.clients.find(id)
  if (client === undefined) return unknownClient(id)
  const no: Refusal | undefined =
    call.expects(etagOf(clientRecord(client, call.nowMs), client.version)) ??
    checkClient(call.caller.permissions, client)
  if (no !== undefined) return no
  const event = call.event('client_deleted', { clientId: id })
  const isDeleted = await storage.clients.delete(id, [event], client.version)
  return isDeleted ? {} : refuse('admin_version_stale', 'If-Match')
}
