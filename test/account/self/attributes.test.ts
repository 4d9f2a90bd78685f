import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newAttribute } from '../../../src/users/attribute-record.ts'
import type { Attribute } from '../../../src/users/attributes.ts'
import { Browser } from '../../support/browser.ts'
import { addUser, serviceForFile } from '../../support/service.ts'

const service = await serviceForFile()
const declare = (name: string, change: Partial<Attribute>) =>
  service.storage.attributes.change(() => ({ changes: [{ name, after: { ...newAttribute(name, 0), ...change } }] }))
await declare('city', { editedBy: 'person', required: true })
await declare('badge', { editedBy: 'person', unique: true })
await declare('department', {})
await declare('rating', { type: 'integer', seenBy: 'operator' })
await addUser(service, 'bob')
const alice = await Browser.signedIn(service)
const bob = await Browser.signedIn(service, { username: 'bob' })
const { id } = (await service.storage.users.findByName('alice')) ?? assert.fail()
const given = { department: 'sales', rating: 4 }
await service.storage.users.update(id, (user) => ({ ...user, attributes: given }))
const stored = async () => (await service.storage.users.find(id))?.attributes
const faults = (body: { errors: readonly { path: string }[] }) => body.errors.map(({ path }) => path)

describe('declared attributes in the account area (claims and groups, section 1)', () => {
  it('are shown unless operators alone see them, and are all in the export', async () => {
    assert.deepEqual((await alice.self('GET', '')).body.attributes, { department: 'sales' })
    const exported = await alice.self('GET', '/Export')
    assert.deepEqual(exported.body.account.attributes, given)
  })

  it('are set and removed by people where people edit them', async () => {
    const set = await alice.self('PATCH', '', { attributes: { city: 'Köln', badge: 'X1' }, nickname: 'Al' })
    assert.deepEqual(
      [set.status, set.body.attributes, set.body.nickname],
      [200, { department: 'sales', city: 'Köln', badge: 'X1' }, 'Al'],
    )
    assert.equal((await alice.self('PATCH', '', { attributes: { badge: null } })).status, 200)
    assert.deepEqual(await stored(), { ...given, city: 'Köln' })
  })

  it('are refused of the wrong type, to people who do not edit them, and without what is required', async () => {
    const changes = { city: 7, department: 'it', rating: 5, shoe: 44 }
    const refused = await alice.self('PATCH', '', { attributes: changes, nickname: 'Other' })
    assert.equal(refused.status, 400)
    const places = Object.keys(changes).map((name) => `/attributes/${name}`)
    assert.deepEqual(faults(refused.body), places)
    // What operators alone see is not told apart from what is not there.
    assert.match(JSON.stringify(refused.body), /rating is not declared\. There are: badge, city, department/)
    assert.equal((await alice.self('PATCH', '', { attributes: { city: '' } })).status, 400)
    assert.equal((await alice.self('PATCH', '', { attributes: ['city'] })).status, 400)
    assert.deepEqual(await stored(), { ...given, city: 'Köln' })
    assert.equal((await alice.self('GET', '')).body.nickname, 'Al')
  })

  it('of one value belong to whoever was first', async () => {
    assert.equal((await alice.self('PATCH', '', { attributes: { badge: 'Y1' } })).status, 200)
    const taken = await bob.self('PATCH', '', { attributes: { badge: 'y1' } })
    assert.equal(taken.status, 400)
    assert.match(JSON.stringify(taken.body), /Somebody else has this badge/)
  })
})
