import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anEvent, atOnce, aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function pairwiseSubjectContract(storageFor: StorageFor): void {
  describe('pairwise subject identifiers', () => {
    it('are found by their value, and read with the person', async (t) => {
      const { users, pairwiseSubjects, audit } = await storageFor(t)
      const user = await created(users, aUser())
      assert.deepEqual(await pairwiseSubjects.ofUser(user.id), {})
      const first = { 'shop.example': 'quote"d', 'client:web': '测试' }
      assert.equal(await pairwiseSubjects.store(user.id, first, [anEvent({ kind: 'user_changed' })]), 'stored')
      assert.equal(await pairwiseSubjects.find('shop.example', 'quote"d'), user.id)
      assert.equal(await pairwiseSubjects.find('other.example', 'quote"d'), undefined)
      assert.deepEqual(await users.find(user.id), { ...user, pairwiseSubjects: first })
      assert.equal((await audit.list({ kind: 'user_changed' }, undefined, 5)).length, 1)
    })

    it('of a sector are replaced, and those of others stay, also when the person changes', async (t) => {
      const { users, pairwiseSubjects } = await storageFor(t)
      const user = await created(users, aUser())
      await pairwiseSubjects.store(user.id, { 'a.example': 'one', 'b.example': 'two' })
      assert.equal(await pairwiseSubjects.store(user.id, { 'a.example': 'three' }), 'stored')
      assert.equal(await pairwiseSubjects.find('a.example', 'one'), undefined)
      await users.update(user.id, (found) => ({ ...found, failedAttempts: 4 }))
      assert.deepEqual(await pairwiseSubjects.ofUser(user.id), { 'a.example': 'three', 'b.example': 'two' })
    })

    it('belong to one person of many to whom they are given at the same time', async (t) => {
      const { users, pairwiseSubjects } = await storageFor(t)
      const people = await Promise.all([aUser(), aUser(), aUser()].map((one) => created(users, one)))
      const outcomes = await atOnce(9, (at) =>
        pairwiseSubjects.store(people[at % 3]?.id ?? '', { [`own-${at}.example`]: 'x', 'shop.example': 'same' }),
      )
      const holder = await pairwiseSubjects.find('shop.example', 'same')
      assert.deepEqual(
        outcomes.map((outcome, at) => outcome === 'stored' && people[at % 3]?.id === holder),
        outcomes.map((_, at) => people[at % 3]?.id === holder),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'taken').length, 6)
      for (const { id } of people.filter((one) => one.id !== holder)) {
        assert.deepEqual(await pairwiseSubjects.ofUser(id), {})
      }
    })

    it('go with the person, and are of nobody who does not exist', async (t) => {
      const { users, pairwiseSubjects } = await storageFor(t)
      const user = await created(users, aUser({ roles: [] }))
      await pairwiseSubjects.store(user.id, { 'shop.example': 'one' })
      assert.equal(await users.delete(user.id, [], { force: true }), true)
      assert.equal(await pairwiseSubjects.find('shop.example', 'one'), undefined)
      assert.equal(await pairwiseSubjects.ofUser(user.id), undefined)
      assert.equal(await pairwiseSubjects.store(user.id, { 'shop.example': 'one' }), 'no_user')
    })

    it('come with people of an import, which is refused where another person has one', async (t) => {
      const { users, pairwiseSubjects, imports } = await storageFor(t)
      const [stored, fresh, late] = [await created(users, aUser()), aUser(), aUser()]
      await pairwiseSubjects.store(stored.id, { 'a.example': 'before' })
      const before = (await users.find(stored.id)) ?? assert.fail()
      const counts = { read: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
      const progressOf = (id: string) => ({ id, kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now })
      const person = { before: undefined, logins: [], isWeak: false }
      const people = [
        { ...person, user: fresh, pairwiseSubjects: { 'a.example': 'fresh' } },
        { ...person, user: before, before, pairwiseSubjects: { 'b.example': 'added', 'a.example': 'before' } },
      ]
      const batch = { before: undefined, progress: progressOf(nextId()), people, failures: [] }
      assert.deepEqual(await imports.store(batch), { outcome: 'stored' })
      assert.equal(await pairwiseSubjects.find('a.example', 'fresh'), fresh.id)
      assert.deepEqual(await pairwiseSubjects.ofUser(stored.id), { 'a.example': 'before', 'b.example': 'added' })
      const taken = { ...person, user: late, pairwiseSubjects: { 'a.example': 'fresh' } }
      const refused = { before: undefined, progress: progressOf(nextId()), people: [taken], failures: [] }
      assert.deepEqual(await imports.store(refused), { outcome: 'refused', at: 0 })
      assert.equal(await users.find(late.id), undefined)
    })
  })
}
