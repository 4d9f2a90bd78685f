import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxPasskeys } from '../../src/users/passkey.ts'
import { aBrowser, aLogin, anEvent, aPasskey, aSession, aUser, created, createdAll, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const challenge = (id = nextId()) => ({ id: `passkey:${id}`, expiresAtMs: now + 300_000 })

/** How often each outcome came. */
function tally(outcomes: readonly string[]): Record<string, number> {
  return Object.fromEntries([...new Set(outcomes)].sort().map((one) => [one, outcomes.filter((x) => x === one).length]))
}

/** Passkeys: the credentials of a person. */
export function passkeyContract(storageFor: StorageFor): void {
  describe('passkeys', () => {
    it('are found by their credential id with person and known browser, listed, renamed, and gone with the person', async (t) => {
      const storage = await storageFor(t)
      const [user, other] = await createdAll(storage.users, aUser(), aUser())
      const browser = aBrowser(user)
      await storage.users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      const second = aPasskey(user, { createdAtMs: now + 9, userHandle: 'b2xk' })
      const first = aPasskey(user, { createdAtMs: now + 8 })
      const event = anEvent({ userId: user.id })
      assert.equal(await storage.passkeys.add(second, challenge(), [event]), 'added')
      assert.equal((await storage.audit.list({ userId: user.id }, undefined, 1)).length, 1)
      assert.equal(await storage.passkeys.add(first, challenge()), 'added')
      assert.deepEqual(await storage.passkeys.list(user.id), [first, second])
      assert.deepEqual(await storage.passkeys.list(other.id), [])

      const found = await storage.passkeys.findForSignIn(first.credentialId, ['unknown', browser.id])
      assert.deepEqual([found?.passkey, found?.user, found?.browser], [first, user, browser])
      const elsewhere = await storage.passkeys.findForSignIn(first.credentialId, [])
      assert.deepEqual([elsewhere?.passkey, elsewhere?.browser], [first, undefined])
      assert.equal(await storage.passkeys.findForSignIn(first.credentialId.toLowerCase(), []), undefined)

      const renamed = { ...first, name: 'Клавиша "quoted"' }
      assert.deepEqual(await storage.passkeys.rename(user.id, first.id, renamed.name), renamed)
      assert.equal(await storage.passkeys.rename(other.id, first.id, 'stolen'), undefined)
      assert.deepEqual(await storage.passkeys.list(user.id), [renamed, second])

      await storage.users.delete(user.id)
      assert.equal(await storage.passkeys.findForSignIn(first.credentialId, []), undefined)
      assert.equal(await storage.passkeys.add(aPasskey(user), challenge()), 'no_user')
    })

    it('are added once for each challenge and each credential, and refused ones store nothing', async (t) => {
      const storage = await storageFor(t)
      const [user, other] = await createdAll(storage.users, aUser(), aUser())
      const [passkey, used] = [aPasskey(user), challenge()]
      const together = await Promise.all([
        storage.passkeys.add(passkey, used),
        storage.passkeys.add(aPasskey(user), used),
      ])
      assert.deepEqual(tally(together), { added: 1, spent: 1 })
      const [stored] = await storage.passkeys.list(user.id)
      assert.ok(stored)
      const again = challenge()
      const same = aPasskey(other, { credentialId: stored.credentialId })
      assert.equal(await storage.passkeys.add(same, again, [anEvent({ userId: other.id })]), 'taken')
      assert.deepEqual(await storage.audit.list({ userId: other.id }, undefined, 1), [])
      assert.equal(await storage.passkeys.add(aPasskey(other), again), 'added')
    })

    it('are twenty for each person, however many are added at once', async (t) => {
      const storage = await storageFor(t)
      const user = await created(storage.users, aUser())
      const adding = Array.from({ length: maxPasskeys + 5 }, () => storage.passkeys.add(aPasskey(user), challenge()))
      assert.deepEqual(tally(await Promise.all(adding)), { added: maxPasskeys, too_many: 5 })
      assert.equal((await storage.passkeys.list(user.id)).length, maxPasskeys)
    })

    it('are removed unless they are the last way to sign in, also when two are removed at once', async (t) => {
      const storage = await storageFor(t)
      const [bare, named, external] = [aUser({ passwordHash: null }), aUser(), aUser({ passwordHash: null })]
      for (const one of [bare, named]) await storage.users.create(one)
      await storage.users.registerExternal(external, aLogin(external), null)
      const [one, two] = [aPasskey(bare), aPasskey(bare)]
      const usable = { providers: [aLogin(external).provider] }
      const [beside, linked] = [aPasskey(named), aPasskey(external)]
      for (const passkey of [one, two, beside, linked]) await storage.passkeys.add(passkey, challenge())

      assert.equal(await storage.passkeys.remove(named.id, one.id, usable), 'not_found')
      const both = [one, two].map(({ id }) =>
        storage.passkeys.remove(bare.id, id, usable, [anEvent({ userId: bare.id })]),
      )
      assert.deepEqual(tally(await Promise.all(both)), { last: 1, removed: 1 })
      assert.equal((await storage.passkeys.list(bare.id)).length, 1)
      assert.equal((await storage.audit.list({ userId: bare.id }, undefined, 5)).length, 1)
      assert.equal(await storage.passkeys.remove(named.id, beside.id, usable), 'removed')
      assert.equal(await storage.passkeys.remove(named.id, beside.id, usable), 'not_found')
      assert.equal(await storage.passkeys.remove(external.id, linked.id, usable), 'removed')
    })

    it('are used by one of several sign-ins from the same counter, with the challenge, and not once they are removed', async (t) => {
      const { passkeys, sessions, spentValues, users } = await storageFor(t)
      const user = await created(users, aUser({ version: 0 }))
      const before = aPasskey(user, { counter: 3, synced: false })
      for (const one of [before, aPasskey(user)]) await passkeys.add(one, challenge())
      const next = { ...before, counter: 4, synced: true, lastUsedAtMs: now + 50 }
      const made = Array.from({ length: 6 }, () => ({ session: aSession(user), once: challenge() }))
      const use = ({ session, once }: (typeof made)[number]) =>
        users.completeSignIn({ user }, () => ({ outcome: 'in', session, passkey: { next, before } }), [once])
      const outcomes = (await Promise.all(made.map(use))).map((one) => (typeof one === 'object' ? one.outcome : one))
      assert.deepEqual(tally(outcomes.map(String)), { in: 1, spent: 5 })
      const winner = outcomes.indexOf('in')
      for (const [at, { session, once }] of made.entries()) {
        assert.equal((await sessions.find(session.id)) !== undefined, at === winner)
        assert.equal(await spentValues.spend(once.id, once.expiresAtMs), at !== winner)
      }
      assert.deepEqual((await passkeys.findForSignIn(before.credentialId, []))?.passkey, next)

      await passkeys.remove(user.id, before.id, { providers: [] })
      const late = { session: aSession(user), passkey: { next: { ...next, counter: 5 }, before: next } }
      assert.equal(await users.completeSignIn({ user }, () => ({ outcome: 'in', ...late }), [challenge()]), 'spent')
      assert.equal(await sessions.find(late.session.id), undefined)
    })
  })
}
