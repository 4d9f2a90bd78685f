/** Groups and their members, roles that include others, and who may give what by them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Group } from '../../src/users/groups.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { addUser, serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const helper = await adminProgram(service, ['admin:users'])
const added = async (body: object): Promise<string> => {
  const answer = await admin.post('/groups', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

describe('groups in the admin API', () => {
  it('are inside each other, by path or id, and a name is there once below a parent', async () => {
    const made = await admin.post('/groups', { name: 'Staff', roles: ['employee'] })
    assert.deepEqual([made.status, made.body.path, made.body.parent], [201, '/Staff', null])
    assert.equal(made.headers.get('location')?.endsWith(`/groups/${made.body.id}`), true)
    const berlin = await admin.post('/groups', { name: 'berlin', parent: '/staff', description: 'On the Spree' })
    assert.deepEqual([berlin.status, berlin.body.path, berlin.body.parent], [201, '/Staff/berlin', '/Staff'])
    assert.equal(
      (await admin.post('/groups', { name: 'tegel', parent: berlin.body.id })).body.path,
      '/Staff/berlin/tegel',
    )
    const again = await admin.post('/groups', { name: 'BERLIN', parent: '/staff' })
    assert.deepEqual([again.status, again.body.errors[0].path], [409, '/name'])
    for (const under of ['/Staff', '/STAFF']) {
      const { body } = await admin.get(`/groups?under=${under}`)
      assert.deepEqual(
        body.items.map(({ path }: { path: string }) => path),
        ['/Staff/berlin', '/Staff/berlin/tegel'],
      )
    }
    const read = await admin.get(`/groups/${berlin.body.id}`)
    const changed = await admin.patch(`/groups/${berlin.body.id}`, { ...read.body, name: 'Bonn' }, read.etag)
    assert.deepEqual([changed.status, changed.body.path], [200, '/Staff/Bonn'])
    assert.equal((await admin.patch(`/groups/${berlin.body.id}`, { name: 'x' }, read.etag)).status, 412)
    assert.equal((await admin.patch(`/groups/${berlin.body.id}`, { path: '/x' })).status, 400)
  })

  it('are replaced by PUT: what is left out takes its default, and who is in it stays', async () => {
    const top = await added({ name: 'top' })
    const id = await added({ name: 'put', parent: top, description: 'Some', roles: ['writer'] })
    const { id: member } = await addUser(service, 'putty', { roles: [] })
    await admin.post(`/groups/${id}/members`, { users: [member] })
    const { body: read, etag } = await admin.get(`/groups/${id}`)
    assert.deepEqual((await admin.put(`/groups/${id}`, read, etag)).body, read)
    const put = await admin.put(`/groups/${id}`, { name: 'Put' }, etag)
    assert.deepEqual(put.body, { ...read, name: 'Put', path: '/Put', parent: null, description: null, roles: [] })
    assert.equal((await admin.get(`/groups/${id}/members`)).body.items.length, 1)
    const refusals: [object, number, (string | undefined)?, string?][] = [
      [{ roles: [] }, 400, '/name'],
      [{ name: 'put', path: '/other' }, 400, '/path'],
      [{ name: 'put', parent: id }, 400, '/parent'],
      [{ name: 'TOP' }, 409, '/name'],
      [{ name: 'put', roles: ['latchkey-admin'] }, 400, '/roles'],
      [{ name: 'put', surprising: 1 }, 400, '/surprising'],
      [{ name: 'put' }, 412, undefined, etag],
    ]
    for (const [body, status, path, version] of refusals) {
      const refused = await admin.put(`/groups/${id}`, body, version)
      assert.deepEqual([refused.status, refused.body.errors?.[0].path], [status, path], JSON.stringify(body))
    }
    assert.equal((await admin.put('/groups/none', { name: 'put' })).status, 404)
    assert.equal((await admin.delete(`/groups/${id}?recursive=true`)).status, 204)
    assert.equal((await admin.delete(`/groups/${top}`)).status, 204)
  })

  it('refuse a parent that is the group itself, inside it or not there, a depth over 10, and names with a slash', async () => {
    const one = await added({ name: 'one' })
    const two = await added({ name: 'two', parent: one })
    for (const parent of [one, two, '/one/two', '/nowhere']) {
      const refused = await admin.patch(`/groups/${one}`, { parent })
      assert.deepEqual([refused.status, refused.body.errors[0].path], [400, '/parent'], parent)
    }
    assert.equal((await admin.post('/groups', { name: 'a/b' })).status, 400)
    let parent = two
    for (let depth = 3; depth <= 10; depth += 1) parent = await added({ name: `level-${depth}`, parent })
    const refused = await admin.post('/groups', { name: 'level-11', parent })
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, '/parent'])
    assert.equal((await admin.delete(`/groups/${one}`)).status, 409)
    assert.equal((await admin.delete(`/groups/${one}?recursive=true`)).status, 204)
    assert.equal((await admin.get(`/groups/${two}`)).status, 404)
  })

  it('are 10,000 at most, and a person is in 200 of them at most', async (t) => {
    const full = await startService()
    t.after(() => full.stop())
    const { storage } = full
    const caller = await adminProgram(full)
    const named = (at: number): Group => ({
      ...{ id: `g${at}`, name: `g${at}`, parentId: null, description: null, roles: [], createdAtMs: 1, version: 1 },
    })
    const groups = Array.from({ length: 9999 }, (_, at) => named(at))
    await storage.groups.change(() => ({ changes: groups.map((after) => ({ id: after.id, after })) }))
    assert.equal((await caller.post('/groups', { name: 'the last' })).status, 201)
    const refused = await caller.post('/groups', { name: 'one more' })
    assert.deepEqual([refused.status, refused.body.detail], [400, 'The service has at most 10000 groups.'])
    const { id } = await addUser(full, 'joiner')
    for (const group of groups.slice(0, 199)) await storage.groups.addMembers(group.id, [id])
    assert.equal((await caller.post('/groups/g199/members', { users: [id] })).status, 200)
    const beyond = await caller.post('/groups/g200/members', { users: [id] })
    assert.deepEqual([beyond.status, beyond.body.errors?.[0]?.path], [400, '/users'])
    assert.equal((await storage.groups.ofUser(id)).length, 200)
  })

  it('have members by pages, added all or none, whose records say where each role comes from', async () => {
    const team = await added({ name: 'team', roles: ['author'] })
    const people = []
    for (const name of ['ann', 'ben', 'cid']) people.push((await addUser(service, name, { roles: [] })).id)
    const unknown = await admin.post(`/groups/${team}/members`, { users: [...people, 'nobody'] })
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, '/users'])
    assert.deepEqual((await admin.get(`/groups/${team}/members`)).body.items, [])
    const { body } = await admin.post(`/groups/${team}/members`, { users: people })
    assert.deepEqual(body.added, people.toSorted())
    const first = await admin.get(`/groups/${team}/members?limit=2`)
    const second = await admin.get(`/groups/${team}/members?limit=2&cursor=${first.body.next}`)
    const names = [...first.body.items, ...second.body.items].map(({ username }) => username)
    assert.deepEqual([first.body.items.length, names.toSorted(), second.body.next], [2, ['ann', 'ben', 'cid'], null])
    await admin.post('/roles', { name: 'author', includes: ['reader'] })
    await admin.post('/roles', { name: 'employee', default: true })
    const ann = `/users/${people[0]}`
    const { body: record } = await admin.get(ann)
    assert.deepEqual(record.effective_roles, [
      { role: 'author', from: ['/team'] },
      { role: 'employee', from: ['everybody'] },
      { role: 'reader', from: ['included by author'] },
    ])
    assert.deepEqual([record.roles, (await admin.get(`${ann}/roles`)).body], [[], []])
    assert.equal((await admin.patch(ann, record)).status, 200)
    assert.equal((await admin.patch(ann, { effective_roles: [] })).status, 400)
    assert.equal((await admin.delete(`/groups/${team}`)).status, 409)
    assert.equal((await admin.delete(`/groups/${team}/members/${people[0]}`)).status, 204)
    assert.equal((await admin.delete(`/groups/${team}/members/${people[0]}`)).status, 404)
    assert.equal((await admin.delete('/roles/employee')).status, 204)
  })

  it('refuse circles of roles, and roles of a client that is not there', async () => {
    await admin.post('/roles', { name: 'a', includes: ['b'] })
    await admin.post('/roles', { name: 'b', includes: ['c'] })
    const circle = await admin.post('/roles', { name: 'c', includes: ['a'] })
    assert.deepEqual([circle.status, circle.body.errors[0].path], [400, '/includes'])
    assert.equal((await admin.patch('/roles/b', { includes: ['b'] })).status, 400)
    const both = await Promise.all([
      admin.post('/roles', { name: 'x', includes: ['y'] }),
      admin.post('/roles', { name: 'y', includes: ['x'] }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
    const ofNobody = await admin.post('/roles', { name: 'shop:admin' })
    assert.deepEqual([ofNobody.status, ofNobody.body.errors[0].path], [400, '/name'])
    assert.equal((await admin.post('/roles', { name: 'demo:admin' })).status, 201)
  })

  it('and people are given no role of a client that is not there, by whatever operation', async () => {
    const group = await added({ name: 'ownerless' })
    await admin.post('/roles', { name: 'ownerless' })
    const { id } = await addUser(service, 'owen')
    const role = 'shpo:admin'
    const [roles, includes] = [[role], [role]]
    const answers = [
      ['/roles', await admin.post('/users', { username: 'pia', email: 'pia@example.com', roles })],
      ['/1', await admin.put(`/users/${id}/roles`, ['plain', role])],
      ['/roles', await admin.post('/invitations', { email: 'quin@example.com', roles, send: false })],
      ['/roles', await admin.post('/groups', { name: 'another', roles })],
      ['/roles', await admin.patch(`/groups/${group}`, { roles })],
      ['/roles', await admin.put(`/groups/${group}`, { name: 'ownerless', roles })],
      ['/includes', await admin.post('/roles', { name: 'including', includes })],
      ['/includes', await admin.patch('/roles/ownerless', { includes })],
      ['/includes', await admin.put('/roles/ownerless', { includes })],
    ] as const
    for (const [at, [path, { status, body }]] of answers.entries()) {
      assert.deepEqual([status, body.errors?.map((one: { path: string }) => one.path)], [400, [path]], `${at}`)
      assert.equal(body.errors[0].message, 'The client shpo is not there, and the role shpo:admin would belong to it.')
    }
    assert.equal((await admin.get(`/roles/${role}`)).status, 404)
    assert.equal((await admin.put(`/users/${id}/roles`, ['demo:admin'])).status, 200)
    assert.equal((await admin.patch(`/groups/${group}`, { roles: ['demo:admin'] })).status, 200)
    // One that somebody has already is a plain one.
    await addUser(service, 'rosa', { roles: ['ward:nurse'] })
    assert.equal((await admin.put(`/users/${id}/roles`, ['ward:nurse'])).status, 200)
    for (const path of [`/groups/${group}`, '/roles/ownerless']) assert.equal((await admin.delete(path)).status, 204)
  })

  it('never give the roles of administrators to many by the API', async () => {
    for (const answer of [
      await admin.post('/groups', { name: 'chiefs', roles: ['latchkey-admin'] }),
      await admin.post('/roles', { name: 'boss', includes: ['latchkey-viewer'] }),
      await admin.put('/roles/latchkey-viewer', { default: true }),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
    }
  })

  it('that give administration count for permissions, and are changed by who has it alone', async () => {
    const board = { id: 'board', name: 'board', parentId: null, description: null, roles: ['latchkey-admin'] }
    const after = { ...board, createdAtMs: 1, version: 1 }
    await service.storage.groups.change(() => ({ changes: [{ id: 'board', after }] }))
    const { caller, user } = await adminPerson(service, [], { name: 'member' })
    assert.equal((await caller.get('/groups')).status, 403)
    assert.equal((await helper.post('/groups/board/members', { users: [user.id] })).status, 403)
    assert.equal((await admin.post('/groups/board/members', { users: [user.id] })).status, 200)
    assert.equal((await caller.get('/groups')).status, 200)
    assert.equal((await helper.patch(`/users/${user.id}`, { nickname: 'x' })).status, 403)
    assert.equal((await helper.delete('/groups/board?recursive=true')).status, 403)
    assert.equal((await helper.delete(`/groups/board/members/${user.id}`)).status, 403)
    const last = [
      await admin.delete(`/groups/board/members/${user.id}`),
      await admin.delete('/groups/board?recursive=true'),
    ]
    assert.deepEqual(
      last.map(({ status, body }) => [status, body.error]),
      last.map(() => [409, 'last_administrator']),
    )
    assert.equal((await admin.post(`/users/${user.id}/lock`)).body.error, 'last_administrator')
    await adminPerson(service, ['latchkey-admin'], { name: 'another' })
    assert.equal((await admin.delete(`/groups/board/members/${user.id}`)).status, 204)
    assert.equal((await caller.get('/groups')).status, 403)
  })

  it('leave an entry in the trail for each change, without more than names', async () => {
    const { body } = await admin.get('/audit?limit=200')
    const kinds = new Set(body.items.map(({ kind }: { kind: string }) => kind))
    for (const kind of ['added', 'changed', 'deleted', 'member_added', 'member_removed']) {
      assert.ok(kinds.has(`group_${kind}`), kind)
    }
  })
})
