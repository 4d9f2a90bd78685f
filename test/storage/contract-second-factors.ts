import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Passkey } from '../../src/users/passkey.ts'
import { noSecondFactors, type SecondFactors } from '../../src/users/second-factor.ts'
import type { User } from '../../src/users/user.ts'
import {
  aBrowser,
  anEvent,
  aPasskey,
  aSession,
  atOnce,
  aUser,
  countOf,
  created,
  createdAll,
  nextId,
  now,
  someFactors,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

const mailCode = { hash: 'hash', signInId: nextId(), untilMs: now }
const enrolled = (user: User): SecondFactors => ({ ...someFactors(user), mailCode, version: 0 })

export function secondFactorContract(storageFor: StorageFor): void {
  describe('second factors', () => {
    it('are read with the user at a sign-in, by name, id and provider, and none of somebody else', async (t) => {
      const { users, secondFactors } = await storageFor(t)
      const [user, other] = await createdAll(users, aUser(), aUser())
      await secondFactors.change(user.id, () => ({ factors: enrolled(user) }))
      const factors = { ...enrolled(user), version: 1 }
      for (const who of [{ name: user.name }, { name: user.email }, { userId: user.id }]) {
        assert.deepEqual((await users.findForSignIn(who, []))?.factors, factors)
      }
      assert.deepEqual(await secondFactors.find(user.id), factors)
      assert.equal((await users.findForSignIn({ userId: other.id }, []))?.factors, undefined)
      assert.equal(await users.findForSignIn({ userId: nextId() }, []), undefined)
    })

    it('change on the version they were decided on: of 10 changes at once none is lost', async (t) => {
      const { users, secondFactors, audit } = await storageFor(t)
      const user = await created(users, aUser({ version: 1 }))
      const events = [anEvent({ userId: user.id })]
      await atOnce(10, () =>
        secondFactors.change(user.id, ({ factors = noSecondFactors(user.id) }) => ({
          factors: { ...factors, failedAttempts: factors.failedAttempts + 1 },
          events,
        })),
      )
      assert.equal((await secondFactors.find(user.id))?.failedAttempts, 10)
      assert.equal((await audit.list({ userId: user.id }, undefined, 100)).length, 10)
      assert.equal(await secondFactors.change(nextId(), () => ({ factors: noSecondFactors(user.id) })), undefined)
    })

    it('make a sign-in that was decided without them be decided again', async (t) => {
      const { users, secondFactors, sessions } = await storageFor(t)
      const user = await created(users, aUser({ version: 0 }))
      const session = aSession(user)
      await secondFactors.change(user.id, () => ({ factors: enrolled(user) }))
      const decided = await users.recordSignIn({ user }, ({ factors }) =>
        factors === undefined ? { outcome: 'in', session } : { outcome: 'asked' },
      )
      assert.deepEqual([decided?.outcome, await sessions.find(session.id)], ['asked', undefined])
    })

    it('are used up by one of 10 sign-ins at once', async (t) => {
      const { users, secondFactors } = await storageFor(t)
      const user = await created(users, aUser({ version: 0 }))
      await secondFactors.change(user.id, () => ({ factors: enrolled(user) }))
      const candidate = await users.findForSignIn({ userId: user.id }, [])
      assert.ok(candidate)
      const outcomes = await atOnce(10, () =>
        users.completeSignIn(
          candidate,
          ({ factors }) => {
            const [code, ...left] = factors?.recoveryHashes ?? []
            if (factors === undefined || code !== 'a') return { outcome: 'wrong' }
            return { outcome: 'in', factors: { ...factors, recoveryHashes: left }, session: aSession(user) }
          },
          [{ id: `half:${nextId()}`, expiresAtMs: now }],
        ),
      )
      const names = outcomes.map((one) => (typeof one === 'object' ? one.outcome : one))
      assert.deepEqual([countOf(names, 'in'), countOf(names, 'wrong')], [1, 9])
    })

    it('let a half-finished sign-in become a session once, and remember its browser', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = await created(users, aUser({ version: 0 }))
      const once = { id: `half:${nextId()}`, expiresAtMs: now }
      const browser = aBrowser(user, { secondFactorUntilMs: now + 7 })
      const made = [aSession(user), aSession(user)]
      const enter = (session = aSession(user)) =>
        users.completeSignIn({ user }, () => ({ outcome: 'in', session, browser }), [once])
      assert.equal(typeof (await enter(made[0])), 'object')
      assert.equal(await enter(made[1]), 'spent')
      const stored = await Promise.all(made.map(({ id }) => sessions.find(id)))
      assert.deepEqual(
        stored.map((one) => one !== undefined),
        [true, false],
      )
      const found = await users.findForSignIn({ userId: user.id }, [browser.id])
      assert.equal(found?.browser?.secondFactorUntilMs, now + 7)
      // A refused attempt spends nothing.
      const other = { id: `half:${nextId()}`, expiresAtMs: now }
      await users.completeSignIn({ user }, () => ({ outcome: 'wrong' }), [other])
      assert.notEqual(
        await users.completeSignIn({ user }, () => ({ outcome: 'in', session: aSession(user) }), [other]),
        'spent',
      )
    })

    it('end recovery codes and the memory of browsers with the last of them, whichever goes last, and both at once', async (t) => {
      const { users, secondFactors, passkeys } = await storageFor(t)
      const ends = async (remove: (user: User, passkey: Passkey) => readonly (() => Promise<unknown>)[]) => {
        const user = await created(users, aUser({ version: 0 }))
        await secondFactors.change(user.id, () => ({ factors: enrolled(user) }))
        const passkey = aPasskey(user)
        await passkeys.add(passkey, { id: nextId(), expiresAtMs: now })
        const browser = aBrowser(user, { secondFactorUntilMs: now + 7 })
        const stored = async () => {
          const found = await users.findForSignIn({ userId: user.id }, [browser.id])
          return [found?.factors?.recoveryHashes.length, found?.browser?.secondFactorUntilMs]
        }
        const candidate = await users.findForSignIn({ userId: user.id }, [])
        assert.ok(candidate)
        await users.recordSignIn(candidate, () => ({ outcome: 'in', session: aSession(user), browser }))
        const seen: unknown[] = [await stored()]
        for (const step of remove(user, passkey)) {
          await step()
          seen.push(await stored())
        }
        return seen
      }
      const app = (user: User) => () =>
        secondFactors.change(user.id, ({ factors }) => (factors ? { factors: { ...factors, totp: null } } : {}))
      const key =
        (user: User, { id }: Passkey) =>
        () =>
          passkeys.remove(user.id, id, { providers: [] })
      const [there, gone] = [
        [2, now + 7],
        [0, null],
      ]
      assert.deepEqual(await ends((user, passkey) => [app(user), key(user, passkey)]), [there, there, gone])
      assert.deepEqual(await ends((user, passkey) => [key(user, passkey), app(user)]), [there, there, gone])
      const both = (user: User, passkey: Passkey) => [
        () => Promise.all([app(user)(), key(user, passkey)()]) as Promise<unknown>,
      ]
      assert.deepEqual(await ends(both), [there, gone])
    })

    it('forget that browsers were remembered, and a sign-in that was decided before does not bring it back', async (t) => {
      const { users, secondFactors, passkeys } = await storageFor(t)
      const [user, other] = [aUser({ version: 0 }), aUser({ version: 0 })]
      const browsers = [user, other].map((one) => aBrowser(one, { secondFactorUntilMs: now + 7 }))
      for (const [at, one] of [user, other].entries()) {
        await users.create(one)
        const [browser] = browsers.slice(at)
        assert.ok(browser)
        await users.recordSignIn({ user: one }, () => ({ outcome: 'in', session: aSession(one), browser }))
      }
      const ids = browsers.map(({ id }) => id)
      const untilOf = async ({ id }: User) =>
        (await users.findForSignIn({ userId: id }, ids))?.browser?.secondFactorUntilMs
      const passkey = aPasskey(user)
      await passkeys.add(passkey, { id: nextId(), expiresAtMs: now })
      const read = await users.findForSignIn({ userId: user.id }, ids)
      assert.ok(read)
      assert.equal(await passkeys.remove(user.id, passkey.id, { providers: [] }), 'removed')
      await users.recordSignIn(read, ({ browser }) => {
        assert.ok(browser)
        return { outcome: 'in', session: aSession(user), browser: { ...browser, lastUsedAtMs: now + 9 } }
      })
      const found = await users.findForSignIn({ userId: user.id }, ids)
      assert.deepEqual([found?.browser?.lastUsedAtMs, found?.browser?.secondFactorUntilMs], [now + 9, null])
      assert.equal(await untilOf(other), now + 7)
      await secondFactors.change(other.id, () => ({ forgetsRemembered: true }))
      assert.equal(await untilOf(other), null)
    })

    it('go with their user', async (t) => {
      const { users, secondFactors } = await storageFor(t)
      const user = await created(users, aUser())
      await secondFactors.change(user.id, () => ({ factors: enrolled(user) }))
      assert.equal(await users.delete(user.id), true)
      assert.equal(await secondFactors.find(user.id), undefined)
    })
  })
}
