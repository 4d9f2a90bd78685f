/** What rules of scopes, clients and resources put into tokens, and what that costs. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import type { ClaimShape } from '../../src/protocol/claims/shapes.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { declareAttributes } from '../support/attributes.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { type Counts, countedStorage } from '../support/counted-storage.ts'
import { addClient, startService, testScope, userNamed } from '../support/service.ts'
import { openInMemory } from '../support/sqlite.ts'

const rule = (claim: string, from: string, change: Partial<ClaimRule> = {}): ClaimRule => ({
  ...{ claim, from, in: null, as: 'auto' },
  ...change,
})
const api = 'https://api.example/'
const asked: Counts = { reads: 0, commits: 0 }
const service = await startService({}, { storage: await countedStorage(asked, await openInMemory()) })
after(() => service.stop())
const { storage } = service
await declareAttributes(storage, { name: 'department' })
await storage.scopes.create(testScope('profile'))
await storage.scopes.create(
  testScope('orders', {
    resources: [api],
    claims: [
      rule('department', 'attribute:department'),
      rule('realm_access.roles', 'roles', { in: ['access_token'] }),
      rule('told', 'username', { in: ['introspection'] }),
      rule('absent', 'attribute:unset'),
    ],
  }),
)
const resource = { identifier: api, claims: [rule('https://acme.example/groups', 'groups')], version: 1 }
await storage.resources.change(() => ({ changes: [{ identifier: api, after: resource }] }))
const claims = [rule('tenant', 'constant:{"id":7}', { in: ['id_token', 'access_token'] })]
const metadata = { ...defaultClientMetadata, claims }
const client = { consent: 'implicit', scopes: ['offline_access', 'orders', 'profile'] } as const
await addClient(service, { ...client, id: 'app', metadata })
await addClient(service, { ...client, id: 'opaque', metadata: { ...metadata, access_token_format: 'opaque' } })
await addClient(service, { ...client, id: 'plain' })
await addClient(service, {
  id: 'api',
  authentication: bySecret(hashSecret('secret')),
  metadata: { ...defaultClientMetadata, resources: [api] },
})
const staff = {
  id: 'g1',
  name: 'staff',
  parentId: null,
  description: null,
  roles: ['clerk'],
  createdAtMs: 1,
  version: 1,
}
await storage.groups.change(() => ({ changes: [{ id: 'g1', after: staff }] }))
const { id: userId } = await userNamed(service, 'alice')
await storage.groups.addMembers('g1', [userId])
await storage.users.update(userId, (user) => ({ ...user, attributes: { department: 'Sales' } }))

async function tokens(clientId: string, scope = 'openid offline_access orders') {
  const code = await obtainCode(new Browser(service), { client_id: clientId, scope })
  const { status, body } = await postToken(service, codeFields(code, { client_id: clientId }))
  assert.equal(status, 200)
  return body
}
async function userinfo(token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  return (await (await fetch(new URL('connect/userinfo', service.issuer), { headers })).json()) as Record<
    string,
    unknown
  >
}
async function introspected(token: string): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('connect/introspect', service.issuer), {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: 'api', client_secret: 'secret' }),
  })
  assert.equal(response.status, 200)
  return (await response.json()) as Record<string, unknown>
}

describe('rules of scopes, clients and resources', () => {
  it('put their claims where they say, or where those of their owner are by default', async () => {
    const issued = await tokens('app')
    const [access, id] = [claimsOf(issued.access_token), claimsOf(issued.id_token)]
    assert.deepEqual(access.realm_access, { roles: ['admin', 'clerk'] })
    assert.deepEqual(access['https://acme.example/groups'], ['/staff'])
    assert.deepEqual([access.tenant, id.tenant], [{ id: 7 }, { id: 7 }])
    assert.deepEqual([access.department, id.department], [undefined, 'Sales'])
    assert.deepEqual([id.realm_access, id.told, access.told, 'absent' in id], [undefined, undefined, undefined, false])
    const answer = await userinfo(issued.access_token)
    assert.deepEqual([answer.department, answer.tenant, answer.realm_access], ['Sales', undefined, undefined])
    const told = await introspected(issued.access_token)
    assert.deepEqual([told.active, told.told, told.tenant, told.department], [true, 'alice', undefined, undefined])
  })

  it('are for their scope alone, and those of a client for its tokens alone', async () => {
    const issued = await tokens('plain', 'openid offline_access profile')
    for (const token of [issued.access_token, issued.id_token]) {
      assert.deepEqual([claimsOf(token).tenant, claimsOf(token).department], [undefined, undefined])
    }
    assert.equal((await userinfo(issued.access_token)).department, undefined)
  })

  it('of access tokens appear at introspection where the token is opaque', async () => {
    const told = await introspected((await tokens('opaque')).access_token)
    assert.deepEqual(told.realm_access, { roles: ['admin', 'clerk'] })
    assert.deepEqual([told.tenant, told.told], [{ id: 7 }, 'alice'])
    assert.deepEqual(told['https://acme.example/groups'], ['/staff'])
  })

  it('cost no statement more, and a change is in the next token', async () => {
    const counted = async <T>(work: () => Promise<T>) => {
      Object.assign(asked, { reads: 0, commits: 0 })
      const result = await work()
      return [result, { ...asked }] as const
    }
    const code = await obtainCode(new Browser(service), { client_id: 'app', scope: 'openid offline_access orders' })
    const [exchanged, ofCode] = await counted(() => postToken(service, codeFields(code, { client_id: 'app' })))
    assert.deepEqual(ofCode, { reads: 1, commits: 1 })
    const refresh = (token: string) => postToken(service, refreshFields(token, { client_id: 'app' }))
    const [refreshed, ofRefresh] = await counted(() => refresh(exchanged.body.refresh_token))
    assert.deepEqual(ofRefresh, { reads: 1, commits: 1 })
    const { access_token: token } = refreshed.body
    assert.deepEqual((await counted(() => userinfo(token)))[1], { reads: 1, commits: 0 })
    assert.deepEqual((await counted(() => introspected(token)))[1], { reads: 1, commits: 0 })
    await storage.scopes.update('orders', (scope) => ({ ...scope, claims: [...scope.claims, rule('new', 'username')] }))
    const next = await refresh(refreshed.body.refresh_token)
    assert.equal(claimsOf(next.body.id_token).new, 'alice')
  })

  it('can be asked for one by one, with the consent to their scope (OpenID Connect Core §5.5)', async () => {
    const name = 'asks'
    await addClient(service, { id: name, scopes: ['orders'] })
    const browser = await Browser.signedIn(service)
    const request = JSON.stringify({
      id_token: { department: null, unknown: null, iss: null },
      userinfo: { department: null },
    })
    const asking = { client_id: name, scope: 'openid', claims: request }
    const path = authorizePath(asking).replace('/connect/authorize', '/Account/ConsentContext')
    const { scopes } = (await (await browser.get(path)).json()) as { scopes: { name: string; claims?: string[] }[] }
    assert.deepEqual(
      scopes.map(({ name }) => name),
      ['openid', 'orders'],
    )
    await browser.allow(asking)
    const code = await obtainCode(browser, asking)
    const { body } = await postToken(service, codeFields(code, { client_id: name }))
    const id = claimsOf(body.id_token)
    assert.deepEqual([id.department, id.unknown, id.told], ['Sales', undefined, undefined])
    assert.deepEqual(
      [(await userinfo(body.access_token)).department, claimsOf(body.access_token).scope],
      ['Sales', ['openid']],
    )
  })

  it('are listed in discovery as far as id tokens and userinfo have them', async () => {
    const fresh = await startService()
    const supported = async () => {
      const response = await fetch(new URL('.well-known/openid-configuration', fresh.issuer))
      return ((await response.json()) as { claims_supported: string[] }).claims_supported
    }
    const before = await supported()
    const claims = [
      rule('realm_access.roles', 'roles', { in: ['userinfo'] }),
      rule('told', 'id', { in: ['introspection'] }),
    ]
    await fresh.storage.scopes.create(testScope('ruled', { claims: [...claims, rule('email', 'username')] }))
    fresh.advance(1)
    assert.deepEqual(await supported(), [...before, 'realm_access'])
    const own = {
      id: 'ruled',
      metadata: { ...defaultClientMetadata, claims: [rule('tenant.id', 'constant:7'), ...claims.slice(1)] },
    }
    await addClient(fresh, own)
    await addClient(fresh, { id: 'bare' })
    fresh.advance(1)
    assert.deepEqual(await supported(), [...before, 'realm_access', 'tenant'])
    await fresh.storage.claimRules.changeClient('ruled', (client) => ({ ...client, metadata: defaultClientMetadata }))
    fresh.advance(1)
    assert.deepEqual(await supported(), [...before, 'realm_access'])
    const shaped = (claim_shape: ClaimShape) => (client: Client) => ({
      ...client,
      metadata: { ...defaultClientMetadata, claim_shape },
    })
    await fresh.storage.claimRules.changeClient('bare', shaped('keycloak'))
    fresh.advance(1)
    assert.deepEqual(await supported(), [...before, 'realm_access', 'resource_access', 'typ'])
    await fresh.storage.claimRules.changeClient('bare', shaped('plain'))
    fresh.advance(1)
    assert.deepEqual(await supported(), [...before, 'realm_access'])
    await fresh.stop()
  })

  it('leave out what would make an access token longer than 8,192 characters: groups first, then the largest', async () => {
    const names = Array.from({ length: 190 }, (_, at) => `${'g'.repeat(90)}${at}`)
    const groups = names.map((name, at) => ({ ...staff, id: `l${at}`, name, roles: [] }))
    await storage.groups.change(() => ({ changes: groups.map((after) => ({ id: after.id, after })) }))
    for (const { id } of groups) await storage.groups.addMembers(id, [userId])
    const { access_token: token } = await tokens('app')
    assert.ok(token.length <= 8192)
    const access = claimsOf(token)
    assert.deepEqual([access['https://acme.example/groups'], access.groups_overage], [undefined, true])
    assert.deepEqual([access.realm_access, access.tenant], [{ roles: ['admin', 'clerk'] }, { id: 7 }])
    const warned = service.log.filter(({ msg }) => String(msg).startsWith('a claim was left out of an access token'))
    assert.deepEqual(
      warned.map(({ claim }) => claim),
      ['https://acme.example/groups'],
    )
  })
})
