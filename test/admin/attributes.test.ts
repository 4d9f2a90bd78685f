import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { Browser } from '../support/browser.ts'
import { addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const admin = await adminProgram(service)
const paths = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path)

describe('attributes in the admin API (claims and groups, section 1)', () => {
  it('are declared, changed on their version, and deleted', async () => {
    const made = { name: 'department', type: 'choice', choices: ['sales', { value: 'it', 'label#de': 'EDV' }] }
    const created = await admin.post('/attributes', made)
    assert.equal(created.status, 201)
    assert.deepEqual(created.body.choices, [{ value: 'sales' }, { value: 'it', 'label#de': 'EDV' }])
    const again = await admin.post('/attributes', made)
    assert.deepEqual([again.status, paths(again.body)], [409, ['/name']])
    const read = await admin.get('/attributes/department')
    assert.deepEqual([read.body, read.etag], [created.body, created.etag])
    const changed = await admin.patch('/attributes/department', { 'label#de': 'Abteilung', required: true }, read.etag)
    assert.deepEqual([changed.status, changed.body['label#de'], changed.body.required], [200, 'Abteilung', true])
    assert.equal((await admin.patch('/attributes/department', { required: false }, read.etag)).status, 412)
    assert.equal((await admin.patch('/attributes/department', { name: 'x' }, changed.etag)).status, 400)
    assert.equal((await admin.get('/attributes')).body.items.length, 1)
    assert.equal((await admin.delete('/attributes/department')).status, 204)
    assert.equal((await admin.get('/attributes/department')).status, 404)
  })

  it('that cannot be are refused with each fault', async () => {
    const name = await admin.post('/attributes', { name: 'email', type: 'choice' })
    assert.deepEqual([name.status, paths(name.body)], [400, ['/name', '/choices']])
    const pattern = await admin.post('/attributes', { name: 'a', pattern: '(?=b)' })
    assert.deepEqual([pattern.status, paths(pattern.body)], [400, ['/pattern']])
    const type = await admin.post('/attributes', { name: 'a', type: 'number' })
    assert.deepEqual([type.status, paths(type.body)], [400, ['/type']])
  })

  it('are declared by those who may change people, and read by those who may read them', async () => {
    const { caller } = await adminPerson(service, ['latchkey-viewer'], { name: 'viewer-of-attributes' })
    assert.equal((await caller.get('/attributes')).status, 200)
    assert.equal((await caller.post('/attributes', { name: 'a' })).status, 403)
  })

  it('have values in the record of a person, each judged by its type', async () => {
    await admin.post('/attributes', { name: 'level', type: 'integer', searchable: true })
    await admin.post('/attributes', { name: 'teams', many: true, searchable: true })
    const created = await admin.post('/users', {
      username: 'carol',
      email: 'carol@example.com',
      attributes: { level: 3, teams: ['a', 'B'] },
    })
    assert.deepEqual([created.status, created.body.attributes], [201, { level: 3, teams: ['a', 'B'] }])
    const path = `/users/${created.body.id}`
    const merged = await admin.patch(path, { attributes: { level: null } }, created.etag)
    assert.deepEqual([merged.status, merged.body.attributes], [200, { teams: ['a', 'B'] }])
    const wrong = await admin.patch(path, { attributes: { level: '3', teams: 'a', shoe: 4 } }, merged.etag)
    assert.deepEqual(
      [wrong.status, paths(wrong.body)],
      [400, ['/attributes/level', '/attributes/teams', '/attributes/shoe']],
    )
    const none = await admin.post('/users', { username: 'dora', email: 'd@example.com', attributes: { level: 'x' } })
    assert.deepEqual([none.status, paths(none.body)], [400, ['/attributes/level']])
    assert.equal((await admin.patch(path, { attributes: null }, merged.etag)).body.attributes, undefined)
  })

  it('are 16 KB at most for each person, all together, by operators and by people themselves', async () => {
    const names = ['long_a', 'long_b', 'long_c', 'long_d', 'long_e']
    for (const name of names) await admin.post('/attributes', { name, max: 4096, edited_by: 'person' })
    const values = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, 'ä'.repeat(2000)]))
    const { id } = await addUser(service, 'lena')
    const beyond = await admin.patch(`/users/${id}`, { attributes: values(names) })
    assert.deepEqual([beyond.status, paths(beyond.body)], [400, ['/attributes']])
    const person = { username: 'mia', email: 'mia@example.com', attributes: values(names) }
    const created = await admin.post('/users', person)
    assert.deepEqual([created.status, paths(created.body)], [400, ['/attributes']])
    assert.equal((await admin.patch(`/users/${id}`, { attributes: values(names.slice(0, 4)) })).status, 200)
    const browser = await Browser.signedIn(service, { username: 'lena' })
    const own = await browser.self('PATCH', '', { attributes: values(names.slice(4)) })
    assert.deepEqual([own.status, paths(own.body)], [400, ['/attributes']])
    assert.equal(
      (await browser.self('PATCH', '', { attributes: { long_a: '', ...values(names.slice(4)) } })).status,
      200,
    )
    for (const name of names) assert.equal((await admin.delete(`/attributes/${name}`)).status, 204)
  })

  it('are named in the trail by a change of a person, without their values', async () => {
    await admin.post('/attributes', { name: 'secret_place' })
    const { id } = await addUser(service, 'nils')
    await admin.patch(`/users/${id}`, { attributes: { secret_place: 'Unmistakable Attic' } })
    const entries = (await admin.get(`/audit?user_id=${id}&limit=100`)).body.items
    const changed = entries.filter(({ kind }: { kind: string }) => kind === 'user_changed')
    assert.deepEqual(changed[0]?.details.members, ['secret_place'])
    assert.ok(!JSON.stringify(entries).includes('Unmistakable'))
  })

  it('are 64 at most', async () => {
    const { length } = (await admin.get('/attributes?limit=100')).body.items
    for (let at = length; at < 64; at += 1) {
      assert.equal((await admin.post('/attributes', { name: `filling_${at}` })).status, 201)
    }
    const refused = await admin.post('/attributes', { name: 'one_more' })
    assert.deepEqual([refused.status, refused.body.detail], [400, 'The service has at most 64 attributes.'])
    for (let at = length; at < 64; at += 1) await admin.delete(`/attributes/filling_${at}`)
    assert.equal((await admin.post('/attributes', { name: 'one_more' })).status, 201)
  })

  it('have values that are no texts in JSON unless they are texts; an empty text removes one', async () => {
    await admin.post('/attributes', { name: 'remote', type: 'boolean' })
    await admin.post('/attributes', { name: 'floor', type: 'integer' })
    await admin.post('/attributes', { name: 'desk' })
    const { id } = await addUser(service, 'hugo')
    const change = (attributes: object) => admin.patch(`/users/${id}`, { attributes }, '*')
    const wrong = await change({ remote: 'true', floor: '3', desk: 3 })
    assert.deepEqual(
      [wrong.status, paths(wrong.body)],
      [400, ['/attributes/remote', '/attributes/floor', '/attributes/desk']],
    )
    const given = { remote: false, floor: 3, desk: 'A 4' }
    assert.deepEqual((await change(given)).body.attributes, given)
    assert.deepEqual((await admin.get(`/users/${id}`)).body.attributes, given)
    assert.deepEqual((await change({ desk: '', floor: '' })).body.attributes, { remote: false })
  })

  it('that imports and provisioning alone write are refused to operators, beside every other fault', async () => {
    await admin.post('/attributes', { name: 'payroll', edited_by: 'source' })
    const { id } = await addUser(service, 'jan')
    const refused = await admin.patch(`/users/${id}`, { attributes: { payroll: 'P 7' } }, '*')
    assert.deepEqual([refused.status, paths(refused.body)], [400, ['/attributes/payroll']])
    assert.match(refused.body.detail, /imports and provisioning alone/)
    const person = { username: 'kay', email: 'kay@example.com', attributes: { payroll: 'P 8', nothing: 1 } }
    const created = await admin.post('/users', person)
    assert.deepEqual([created.status, paths(created.body)], [400, ['/attributes/payroll', '/attributes/nothing']])
  })

  it('that are searchable find people', async () => {
    await admin.post('/attributes', { name: 'city', searchable: true })
    await admin.post('/attributes', { name: 'secret' })
    for (const [name, city] of [
      ['erin', 'Köln'],
      ['finn', 'köln'],
      ['gina', 'Bonn'],
    ] as const) {
      const user = await addUser(service, name)
      await service.storage.users.update(user.id, (one) => ({ ...one, attributes: { city } }))
    }
    const found = await admin.get('/users?attributes.city=K%C3%96LN')
    assert.deepEqual(
      found.body.items.map(({ username }: { username: string }) => username),
      ['erin', 'finn'],
    )
    assert.equal((await admin.get('/users?attributes.city=Rom')).body.items.length, 0)
    const refused = await admin.get('/users?attributes.secret=x')
    assert.deepEqual([refused.status, paths(refused.body)], [400, ['/attributes.secret']])
    assert.equal((await admin.get('/users?attributes.nothing=x')).status, 400)
  })

  it('have values of their type alone, whichever of a change and a value comes first in the same instant', async () => {
    await admin.post('/attributes', { name: 'shoe' })
    const people = await Promise.all(['s1', 's2', 's3', 's4'].map((name) => addUser(service, name)))
    const statuses: number[] = []
    for (const type of ['integer', 'text', 'integer', 'text']) {
      for (const { id } of people) await admin.patch(`/users/${id}`, { attributes: { shoe: null } })
      const answers = await Promise.all([
        admin.patch('/attributes/shoe', { type }),
        ...people.map(({ id }, at) => admin.patch(`/users/${id}`, { attributes: { shoe: at % 2 === 0 ? '44' : 44 } })),
      ])
      statuses.push(...answers.map(({ status }) => status))
      const declared = (await admin.get('/attributes/shoe')).body.type === 'text' ? 'string' : 'number'
      for (const { id } of people) {
        const { status, body } = await admin.get(`/users/${id}`)
        assert.equal(status, 200)
        const { shoe } = body.attributes ?? {}
        if (shoe !== undefined) assert.equal(typeof shoe, declared)
      }
    }
    assert.equal(statuses.length, 20)
    for (const status of statuses) assert.ok([200, 400, 409, 412].includes(status), `${status}`)
  })

  it('that are unique are refused with the place of the value, and do not become so over values that are shared', async () => {
    await admin.post('/attributes', { name: 'badge' })
    const [one, two] = [await addUser(service, 'hans'), await addUser(service, 'ina')]
    const give = async (id: string, badge: string) => admin.patch(`/users/${id}`, { attributes: { badge } }, '*')
    for (const { id } of [one, two]) assert.equal((await give(id, 'X1')).status, 200)
    const shared = await admin.patch('/attributes/badge', { unique: true }, '*')
    assert.deepEqual(
      [shared.status, paths(shared.body), shared.body.used_by.users],
      [409, ['/unique'], ['hans', 'ina']],
    )
    const unfit = await admin.patch('/attributes/badge', { type: 'integer' }, '*')
    assert.deepEqual([unfit.status, paths(unfit.body), unfit.body.used_by.users], [409, ['/type'], ['hans', 'ina']])
    assert.equal((await give(two.id, 'X2')).status, 200)
    assert.equal((await admin.patch('/attributes/badge', { unique: true }, '*')).status, 200)
    const taken = await give(two.id, 'x1')
    assert.deepEqual([taken.status, paths(taken.body)], [409, ['/attributes/badge']])
    assert.match(taken.body.detail, /Another record has this badge/)
  })

  it('have each value of a list once, in the order in which they were given', async () => {
    await admin.post('/attributes', { name: 'guilds', many: true })
    const { id } = await addUser(service, 'lou')
    const given = await admin.patch(`/users/${id}`, { attributes: { guilds: ['b', 'a', 'b'] } })
    assert.deepEqual([given.status, given.body.attributes], [200, { guilds: ['b', 'a'] }])
  })
})
