/** The list of people in the admin API. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillSearch } from '../../src/server/search-filling.ts'
import { noSecondFactors } from '../../src/users/second-factor.ts'
import { adminProgram } from '../support/admin.ts'
import { declareAttributes } from '../support/attributes.ts'
import { serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
for (let at = 0; at < 60; at += 1) {
  const name = `person${String(at).padStart(2, '0')}`
  const change = { roles: at % 20 === 0 ? ['rare'] : [], emailConfirmed: at % 2 === 0, disabled: at === 7 }
  await service.storage.users.create(testUser({ name, email: `x${at}@mail.example`, ...change }))
}
await service.storage.users.create(testUser({ name: 'zoe', email: 'person@example.com' }))
await service.storage.users.create(testUser({ name: 'Xaver', email: 'person.x@example.com' }))

/** The names of a whole list, read page by page. */
async function namesOf(query: string): Promise<string[]> {
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await admin.get(`/users?limit=7&${query}${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    names.push(...body.items.map((one: { username: string }) => one.username))
    if (body.next === null) return names
    cursor = `&cursor=${encodeURIComponent(body.next)}`
  }
}

describe('the list of people', () => {
  it('has everybody once, by name', async () => {
    const names = await namesOf('')
    assert.equal(names.length, 63)
    assert.deepEqual(
      names,
      [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    )
  })

  it('has those who are named by id, in one call, and nobody else', async () => {
    const ids = await Promise.all(
      ['zoe', 'person07'].map(async (name) => (await service.storage.users.findByName(name))?.id ?? ''),
    )
    const query = [...ids, 'nobody', ids[0]].map((id) => `id=${id}`).join('&')
    const { status, body } = await admin.get(`/users?${query}`)
    assert.deepEqual([status, body.next], [200, null])
    assert.deepEqual(
      body.items.map(({ username }: { username: string }) => username),
      ['zoe', 'person07'],
    )
    const clients = await admin.get('/clients?client_id=demo&client_id=none')
    assert.deepEqual(
      clients.body.items.map(({ client_id }: { client_id: string }) => client_id),
      ['demo'],
    )
    const many = Array.from({ length: 101 }, (_, at) => `id=${at}`).join('&')
    for (const refused of [many, 'id=a&search=b', 'id=a&cursor=b', 'id=%00']) {
      assert.equal((await admin.get(`/users?${refused}`)).status, 400, refused)
    }
  })

  it('finds the beginning of a name and then of an address, whatever the case, each person once', async () => {
    assert.deepEqual(
      await namesOf('search=PERSON5'),
      Array.from({ length: 10 }, (_, at) => `person5${at}`),
    )
    const all = await namesOf('search=person')
    assert.deepEqual([all.length, all.slice(-2)], [62, ['Xaver', 'zoe']])
    assert.deepEqual(await namesOf('search=x5%40'), ['person05'])
    assert.deepEqual(await namesOf('search=x'), [
      'Xaver',
      ...(await namesOf('search=person')).slice(0, 60).sort(byAddress),
    ])
    for (const search of ['nobody', '%25', '_erson', '%F0%9F%A6%8A', "'"])
      assert.deepEqual(await namesOf(`search=${search}`), [])
  })

  it('finds the beginning of every word of the full name after names and addresses, whatever the case and the script', async () => {
    const named = { name: 'Grace <b>Person</b> Hopper', given_name: 'Not', family_name: 'Used' }
    const people = [
      ['q1', { name: 'Ada Augusta LOVELACE' }],
      ['q2', { given_name: 'Łucja', family_name: 'Lovell-Ädams' }],
      ['q3', { name: 'Ада Лавлейс Lovelace' }],
      ['q4', { name: '100%_sure \\ Name' }],
      ['q5', named],
      ['love', { name: 'Love Lovely' }],
    ] as const
    for (const [name, claims] of people)
      await service.storage.users.create(testUser({ name, claims, email: `${name}@q.example` }))
    assert.deepEqual((await namesOf('search=LOVEL')).sort(), ['love', 'q1', 'q2', 'q3'])
    assert.deepEqual((await namesOf('search=love'))[0], 'love')
    for (const [search, names] of [
      ['augu', ['q1']],
      ['ada lov', ['q1']],
      ['lovelace  ADA', ['q1']],
      ['ада', ['q3']],
      ['Ла love', ['q3']],
      ['ädams', ['q2']],
      ['lovell-äd', ['q2']],
      ['A\u0308D', ['q2']],
      ['łu', ['q2']],
      ['ｌｏｖｅｌｌ', ['q2']],
      ['hopper', ['q5']],
      ['used', []],
      ['person', [...(await namesOf('search=person'))]],
      ['sure 100', ['q4']],
      ['%', []],
      ['_', []],
      ['\\', []],
      ['l%ve', []],
      ['100_', ['q4']],
      ['lovelace augusta ada grace', []],
      [`${'x'.repeat(199)}`, []],
      [' ', await namesOf('search=%20')],
    ] as const) {
      assert.deepEqual(await namesOf(`search=${encodeURIComponent(search)}`), names, search)
    }
    assert.equal((await namesOf('search=person')).at(-1), 'q5')
    assert.equal((await admin.get(`/users?search=${'x'.repeat(201)}`)).status, 400)
    assert.equal((await admin.get('/users?search=%00')).status, 400)
    const everybody = await namesOf('')
    assert.deepEqual(await namesOf('search='), everybody)
    // Somebody who is called otherwise is found by the new words alone.
    const { id } = (await service.storage.users.findByName('q1')) ?? { id: '' }
    const { etag } = await admin.get(`/users/${id}`)
    const renamed = await Promise.all(
      ['Mary One', 'Mary Two'].map((name) => admin.patch(`/users/${id}`, { name }, etag)),
    )
    assert.deepEqual(renamed.map(({ status }) => status).sort(), [200, 412])
    const winner = renamed.find(({ status }) => status === 200)?.body.name === 'Mary One' ? 'one' : 'two'
    assert.deepEqual(
      [await namesOf('search=mary'), await namesOf(`search=${winner}`), await namesOf('search=augusta')],
      [['q1'], ['q1'], []],
    )
    assert.deepEqual(await namesOf(`search=${winner === 'one' ? 'two' : 'one'}`), [])
  })

  it('finds the words of searchable attributes last, from the moment that one is searchable until it is not', async () => {
    const { storage } = service
    await declareAttributes(storage, { name: 'department', searchable: true }, { name: 'desk' })
    const declared = await admin.get('/attributes/desk')
    const people = [
      ['v1', { department: 'Quality Assurance', desk: 'Quad 7' }],
      ['v2', { department: 'Quantum Research' }],
      ['v3', { desk: 'quarter' }],
      ['quaid', { department: 'Quality' }],
    ] as const
    for (const [name, attributes] of people)
      await storage.users.create(testUser({ name, attributes, claims: {}, email: `${name}@v.example` }))
    assert.deepEqual(await namesOf('search=qua'), ['quaid', 'v1', 'v2'])
    assert.deepEqual(await namesOf('search=assurance%20QUAL'), ['v1'])
    assert.deepEqual([await namesOf('search=quarter'), await namesOf('search=quality%207')], [[], []])
    const changed = await admin.patch('/attributes/desk', { searchable: true }, declared.etag)
    assert.equal(changed.status, 200)
    assert.deepEqual([await namesOf('search=quarter'), await namesOf('search=quality%207')], [['v3'], ['v1']])
    assert.equal((await admin.patch('/attributes/desk', { searchable: false }, changed.etag)).status, 200)
    assert.deepEqual([await namesOf('search=quarter'), await namesOf('search=qua')], [[], ['quaid', 'v1', 'v2']])
    for (const [name] of people) await storage.users.delete((await storage.users.findByName(name))?.id ?? '')
  })

  it('filters by second factor, page by page', async () => {
    const one = await service.storage.users.findByName('person03')
    assert.ok(one)
    const factors = { ...noSecondFactors(one.id), totp: { sealedSecret: 'sealed', sinceMs: 1, lastStep: 1 } }
    await service.storage.users.recordSignIn({ user: one }, () => ({ outcome: 'factors', factors }))
    assert.deepEqual(await namesOf('second_factor=true'), ['person03'])
    const without = await namesOf('second_factor=false&search=person0')
    assert.equal(without.length, 9)
    assert.ok(!without.includes('person03'))
    assert.equal((await admin.get('/users?second_factor=maybe')).status, 400)
  })

  it('lists those with a role by the index, in the same order', async () => {
    const scanned = await namesOf('role=rare')
    await service.storage.userSearch.beginFill(1)
    const context = { ...service.storage, clock: () => 2 }
    assert.equal(await fillSearch(context, () => true), true)
    assert.deepEqual(await namesOf('role=rare'), scanned)
    assert.deepEqual(await namesOf('role=rare&email_verified=false'), [])
    assert.deepEqual(await namesOf('role=rare&search=person2'), ['person20'])
  })

  it('filters, and combines filters with a search', async () => {
    assert.deepEqual(await namesOf('role=rare'), ['person00', 'person20', 'person40'])
    assert.deepEqual(await namesOf('locked=true'), ['person07'])
    assert.equal((await namesOf('search=person0&email_verified=false')).length, 5)
    assert.deepEqual(await namesOf('role=nobody-has-it'), [])
  })

  it("lists those who have a role by a group or another role, too, and everybody where it is everybody's", async () => {
    const { storage } = service
    const idOf = async (name: string) => (await storage.users.findByName(name))?.id ?? ''
    const role = (name: string, more: object) => ({ name, description: null, createdAtMs: 1, ...more })
    await storage.roles.create(role('scarce', { includes: ['rare'] }))
    const top = {
      id: 'top',
      name: 'top',
      parentId: null,
      description: null,
      roles: ['scarce'],
      createdAtMs: 1,
      version: 1,
    }
    const inner = { ...top, id: 'inner', name: 'inner', parentId: 'top', roles: [] }
    await storage.groups.change(() => ({ changes: [top, inner].map((after) => ({ id: after.id, after })) }))
    await storage.groups.addMembers('inner', [await idOf('person03'), await idOf('person20')])
    assert.deepEqual(await namesOf('role=rare'), ['person00', 'person03', 'person20', 'person40'])
    assert.deepEqual(await namesOf('role=scarce'), ['person03', 'person20'])
    assert.deepEqual(await namesOf('role=scarce&search=person2'), ['person20'])
    const everybody = await namesOf('search=person')
    await storage.roles.create(role('common', { isDefault: true, includes: ['scarce'] }))
    assert.deepEqual(await namesOf('role=rare&search=person'), everybody)
    assert.ok((await namesOf('role=rare')).length >= everybody.length)
    await storage.roles.deleteEverywhere('common', 2)
    await storage.groups.change(() => ({ changes: [{ id: 'inner', after: undefined }] }))
    assert.deepEqual(await namesOf('role=scarce'), [])
  })

  it('stays as it is when people are added between two pages', async () => {
    const first = await admin.get('/users?limit=2&search=person1')
    await service.storage.users.create(testUser({ name: 'person10a', email: 'a@mail.example' }))
    const second = await admin.get(`/users?limit=2&search=person1&cursor=${encodeURIComponent(first.body.next)}`)
    const names = [first, second].flatMap(({ body }) => body.items.map((one: { username: string }) => one.username))
    assert.deepEqual(names, ['person10', 'person11', 'person12', 'person13'])
  })

  it('refuses cursors of other lists and filters, and those without the permission', async () => {
    const { body } = await admin.get('/users?limit=1&search=person')
    for (const path of [`/users?limit=1&search=p&cursor=`, '/users?cursor=', '/clients?cursor=']) {
      assert.equal((await admin.get(path + encodeURIComponent(body.next))).status, 400, path)
    }
    const other = await adminProgram(service, ['admin:clients'], { id: 'other' })
    assert.equal((await other.get('/users')).status, 403)
  })
})

const addressOf = (name: string): string => `x${Number(name.slice('person'.length))}@mail.example`
function byAddress(a: string, b: string): number {
  return addressOf(a) < addressOf(b) ? -1 : 1
}
