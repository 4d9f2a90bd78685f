/** Rules of claims, resources and the preview in the admin API. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { declareAttributes } from '../support/attributes.ts'
import { addClient, addUser, serviceForFile, testScope, userNamed } from '../support/service.ts'

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
    await refused([{ claim: 'iss', from: 'id' }], /The claim iss is set by the protocol\."/)
    await refused([{ claim: 'x', from: 'attribute:none' }], /The attribute none is not declared/)
    await refused([department, { claim: 'department.name', from: 'id' }], /would both be set in id_token, userinfo\."/)
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

  it('are refused where the access token of the largest person has no room for them (claims and groups, section 3)', async () => {
    await storage.scopes.create(testScope('wide', { resources: ['https://wide.example/'] }))
    await addClient(service, { id: 'wide', scopes: ['wide'] })
    await declareAttributes(storage, { name: 'note', max: 10_000 })
    const { id: large } = await addUser(service, 'bob')
    await storage.users.update(large, (user) => ({ ...user, attributes: { note: 'ü'.repeat(4000) } }))
    const claims = [{ claim: 'note', from: 'attribute:note', in: ['access_token'] }]
    const asked = [
      await admin.patch('/scopes/wide', { claims }),
      await admin.patch('/clients/wide', { claims }),
      await admin.patch(`/resources/${encodeURIComponent('https://wide.example/')}`, { claims }),
      await admin.post('/clients', {
        client_id: 'wider',
        redirect_uris: ['https://wide.example/cb'],
        scope: 'wide',
        claims,
      }),
    ]
    for (const { status, body } of asked) {
      assert.equal(status, 400)
      assert.match(
        JSON.stringify(body.errors),
        /for bob would have 1\d{4} characters with these rules, of at most 8192/,
      )
    }
    const registrar = await adminProgram(service, ['admin:clients'])
    const unnamed = JSON.stringify((await registrar.patch('/scopes/wide', { claims })).body.errors)
    assert.match(unnamed, /for somebody would have 1\d{4} characters/)
    assert.doesNotMatch(unnamed, /bob/)
    assert.equal((await admin.patch('/scopes/wide', { claims: [{ ...claims[0], in: ['userinfo'] }] })).status, 200)
    await storage.users.update(large, (user) => ({ ...user, attributes: { note: 'ü' } }))
    assert.equal((await admin.patch('/clients/wide', { claims })).status, 200)
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
    assert.equal((await admin.get('/resources/neither%20of%20both')).status, 404)
  })
})

describe('an attribute that rules use (claims and groups, section 1)', () => {
  it('is deleted with them alone, which those may who may change applications; each has an entry in the trail', async () => {
    await declareAttributes(storage, { name: 'tenant_no' })
    const rule = { claim: 'tenant_no', from: 'attribute:tenant_no', in: ['userinfo'] }
    await storage.scopes.create(testScope('billing', { resources: [api] }))
    assert.equal((await admin.patch('/scopes/billing', { claims: [rule] })).status, 200)
    await addClient(service, { id: 'till', scopes: ['billing'] })
    const added = await eventsOf('claim_rule_added')
    assert.equal((await admin.patch('/clients/till', { claims: [{ ...rule, claim: 'no' }] })).status, 200)
    assert.equal(await eventsOf('claim_rule_added'), added + 1)

    const refused = await admin.delete('/attributes/tenant_no')
    const rules = ['tenant_no of the scope billing', 'no of the client till']
    assert.deepEqual([refused.status, refused.body.used_by], [409, { count: 2, rules }])
    assert.match(refused.body.detail, /: tenant_no of the scope billing, no of the client till\.$/)
    assert.equal((await admin.get('/attributes/tenant_no')).status, 200)

    const { caller } = await adminPerson(service, ['latchkey-admin'], { name: 'people-only', scopes: ['admin:users'] })
    const forbidden = await caller.delete('/attributes/tenant_no?with_rules=true')
    assert.equal(forbidden.status, 403)

    const removed = await eventsOf('claim_rule_removed')
    assert.equal((await admin.delete('/attributes/tenant_no?with_rules=true')).status, 204)
    assert.equal((await admin.get('/attributes/tenant_no')).status, 404)
    assert.deepEqual((await admin.get('/scopes/billing')).body.claims, [])
    assert.deepEqual((await admin.get('/clients/till')).body.claims ?? [], [])
    assert.equal(await eventsOf('claim_rule_removed'), removed + 2)
    assert.equal(await eventsOf('attribute_deleted'), 1)
  })
})

describe('rules that are changed at the same time', () => {
  it('are refused where both would be in one token, and each change has its entry in the trail', async () => {
    for (const name of ['left', 'right']) await storage.scopes.create(testScope(name))
    await addClient(service, { id: 'both', scopes: ['left', 'right'] })
    const before = await eventsOf('claim_rule_added')
    const answers = await Promise.all([
      admin.patch('/scopes/left', { claims: [{ claim: 'same', from: 'id' }] }),
      admin.patch('/scopes/right', { claims: [{ claim: 'same', from: 'username' }] }),
      admin.patch('/clients/both', { claims: [{ claim: 'same', from: 'client_id' }] }),
      admin.post('/clients', {
        client_id: 'third',
        redirect_uris: ['https://third.example/cb'],
        scope: 'left right',
        claims: [{ claim: 'same.part', from: 'client_id' }],
      }),
    ])
    const stored = answers.filter(({ status }) => status < 300)
    assert.deepEqual(
      answers.filter(({ status }) => status >= 300).map(({ status }) => status),
      Array.from({ length: answers.length - stored.length }, () => 400),
    )
    // The two applications are never in one token, the scopes are in tokens of both.
    assert.ok(stored.length <= 2 && stored.length > 0)
    assert.equal((await eventsOf('claim_rule_added')) - before, stored.length)
  })

  it('of a scope without rules count where it leads to a resource with rules', async () => {
    const conflict = await admin.patch('/resources/urn%3Aledger', { claims: [{ claim: 'ledger', from: 'id' }] })
    assert.equal(conflict.status, 200)
    await storage.scopes.create(testScope('ledger', { resources: ['urn:ledger'] }))
    await addClient(service, { id: 'books', scopes: ['ledger'] })
    const refused = await admin.patch('/clients/books', {
      claims: [{ claim: 'ledger', from: 'username', in: ['access_token'] }],
    })
    assert.equal(refused.status, 400)
    assert.match(
      JSON.stringify(refused.body.errors),
      /ledger of the client books and ledger of the resource urn:ledger/,
    )
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

describe('the scopes of a program', () => {
  it('are admin:users for attributes and groups, and admin:clients for rules and the preview (claims and groups, section 1)', async () => {
    const people = await adminProgram(service, ['admin:users'])
    const applications = await adminProgram(service, ['admin:clients'])
    const calls = (caller: typeof admin) => ({
      attributes: [() => caller.post('/attributes', { name: 'by_scope' }), () => caller.delete('/attributes/by_scope')],
      groups: [() => caller.post('/groups', { name: 'by scope' }), () => caller.get('/groups')],
      rules: [
        () => caller.patch('/scopes/offline_access', { claims: [] }),
        () => caller.patch('/clients/shop', { claims: [] }),
        () => caller.patch('/resources/urn%3Aby-scope', { claims: [{ claim: 'x', from: 'id' }] }),
      ],
      preview: [() => caller.post('/clients/shop/preview', { user: 'alice' })],
    })
    const statuses = async (caller: typeof admin) => {
      const found: Record<string, boolean[]> = {}
      for (const [what, asked] of Object.entries(calls(caller))) {
        found[what] = []
        for (const ask of asked) found[what].push((await ask()).status !== 403)
      }
      return found
    }
    const [yes, no] = [
      [true, true],
      [false, false],
    ]
    assert.deepEqual(await statuses(people), { attributes: yes, groups: yes, rules: [false, ...no], preview: [false] })
    assert.deepEqual(await statuses(applications), {
      attributes: no,
      groups: no,
      rules: [true, ...yes],
      preview: [true],
    })
  })
})
