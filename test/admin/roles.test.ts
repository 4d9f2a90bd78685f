/** Roles, and requests under an Idempotency-Key. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillSearch } from '../../src/server/search-filling.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)

const under = (key: string) => ({ 'idempotency-key': key })

describe('roles', () => {
  it('are described, changed and deleted; those that give permissions are always there', async () => {
    const created = await admin.post('/roles', { name: 'editor', description: 'Edits' })
    assert.equal(created.status, 201)
    assert.equal((await admin.post('/roles', { name: 'editor' })).status, 409)
    const { body } = await admin.get('/roles')
    assert.deepEqual(
      body.items.map(({ name }: { name: string }) => name),
      // Alice of the demo is an admin.
      ['admin', 'editor', 'latchkey-admin', 'latchkey-viewer'],
    )
    const read = await admin.get('/roles/editor')
    assert.deepEqual([read.body, read.etag], [created.body, created.etag])
    const changed = await admin.patch('/roles/editor', { description: 'Edits all' }, read.etag)
    assert.equal(changed.body.description, 'Edits all')
    assert.equal((await admin.patch('/roles/editor', { description: 'x' }, read.etag)).status, 412)
    assert.equal((await admin.put('/roles/editor', {}, changed.etag)).body.description, null)
    assert.equal((await admin.patch('/roles/editor', { name: 'other' })).status, 400)
    assert.equal((await admin.delete('/roles/editor')).status, 204)
    assert.equal((await admin.get('/roles/editor')).status, 404)
    const described = await admin.put('/roles/latchkey-viewer', { description: 'Looks' })
    assert.deepEqual([described.status, described.body.description], [200, 'Looks'])
  })

  it('exist by being given, and go from everybody only when forced', async () => {
    await addUser(service, 'bob', { roles: ['author', 'x'] })
    const listed = (await admin.get('/roles')).body.items.map(({ name }: { name: string }) => name)
    assert.deepEqual(listed, ['admin', 'author', 'latchkey-admin', 'latchkey-viewer', 'x'])
    assert.deepEqual((await admin.get('/roles/author')).body, {
      ...{ name: 'author', description: null, includes: [], default: false, created_at: null },
    })
    const refused = await admin.delete('/roles/author')
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.used_by],
      [409, 'in_use', { count: 1, users: ['bob'] }],
    )
    assert.equal((await admin.delete('/roles/author?force=true')).status, 204)
    assert.deepEqual((await service.storage.users.findByName('bob'))?.roles, ['x'])
    for (const name of ['latchkey-admin', 'latchkey-viewer']) {
      assert.equal((await admin.delete(`/roles/${name}?force=true`)).status, 409)
    }
  })

  it('are there when a group gives them or another role includes them alone, and are changed and deleted as others', async () => {
    await admin.post('/groups', { name: 'staff', roles: ['employee'] })
    await admin.post('/roles', { name: 'chief', includes: ['deputy'] })
    const listed = (await admin.get('/roles')).body.items.map(({ name }: { name: string }) => name)
    for (const name of ['employee', 'deputy']) {
      assert.ok(listed.includes(name), name)
      assert.deepEqual((await admin.get(`/roles/${name}`)).body.name, name)
    }
    const changed = await admin.patch('/roles/employee', { includes: ['reader'] })
    assert.deepEqual([changed.status, changed.body.includes], [200, ['reader']])
    assert.equal((await admin.patch('/roles/employee', { default: true })).status, 200)
    const described = await admin.patch('/roles/employee', { description: 'All of us' })
    const { includes, default: isDefault } = described.body
    assert.deepEqual([includes, isDefault, described.body.description], [['reader'], true, 'All of us'])
    assert.equal((await admin.patch('/roles/nothing', { includes: [] })).status, 404)
    for (const name of ['employee', 'deputy', 'chief']) {
      assert.equal((await admin.delete(`/roles/${name}`)).status, 204)
      assert.equal((await admin.get(`/roles/${name}`)).status, 404)
    }
    const [group] = (await admin.get('/groups')).body.items
    assert.deepEqual(group.roles, [])
  })

  it('exist by a group or another role as well, and who has them by that loses them only when forced', async () => {
    const { storage } = service
    const { id } = await addUser(service, 'grouped', { roles: [] })
    assert.equal(await fillSearch({ ...storage, clock: () => 1 }, () => true), true)
    const group = (await admin.post('/groups', { name: 'holding', roles: ['by-group'] })).body.id
    await admin.post(`/groups/${group}/members`, { users: [id] })
    assert.equal((await admin.post('/roles', { name: 'by-group', includes: ['by-role'] })).status, 201)
    for (const name of ['by-group', 'by-role']) {
      assert.equal((await admin.get(`/roles/${name}`)).status, 200)
      const refused = await admin.delete(`/roles/${name}`)
      assert.deepEqual([refused.status, refused.body.used_by], [409, { count: 1, users: ['grouped'] }])
    }
    const listed = (await admin.get('/roles')).body.items.map(({ name }: { name: string }) => name)
    assert.ok(listed.includes('by-role'))
    for (const name of ['by-role', 'by-group']) {
      assert.equal((await admin.delete(`/roles/${name}?force=true`)).status, 204)
      assert.equal((await admin.get(`/roles/${name}`)).status, 404)
    }
    assert.deepEqual((await admin.get(`/groups/${group}`)).body.roles, [])
    await admin.delete(`/groups/${group}?recursive=true`)
  })

  it('have names that addresses can hold, and a name in use is named', async () => {
    const { user } = await adminPerson(service, ['latchkey-viewer'], { name: 'of-odd-roles' })
    for (const name of ['.', '..', 'new']) {
      const described = await admin.post('/roles', { name })
      assert.deepEqual([described.status, described.body.errors[0].path], [400, '/name'], name)
      assert.equal((await admin.put(`/users/${user.id}/roles`, [name])).status, 400, name)
      assert.equal((await admin.post('/scopes', { name })).status, 400, name)
      assert.equal(
        (await admin.post('/clients', { client_id: name, redirect_uris: ['https://a.example/'] })).status,
        400,
      )
    }
    for (const [path, body, member] of [
      ['/roles', { name: 'latchkey-viewer', description: 'Looks' }, '/name'],
      ['/scopes', { name: 'demo_api' }, '/name'],
      ['/clients', { client_id: 'demo', redirect_uris: ['https://a.example/'] }, '/client_id'],
    ] as const) {
      const taken = await admin.post(path, body)
      assert.deepEqual(
        [taken.status, taken.body.errors?.map(({ path }: { path: string }) => path)],
        [409, [member]],
        path,
      )
    }
  })

  it('with permissions are described by those alone who have them', async () => {
    const helper = await adminProgram(service, ['admin:users'])
    for (const [method, path, body] of [
      ['POST', '/roles', { name: 'latchkey-admin' }],
      ['PATCH', '/roles/latchkey-admin', { description: 'x' }],
      ['DELETE', '/roles/latchkey-viewer?force=true', undefined],
    ] as const) {
      const refused = await helper.send(method, path, { body, headers: { 'if-match': '*' } })
      assert.deepEqual([refused.status, refused.body.code], [403, 'ID9603'], path)
    }
    assert.equal((await helper.post('/roles', { name: 'ordinary' })).status, 201)
  })
})

describe('Idempotency-Key', () => {
  const countOf = async (kind: 'client_added' | 'client_changed', clientId: string) =>
    (await service.storage.audit.list({ kind, clientId }, undefined, 100)).length

  it('repeats status and body of the same request, without the secret, and changes nothing again', async () => {
    const body = {
      client_id: 'once',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    }
    const first = await admin.post('/clients', body, under('a'))
    const again = await admin.post('/clients', body, under('a'))
    assert.deepEqual([first.status, again.status, again.etag], [201, 201, first.etag])
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    const { client_secret, ...others } = first.body
    assert.deepEqual(again.body, { ...others, secret_shown: true })
    assert.equal(await countOf('client_added', 'once'), 1)
    const rotated = await admin.post('/clients/once/rotate-secret', {}, under('rotate'))
    assert.equal((await admin.post('/clients/once/rotate-secret', {}, under('rotate'))).etag, rotated.etag)
    assert.equal(await countOf('client_changed', 'once'), 1)
    assert.ok(!again.body.client_secret && client_secret)
  })

  it('belongs to its caller and one request, for 24 hours', async () => {
    await admin.post('/roles', { name: 'keyed' }, under('b'))
    for (const [path, body] of [
      ['/roles', { name: 'other' }],
      ['/scopes', { name: 'keyed' }],
    ] as const) {
      const reused = await admin.post(path, body, under('b'))
      assert.deepEqual([reused.status, reused.body.error], [422, 'idempotency_key_reused'], path)
    }
    const other = await adminProgram(service, ['admin:users', 'admin:clients'])
    assert.equal((await other.post('/roles', { name: 'theirs' }, under('b'))).status, 201)
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      assert.equal((await admin.post('/roles', { name: 'never' }, under(key))).status, 400, key)
    }
    service.advance(86_401)
    const later = await adminProgram(service, ['admin:write'], { id: 'later' })
    assert.equal((await later.post('/roles', { name: 'next-day' }, under('b'))).status, 201)
  })

  it('leaves a refused request free to be sent again', async () => {
    const caller = await adminProgram(service, ['admin:write'], { id: 'corrected' })
    assert.equal((await caller.post('/roles', { name: 'editor' }, under('c'))).status, 201)
    assert.equal((await caller.post('/roles', { name: 'editor' }, under('d'))).status, 409)
    assert.equal((await caller.post('/roles', { name: 'corrected' }, under('d'))).status, 201)
  })

  it('lets one of many requests at once be carried out', async () => {
    const caller = await adminProgram(service, ['admin:write'], { id: 'racer' })
    const { body } = await caller.post('/clients', {
      client_id: 'spun',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => caller.post('/clients/spun/rotate-secret', {}, under('race'))),
    )
    assert.equal(await countOf('client_changed', 'spun'), 1)
    const withSecret = answers.filter((answer) => answer.body.client_secret !== undefined)
    assert.equal(withSecret.length, 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    assert.notEqual(withSecret[0]?.body.client_secret, body.client_secret)
  })
})
