/** Roles of clients in tokens, userinfo and introspection: of two clients, and of a resource that one of them names. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { adminProgram } from '../support/admin.ts'
import { Browser, claimsOf, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { openOnPostgres } from '../support/postgres.ts'
import { addClient, changeUser, startService, type TestService, testScope } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const api = 'https://api.shop.example'
const secret = 's3cret'
const env = { Keys__MasterKey: `${'A'.repeat(43)}=` }
const own = ['offline_access', 'roles', 'orders', 'reports']
const listed = (value: unknown): unknown => [value ?? []].flat()
const rule = (claim: string, from: string) => ({
  ...{ claim, from, as: 'list' as const },
  in: ['id_token' as const, 'access_token' as const, 'userinfo' as const, 'introspection' as const],
})
const claims = [rule('all', 'roles'), rule('shop_roles', 'roles:shop'), rule('standard', 'claim:role')]
const metadata = { ...defaultClientMetadata, claims }

for (const [name, open] of [
  ['SQLite', openInMemory],
  ['PostgreSQL', openOnPostgres],
] as const) {
  describe(`roles of a client on ${name}`, async () => {
    const adapter = await open()
    // One engine for both, of which the first that closes would take the other's.
    const shared = { ...adapter, engine: { ...adapter.engine, close: async () => {} } }
    const asked: Counts = { reads: 0, commits: 0 }
    const ofOthers: Counts = { reads: 0, commits: 0 }
    const one = await startService(env, { storage: await countedStorage(asked, shared) })
    const other = await startService(env, { storage: await countedStorage(ofOthers, shared) })
    after(async () => {
      await one.stop()
      await other.stop()
      await adapter.engine.close()
    })
    await one.storage.scopes.create(testScope('roles'))
    await one.storage.scopes.create(testScope('orders', { resources: [api] }))
    await one.storage.scopes.create(testScope('reports', { resources: ['https://reports.example'] }))
    await addClient(one, { id: 'web', consent: 'implicit', scopes: own, metadata })
    await changeUser(one, 'alice', { roles: ['admin', 'shop:admin', 'ward:nurse', 'web:editor'] })

    it('are plain ones as long as no client has the id, and are those of one that another process makes', async () => {
      const first = await tokensOf(one, 'web', 'openid roles')
      assert.deepEqual(claimsOf(first.id_token).role, ['admin', 'shop:admin', 'ward:nurse', 'web:editor'])
      await addClient(other, {
        ...{ id: 'shop', consent: 'implicit', scopes: own },
        authentication: bySecret(hashSecret(secret)),
        metadata: { ...metadata, resources: [api] },
      })
      const { body } = await postToken(one, refreshFields(first.refresh_token, { client_id: 'web' }))
      assert.deepEqual(claimsOf(body.id_token).role, ['admin', 'ward:nurse', 'web:editor'])
    })

    it('are in the tokens of the client alone: role claims with the prefix, roles:CLIENT without it', async () => {
      const ofWeb = ['admin', 'ward:nurse', 'web:editor']
      const ofShop = ['admin', 'shop:admin', 'ward:nurse']
      for (const [client, roles, shopRoles] of [
        ['web', ofWeb, []],
        ['shop', ofShop, ['admin']],
      ] as const) {
        const issued = await tokensOf(one, client, 'openid roles')
        const told = {
          id_token: claimsOf(issued.id_token),
          access_token: claimsOf(issued.access_token),
          userinfo: await userinfo(one, issued.access_token),
        }
        for (const [place, all] of Object.entries(told)) {
          assert.deepEqual(all.role, roles, `${client}: ${place}`)
          assert.deepEqual(listed(all.all), roles, `${client}: ${place}`)
          assert.deepEqual(listed(all.standard), roles, `${client}: ${place}`)
          assert.deepEqual(listed(all.shop_roles), shopRoles, `${client}: ${place}`)
        }
      }
    })

    it('are in access tokens and introspection for the resources that the client names, and not in the id token', async () => {
      const issued = await tokensOf(one, 'web', 'openid roles orders')
      const both = ['admin', 'shop:admin', 'ward:nurse', 'web:editor']
      const access = claimsOf(issued.access_token)
      assert.deepEqual([access.aud, access.role, access.all, access.shop_roles], [api, both, both, ['admin']])
      const told = await introspected(one, issued.access_token)
      assert.deepEqual([told.all, told.standard, told.shop_roles], [both, both, ['admin']])
      const id = claimsOf(issued.id_token)
      const ofWeb = ['admin', 'ward:nurse', 'web:editor']
      assert.deepEqual([id.role, id.all, id.shop_roles], [ofWeb, ofWeb, undefined])
      const other = await tokensOf(one, 'web', 'openid roles reports')
      assert.deepEqual(claimsOf(other.access_token).role, ofWeb)
    })

    it('cost no statement more once they were met', async () => {
      const { access_token, refresh_token } = await tokensOf(one, 'web', 'openid roles orders')
      const counted = async (work: () => Promise<unknown>) => {
        Object.assign(asked, { reads: 0, commits: 0 })
        await work()
        return { ...asked }
      }
      assert.deepEqual(await counted(() => userinfo(one, access_token)), { reads: 1, commits: 0 })
      const refresh = () => postToken(one, refreshFields(refresh_token, { client_id: 'web' }))
      assert.deepEqual(await counted(refresh), { reads: 1, commits: 1 })
    })

    it('follow what the client names as its resources, and the preview says the same', async () => {
      const admin = await adminProgram(one)
      const preview = async () => {
        const asking = { user: 'alice', scope: 'openid roles orders' }
        const { body } = await admin.post('/clients/web/preview', asking)
        return [body.access_token.claims.role, body.id_token.claims.role, body.userinfo.claims.all]
      }
      const ofWeb = ['admin', 'ward:nurse', 'web:editor']
      assert.deepEqual(await preview(), [['admin', 'shop:admin', 'ward:nurse', 'web:editor'], ofWeb, ofWeb])
      const changed = await admin.patch('/clients/shop', { resources: [] })
      assert.equal(changed.status, 200)
      assert.deepEqual(await preview(), [ofWeb, ofWeb, ofWeb])
      const issued = await tokensOf(other, 'web', 'openid roles orders')
      assert.deepEqual(claimsOf(issued.access_token).role, ofWeb)
    })

    it('are named by the deletion of the client, and go with it when forced', async () => {
      const admin = await adminProgram(one, ['admin:write'], { id: 'deleting' })
      const clientsOnly = await adminProgram(one, ['admin:clients'], { id: 'clients-only' })
      assert.equal((await admin.post('/roles', { name: 'shop:clerk' })).status, 201)
      const refused = await admin.delete('/clients/shop')
      assert.deepEqual(
        [refused.status, refused.body.error, refused.body.used_by],
        [409, 'in_use', { count: 2, roles: ['shop:admin', 'shop:clerk'] }],
      )
      assert.equal((await clientsOnly.delete('/clients/shop?force=true')).status, 403)
      assert.equal((await admin.delete('/clients/shop?force=true')).status, 204)
      assert.equal((await admin.get('/roles/shop:clerk')).status, 404)
      const issued = await tokensOf(other, 'web', 'openid roles')
      assert.deepEqual(claimsOf(issued.access_token).role, ['admin', 'ward:nurse', 'web:editor'])
    })
  })
}

async function tokensOf(service: TestService, client: string, scope: string) {
  const code = await obtainCode(new Browser(service), { client_id: client, scope: `${scope} offline_access` })
  const authentication = client === 'shop' ? { client_id: client, client_secret: secret } : { client_id: client }
  const { status, body } = await postToken(service, codeFields(code, authentication))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function userinfo(service: TestService, token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL('connect/userinfo', service.issuer), {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Record<string, unknown>
}

async function introspected(service: TestService, token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL('connect/introspect', service.issuer), {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: 'shop', client_secret: secret }),
  })
  return (await answer.json()) as Record<string, unknown>
}
