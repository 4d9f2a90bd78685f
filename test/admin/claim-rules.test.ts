/** Rules of claims, resources and the preview in the admin API. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import { declareAttributes } from '../support/attributes.ts'
import { addClient, serviceForFile, testScope, userNamed } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const { storage } = service
const api = 'https://api.example/orders'
const path = `/resources/${encodeURIComponent(api)}`
await declareAttributes(storage, { name: 'department' })
await storage.scopes.create(testScope('orders', { resources: [api] }))
await addClient(service, { id: 'shop', scopes: ['orders'] })
const { id } = await userNamed(service, 'alice')
await storage.users.update(id, (user) => ({ ...user, attributes: { department: 'Sales' } }))
const department = { claim: 'department', from: 'attribute:department' }
const stored = { ...department, in: null, as: 'auto' }
const eventsOf = async (kind: string) =>
  (await storage.audit.list({}, undefined, 100)).filter((entry) => entry.kind === kind).length

describe('rules in the admin API', () => {
  it('are members of scopes and clients, and refused with their reasons', async () => {
    const changed = await admin.patch('/scopes/orders', { claims: [department], purpose: 'Why', 'purpose#de': 'Wozu' })
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.body.claims, changed.body.purpose, changed.body['purpose#de']], [[stored], 'Why', 'Wozu'])
    assert.equal(await eventsOf('claim_rule_added'), 1)
    const refused = async (claims: object[], pattern: RegExp) => {
      const answer = await admin.patch('/scopes/orders', { claims })
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(answer.body.errors), pattern)
    }
    await refused([{ claim: 'iss', from: 'id' }], /The claim iss is set by the protocol/)
    await refused([{ claim: 'x', from: 'attribute:none' }], /The attribute none is not declared/)
    await refused([department, { claim: 'department.name', from: 'id' }], /would both be set/)
    const conflict = await admin.patch('/clients/shop', { claims: [{ claim: 'department', from: 'id' }] })
    assert.equal(conflict.status, 400)
    assert.match(
      JSON.stringify(conflict.body.errors),
      /department of the scope orders and department of the client shop/,
    )
    const own = await admin.patch('/clients/shop', {
      claims: [{ claim: 'tenant', from: 'constant:7', in: ['id_token'] }],
    })
    assert.deepEqual(own.body.claims, [{ claim: 'tenant', from: 'constant:7', in: ['id_token'], as: 'auto' }])
  })

  it('of a resource are read and changed under its identifier, encoded into one segment', async () => {
    assert.deepEqual((await admin.get(path)).body, { identifier: api, claims: [] })
    const changed = await admin.patch(path, { claims: [{ claim: 'roles', from: 'roles' }] })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, {
      identifier: api,
      claims: [{ claim: 'roles', from: 'roles', in: null, as: 'auto' }],
    })
    assert.deepEqual((await admin.get('/resources')).body.items, [changed.body])
    assert.deepEqual((await admin.get(path)).body, changed.body)
    const refused = await admin.patch(path, { claims: [{ claim: 'exp', from: 'id' }] })
    assert.equal(refused.status, 400)
    assert.equal((await admin.get('/resources/here')).status, 404)
  })
})

describe('the preview', () => {
  it('shows what tokens would be, by name or id of the person, and issues nothing', async () => {
    const before = await eventsOf('tokens_issued')
    for (const user of ['alice', id]) {
      const { status, body } = await admin.post('/clients/shop/preview', {
        user,
        scope: 'openid orders',
        resource: api,
      })
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['id_token', 'access_token', 'userinfo', 'introspection'])
      assert.deepEqual([body.id_token.claims.department, body.id_token.claims.tenant], ['Sales', 7])
      assert.deepEqual(body.id_token.rules, [
        { claim: 'department', from: 'attribute:department', scope: 'orders' },
        { claim: 'tenant', from: 'constant:7', client: 'shop' },
      ])
      assert.deepEqual(body.access_token.rules, [{ claim: 'roles', from: 'roles', resource: api }])
      assert.deepEqual([body.access_token.left_out, body.access_token.claims.aud], [[], api])
      assert.equal(body.userinfo.claims.department, 'Sales')
      assert.equal(body.introspection.claims.active, true)
    }
    assert.equal(await eventsOf('tokens_issued'), before)
    assert.equal((await admin.post('/clients/none/preview', { user: 'alice' })).status, 404)
    assert.equal((await admin.post('/clients/shop/preview', { user: 'nobody' })).status, 404)
  })
})
