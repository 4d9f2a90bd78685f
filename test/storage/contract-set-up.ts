import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Confirmation } from '../../src/users/confirmation.ts'
import { aConfirmation, aLogin, anEvent, aPasskey, aUser, countOf, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const aLink = (): Confirmation => {
  const id = nextId()
  return aConfirmation({ id, purpose: 'setup', subject: `setup:${id}`, codeHash: null, details: {} })
}

export function setUpContract(storageFor: StorageFor): void {
  describe('the set-up of an installation', () => {
    it('makes one administrator, whoever of 20 with the same link and with others is first', async (t) => {
      const { setUp, users, confirmations, audit } = await storageFor(t)
      const links = [aLink(), aLink()]
      for (const link of links) await setUp.offer(link, [])
      assert.equal(await setUp.isOpen(), true)
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => setUp.finish(links[n % 2]?.id ?? '', aUser(), [anEvent()])),
      )
      assert.equal(countOf(outcomes, 'created'), 1)
      assert.equal(countOf(outcomes, 'gone'), 19)
      assert.equal((await users.list()).length, 1)
      assert.equal((await audit.newest({}, 99)).length, 1)
      assert.equal(await setUp.isOpen(), false)
      for (const { id } of links) assert.equal(await confirmations.find(id), undefined)
    })

    it('is over with the first account, however it was made, and for good', async (t) => {
      const open = await storageFor(t)
      const link = aLink()
      await open.setUp.offer(link, [])
      const user = await created(open.users, aUser())
      assert.equal(await open.setUp.isOpen(), false)
      assert.equal(await open.setUp.finish(link.id, aUser()), 'gone')
      await open.users.delete(user.id, [], { force: true })
      assert.equal(await open.setUp.isOpen(), false)
      assert.equal(await open.setUp.finish(link.id, aUser()), 'gone')
      assert.deepEqual(await open.users.list(), [])
    })

    it('is over with an account of a provider and of a registration, and not with that of the demo', async (t) => {
      const { setUp, users, confirmations } = await storageFor(t)
      await users.create(aUser(), [], { keepsSetUp: true })
      assert.equal(await setUp.isOpen(), true)
      const taken = aUser({ name: 'taken' })
      await users.create(taken, [], { keepsSetUp: true })
      const link = aLink()
      await setUp.offer(link, [])
      // A name that is taken ends nothing.
      assert.equal(await setUp.finish(link.id, aUser({ name: 'taken' })), 'name_taken')
      assert.equal(await setUp.isOpen(), true)
      const pending = aConfirmation()
      await confirmations.put(pending)
      assert.equal(await confirmations.register(pending.id, aUser()), 'created')
      assert.equal(await setUp.isOpen(), false)
      const person = aUser()
      assert.equal((await users.registerExternal(person, aLogin(person), null)).outcome, 'registered')
    })

    it('leaves one of an account and an administrator who are made at once, or the account alone', async (t) => {
      const { setUp, users } = await storageFor(t)
      const link = aLink()
      await setUp.offer(link, [])
      const [outcome] = await Promise.all([setUp.finish(link.id, aUser()), users.create(aUser())])
      assert.equal((await users.list()).length, outcome === 'created' ? 2 : 1)
      assert.equal(await setUp.finish(link.id, aUser()), 'gone')
    })

    it('makes an administrator together with a passkey, once, or neither', async (t) => {
      const { setUp, users, passkeys, spentValues } = await storageFor(t)
      const [link, other] = [aLink(), aLink()]
      for (const one of [link, other]) await setUp.offer(one, [])
      const [user, second] = [aUser({ passwordHash: null }), aUser({ passwordHash: null })]
      const first = { passkey: aPasskey(user), challenge: { id: 'challenge', expiresAtMs: now + 1000 } }
      await spentValues.spend('used', now + 1000)
      const spent = { ...first, challenge: { id: 'used', expiresAtMs: now + 1000 } }
      assert.equal(await setUp.finish(link.id, user, [], spent), 'passkey_refused')
      assert.deepEqual([await users.list(), await passkeys.list(user.id)], [[], []])
      assert.equal(await setUp.isOpen(), true)
      const outcomes = await Promise.all([
        setUp.finish(link.id, user, [], first),
        setUp.finish(link.id, user, [], first),
        setUp.finish(other.id, second, [], { ...first, passkey: aPasskey(second) }),
      ])
      assert.deepEqual([countOf(outcomes, 'created'), countOf(outcomes, 'gone')], [1, 2])
      const made = outcomes[2] === 'created' ? second : user
      assert.equal((await passkeys.list(made.id)).length, 1)
      assert.equal((await users.list()).length, 1)
    })

    it('ends earlier links for a new one that replaces them', async (t) => {
      const { setUp, confirmations } = await storageFor(t)
      const [first, second, third] = [aLink(), aLink(), aLink()]
      await setUp.offer(first, [])
      await setUp.offer(second, [])
      assert.deepEqual((await confirmations.find(first.id))?.confirmation, first)
      await setUp.offer(third, [anEvent()], { replacing: true })
      assert.equal(await setUp.finish(first.id, aUser()), 'gone')
      assert.equal(await setUp.finish(second.id, aUser()), 'gone')
      assert.equal(await setUp.finish(third.id, aUser()), 'created')
    })

    it('remembers what an operator has seen to, once, until it is taken back', async (t) => {
      const { setUp, audit } = await storageFor(t)
      const marks = await Promise.all([1, 2, 3].map(() => setUp.mark('backup', now, [anEvent()])))
      assert.equal(countOf(marks, true), 1)
      await setUp.mark('hidden', now)
      assert.deepEqual([...(await setUp.marks())].sort(), ['backup', 'hidden'])
      assert.equal(await setUp.unmark('backup', [anEvent()]), true)
      assert.equal(await setUp.unmark('backup', [anEvent()]), false)
      assert.deepEqual([...(await setUp.marks())], ['hidden'])
      assert.equal((await audit.newest({}, 99)).length, 2)
    })
  })
}
