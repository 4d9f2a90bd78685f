import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fewUserRows, peopleCountedTo, type UserCondition, userPageRows } from '../../src/storage/port/users.ts'
import { aSession, aUser, createdAll, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const namesOf = (people: readonly { readonly name: string }[]) => people.map(({ name }) => name)

export function userListsContract(storageFor: StorageFor): void {
  describe('lists of people', () => {
    it('go by name backwards, byte by byte, and on from a place', async (t) => {
      const { users, userLists } = await storageFor(t)
      await createdAll(users, ...['b', 'Ä', 'a', 'C'].map((name) => aUser({ name })))
      assert.deepEqual(namesOf(await userLists.namesBefore('', userPageRows)), ['Ä', 'C', 'b', 'a'])
      assert.deepEqual(namesOf(await userLists.namesBefore('c', fewUserRows)), ['b', 'a'])
    })

    it('go by time both ways within bounds, and tell people of one moment apart', async (t) => {
      const { users, userLists } = await storageFor(t)
      const at = (name: string, createdAtMs: number, id: string) => aUser({ name, createdAtMs, id })
      await createdAll(users, ...[at('d', 30, 'd'), at('a', 10, 'a'), at('c', 20, 'c'), at('b', 20, 'b')])
      assert.deepEqual(namesOf(await userLists.newer({ createdAtMs: 0, id: '' }, 1000, userPageRows)), [
        'a',
        'b',
        'c',
        'd',
      ])
      assert.deepEqual(namesOf(await userLists.newer({ createdAtMs: 20, id: 'b' }, 30, userPageRows)), ['c'])
      assert.deepEqual(namesOf(await userLists.newer({ createdAtMs: 20, id: '' }, 21, fewUserRows)), ['b', 'c'])
      assert.deepEqual(namesOf(await userLists.older({ createdAtMs: 30, id: '' }, 0, userPageRows)), ['c', 'b', 'a'])
      assert.deepEqual(namesOf(await userLists.older({ createdAtMs: 20, id: 'c' }, 20, userPageRows)), ['b'])
    })

    it('have those who are locked and those whose address is not confirmed, and count them', async (t) => {
      const { users, userLists } = await storageFor(t)
      await createdAll(
        users,
        ...[
          aUser({ name: 'a', disabled: true, lockedUntilMs: null, emailConfirmed: true }),
          aUser({ name: 'b', disabled: false, lockedUntilMs: now + 1, emailConfirmed: false }),
          aUser({ name: 'c', disabled: false, lockedUntilMs: now - 1, emailConfirmed: true }),
          aUser({ name: 'd', disabled: false, lockedUntilMs: null, emailConfirmed: false }),
          aUser({ name: 'e', disabled: false, lockedUntilMs: null, emailConfirmed: true }),
        ],
      )
      assert.deepEqual(namesOf(await userLists.inState('locked', '', userPageRows)), ['a', 'b', 'c'])
      assert.deepEqual(namesOf(await userLists.inState('locked', 'a', fewUserRows)), ['b', 'c'])
      assert.deepEqual(namesOf(await userLists.inState('unconfirmed', '', userPageRows)), ['b', 'd'])
      assert.deepEqual(await userLists.count('locked', now), { count: 2, exact: true })
      assert.deepEqual(await userLists.count('unconfirmed', now), { count: 2, exact: true })
    })

    it('count no further than to their bound', async (t) => {
      const { users, userLists } = await storageFor(t)
      const many = Array.from({ length: peopleCountedTo + 1 }, (_, at) =>
        aUser({ name: `p${at}`, emailConfirmed: false }),
      )
      await createdAll(users, ...many)
      assert.deepEqual(await userLists.count('unconfirmed', now), { count: peopleCountedTo, exact: false })
    })

    it('know the last sign-in by the latest session', async (t) => {
      const { users, userLists } = await storageFor(t)
      const [one, other] = [aUser({ name: 'one' }), aUser({ name: 'other' })]
      await createdAll(users, one, other)
      for (const authenticatedAtMs of [now - 5, now - 9]) {
        const session = aSession(one, { authenticatedAtMs })
        await users.recordSignIn({ user: one }, () => ({ outcome: 'in', session }))
      }
      const last = await userLists.lastSignIns([one.id, other.id])
      assert.deepEqual([...last], [[one.id, now - 5]])
      assert.equal((await userLists.lastSignIns([])).size, 0)
    })

    it('find in a window those with a factor or none, and those who signed in since or did not', async (t) => {
      const { users, userLists } = await storageFor(t)
      const [one, other] = [aUser({ name: 'one' }), aUser({ name: 'other' })]
      await createdAll(users, one, other)
      const session = aSession(one, { authenticatedAtMs: now - 5 })
      await users.recordSignIn({ user: one }, () => ({ outcome: 'in', session }))
      const found = async (condition: UserCondition, after = '') => {
        const { users, next, seen } = await userLists.window(after, condition)
        assert.deepEqual([next, seen], [undefined, after === '' ? 2 : 1])
        return namesOf(users)
      }
      assert.deepEqual(await found({ is: 'withFactor' }), [])
      assert.deepEqual(await found({ is: 'withoutFactor' }), ['one', 'other'])
      assert.deepEqual(await found({ is: 'withoutFactor' }, 'one'), ['other'])
      assert.deepEqual(await found({ is: 'signedInSince', atMs: now - 5 }), ['one'])
      assert.deepEqual(await found({ is: 'signedInSince', atMs: now - 4 }), [])
      assert.deepEqual(await found({ is: 'notSignedInSince', atMs: now - 5 }), ['other'])
      assert.deepEqual(await found({ is: 'inGroup', text: 'nowhere' }), [])
      assert.deepEqual(await found({ is: 'from', text: 'nowhere' }), [])
    })
  })
}
