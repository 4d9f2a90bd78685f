/** `/clients`: the registered applications. */

import type { Judged, Rejection } from '../problem.ts'
import type { KnownRules } from '../protocol/claims/known-rules.ts'
import type { Client } from '../protocol/client/client.ts'
import type { MemberChange } from '../protocol/client/client-members.ts'
import {
  changeClient,
  type RegistrationContext,
  redefineClient,
  rotateSecret,
} from '../protocol/client/client-registration.ts'
import { clientRecord } from '../protocol/client/records.ts'
import { isRefusal } from '../refusal.ts'
import { methodIn, mintSecretFor } from '../secrets/sealed-secret.ts'
import { changedMembers, changing, problemsOf } from './changing.ts'
import { createClient, judgeCreation } from './client-creation.ts'
import { deleteClient } from './client-deletion.ts'
import {
  type ClientBody,
  judgingOf,
  publishKeys,
  ruleEvents,
  secretOf,
  shownClient,
  toChanges,
  unknownClient,
} from './client-facts.ts'
import { clientListOperations } from './client-list.ts'
import {
  clientChangesSchema,
  clientSchema,
  clientWithSecretSchema,
  newClientSchema,
  templatesSchema,
} from './client-schemas.ts'
import { type Call, type Operation, type Outcome, operation } from './operation.ts'
import { checkClient } from './permissions.ts'
import { forceQuery, named, strictObject } from './schemas.ts'
import { tooLongWith } from './token-lengths.ts'
import { Type } from './type.ts'
import { etagOf } from './version.ts'

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
  ...clientListOperations,
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
    judge: (call) => judgeCreation(call as Call<unknown, ClientBody>),
    run: createClient,
  }),
  operation({
    method: 'GET',
    path: '/client-templates',
    permission: 'admin:clients:read',
    summary: 'Lists the libraries and products that an application can be registered for',
    status: 200,
    answer: templatesSchema,
    async run() {
      const { clientTemplates, templateRecord } = await import('../protocol/templates/index.ts')
      return { body: { items: clientTemplates.map(templateRecord) } }
    },
  }),
  operation({
    ...one,
    method: 'GET',
    permission: 'admin:clients:read',
    summary: 'Returns an application',
    async run(call) {
      const { params, service } = call
      const client = await service.storage.clients.find(params.client_id ?? '')
      return client === undefined ? unknownClient(params.client_id) : shownClient(call, client)
    },
  }),
  operation({
    ...change,
    method: 'PUT',
    summary: 'Replaces an application: members that are left out take their defaults, and its secret stays',
    judge: (call) => judgeChange(call, 'PUT'),
    run: (call) => alter(call, 'PUT'),
  }),
  operation({
    ...change,
    method: 'PATCH',
    summary: 'Changes members of an application (JSON merge patch)',
    judge: (call) => judgeChange(call, 'PATCH'),
    run: (call) => alter(call, 'PATCH'),
  }),
  operation({
    method: 'DELETE',
    path: one.path,
    permission: 'admin:clients',
    summary: 'Deletes an application with its consents and grants; with force, with the roles that belong to it',
    query: forceQuery,
    status: 204,
    refusals: [404, 409],
    hasVersion: true,
    run: deleteClient,
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

/** Returns what the rules find in a change that the schema refused already. */
async function judgeChange(call: Call<unknown, Partial<ClientBody>>, method: 'PUT' | 'PATCH') {
  const client = await call.service.storage.clients.find(call.params.client_id ?? '')
  if (client === undefined) return []
  const changes = toChanges(call.body, clientRecord(client, call.nowMs), method)
  const [judging, rules] = [await judgingOf(call, changes, ''), await call.service.storage.catalogue.now()]
  return problemsOf(changed(client, changes, method, { ...judging, rules }))
}

function changed(
  client: Client,
  changes: readonly MemberChange[],
  method: 'PUT' | 'PATCH',
  context: RegistrationContext,
): Judged<Client> {
  return method === 'PUT' ? redefineClient(client, changes, context) : changeClient(client, changes, context)
}

async function alter(call: Call<unknown, ClientBody>, method: 'PUT' | 'PATCH'): Promise<Outcome> {
  const { service, nowMs, body, caller } = call
  const id = call.params.client_id ?? ''
  const asked = toChanges(body, {}, method)
  const minted = mintSecretFor(methodIn(asked), service.keys, service.random)
  const context = await judgingOf(call, asked, minted.stored)
  const { decide, refused } = changing(({ client, rules }: { client: Client; rules: KnownRules }) => {
    const record = clientRecord(client, nowMs)
    const stale = call.expects(etagOf(record, client.version))
    if (stale !== undefined) return stale
    const changes = toChanges(body, record, method)
    const next = changed(client, changes, method, { ...context, rules })
    if (isRefusal<Client | Rejection>(next)) return checkClient(caller.permissions, client) ?? next
    return checkClient(caller.permissions, client, next) ?? { client: next, rules }
  })
  let tooLong: Rejection | undefined
  const event = call.event('client_changed', { clientId: id }, { change: 'set', ...changedMembers(body) })
  const stored = await service.storage.claimRules.changeClient(
    id,
    async (client, rules) => {
      const next = decide({ client, rules })?.client
      tooLong = next && (await tooLongWith(call, rules, client, next))
      return tooLong !== undefined || JSON.stringify(next) === JSON.stringify(client) ? undefined : next
    },
    (before, after) => [event, ...ruleEvents(call, id, before.metadata.claims, after.metadata.claims)],
  )
  const no = refused() ?? tooLong
  if (no !== undefined) return no
  if (stored === undefined) return unknownClient(id)
  await publishKeys(service, stored)
  return shownClient(call, stored, secretOf(stored, minted))
}

async function rotate(call: Call<unknown, { readonly overlap_seconds?: number }>): Promise<Outcome> {
  const { service, nowMs, body, caller } = call
  const id = call.params.client_id ?? ''
  const overlapSeconds = body.overlap_seconds ?? 0
  const plain = mintSecretFor(undefined, service.keys, service.random)
  const signing = mintSecretFor('client_secret_jwt', service.keys, service.random)
  const secrets = { hash: plain.stored, sealed: signing.stored }
  const { decide, refused } = changing(
    (client: Client) => checkClient(caller.permissions, client) ?? rotateSecret(client, secrets, overlapSeconds, nowMs),
  )
  const event = call.event('client_changed', { clientId: id }, { change: 'secret_rotated', overlapSeconds })
  const changed = await service.storage.clients.update(id, decide, [event])
  const no = refused()
  if (no !== undefined) return no
  return changed === undefined
    ? unknownClient(id)
    : shownClient(call, changed, secretOf(changed, plain) ?? secretOf(changed, signing))
}
