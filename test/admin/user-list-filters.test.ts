/** Orders, further filters and facts of the list of people in the admin API, and the counts beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSession } from '../storage/records.ts'
import { adminProgram } from '../support/admin.ts'
import { serviceForFile, testUser } from '../support/service.ts'

const service = await serviceForFile()
const { users } = service.storage
const admin = await adminProgram(service)
const dayMs = 86_400_000
const now = service.now()
const madeAt = (days: number) => now - days * dayMs
const isoAt = (days: number) => encodeURIComponent(new Date(madeAt(days)).toISOString())
const made = (name: string, days: number, change: Parameters<typeof testUser>[0] = {}) =>
  users.create(testUser({ name, email: `${name}@lists.example`, createdAtMs: madeAt(days), ...change }))
const group = await admin.post('/groups', { name: 'crew', roles: ['sailor'] })
await made('first', 400, { emailConfirmed: true, roles: ['hand'] })
await made('second', 300, { emailConfirmed: false })
await made('third', 200, { emailConfirmed: true, disabled: true, roles: ['hand'] })
await made('fourth', 100, { emailConfirmed: true, groupIds: [group.body.id] })
const idOf = async (name: string) => (await users.findByName(name))?.id ?? ''
await admin.post(`/groups/${group.body.id}/members`, { users: [await idOf('second')] })
const second = await users.findByName('second')
assert.ok(second)
const session = aSession(second, { authenticatedAtMs: madeAt(3), createdAtMs: madeAt(3) })
await users.recordSignIn({ user: second }, () => ({ outcome: 'in', session }))

/** The names of the people of this file in a whole list, read page by page. */
async function namesOf(query: string): Promise<string[]> {
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await admin.get(`/users?limit=2&${query}${cursor}`)
    assert.equal(status, 200, JSON.stringify(body))
    names.push(...body.items.map((one: { username: string }) => one.username))
    if (body.next === null) return names.filter((name) => /^(first|second|third|fourth)$/.test(name))
    cursor = `&cursor=${encodeURIComponent(body.next)}`
  }
}

describe('the list of people', () => {
  it('goes by name and by time, either way, page by page', async () => {
    assert.deepEqual(await namesOf('sort=username'), ['first', 'fourth', 'second', 'third'])
    assert.deepEqual(await namesOf('sort=-username'), ['third', 'second', 'fourth', 'first'])
    assert.deepEqual(await namesOf('sort=created_at'), ['first', 'second', 'third', 'fourth'])
    assert.deepEqual(await namesOf('sort=-created_at'), ['fourth', 'third', 'second', 'first'])
    assert.deepEqual(await namesOf('sort=-created_at&role=hand'), ['third', 'first'])
    assert.deepEqual(await namesOf('sort=created_at&locked=false'), ['first', 'second', 'fourth'])
  })

  it('has those who were made within bounds, the newest first unless it is asked otherwise', async () => {
    assert.deepEqual(await namesOf(`created_after=${isoAt(300)}`), ['fourth', 'third', 'second'])
    assert.deepEqual(await namesOf(`created_before=${isoAt(300)}`), ['first'])
    assert.deepEqual(await namesOf(`created_after=${isoAt(301)}&created_before=${isoAt(150)}&sort=username`), [
      'second',
      'third',
    ])
    assert.deepEqual(await namesOf(`created_before=${isoAt(250)}&search=s`), ['second'])
  })

  it('has those who are locked, those not confirmed and those in a group', async () => {
    assert.deepEqual(await namesOf('locked=true'), ['third'])
    assert.deepEqual(await namesOf('email_verified=false'), ['second'])
    assert.deepEqual(await namesOf('locked=true&email_verified=false'), [])
    assert.deepEqual(await namesOf('group=/crew'), ['second'])
    assert.deepEqual(await namesOf(`group=${group.body.id}`), ['second'])
  })

  it('tells the last sign-in and the second factor where it is asked, and finds people by the former', async () => {
    const { body } = await admin.get('/users?search=second&facts=true')
    assert.deepEqual(
      [body.items[0].second_factor, body.items[0].last_sign_in_at],
      [false, new Date(madeAt(3)).toISOString()],
    )
    const plain = await admin.get('/users?search=second')
    assert.ok(!('last_sign_in_at' in plain.body.items[0]))
    assert.deepEqual(await namesOf(`last_sign_in_after=${isoAt(4)}`), ['second'])
    assert.deepEqual(await namesOf(`last_sign_in_before=${isoAt(4)}`), ['first', 'fourth', 'third'])
    assert.deepEqual(await namesOf(`last_sign_in_after=${isoAt(2)}`), [])
  })

  it('refuses an order beside a search, a time that is none, an unknown order and an unknown group', async () => {
    for (const query of [
      'sort=created_at&search=a',
      'created_after=yesterday',
      'last_sign_in_before=2030-02-31T00:00:00Z',
      'sort=email',
      'group=/none',
    ]) {
      assert.equal((await admin.get(`/users?${query}`)).status, 400, query)
    }
    const { body } = await admin.get('/users?limit=1&sort=created_at')
    assert.equal(
      (await admin.get(`/users?limit=1&sort=-created_at&cursor=${encodeURIComponent(body.next)}`)).status,
      400,
    )
  })

  it('is counted by state for those who may read people, and for nobody else', async () => {
    const { status, body } = await admin.get('/user-counts')
    assert.equal(status, 200)
    assert.deepEqual(body.locked, { count: 1, exact: true })
    assert.deepEqual(body.unconfirmed, { count: 1, exact: true })
    const other = await adminProgram(service, ['admin:clients'])
    assert.equal((await other.get('/user-counts')).status, 403)
  })
})

describe('what the database looks for in the list of people', () => {
  it('are the members of a group, page by page', async () => {
    assert.deepEqual(await namesOf(`group=${group.body.id}`), ['second'])
    assert.deepEqual(await namesOf(`group=${group.body.id}&locked=true`), [])
  })

  it('are those of a source: an import, or a provider whose account made theirs', async () => {
    const id = await idOf('third')
    const origins = [{ kind: 'person', origin: 'shop-realm', key: 'k', id, marks: {}, seenAtMs: now }] as const
    const counts = { read: 1, created: 0, updated: 0, skipped: 1, failed: 0 }
    const progress = { id, kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now } as const
    const step = { before: undefined, progress, people: [], failures: [], origins }
    assert.equal((await service.storage.imports.store(step)).outcome, 'stored')
    assert.deepEqual(await namesOf('source=shop-realm'), ['third'])
    assert.deepEqual(await namesOf('source=shop-realm&sort=-username'), ['third'])
    assert.deepEqual(await namesOf('source=shop-realm&search=thi'), ['third'])
    assert.deepEqual(await namesOf('source=elsewhere'), [])
  })

  it('are those who signed in since, or did not, and several words at once', async () => {
    assert.deepEqual(await namesOf(`last_sign_in_after=${isoAt(4)}`), ['second'])
    assert.deepEqual(await namesOf(`last_sign_in_before=${isoAt(2)}`), ['first', 'fourth', 'second', 'third'])
    assert.deepEqual(await namesOf(`last_sign_in_before=${isoAt(4)}`), ['first', 'fourth', 'third'])
    assert.deepEqual(await namesOf(`last_sign_in_before=${isoAt(2)}&second_factor=false&group=${group.body.id}`), [
      'second',
    ])
    assert.deepEqual(await namesOf('second_factor=true'), [])
    assert.deepEqual(await namesOf('second_factor=false&locked=false'), ['first', 'fourth', 'second'])
  })
})
