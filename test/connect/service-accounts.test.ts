/** `service_account_subject` and `service_account_roles`: what a client is in tokens that it gets for itself (RFC 6749 §4.4). */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { adminProgram } from '../support/admin.ts'
import { claimsOf, exchangeGrant, fetchWithToken, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { addClient, type ClientChange, startService, testScope, testUser, userNamed } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const secret = 'a-secret-of-a-program'
const orders = 'https://orders.example/'
const counts: Counts = { reads: 0, commits: 0 }
const service = await startService({}, { storage: await countedStorage(counts, await openInMemory()) })
after(() => service.stop())
const { storage, issuer } = service
await storage.scopes.create(testScope('orders', { resources: [orders] }))
const nowMs = 1_000
const describeRole = (name: string, more = {}) =>
  storage.roles.create({ name, description: null, createdAtMs: nowMs, ...more })
await describeRole('everybody', { isDefault: true })
await describeRole('auditor')
await describeRole('manager', { includes: ['auditor'] })
const program: ClientChange = {
  authentication: bySecret(hashSecret(secret)),
  grantTypes: ['client_credentials', exchangeGrant],
  redirectUris: [],
  postLogoutRedirectUris: [],
  scopes: ['orders'],
}
const add = (id: string, metadata: NonNullable<ClientChange['metadata']> = {}, change: ClientChange = {}) =>
  addClient(service, { ...program, id, metadata, ...change })
const subject = '1132e49f-d3b0-4435-9ce6-25f2a4ac699f'
const roles = ['billing:clerk', 'manager', 'stock:keeper']
await add('billing')
await add('stock', { resources: [orders] })
await add('bare')
await add('batch', { service_account_subject: subject, service_account_roles: roles })
await add('wide', { service_account_roles: roles, role_clients: ['billing'] })
await add('keycloak', { service_account_roles: roles, role_clients: ['*'], claim_shape: 'keycloak' })
await add('opaque', {
  service_account_subject: 'opaque-bot',
  service_account_roles: roles,
  access_token_format: 'opaque',
})
await add('minimal', { service_account_roles: roles, access_token_claims: 'minimal' })
await add('pairwise', { service_account_roles: roles, subject_type: 'pairwise' })

const request = (client_id: string, more: Readonly<Record<string, string>> = {}) =>
  postToken(service, { grant_type: 'client_credentials', client_id, client_secret: secret, ...more })
async function tokenOf(client_id: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await request(client_id, more)
  assert.equal(status, 200, JSON.stringify(body))
  return body.access_token
}
const claims = async (client: string, more = {}) => claimsOf(await tokenOf(client, more))
const introspected = async (token: string, client_id: string) =>
  (await postToken(service, { token, client_id, client_secret: secret }, {}, 'connect/introspect')).body

describe('a token that a client gets for itself', () => {
  it('has the subject and the roles of its service account: those that they include, none that everybody has', async () => {
    const { sub, client_id, aud, role } = await claims('batch')
    assert.deepEqual([sub, client_id, aud, role], [subject, 'batch', issuer, ['auditor', 'manager']])
    const { role: none, sub: own, ...others } = await claims('bare')
    assert.deepEqual([own, none, others.client_id], ['bare', undefined, 'bare'])
  })

  it('tells roles of other clients to their resources and to role clients alone, which it is then for', async () => {
    const { aud, role } = await claims('batch', { scope: 'orders' })
    assert.deepEqual([aud, role], [orders, ['auditor', 'manager', 'stock:keeper']])
    const wide = await claims('wide')
    assert.deepEqual(
      [wide.aud, wide.role],
      [
        [issuer, 'billing'],
        ['auditor', 'billing:clerk', 'manager'],
      ],
    )
  })

  it('has them in the shape of Keycloak, and whatever hides the data of people', async () => {
    const { aud, realm_access, resource_access } = await claims('keycloak')
    assert.deepEqual(
      [aud, realm_access.roles],
      [
        [issuer, 'billing', 'stock'],
        ['auditor', 'manager'],
      ],
    )
    assert.deepEqual(resource_access, { billing: { roles: ['clerk'] }, stock: { roles: ['keeper'] } })
    assert.deepEqual((await claims('pairwise')).role, ['auditor', 'manager'])
    assert.equal((await claims('minimal')).role, undefined)
  })

  it('is introspected as it says, a JWT or opaque, and with the roles of now', async () => {
    const told = async (token: string, asking: string) => {
      const { active, sub, client_id, username, aud, role } = await introspected(token, asking)
      return { active, sub, client_id, username, aud, role }
    }
    const found = { active: true, username: undefined }
    assert.deepEqual(await told(await tokenOf('batch', { scope: 'orders' }), 'stock'), {
      ...{ ...found, sub: subject, client_id: 'batch', aud: orders, role: ['auditor', 'manager', 'stock:keeper'] },
    })
    const opaque = await tokenOf('opaque')
    const ofOpaque = { ...found, sub: 'opaque-bot', client_id: 'opaque', aud: issuer }
    assert.deepEqual(await told(opaque, 'opaque'), { ...ofOpaque, role: ['auditor', 'manager'] })
    const { realm_access } = await introspected(await tokenOf('keycloak'), 'billing')
    assert.equal(realm_access, undefined)
    assert.equal((await introspected(await tokenOf('minimal'), 'minimal')).role, undefined)
    assert.deepEqual((await introspected(await tokenOf('pairwise'), 'pairwise')).role, ['auditor', 'manager'])
    const admin = await adminProgram(service, ['admin:clients'], { id: 'lessening' })
    await admin.patch('/clients/opaque', { service_account_roles: ['auditor'] })
    assert.deepEqual(await told(opaque, 'opaque'), { ...ofOpaque, role: 'auditor' })
  })

  it('costs no statement more for its roles, and one read for a subject', async () => {
    const counted = async (client: string) => {
      await tokenOf(client)
      Object.assign(counts, { reads: 0, commits: 0 })
      await tokenOf(client)
      return { ...counts }
    }
    const bare = await counted('bare')
    assert.deepEqual(await counted('wide'), bare)
    assert.deepEqual(await counted('batch'), { ...bare, reads: bare.reads + 1 })
  })
})

describe('a service account is no person', async () => {
  const admin = await adminProgram(service, ['admin:clients'], { id: 'operator' })
  const alice = await userNamed(service, 'alice')
  await add('changing')
  const set = (value: unknown, id = 'changing') => admin.patch(`/clients/${id}`, { service_account_subject: value })

  it('is refused an id of a person, of another client and of the service account of another one', async () => {
    for (const [value, message] of [
      [alice.id, /belongs to a person/],
      ['billing', /belongs to another client/],
      [subject, /is the one of the client batch already/],
      ['', /1 to 255 characters/],
      ['with space', /1 to 255 characters/],
      ['line\nbreak', /1 to 255 characters/],
      ['zoë', /1 to 255 characters/],
      ['x'.repeat(256), /1 to 255 characters/],
      [['a', 'b'], /text|string/],
    ] as const) {
      const { status, body } = await set(value)
      assert.equal(status, 400, JSON.stringify([value, body]))
      assert.match(JSON.stringify(body.errors), message)
    }
    for (const value of ['changing', 'x'.repeat(255), null]) assert.equal((await set(value)).status, 200, String(value))
    const added = { client_id: 'another', token_endpoint_auth_method: 'client_secret_basic' }
    const made = { ...added, grant_types: ['client_credentials'], service_account_subject: alice.id }
    assert.equal((await admin.post('/clients', made)).status, 400)
  })

  it('gets no token once somebody else has its subject as an id (ID9216)', async () => {
    const late = 'b1f0c7a2-5a0e-4a63-9d0c-0d7d5a3b7c11'
    await add('early', { service_account_subject: late }, { scopes: ['admin:users:read'] })
    const before = await tokenOf('early', { scope: 'admin:users:read' })
    await storage.users.create(
      testUser({ id: late, name: 'late', email: 'late@example.com', roles: ['latchkey-admin'] }),
    )
    const refused = await request('early')
    assert.deepEqual([refused.status, refused.body.error], [400, 'unauthorized_client'])
    assert.match(refused.body.error_uri, /#ID9216$/)
    // One that it got before is still a token of the client, with its rights alone.
    assert.equal((await fetchWithToken(service, 'connect/userinfo', before)).status, 403)
    const { sub, username, client_id, role } = await introspected(before, 'early')
    assert.deepEqual([sub, username, client_id, role], [late, undefined, 'early', undefined])
    assert.equal((await fetchWithToken(service, 'admin/api/v1/users', before)).status, 200)
    assert.equal((await fetchWithToken(service, 'admin/api/v1/clients', before)).status, 403)
    const me = await (await fetchWithToken(service, 'admin/api/v1/me', before)).text()
    assert.doesNotMatch(me, /late/)
    await add('colliding', { service_account_subject: 'newcomer' })
    await add('newcomer')
    assert.equal((await request('colliding')).status, 400)
    assert.equal((await request('newcomer')).status, 200)
  })

  it('gets no token while the service account of another client has its subject, as after two commands at once (ID9216)', async () => {
    for (const id of ['left', 'right']) await add(id, { service_account_subject: 'shared-bot' })
    for (const id of ['left', 'right']) {
      const { status, body } = await request(id)
      assert.deepEqual([status, body.error], [400, 'unauthorized_client'], id)
      assert.match(body.error_uri, /#ID9216$/)
    }
    await service.storage.clients.delete('right')
    assert.equal((await claims('left')).sub, 'shared-bot')
  })

  it('has no rights over the service by its roles: they come from scopes alone', async () => {
    await add('mighty', { service_account_roles: ['latchkey-admin'] })
    const token = await tokenOf('mighty')
    assert.equal(claimsOf(token).role, 'latchkey-admin')
    for (const path of ['users', 'clients', 'me']) {
      assert.notEqual((await fetchWithToken(service, `admin/api/v1/${path}`, token)).status, 200, path)
    }
    assert.equal((await fetchWithToken(service, 'connect/userinfo', token)).status, 403)
  })
})

describe('the roles of a service account', async () => {
  const admin = await adminProgram(service, ['admin:write'], { id: 'chief' })
  await add('receiving')
  const set = (service_account_roles: unknown) => admin.patch('/clients/receiving', { service_account_roles })
  const held = async () => (await storage.clients.find('receiving'))?.metadata.service_account_roles

  it('are none that give rights over the service, when the admin API gives them, by themselves or included', async () => {
    await describeRole('boss', { includes: ['latchkey-viewer'] })
    for (const role of ['latchkey-admin', 'latchkey-viewer', 'boss']) {
      const { status, body } = await set(['manager', role])
      assert.equal(status, 400, role)
      assert.match(JSON.stringify(body.errors), /gives rights over the whole service/)
    }
    assert.deepEqual(await held(), [])
  })

  it('stay as an operator with --allow-admin gave them, through other changes', async () => {
    await add('trusted', { service_account_roles: ['latchkey-viewer'] })
    const changed = await admin.patch('/clients/trusted', {
      client_name: 'Trusted',
      service_account_roles: ['latchkey-viewer', 'manager'],
    })
    assert.deepEqual([changed.status, changed.body.service_account_roles], [200, ['latchkey-viewer', 'manager']])
  })

  it('belong to clients that are there, or are plain ones', async () => {
    const { status, body } = await set(['nobody:clerk'])
    assert.equal(status, 400)
    assert.match(JSON.stringify(body.errors), /The client nobody is not there/)
    await describeRole('ward:nurse')
    for (const role of ['ward:nurse', 'billing:clerk', 'unheard-of'])
      assert.equal((await set([role])).status, 200, role)
    for (const [value, message] of [
      [Array.from({ length: 51 }, (_, at) => `r${at}`), /50/],
      [[''], /empty/],
      [['two\nlines'], /control characters/],
      [['x'.repeat(101)], /100/],
    ] as const) {
      const refused = await set(value)
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body.errors), message)
    }
  })

  it('are listed with the others, and a role that is deleted is taken from them', async () => {
    assert.equal((await set(['temporary', 'manager'])).status, 200)
    const listed = (await admin.get('/roles?limit=100')).body.items.map(({ name }: { name: string }) => name)
    assert.ok(listed.includes('temporary'))
    assert.equal((await admin.get('/roles/temporary')).status, 200)
    const refused = await admin.delete('/roles/temporary')
    assert.deepEqual([refused.status, refused.body.used_by], [409, { count: 0, users: [], clients: ['receiving'] }])
    assert.equal((await admin.delete('/roles/temporary?force=true')).status, 204)
    assert.deepEqual(await held(), ['manager'])
    assert.equal((await admin.get('/roles/temporary')).status, 404)
    assert.deepEqual((await claims('receiving')).role, ['auditor', 'manager'])
  })

  it('go with the client that they belong to', async () => {
    await add('leaving')
    await set(['leaving:clerk', 'manager'])
    const refused = await admin.delete('/clients/leaving')
    assert.deepEqual([refused.status, refused.body.used_by.roles], [409, ['leaving:clerk']])
    assert.equal((await admin.delete('/clients/leaving?force=true')).status, 204)
    assert.deepEqual(await held(), ['manager'])
  })
})

describe('the token of a service account that is exchanged (RFC 8693)', async () => {
  await add('middle', { may_exchange: ['batch', 'going', 'middle'] })
  const exchange = async (subject_token: string) => {
    const { status, body } = await postToken(service, {
      ...{ grant_type: exchangeGrant, client_id: 'middle', client_secret: secret, subject_token },
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body.access_token as string
  }

  it('keeps its subject, is of the client that exchanged it, and has none of the roles', async () => {
    const exchanged = await exchange(await tokenOf('batch', { scope: 'orders' }))
    const { sub, client_id, act, role, subject_client_id } = claimsOf(exchanged)
    assert.deepEqual([sub, client_id, act, role], [subject, 'middle', { sub: 'middle' }, undefined])
    assert.equal(subject_client_id, 'batch')
    const found = await introspected(exchanged, 'stock')
    assert.deepEqual([found.active, found.sub, found.role], [true, subject, undefined])
    const again = await exchange(exchanged)
    assert.deepEqual([claimsOf(again).sub, claimsOf(again).subject_client_id], [subject, 'batch'])
  })

  it('ends with the client that it is about', async () => {
    await add('going', { service_account_subject: 'going-account' })
    const own = await tokenOf('going', { scope: 'orders' })
    const exchanged = await exchange(own)
    assert.equal((await introspected(exchanged, 'stock')).active, true)
    await storage.clients.delete('going')
    for (const token of [own, exchanged]) assert.deepEqual(await introspected(token, 'stock'), { active: false })
    assert.equal((await fetchWithToken(service, 'admin/api/v1/users', own)).status, 401)
  })

  it('is revoked by its client (RFC 7009)', async () => {
    const own = await tokenOf('batch', { scope: 'orders' })
    const exchanged = await exchange(own)
    await postToken(service, { token: own, client_id: 'batch', client_secret: secret }, {}, 'connect/revocation')
    for (const token of [own, exchanged]) assert.deepEqual(await introspected(token, 'stock'), { active: false })
  })
})
