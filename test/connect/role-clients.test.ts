/** `role_clients`: tokens of one client tell roles of others, and its access tokens are for these as well. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { adminProgram } from '../support/admin.ts'
import {
  Browser,
  claimsOf,
  codeFields,
  exchangeGrant,
  fetchWithToken,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { addClient, type ClientChange, changeUser, startService, testScope } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const secret = 'a-secret-of-an-api'
const orders = 'https://orders.example/'
const scopes = ['offline_access', 'roles', 'orders']
const counts: Counts = { reads: 0, commits: 0 }
const service = await startService({}, { storage: await countedStorage(counts, await openInMemory()) })
after(() => service.stop())
await service.storage.scopes.create(testScope('roles'))
await service.storage.scopes.create(testScope('orders', { resources: [orders] }))
const api: ClientChange = {
  authentication: bySecret(hashSecret(secret)),
  grantTypes: ['client_credentials', exchangeGrant],
  redirectUris: [],
  scopes: ['orders'],
}
await addClient(service, { ...api, id: 'billing' })
await addClient(service, { ...api, id: 'stock' })
await addClient(service, { ...api, id: 'unused' })
const app = (id: string, metadata: NonNullable<ClientChange['metadata']>, change: ClientChange = {}) =>
  addClient(service, { id, consent: 'implicit', scopes, metadata, ...change })
await app('plain', {})
await app('one', { role_clients: ['billing', 'unused'] })
await app('every', { role_clients: ['*'] })
await app('opaque', { role_clients: ['billing'], access_token_format: 'opaque' })
await app('keycloak', { role_clients: ['*'], claim_shape: 'keycloak' })
await app('ruled', {
  role_clients: ['billing'],
  claims: [{ claim: 'permissions', from: 'roles:billing', in: ['access_token', 'id_token'], as: 'list' }],
})
await changeUser(service, 'alice', { roles: ['admin', 'billing:clerk', 'every:owner', 'stock:keeper', 'ward:nurse'] })

const { issuer } = service
const plain = ['admin', 'ward:nurse']
const withBilling = ['admin', 'billing:clerk', 'ward:nurse']

async function tokensOf(client_id: string, scope = 'openid roles offline_access') {
  const code = await obtainCode(new Browser(service), { client_id, scope })
  const { status, body } = await postToken(service, codeFields(code, { client_id }))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const introspected = async (token: string, client_id: string) =>
  (await postToken(service, { token, client_id, client_secret: secret }, {}, 'connect/introspect')).body
const userinfo = async (token: string) => (await fetchWithToken(service, 'connect/userinfo', token)).json()
const told = ({ aud, role }: { readonly aud?: unknown; readonly role?: unknown }) => [aud, role]

describe('tokens of a client with role_clients', () => {
  it('have the roles of these, and access tokens are for those of which the person has one', async () => {
    const { access_token, id_token, refresh_token } = await tokensOf('one')
    assert.deepEqual(told(claimsOf(access_token)), [[issuer, 'billing'], withBilling])
    assert.deepEqual(told(claimsOf(id_token)), ['one', withBilling])
    assert.deepEqual((await userinfo(access_token)).role, withBilling)
    const { body } = await postToken(service, refreshFields(refresh_token, { client_id: 'one' }))
    assert.deepEqual(told(claimsOf(body.access_token)), [[issuer, 'billing'], withBilling])
    assert.deepEqual(told(claimsOf(body.id_token)), ['one', withBilling])
  })

  it('have those of every client with *, but none of a client that is not there; the client itself is not in aud', async () => {
    const all = ['admin', 'billing:clerk', 'every:owner', 'stock:keeper', 'ward:nurse']
    const { access_token, id_token } = await tokensOf('every')
    assert.deepEqual(told(claimsOf(access_token)), [[issuer, 'billing', 'stock'], all])
    assert.deepEqual(claimsOf(id_token).role, all)
  })

  it('have them beside what the scopes lead to, and others have none of it', async () => {
    const access = claimsOf((await tokensOf('one', 'openid orders')).access_token)
    assert.deepEqual(told(access), [[orders, 'billing'], withBilling])
    const other = await tokensOf('plain')
    assert.deepEqual(told(claimsOf(other.access_token)), [issuer, plain])
    assert.deepEqual(await introspected(other.access_token, 'billing'), { active: false })
  })

  it('are known at introspection to the role clients, and to no other client', async () => {
    for (const client of ['one', 'opaque']) {
      const { access_token } = await tokensOf(client)
      const { active, ...found } = await introspected(access_token, 'billing')
      assert.equal(active, true, client)
      assert.deepEqual(told(found), [[issuer, 'billing'], withBilling])
      assert.deepEqual(await introspected(access_token, 'unused'), { active: false })
      assert.deepEqual(await introspected(access_token, 'stock'), { active: false })
    }
  })

  it('have them in the shape of Keycloak, and for rules', async () => {
    const { access_token, id_token } = await tokensOf('keycloak')
    const { aud, realm_access, resource_access } = claimsOf(access_token)
    assert.deepEqual([aud, realm_access.roles], [[issuer, 'billing', 'every', 'stock'], plain])
    const expected = { billing: { roles: ['clerk'] }, every: { roles: ['owner'] }, stock: { roles: ['keeper'] } }
    assert.deepEqual(resource_access, expected)
    assert.deepEqual(claimsOf(id_token).resource_access, expected)
    const ruled = await tokensOf('ruled')
    assert.deepEqual(claimsOf(ruled.access_token).permissions, ['clerk'])
    assert.deepEqual(claimsOf(ruled.id_token).permissions, ['clerk'])
  })

  it('are previewed as they are issued', async () => {
    const admin = await adminProgram(service, ['admin:clients', 'admin:users:read'], { id: 'previews' })
    for (const id of ['one', 'every', 'keycloak']) {
      const { body } = await admin.post(`/clients/${id}/preview`, { user: 'alice', scope: 'openid roles' })
      const issued = await tokensOf(id, 'openid roles')
      const { access_token, id_token, introspection } = body
      assert.deepEqual(told(access_token.claims), told(claimsOf(issued.access_token)))
      assert.deepEqual(access_token.claims.resource_access, claimsOf(issued.access_token).resource_access)
      assert.deepEqual(id_token.claims.role, claimsOf(issued.id_token).role)
      assert.deepEqual(told(introspection.claims), told(claimsOf(issued.access_token)))
    }
  })

  it('cost no statement more once the clients were met', async () => {
    const { access_token, refresh_token } = await tokensOf('every')
    const counted = async (work: () => Promise<unknown>) => {
      Object.assign(counts, { reads: 0, commits: 0 })
      await work()
      return { ...counts }
    }
    assert.deepEqual(await counted(() => userinfo(access_token)), { reads: 1, commits: 0 })
    const refresh = () => postToken(service, refreshFields(refresh_token, { client_id: 'every' }))
    assert.deepEqual(await counted(refresh), { reads: 1, commits: 1 })
  })
})

describe('role_clients of a client that registered itself', () => {
  it('count with the scope roles alone, once an operator set them', async () => {
    await app('stranger', { registration: 'open', role_clients: ['*'] })
    const silent = claimsOf((await tokensOf('stranger', 'openid')).access_token)
    assert.deepEqual(told(silent), [issuer, undefined])
    const asked = claimsOf((await tokensOf('stranger', 'openid roles')).access_token)
    assert.deepEqual(told(asked), [
      [issuer, 'billing', 'every', 'stock'],
      ['admin', 'billing:clerk', 'every:owner', 'stock:keeper', 'ward:nurse'],
    ])
  })
})

describe('an exchange (RFC 8693)', async () => {
  const exchange = (client_id: string, subject_token: string, more: Readonly<Record<string, string>> = {}) =>
    postToken(service, {
      ...{ grant_type: exchangeGrant, client_id, client_secret: secret, subject_token },
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      ...more,
    })
  const may_exchange = ['one', 'every', 'plain']
  await addClient(service, { ...api, id: 'middle', metadata: { may_exchange, role_clients: ['*'] } })
  await addClient(service, { ...api, id: 'outside', metadata: { may_exchange } })

  it('keeps the role clients of the client that exchanges, within those of the first token', async () => {
    const { access_token } = await tokensOf('one', 'openid orders roles')
    const { body } = await exchange('middle', access_token)
    assert.deepEqual(told(claimsOf(body.access_token)), [[orders, 'billing'], withBilling])
    const { role } = await introspected(body.access_token, 'billing')
    assert.deepEqual(role, withBilling)
    const narrowed = await exchange('middle', access_token, { audience: 'billing' })
    assert.deepEqual(told(claimsOf(narrowed.body.access_token)), ['billing', withBilling])
    const without = await exchange('middle', access_token, { audience: orders })
    assert.deepEqual(told(claimsOf(without.body.access_token)), [orders, plain])
  })

  it('gives nobody an audience or roles that the first token, or the client that exchanges, has not', async () => {
    const narrow = (await tokensOf('plain', 'openid orders roles')).access_token
    assert.deepEqual(told(claimsOf((await exchange('middle', narrow)).body.access_token)), [orders, plain])
    const refused = await exchange('middle', narrow, { audience: 'billing' })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_target'])
    const wide = (await tokensOf('every', 'openid orders roles')).access_token
    assert.deepEqual(told(claimsOf((await exchange('outside', wide)).body.access_token)), [orders, plain])
    const also = await exchange('outside', wide, { audience: 'billing' })
    assert.deepEqual([also.status, also.body.error], [400, 'invalid_target'])
  })
})

describe('a value of role_clients', async () => {
  const admin = await adminProgram(service, ['admin:clients'], { id: 'operator' })
  await app('changing', {})
  const set = (role_clients: unknown) => admin.patch('/clients/changing', { role_clients })

  it('is the id of a client that is there, or * alone', async () => {
    for (const [value, message, code] of [
      [['changing'], /holds changing: the roles of a client are in its own tokens anyway/, 400],
      [['billing', 'nobody'], /The client nobody is not there/, 400],
      [['*', 'billing'], /is \* alone/, 400],
      [['two\nlines'], /is no client id/, 400],
      ['billing', /array/, 400],
      [Array.from({ length: 101 }, (_, at) => `c${at}`), /100/, 400],
    ] as const) {
      const { status, body } = await set(value)
      assert.equal(status, code, JSON.stringify(body))
      assert.match(JSON.stringify(body.errors), message)
    }
    const { status, body } = await set(['billing', 'stock'])
    assert.deepEqual([status, body.role_clients], [200, ['billing', 'stock']])
  })

  it('stays when the client that it names is deleted, has no effect then, and stops no other change', async () => {
    await addClient(service, { ...api, id: 'leaving' })
    assert.equal((await set(['leaving'])).status, 200)
    assert.equal((await admin.delete('/clients/leaving')).status, 204)
    const { status, body } = await admin.patch('/clients/changing', {
      client_name: 'Renamed',
      role_clients: ['leaving'],
    })
    assert.deepEqual([status, body.role_clients], [200, ['leaving']])
    assert.deepEqual(told(claimsOf((await tokensOf('changing')).access_token)), [issuer, plain])
  })

  it('counts at the next refresh', async () => {
    const { refresh_token } = await tokensOf('changing')
    await set(['stock'])
    const { body } = await postToken(service, refreshFields(refresh_token, { client_id: 'changing' }))
    assert.deepEqual(told(claimsOf(body.access_token)), [
      [issuer, 'stock'],
      ['admin', 'stock:keeper', 'ward:nurse'],
    ])
  })
})
