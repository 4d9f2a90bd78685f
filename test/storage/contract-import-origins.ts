import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ImportedPerson, ImportOrigin, ImportProgress } from '../../src/storage/port/imports.ts'
import { withPassword } from '../../src/users/changes.ts'
import type { User } from '../../src/users/user.ts'
import { aUser, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const counts = { read: 1, created: 1, updated: 0, skipped: 0, failed: 0 }
const aProgress = (): ImportProgress => ({
  ...{ id: nextId(), kind: 'users', recordsRead: 1, counts, notKept: {}, startedAtMs: now },
})
const batch = (people: readonly ImportedPerson[], origins: readonly ImportOrigin[] = []) => ({
  ...{ before: undefined, progress: aProgress(), people, failures: [], origins },
})
const anew = (user: User, change: Partial<ImportedPerson> = {}): ImportedPerson => ({
  ...{ user, before: undefined, logins: [], isWeak: false },
  ...change,
})
const from = ({ id }: Pick<User, 'id'>, change: Partial<ImportOrigin> = {}): ImportOrigin => ({
  ...{ kind: 'person', origin: 'users', key: `key-${id}`, id, marks: { name: 'abc' }, seenAtMs: now },
  ...change,
})

export function importOriginContract(storageFor: StorageFor): void {
  describe('origins of an import', () => {
    it('are stored with the people, read by their keys, and changed by a later run', async (t) => {
      const { imports } = await storageFor(t)
      const [one, two] = [aUser(), aUser()]
      const origins = [from(one), from(two, { origin: 'keycloak' })]
      assert.equal((await imports.store(batch([anew(one), anew(two)], origins))).outcome, 'stored')
      const keys = [from(one).key, from(two).key, 'unknown']
      assert.deepEqual([...(await imports.origins('person', 'users', keys)).values()], [from(one)])
      assert.deepEqual([...(await imports.origins('client', 'users', keys)).values()], [])
      const ids = [one.id, two.id, 'nobody']
      assert.deepEqual(await Promise.all(ids.map(imports.isOfImport)), [true, true, false])
      const later = from(one, { marks: { name: 'def', email: 'x' }, seenAtMs: now + 1 })
      await imports.store(batch([], [later]))
      assert.deepEqual([...(await imports.origins('person', 'users', keys)).values()], [later])
      assert.deepEqual([await imports.numberOf('person', 'users'), await imports.numberOf('client', 'users')], [1, 0])
    })

    it('are stored by themselves, and forgotten', async (t) => {
      const { imports } = await storageFor(t)
      const one: ImportOrigin = { kind: 'consent', origin: 'openiddict', key: '', id: '', marks: {}, seenAtMs: now }
      for (const seenAtMs of [now, now + 1]) {
        await imports.rememberOrigin({ ...one, seenAtMs })
        assert.deepEqual((await imports.origins('consent', 'openiddict', [''])).get(''), { ...one, seenAtMs })
      }
      assert.equal(await imports.numberOf('consent', 'openiddict'), 1)
      await imports.forgetOrigin(one)
      assert.equal(await imports.numberOf('consent', 'openiddict'), 0)
    })

    it('tell who was not seen since, and who did not come from the source, in order and in pages', async (t) => {
      const { imports, users } = await storageFor(t)
      const [seen, gone, other] = [aUser(), aUser(), aUser()]
      const origins = [from(seen, { seenAtMs: now + 5 }), from(gone), from(other, { origin: 'auth0' })]
      await imports.store(batch([anew(seen), anew(gone), anew(other)], origins))
      const own = await created(users, aUser())
      assert.deepEqual(await imports.unseen('person', 'users', now + 5), [from(gone)])
      assert.deepEqual(await imports.unseen('person', 'users', now + 5, from(gone).key), [])
      const strangers = (await imports.strangers('users')).map(({ id, name }) => [id, name])
      assert.deepEqual(strangers, [other, own].map(({ id, name }) => [id, name]).sort())
      assert.deepEqual(
        (await imports.strangers('users', strangers[0]?.[0])).map(({ id }) => id),
        [strangers[1]?.[0]],
      )
    })

    it('lose what could be guessed with the person, and remember that they were here', async (t) => {
      const { imports, users } = await storageFor(t)
      const [one, two] = [aUser(), aUser()]
      await imports.store(batch([anew(one), anew(two)], [from(one), from(two)]))
      await imports.leave(from(two))
      for (const { id } of [one, two]) assert.equal(await users.delete(id), true)
      const left = await imports.origins('person', 'users', [from(one).key, from(two).key])
      assert.deepEqual(left.get(from(one).key), from(one, { marks: null }))
      assert.deepEqual(left.get(from(two).key), from(two, { marks: null, seenAtMs: 0 }))
      assert.deepEqual(
        [await imports.numberOf('person', 'users'), await imports.unseen('person', 'users', now + 9)],
        [0, []],
      )
      await imports.forgetOrigin(from(one))
      assert.equal((await imports.origins('person', 'users', [from(one).key])).size, 0)
    })

    it('know a password that was replaced from one that was hashed anew, until the source has another', async (t) => {
      const { imports, users } = await storageFor(t)
      const [user, other] = [aUser({ passwordHash: 'first' }), aUser({ passwordHash: 'first' })]
      await imports.store(batch([anew(user, { passwordMark: 'one' }), anew(other, { passwordMark: 'one' })]))
      await users.update(user.id, (stored) => ({ ...stored, passwordHash: 'first, anew' }))
      assert.equal(await imports.hasOwnPassword(user.id), false)
      await users.update(user.id, (stored) => withPassword(stored, 'second', now + 1))
      assert.deepEqual([await imports.hasOwnPassword(user.id), await imports.hasOwnPassword(other.id)], [true, false])
      const bring = async (passwordMark: string) => {
        const before = (await users.find(user.id)) ?? assert.fail()
        return (await imports.store(batch([{ ...anew({ ...before, updatedAtMs: now }, { passwordMark }), before }])))
          .outcome
      }
      assert.equal(await bring('one'), 'stored')
      assert.equal(await imports.hasOwnPassword(user.id), true)
      assert.equal(await bring('two'), 'stored')
      assert.deepEqual([await imports.hasOwnPassword(user.id), await imports.passwordMark(user.id)], [false, 'two'])
    })
  })
}
