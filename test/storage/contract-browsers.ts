import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KnownBrowser, maxKnownBrowsers } from '../../src/users/known-browser.ts'
import type { Candidate } from '../../src/users/lockout.ts'
import { decidePasswordSignIn } from '../../src/users/sign-in.ts'
import type { User } from '../../src/users/user.ts'
import { aBrowser, aLogin, aSession, atOnce, aUser, countOf, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const rules = { maxFailedAttempts: 5, lockoutMs: 300_000, requireConfirmedEmail: false }

/** Long after everything in the records happened, and before anything expires. */
const later = now + 1000
const fresh = { createdAtMs: now + 10, expiresAtMs: later + 1_000_000, failedAttempts: 0, lockedUntilMs: null }

const lockedUser = () =>
  aUser({ disabled: false, lockoutBeganAtMs: now, lockedUntilMs: later + 100_000, failedAttempts: 0, version: 0 })

const wrong = (candidate: Candidate) => {
  const attempt = { passwordMatches: false, checkedHash: candidate.user.passwordHash, newHash: null }
  const entry = { session: aSession(candidate.user), newBrowserId: nextId() }
  return decidePasswordSignIn(candidate, attempt, entry, rules, later)
}

export function browserContract(storageFor: StorageFor): void {
  describe('known browsers', () => {
    const known = (user: User, changes: Partial<KnownBrowser> = {}) => aBrowser(user, { ...fresh, ...changes })

    it('are found with their user, by the name and by an external login, and with nobody else', async (t) => {
      const { users } = await storageFor(t)
      const [alice, bob] = [aUser(), aUser()]
      const [hers, his] = [known(alice, { failedAttempts: 3, lockedUntilMs: now + 9 }), known(bob)]
      const login = aLogin(alice)
      await users.registerExternal(alice, login, { session: aSession(alice), browser: hers })
      await users.create(bob)
      await users.recordSignIn({ user: bob }, () => ({ outcome: 'in', session: aSession(bob), browser: his }))
      const both = [his.id, hers.id, nextId()]
      assert.deepEqual(await users.findForSignIn({ name: alice.name.toUpperCase() }, both), {
        user: alice,
        browser: hers,
      })
      assert.deepEqual(await users.findForSignIn(login, both), { user: alice, browser: hers })
      assert.deepEqual(await users.findForSignIn({ name: bob.name }, both), { user: bob, browser: his })
      for (const ids of [[], [his.id], ['\0']]) {
        const found = await users.findForSignIn({ name: alice.name }, ids)
        assert.equal(found?.browser, undefined, String(ids))
      }
      assert.deepEqual(await users.findForSignIn({ name: alice.name }, [his.id]), { user: alice, browser: undefined })
      assert.equal(await users.findForSignIn({ name: 'nobody' }, both), undefined)
      assert.equal(await users.findForSignIn({ provider: 'Other', subject: login.subject }, both), undefined)
    })

    it('change together with the user that the attempt was judged on', async (t) => {
      const { users } = await storageFor(t)
      const user = lockedUser()
      const browser = known(user)
      await users.create(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      await users.recordSignIn({ user, browser }, wrong)
      const found = await users.findForSignIn({ name: user.name }, [browser.id])
      assert.deepEqual(found?.browser, { ...browser, failedAttempts: 1 })
      assert.equal(found?.user.version, 1)
    })

    it('are read again with the user when that was stale', async (t) => {
      const { users } = await storageFor(t)
      const user = lockedUser()
      const browser = known(user)
      await users.create(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      const stale = { user, browser }
      for (const failures of [1, 2, 3]) {
        await users.recordSignIn(stale, wrong)
        const found = await users.findForSignIn({ name: user.name }, [browser.id])
        assert.equal(found?.browser?.failedAttempts, failures)
      }
    })

    it('are judged no more than 5 of 20 simultaneous guesses during a lockout, on their own budget', async (t) => {
      const { users } = await storageFor(t)
      const user = lockedUser()
      const browser = known(user)
      await users.create(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      const outcomes = await atOnce(20, async () => {
        const candidate = await users.findForSignIn({ name: user.name }, [browser.id])
        return candidate && (await users.recordSignIn(candidate, wrong))?.outcome
      })
      assert.equal(countOf(outcomes, 'wrong_password'), rules.maxFailedAttempts)
      assert.equal(countOf(outcomes, 'locked'), 20 - rules.maxFailedAttempts)
      const found = await users.findForSignIn({ name: user.name }, [browser.id])
      assert.equal(found?.browser?.lockedUntilMs, later + rules.lockoutMs)
      assert.equal(found?.user.lockedUntilMs, user.lockedUntilMs)
    })

    it('are the most recently used ones, 20 for each user', async (t) => {
      const { users } = await storageFor(t)
      const [user, other] = [aUser(), aUser()]
      const ids: string[] = []
      for (const one of [other, user]) await users.create(one)
      const add = async (owner: User, lastUsedAtMs: number) => {
        const browser = known(owner, { lastUsedAtMs })
        await users.recordSignIn({ user: owner }, () => ({ outcome: 'in', session: aSession(owner), browser }))
        return browser.id
      }
      const others = await add(other, now - 1_000_000)
      for (let at = 0; at < maxKnownBrowsers + 2; at += 1) ids.push(await add(user, at === 0 ? later : now + at))
      const isKept = async (owner: User, id: string) =>
        (await users.findForSignIn({ name: owner.name }, [id]))?.browser !== undefined
      const kept = await Promise.all(ids.map((id) => isKept(user, id)))
      assert.deepEqual(
        kept,
        ids.map((_, at) => at !== 1 && at !== 2),
      )
      assert.equal(await isKept(other, others), true)
    })

    it('are forgotten together, stay forgotten when an attempt is under way, and go with their user', async (t) => {
      const { users } = await storageFor(t)
      const user = lockedUser()
      const browser = known(user)
      await users.create(user)
      const enter = (one: KnownBrowser) =>
        users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser: one }))
      for (const one of [browser, known(user)]) await enter(one)
      assert.equal(await users.forgetBrowsers(user.id), 2)
      assert.equal(await users.forgetBrowsers(user.id), 0)
      await users.recordSignIn({ user, browser }, wrong)
      assert.equal((await users.findForSignIn({ name: user.name }, [browser.id]))?.browser, undefined)
      const current = await users.findForSignIn({ name: user.name }, [])
      assert.ok(current)
      const again = known(user)
      await users.recordSignIn(current, () => ({ outcome: 'in', session: aSession(user), browser: again }))
      await users.delete(user.id)
      assert.equal(await users.forgetBrowsers(user.id), 0)
    })

    it('are swept when they expire', async (t) => {
      const { users, sweep } = await storageFor(t)
      const user = aUser()
      const [expired, standing] = [known(user, { expiresAtMs: later }), known(user, { expiresAtMs: later + 1 })]
      await users.create(user)
      for (const browser of [expired, standing]) {
        const session = aSession(user, { expiresAtMs: later + 1 })
        await users.recordSignIn({ user }, () => ({ outcome: 'in', session, browser }))
      }
      assert.equal(await sweep(later, 100), 1)
      assert.equal(await users.forgetBrowsers(user.id), 1)
    })
  })
}
