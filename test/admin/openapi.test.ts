/** The OpenAPI document, held together with what the operations do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { idOf, statusesOf } from '../../src/admin/openapi.ts'
import type { Operation } from '../../src/admin/operation.ts'
import { operations } from '../../src/admin/operations.ts'
import { problemSchema } from '../../src/admin/schemas.ts'
import { faultsOf } from '../../src/admin/validation.ts'
import type { AuditDetails, AuditEvent } from '../../src/audit/entry.ts'
import { adminScopes } from '../../src/protocol/scope/admin-scopes.ts'
import { settingsTable } from '../../src/settings/table.ts'
import { operatorLimits } from '../../src/users/mail-limits.ts'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import { type AdminAnswer, AdminCaller, adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { addClient, addUser, changeUser, serviceForFile, startService, userNamed } from '../support/service.ts'

const answers = new Map<string, AdminAnswer[]>()

const service = await serviceForFile({ Mail__Url: 'file:mails', Keys__MasterKey: `${'A'.repeat(43)}=` })
const admin = await adminProgram(service)

/** What nothing is called: an identifier that is neither a URI nor a name belongs to no resource. */
const unknownOf = (name: string) => (name === 'identifier' ? 'neither of both' : 'unknown')

/** Sends a request of the operation and keeps the answer for the assertions at the end. */
async function call(
  id: string,
  params: Readonly<Record<string, string>> = {},
  {
    body,
    headers,
    query = '',
    as = admin,
  }: { body?: unknown; headers?: Record<string, string>; query?: string; as?: AdminCaller } = {},
): Promise<AdminAnswer> {
  const found = operations.find((one) => idOf(one) === id)
  assert.ok(found, `there is no operation ${id}`)
  const path = found.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? unknownOf(name)))
  const isChange = found.method === 'PUT' || found.method === 'PATCH'
  const answer = await as.send(found.method, `${path}${query}`, {
    body,
    headers: { ...(isChange && { 'if-match': '*' }), ...headers },
  })
  answers.set(id, [...(answers.get(id) ?? []), answer])
  return answer
}

/** Bodies of operations that do not take an empty object. */
const bodies: Readonly<Record<string, unknown>> = {
  postClientsByClientIdPreview: { user: 'nobody' },
  postClientsByClientIdTestSignInResult: { code: 'x', state: 'x' },
  postUsersByIdAuthorizations: { client_id: 'demo', scopes: ['openid'] },
  postUsersByIdSetPassword: { password: 'a long enough password' },
  putUsersByIdRoles: [],
  postGroupsByIdMembers: { users: ['nobody'] },
  putGroupsById: { name: 'x' },
}

const document = async () => (await fetch(new URL('admin/api/openapi.json', service.issuer))).json()

describe('refusals', () => {
  it('explains refusals by trace id, code and application', async () => {
    const url = new URL('connect/authorize?client_id=demo&redirect_uri=https://other.example/', service.issuer)
    const response = await fetch(url, { redirect: 'manual' })
    const traceId = response.headers.get('x-trace-id') ?? ''
    // At once: what the process has not written yet counts, too.
    const byTrace = await call('getExplainByWhat', { what: traceId })
    assert.equal(byTrace.status, 200)
    assert.equal(byTrace.body.items[0].trace_id, traceId)
    const byCode = await call('getExplainByWhat', { what: 'ID2052' })
    assert.ok(byCode.body.items.every((one: { id: string }) => one.id === 'ID2052'))
    const ofClient = await call('getClientsByClientIdRefusals', { client_id: 'demo' }, { query: '?limit=5' })
    assert.equal(ofClient.status, 200)
    assert.ok(ofClient.body.items.every((one: { rule: string }) => typeof one.rule === 'string'))
  })

  it('explains all refusals of a trace with one reading of the applications and one of the scopes', async (t) => {
    const { audit, clients, scopes } = service.storage
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const unknown = (reason: string, details: AuditDetails): AuditEvent => ({
      ...{ atMs: service.now(), kind: 'refusal', userId: null, clientId: null, traceId, address: null },
      details: { reason, ...details },
    })
    for (let at = 0; at < 10; at += 1) {
      await audit.append([
        unknown('client_unknown', { received: `demo${at}` }),
        unknown('scope_unknown', { unregistered: [`demo_api${at}`] }),
      ])
    }
    const readings = [t.mock.method(clients, 'list'), t.mock.method(scopes, 'list')]
    const { status, body } = await call('getExplainByWhat', { what: traceId })
    assert.equal(status, 200)
    const meant = body.items.map(({ detail }: { detail: { meant: string } }) => detail.meant)
    assert.deepEqual([meant.length, new Set(meant)], [20, new Set(['demo', 'demo_api'])])
    assert.deepEqual(
      readings.map(({ mock }) => mock.callCount()),
      [1, 1],
    )
  })
})

describe('/admin/api/openapi.json', () => {
  it('is valid OpenAPI 3.1, without a token, and is read again only when it changed', async () => {
    const url = new URL('admin/api/openapi.json', service.issuer)
    const response = await fetch(url)
    assert.equal(response.headers.get('content-type'), 'application/json')
    const { valid, errors } = await new Validator().validate((await response.json()) as Record<string, unknown>)
    assert.ok(valid, JSON.stringify(errors))
    const etag = response.headers.get('etag') ?? ''
    assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
  })

  it('has schemas that are valid under the dialect that it names (OpenAPI 3.1 §4.8.24), which the validator does not look into', async () => {
    const api = (await document()) as Record<string, unknown>
    assert.equal(api.jsonSchemaDialect, 'https://json-schema.org/draft/2020-12/schema')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const schemas = schemasIn(api)
    assert.ok(schemas.length > 200, String(schemas.length))
    const faulty = schemas.filter((schema) => ajv.validateSchema(schema as object) !== true)
    assert.deepEqual(faulty, [])
    // A list was a tuple in the dialects before.
    assert.equal(ajv.validateSchema({ type: 'array', items: [{ type: 'string' }] }), false)
  })

  it('stands alone: every other address below /admin/api is a problem, no page of the console', async () => {
    for (const path of ['', '/', '/v1', '/v2/users', '/openapi.json/x', '/V1/nothing']) {
      const answer = await fetch(new URL(`admin/api${path}`, service.issuer))
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/problem+json'], path)
    }
  })

  it('describes every operation once, with its scope', async () => {
    const { paths, components } = (await document()) as {
      paths: Record<string, Record<string, { operationId: string; security: { latchkey: string[] }[] }>>
      components: { securitySchemes: { latchkey: { flows: { clientCredentials: { scopes: object } } } } }
    }
    const described = Object.values(paths).flatMap((methods) => Object.values(methods))
    assert.equal(described.length, operations.length)
    assert.equal(new Set(described.map(({ operationId }) => operationId)).size, operations.length)
    for (const { operationId, security } of described) {
      const [scope] = security[0]?.latchkey ?? []
      assert.ok(operationId === 'getMe' ? scope === undefined : adminScopes.includes(scope as never), operationId)
    }
    assert.deepEqual(Object.keys(components.securitySchemes.latchkey.flows.clientCredentials.scopes), adminScopes)
  })

  it('needs for each operation the scope that it names, and a token', async () => {
    const none = new AdminCaller(service, 'x')
    const other = await adminProgram(service, ['demo_api', 'admin:keys:read'], { id: 'other' })
    const auditor = await adminProgram(service, ['admin:audit:read'], { id: 'auditor' })
    for (const one of operations) {
      const id = idOf(one)
      assert.equal((await call(id, {}, { as: none })).status, 401, id)
      if (one.permission === null) continue
      const caller = one.permission.startsWith('admin:keys') ? auditor : other
      assert.equal((await call(id, {}, { as: caller, query: '?anything=1' })).status, 403, id)
    }
  })

  it('refuses a parameter that an operation does not know, and a body that is none', async () => {
    for (const one of operations) {
      const id = idOf(one)
      assert.equal((await call(id, {}, { query: '?nothing=1' })).status, 400, id)
      if (one.body === undefined) continue
      const text = { body: '{}', headers: { 'content-type': 'text/plain' } }
      assert.equal((await call(id, {}, text)).status, 415, id)
      assert.equal((await call(id, {}, { body: { surprising: true } })).status, 400, id)
    }
  })

  it('has a version for every change, and 404 for what is not there', async () => {
    for (const one of operations) {
      const id = idOf(one)
      if (one.refusals?.includes(404)) {
        assert.equal((await call(id, {}, one.body === undefined ? {} : { body: bodies[id] ?? {} })).status, 404, id)
      }
    }
  })
})

describe('the admin API as described', () => {
  it('says who calls and what they may do, to whoever has a token', async () => {
    const { status, body } = await call('getMe')
    assert.equal(status, 200)
    assert.deepEqual([body.id, body.username, body.permissions], [null, null, [...adminScopes]])
    assert.equal((await call('getClientTemplates')).status, 200)
  })

  it('answers resources and previews as their schemas say', async () => {
    const params = { identifier: 'https://api.example/described' }
    const change = { claims: [{ claim: 'roles', from: 'roles' }] }
    assert.equal((await call('getResourcesByIdentifier', params)).status, 200)
    assert.equal((await call('patchResourcesByIdentifier', params, { body: change })).status, 200)
    const stale = { body: change, headers: { 'if-match': '"stale"' } }
    assert.equal((await call('patchResourcesByIdentifier', params, stale)).status, 412)
    const without = await admin.send('PATCH', `/resources/${encodeURIComponent(params.identifier)}`, { body: change })
    answers.set('patchResourcesByIdentifier', [...(answers.get('patchResourcesByIdentifier') ?? []), without])
    assert.equal(without.status, 428)
    assert.equal((await call('getResources')).status, 200)
    await addClient(service, { id: 'previewed', consent: 'implicit', scopes: [] })
    const { name } = await addUser(service, 'previewed')
    const asked = { body: { user: name } }
    assert.equal((await call('postClientsByClientIdPreview', { client_id: 'previewed' }, asked)).status, 200)
    const forGo = { query: '?template=go' }
    assert.equal((await call('getClientsByClientIdSetup', { client_id: 'previewed' }, forGo)).status, 200)
    assert.equal((await call('getClientUsage', {}, { query: '?client_id=previewed' })).status, 200)
    assert.equal((await call('getClientCounts')).status, 200)
    for (const id of ['getClientsByClientIdUsage', 'getClientsByClientIdPeople'])
      assert.equal((await call(id, { client_id: 'previewed' })).status, 200, id)
  })

  it('answers scopes, roles, clients, keys, settings and explanations as their schemas say', async () => {
    const stale = { headers: { 'if-match': '"stale"' } }
    for (const [kind, name, created, change] of [
      ['Scopes', 'name', { name: 'described' }, { description: 'New' }],
      ['Roles', 'name', { name: 'described' }, { description: 'New' }],
      [
        'Clients',
        'client_id',
        { client_id: 'described', redirect_uris: ['https://a.example/'] },
        { client_name: 'New' },
      ],
    ] as const) {
      const by = `${kind}By${name === 'name' ? 'Name' : 'ClientId'}`
      const params = { [name]: 'described' }
      assert.equal((await call(`post${kind}`, {}, { body: created, headers: { 'idempotency-key': kind } })).status, 201)
      const reused = { ...created, [name]: 'another' }
      assert.equal((await call(`post${kind}`, {}, { body: reused, headers: { 'idempotency-key': kind } })).status, 422)
      assert.equal((await call(`post${kind}`, {}, { body: created })).status, 409)
      assert.equal((await call(`get${kind}`)).status, 200)
      assert.equal((await call(`get${by}`, params)).status, 200)
      assert.equal((await call(`put${by}`, params, { body: { ...created, ...change } })).status, 200)
      assert.equal((await call(`patch${by}`, params, { body: change })).status, 200)
      for (const method of ['put', 'patch']) {
        assert.equal((await call(`${method}${by}`, params, { body: change, ...stale })).status, 412)
        const without = await admin.send(method.toUpperCase(), `/${kind.toLowerCase()}/described`, { body: change })
        answers.set(`${method}${by}`, [...(answers.get(`${method}${by}`) ?? []), without])
        assert.equal(without.status, 428)
      }
      assert.equal((await call(`delete${by}`, params, stale)).status, 412)
      if (kind !== 'Clients') continue
      await call(
        'postClients',
        {},
        {
          body: {
            client_id: 'secretive',
            grant_types: ['client_credentials'],
            token_endpoint_auth_method: 'client_secret_basic',
          },
        },
      )
      const rotation = { body: { overlap_seconds: 9 }, headers: { 'idempotency-key': 'rotate' } }
      assert.equal((await call('postClientsByClientIdRotateSecret', { client_id: 'secretive' }, rotation)).status, 200)
      assert.equal((await call('postClientsByClientIdRotateSecret', { client_id: 'secretive' }, rotation)).status, 200)
    }
    assert.equal((await call('getBranding')).status, 200)
    assert.equal((await call('patchBranding', {}, { body: { name: 'Described' } })).status, 200)
    assert.equal((await call('patchBranding', {}, { body: { name: 'Other' }, ...stale })).status, 412)
    const unseen = await admin.send('PATCH', '/branding', { body: { name: 'Other' } })
    answers.set('patchBranding', [...(answers.get('patchBranding') ?? []), unseen])
    assert.equal(unseen.status, 428)
    const attribute = { name: 'described' }
    const declared = { name: 'described', type: 'choice', choices: ['a'], 'label#de': 'Feld', unique: false }
    assert.equal(
      (await call('postAttributes', {}, { body: declared, headers: { 'idempotency-key': 'a' } })).status,
      201,
    )
    const other = { body: { name: 'another' }, headers: { 'idempotency-key': 'a' } }
    assert.equal((await call('postAttributes', {}, other)).status, 422)
    assert.equal((await call('postAttributes', {}, { body: declared })).status, 409)
    assert.equal((await call('getAttributes')).status, 200)
    assert.equal((await call('getAttributesByName', attribute)).status, 200)
    assert.equal((await call('patchAttributesByName', attribute, { body: { help: 'What' } })).status, 200)
    assert.equal((await call('patchAttributesByName', attribute, { body: { help: 'x' }, ...stale })).status, 412)
    const unnamed = await admin.send('PATCH', '/attributes/described', { body: { help: 'x' } })
    answers.set('patchAttributesByName', [...(answers.get('patchAttributesByName') ?? []), unnamed])
    const holder = (await service.storage.users.findByName('alice')) ?? assert.fail()
    await service.storage.users.update(holder.id, (user) => ({ ...user, attributes: { described: 'a' } }))
    assert.equal((await call('patchAttributesByName', attribute, { body: { type: 'integer' } })).status, 409)
    assert.equal((await call('deleteAttributesByName', attribute, stale)).status, 412)
    const reading = { claim: 'described', from: 'attribute:described' }
    assert.equal((await admin.patch('/scopes/described', { claims: [reading] })).status, 200)
    assert.equal((await call('deleteAttributesByName', attribute)).status, 409)
    assert.equal((await admin.patch('/scopes/described', { claims: [] })).status, 200)
    assert.equal((await call('deleteAttributesByName', attribute)).status, 204)
    await changeUser(service, 'alice', { roles: ['described'] })
    // Alice alone could administer the service, by a role that includes it and then by a group.
    const board = { id: 'board', name: 'board', parentId: null, description: null, roles: ['latchkey-admin'] }
    const after = { ...board, createdAtMs: 1, version: 1 }
    const chief = { name: 'chief', description: null, createdAtMs: 1, includes: ['latchkey-admin'] }
    await service.storage.roles.create(chief)
    await changeUser(service, 'alice', { roles: ['chief'] })
    assert.equal((await call('patchRolesByName', { name: 'chief' }, { body: { includes: [] } })).status, 409)
    assert.equal((await call('putRolesByName', { name: 'chief' }, { body: {} })).status, 409)
    await service.storage.groups.change(() => ({ changes: [{ id: 'board', after }] }))
    await service.storage.groups.addMembers('board', [holder.id])
    await changeUser(service, 'alice', { roles: ['described'] })
    const member = { id: 'board', user: holder.id }
    assert.equal((await call('deleteGroupsByIdMembersByUser', member)).status, 409)
    await service.storage.users.update(holder.id, (user) => ({ ...user, disabled: true }), [], { force: true })
    await service.storage.groups.change(() => ({ changes: [{ id: 'board', after: undefined }] }))
    await service.storage.roles.deleteEverywhere('chief', 1)
    await changeUser(service, 'alice', { disabled: false })
    await admin.patch('/clients/described', { scope: 'described' })
    assert.equal((await call('getScopesByNameUsage', { name: 'described' })).status, 200)
    assert.equal((await call('getScopesByNameUsage', { name: 'nothing' })).status, 404)
    assert.equal((await call('deleteScopesByName', { name: 'described' })).status, 409)
    assert.equal((await call('deleteRolesByName', { name: 'described' })).status, 409)
    assert.equal((await admin.post('/roles', { name: 'described:reader' })).status, 201)
    assert.equal((await call('deleteClientsByClientId', { client_id: 'described' })).status, 409)
    for (const [id, params] of [
      ['deleteScopesByName', { name: 'described' }],
      ['deleteRolesByName', { name: 'described' }],
      ['deleteClientsByClientId', { client_id: 'described' }],
    ] as const) {
      assert.equal((await call(id, params, { query: '?force=true' })).status, 204)
    }
  })

  it('answers groups and their members as their schemas say', async () => {
    const stale = { headers: { 'if-match': '"stale"' } }
    const { id } = (await call('postGroups', {}, { body: { name: 'described', roles: ['staff'] } })).body
    assert.equal((await call('postGroups', {}, { body: { name: 'Described' } })).status, 409)
    const other = (await call('postGroups', {}, { body: { name: 'other', parent: '/described' } })).body
    const further = (await call('postGroups', {}, { body: { name: 'further', parent: '/described' } })).body
    assert.equal((await call('getGroups')).status, 200)
    assert.equal((await call('getGroupsById', { id })).status, 200)
    for (const [method, operation] of [
      ['PATCH', 'patchGroupsById'],
      ['PUT', 'putGroupsById'],
    ] as const) {
      const whole = { name: 'described', description: 'New' }
      assert.equal((await call(operation, { id }, { body: whole })).status, 200)
      assert.equal(
        (await call(operation, { id: further.id }, { body: { name: 'OTHER', parent: '/described' } })).status,
        409,
      )
      assert.equal((await call(operation, { id }, { body: { name: 'x' }, ...stale })).status, 412)
      const without = await admin.send(method, `/groups/${id}`, { body: { name: 'x' } })
      answers.set(operation, [...(answers.get(operation) ?? []), without])
      assert.equal(without.status, 428)
    }
    const user = (await userNamed(service, 'alice')).id
    assert.equal((await call('postGroupsByIdMembers', { id }, { body: { users: [user] } })).status, 200)
    assert.equal((await call('getGroupsByIdMembers', { id })).status, 200)
    assert.equal((await call('deleteGroupsById', { id })).status, 409)
    assert.equal((await call('deleteGroupsByIdMembersByUser', { id, user })).status, 204)
    assert.equal((await call('deleteGroupsById', { id: other.id }, stale)).status, 412)
    assert.equal((await call('deleteGroupsById', { id }, { query: '?recursive=true' })).status, 204)
  })

  it('answers people as their schemas say', async () => {
    const { id } = (
      await call('postUsers', {}, { body: { username: 'p', email: 'p@example.com', email_verified: true, name: 'P' } })
    ).body
    const params = { id }
    const stale = { headers: { 'if-match': '"stale"' } }
    const changes = { patchUsersById: { nickname: 'pp' }, putUsersByIdRoles: ['staff'] }
    assert.equal((await call('getUsers')).status, 200)
    assert.equal((await call('getUsers', {}, { query: '?facts=true' })).status, 200)
    assert.equal((await call('getUserCounts')).status, 200)
    await call('getUsersById', params)
    await call('getUsersByIdRoles', params)
    for (const [one, body] of Object.entries(changes)) {
      assert.equal((await call(one, params, { body })).status, 200)
      assert.equal((await call(one, params, { body, ...stale })).status, 412)
      const path = one === 'patchUsersById' ? `/users/${id}` : `/users/${id}/roles`
      const without = await admin.send(one.slice(0, one.indexOf('U')).toUpperCase(), path, { body })
      assert.equal(without.status, 428)
      answers.set(one, [...(answers.get(one) ?? []), without])
    }
    assert.equal((await call('patchUsersById', params, { body: { username: 'alice' } })).status, 409)
    for (const action of ['Lock', 'Unlock', 'SetPassword', 'SendReset', 'ResetSecondFactor']) {
      const body = bodies[`postUsersById${action}`]
      assert.equal(
        (await call(`postUsersById${action}`, params, body === undefined ? {} : { body })).status,
        200,
        action,
      )
    }
    const confirm = (emailConfirmed: boolean) => service.storage.users.update(id, (one) => ({ ...one, emailConfirmed }))
    await confirm(false)
    assert.equal((await call('postUsersByIdSendConfirmation', params)).status, 200)
    await confirm(true)
    const { user } = await adminPerson(service, ['latchkey-admin'], { name: 'only' })
    const at = { id: user.id }
    const [session] = (await call('getUsersByIdSessions', at)).body.items
    assert.equal((await call('deleteUsersByIdSessionsByItem', { ...at, item: session.id })).status, 204)
    const rest = { userId: id, createdAtMs: service.now() }
    const linked = (provider: string) => service.storage.externalLogins.link({ provider, subject: id, ...rest })
    const keyed = (one: string) =>
      service.storage.passkeys.add(
        {
          ...{ id: one, credentialId: one, publicKey: 'x', counter: 0, name: one, synced: false, transports: [] },
          ...{ ...rest, lastUsedAtMs: null, attested: false },
        },
        { id: one, expiresAtMs: service.now() + 60_000 },
      )
    await service.storage.users.update(id, (found) => ({ ...found, passwordHash: null }))
    await linked('one')
    assert.equal((await call('getUsersByIdExternalLogins', params)).body.items[0].account, id)
    assert.equal((await call('deleteUsersByIdExternalLoginsByItem', { id, item: 'one' })).status, 409)
    await keyed('k1')
    assert.equal((await call('deleteUsersByIdExternalLoginsByItem', { id, item: 'one' })).status, 204)
    assert.equal((await call('getUsersByIdPasskeys', params)).body.items[0].name, 'k1')
    assert.equal((await call('deleteUsersByIdPasskeysByItem', { id, item: 'k1' })).status, 409)
    await keyed('k2')
    assert.equal((await call('deleteUsersByIdPasskeysByItem', { id, item: 'k1' })).status, 204)
    const apps = { sealedSecret: 'x', sinceMs: service.now(), lastStep: 0 }
    await service.storage.secondFactors.change(id, ({ factors = noSecondFactors(id) }) => {
      return { factors: { ...factors, totp: apps }, events: [] }
    })
    const [app] = (await call('getUsersByIdAuthenticatorApps', params)).body.items
    assert.deepEqual([app.name, app.last_used_at], [null, null])
    assert.equal((await call('deleteUsersByIdAuthenticatorAppsByItem', { id, item: app.id })).status, 204)
    const consent = { id: 'consent', userId: id, clientId: 'demo', scopes: ['openid'], createdAtMs: service.now() }
    await service.storage.authorizations.store(consent)
    assert.equal((await call('getUsersByIdAuthorizations', params)).body.items[0].client_id, 'demo')
    const added = await call('postUsersByIdAuthorizations', { id }, { body: bodies.postUsersByIdAuthorizations })
    assert.deepEqual([added.status, added.body.id], [201, 'consent'])
    assert.equal((await call('deleteUsersByIdAuthorizationsByItem', { id, item: 'consent' })).status, 204)
    assert.equal((await call('putUsersByIdRoles', { id: user.id }, { body: [] })).status, 409)
    assert.equal((await call('deleteUsersById', { id: user.id })).status, 409)
    const invited = { email: 'new@example.com', roles: ['staff'] }
    assert.equal((await call('postInvitations', {}, { body: invited })).status, 201)
    assert.equal((await call('postInvitations', {}, { body: { email: 'alice@example.com' } })).status, 400)
    const [{ id: sent }] = (await call('getInvitations')).body.items
    const { id: again } = (await call('postInvitationsByIdSendAgain', { id: sent })).body
    assert.equal((await call('postInvitationsByIdSendAgain', { id: sent })).status, 404)
    assert.equal((await call('deleteInvitationsById', { id: again })).status, 204)
    assert.equal((await call('deleteInvitationsById', { id: again })).status, 404)
    assert.equal((await call('postInvitations', {}, { body: invited })).status, 201)
    assert.equal((await call('postInvitations', {}, { body: { email: 'other-new@example.com' } })).status, 201)
    const helpDesk = await adminProgram(service, ['admin:users'], { id: 'help-desk' })
    const exceeding = { body: { ...invited, roles: ['latchkey-admin'] }, as: helpDesk }
    assert.equal((await call('postInvitations', {}, exceeding)).status, 403)
    const mails = (await call('getMail', {}, { query: '?limit=500' })).body.items
    const mail = mails.find(({ to }: { to: string }) => to === invited.email)
    assert.deepEqual([mail.purpose, JSON.stringify(mails).includes('token')], ['invite', false])
    const other = mails.find(({ to }: { to: string }) => to === 'other-new@example.com')
    assert.equal((await call('deleteMailById', { id: other.id })).status, 204)
    assert.equal((await call('deleteMailById', { id: other.id })).status, 404)
    const notice = mails.find(({ notice }: { notice: boolean }) => notice)
    assert.equal((await call('deleteMailById', { id: notice.id })).status, 409)
    assert.equal((await call('postMailByIdRetry', { id: mail.id })).status, 409)
    await service.storage.mails.fail(mail.id, service.now(), 'refused')
    assert.deepEqual((await call('postMailByIdRetry', { id: mail.id })).body.state, 'queued')
    await service.storage.mails.fail(mail.id, service.now(), 'refused')
    for (const [to, kind] of [
      ['p@example.com', 'link'],
      ['p@example.com', 'notice'],
      [invited.email, 'link'],
    ] as const) {
      while (await service.storage.mails.takePlaces(operatorLimits(to, kind), service.now()));
    }
    const [open] = await service.storage.invitations.open(service.now())
    for (const [one, path, options] of [
      ['patchUsersById', params, { body: { email: 'other@example.com' } }],
      ['postUsersByIdSetPassword', params, { body: bodies.postUsersByIdSetPassword }],
      ['postUsersByIdSendReset', params, {}],
      ['postUsersByIdResetSecondFactor', params, {}],
      ['postMailByIdRetry', { id: mail.id }, {}],
      ['postInvitations', {}, { body: invited }],
      ['postInvitationsByIdSendAgain', { id: open?.id ?? '' }, {}],
    ] as const) {
      assert.equal((await call(one, path, options)).status, 429, one)
    }
    await confirm(false)
    assert.equal((await call('postUsersByIdSendConfirmation', params)).status, 429)
    assert.equal((await call('deleteUsersById', params, stale)).status, 412)
    assert.equal((await call('deleteUsersById', params)).status, 204)
  })

  it('answers what is to do in a new installation as its schema says', async () => {
    assert.equal((await call('getSetup')).status, 200)
    for (const method of ['post', 'delete']) {
      assert.equal((await call(`${method}SetupMarksByMark`, { mark: 'backup' })).status, 204)
    }
    const { caller, user } = await adminPerson(service, ['latchkey-admin'], { name: 'first', scopes: ['admin:write'] })
    assert.equal((await call('postSetupTestMail')).status, 409)
    assert.equal((await call('postSetupTestMail', {}, { as: caller })).status, 202)
    while (await service.storage.mails.takePlaces(operatorLimits(user.email, 'link'), service.now()));
    assert.equal((await call('postSetupTestMail', {}, { as: caller })).status, 429)
    assert.equal((await call('getSetup')).body.mail.test.state, 'queued')
    assert.equal((await call('getAttention')).status, 200)
    const { body } = await call('postUsersByIdResetLink', { id: user.id })
    assert.match(body.link, /purpose=reset#token=/)
  })

  it('answers sessions, grants, consents and activity as their schemas say', async () => {
    for (const below of [false, true]) {
      const scope = below ? 'admin:users:read' : 'admin:read'
      const { user } = await adminPerson(service, ['latchkey-viewer'], { name: `held-${below}`, scopes: [scope] })
      const { id } = user
      const consent = { id: `of-${id}`, userId: id, clientId: 'demo', scopes: ['openid'], createdAtMs: service.now() }
      await service.storage.authorizations.store(consent)
      for (const kind of ['Sessions', 'Grants', 'Authorizations']) {
        const list = await call(`get${kind}`, {}, { query: `?user_id=${id}` })
        assert.equal(list.status, 200)
        const [{ id: item }] = (await call(`getUsersById${kind}`, { id })).body.items
        assert.equal(list.body.items[0].id, item)
        assert.equal((await call(`get${kind}ByItem`, { item })).status, 200)
        const removed = await (below
          ? call(`deleteUsersById${kind}ByItem`, { id, item })
          : call(`delete${kind}ByItem`, { item }))
        assert.equal(removed.status, 204)
      }
      await service.storage.audit.flush()
      assert.ok((await call('getUsersByIdActivity', { id })).body.items.length > 0)
      assert.equal((await call('getSessionCounts', {}, { query: `?user_id=${id}` })).status, 200)
      const overview = await call('getUsersByIdOverview', { id })
      assert.deepEqual([overview.status, overview.body.authorizations], [200, 0])
    }
  })

  it('lists and verifies the audit trail as the command does', async () => {
    const { status, body } = await call('getAudit', {}, { query: '?kind=client_added&limit=500' })
    assert.equal(status, 200)
    assert.ok(body.items.length > 0)
    const verified = await call('postAuditVerify')
    assert.deepEqual([verified.status, verified.body.intact], [200, true])
  })

  it('rotates keys under the name of its caller, without showing one', async () => {
    const before = await call('getKeys')
    assert.equal(before.status, 200)
    const rotated = await call('postKeysRotate', {}, { headers: { 'idempotency-key': 'keys' } })
    assert.equal(rotated.status, 200)
    assert.deepEqual((await call('postKeysRotate', {}, { headers: { 'idempotency-key': 'keys' } })).body, rotated.body)
    assert.equal((await call('postKeysRotate', {}, { headers: { 'idempotency-key': 'keys' }, query: '?' })).status, 200)
    const now = await call('getKeys', {}, { query: '?limit=500' })
    assert.equal(now.body.items.length, before.body.items.length + rotated.body.items.length)
    assert.ok(!JSON.stringify(now.body).includes('wrapped'))
    const [entry] = await service.storage.audit.newest({ kind: 'keys_rotated' }, 1)
    assert.deepEqual([entry?.details.actor, entry?.traceId?.length], ['program-admin:write', 32])
    const helper = await adminProgram(service, ['admin:keys:read'], { id: 'keys-reader' })
    assert.equal((await helper.post('/keys/rotate')).status, 403)
  })

  it('says where each setting comes from, and shows no secret', async () => {
    const { status, body } = await call('getSettings')
    assert.equal(status, 200)
    assert.equal(body.issuer, service.settings.oauth.issuer)
    const described = new Map(body.items.map((one: { name: string }) => [one.name, one]))
    assert.deepEqual(described.get('Admin:Enabled'), {
      ...{ name: 'Admin:Enabled', value: 'true', source: 'default', secret: false, default: 'true' },
      ...{ type: 'true or false', unit: null, needs_restart: true },
      meaning: settingsTable['Admin:Enabled'].meaning,
    })
    const byName = new Map(
      body.items.map(({ name, value, source, secret }: Record<string, unknown>) => [
        name,
        { name, value, source, secret },
      ]),
    )
    const setting = (name: string, value: unknown, source: string, secret = false) => ({ name, value, source, secret })
    assert.deepEqual(byName.get('Admin:Enabled'), setting('Admin:Enabled', 'true', 'default'))
    assert.deepEqual(byName.get('Server:Host'), setting('Server:Host', '127.0.0.1', 'environment'))
    assert.deepEqual(byName.get('Mail:Url'), setting('Mail:Url', null, 'environment', true))
    assert.deepEqual(byName.get('Keys:MasterKey'), setting('Keys:MasterKey', null, 'environment', true))
    assert.ok(!JSON.stringify(body).includes('AAAA'))
    assert.equal((await call('getStats', {}, { query: '?step=day' })).status, 200)
    const findings = await call('getDoctor')
    assert.equal(findings.status, 200)
    assert.ok(!JSON.stringify(findings.body).includes('AAAA'))
  })

  it('shows no query of an address where the service asks, which may have a key', async () => {
    const env = {
      Accounts__Legacy__Url: 'https://legacy.example.com/check?code=hush-hush',
      Accounts__Legacy__Secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    }
    const other = await startService(env)
    const { body } = await (await adminProgram(other, ['admin:read'])).get('/settings')
    await other.stop()
    assert.ok(!JSON.stringify(body).includes('hush-hush'))
    const shown = body.items.find(({ name }: { readonly name: string }) => name === 'Accounts:Legacy:Url')
    assert.equal(shown.value, 'https://legacy.example.com/check?…')
  })

  it('answers test sign-ins as their schemas say', async () => {
    const tested = await adminPerson(service, ['latchkey-admin'], { name: 'tester', scopes: ['admin:clients'] })
    const at = { client_id: 'previewed' }
    const begun = await call('postClientsByClientIdTestSignIn', at, { as: tested.caller })
    assert.equal(begun.status, 200)
    const browser = await Browser.signedIn(service, { username: 'tester' })
    const { pathname, search } = new URL(begun.body.authorization_url)
    const answer = locationOf(await browser.get(pathname + search)).searchParams
    const ended = { body: Object.fromEntries(answer), as: tested.caller }
    delete ended.body.iss
    assert.equal((await call('postClientsByClientIdTestSignInResult', at, ended)).status, 200)
  })

  it('gave every documented status, and no other; each body matches its schema', () => {
    for (const one of operations as readonly Operation[]) {
      const id = idOf(one)
      const seen = answers.get(id) ?? []
      const documented = [one.status, ...statusesOf(one)]
      for (const { status, body } of seen) {
        assert.ok(documented.includes(status), `${id} answered ${status}, which is not documented`)
        const schema = status >= 400 ? problemSchema : one.answer
        if (schema === undefined) assert.equal(body, undefined, id)
        else assert.deepEqual(faultsOf(schema, body), [], `${id} ${status} ${JSON.stringify(body).slice(0, 300)}`)
      }
      const missing = documented.filter((status) => !seen.some((answer) => answer.status === status))
      assert.deepEqual(
        missing.filter((status) => !rare(one, status)),
        [],
        `${id} never answered these`,
      )
    }
  })
})

/** Statuses that are the same code for all operations, and are tested where it is. */
function rare({ method, answerType }: Operation, status: number): boolean {
  // A stream does not end by itself.
  if (answerType === 'text/event-stream') return status === 200 || status === 429
  return method === 'POST' && (status === 409 || status === 422)
}

/** Returns every schema of the document: those with a name, and those of parameters, headers and bodies. */
function schemasIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => {
    if (name === 'schema') return [one]
    return name === 'schemas' ? Object.values(one as object) : schemasIn(one)
  })
}
