import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { Candidate } from '../../src/users/lockout.ts'
import { maxSessions, type Session, surplusSessions } from '../../src/users/session.ts'
import type { User } from '../../src/users/user.ts'
import { aBrowser, anEvent, aSession, atOnce, aUser, countOf, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const limit = 5

type Attempt = { readonly outcome: 'judged' | 'locked_out'; readonly user?: User; readonly session?: Session }

/** A lockout in its simplest form: after `limit` wrong passwords nothing is looked at any more for a while. */
function attempt({ user }: Candidate, right: boolean, session: Session): Attempt {
  if (user.lockedUntilMs !== null && user.lockedUntilMs > now) return { outcome: 'locked_out' }
  if (right) {
    return user.failedAttempts === 0
      ? { outcome: 'judged', session }
      : { outcome: 'judged', session, user: { ...user, failedAttempts: 0 } }
  }
  const failedAttempts = user.failedAttempts + 1
  return failedAttempts < limit
    ? { outcome: 'judged', user: { ...user, failedAttempts } }
    : { outcome: 'judged', user: { ...user, failedAttempts: 0, lockedUntilMs: now + 60_000 } }
}

const freshUser = () => aUser({ lockedUntilMs: null, failedAttempts: 0, version: 0 })

export function signInContract(storageFor: StorageFor): void {
  describe('who is named at a sign-in', () => {
    it('is found by user name or e-mail address, in any spelling with the same normal form', async (t) => {
      const { users } = await storageFor(t)
      const user = aUser({ name: 'Müller', email: 'Straße@example.com', emailConfirmed: false })
      const others = [aUser(), aUser()]
      for (const each of [user, ...others]) await users.create(each)
      for (const name of ['Müller', 'MU\u0308LLER', 'straße@example.com', 'STRASSE@EXAMPLE.COM']) {
        assert.deepEqual(await users.findForSignIn({ name }, []), { user, browser: undefined }, name)
      }
      for (const name of ['Muller', 'strase@example.com', 'nobody', '', '%', 'a\0b']) {
        assert.equal(await users.findForSignIn({ name }, []), undefined, JSON.stringify(name))
      }
    })

    it('is the owner of the name when the text is somebody else’s address', async (t) => {
      const { users } = await storageFor(t)
      // Both ways, so that the order in which rows were made cannot decide.
      const [early, late] = [aUser({ email: 'early@example.com' }), aUser({ email: 'late@example.com' })]
      await users.create(early)
      await users.create(late)
      const named = (id: string, name: string) => users.update(id, (user) => ({ ...user, name }))
      const lateNow = await named(late.id, 'early@example.com')
      assert.deepEqual((await users.findForSignIn({ name: 'EARLY@example.com' }, []))?.user, lateNow)
      const earlyNow = await named(early.id, 'late@example.com')
      assert.deepEqual((await users.findForSignIn({ name: 'LATE@example.com' }, []))?.user, earlyNow)
    })

    it('is found with the browser, by the address as well as by the name', async (t) => {
      const { users } = await storageFor(t)
      const user = await created(users, aUser({ email: 'with-browser@example.com' }))
      const browser = aBrowser(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: aSession(user), browser }))
      const ids = [nextId(), browser.id, nextId()]
      for (const name of [user.name, user.email]) {
        assert.deepEqual(await users.findForSignIn({ name }, ids), { user, browser })
      }
    })
  })

  describe('sign-in attempts', () => {
    it('stores the changed user and the session together', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = { ...freshUser(), failedAttempts: 2 }
      const session = aSession(user)
      await users.create(user)
      const outcome = await users.recordSignIn({ user }, (at) => attempt(at, true, session))
      const changed = { ...user, failedAttempts: 0, version: 1 }
      assert.deepEqual(outcome, { outcome: 'judged', session, user: changed })
      assert.deepEqual(await sessions.find(session.id), { session, user: changed })
    })

    it('stores a session alone without changing the user', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = freshUser()
      const session = aSession(user)
      await users.create(user)
      await users.recordSignIn({ user }, (at) => attempt(at, true, session))
      assert.deepEqual(await sessions.find(session.id), { session, user })
    })

    it('decides anew on the current user when the one read before is stale', async (t) => {
      const { users, sessions } = await storageFor(t)
      const stale = freshUser()
      const session = aSession(stale)
      await users.create(stale)
      await users.update(stale.id, (user) => ({ ...user, lockedUntilMs: now + 1000 }))
      const outcome = await users.recordSignIn({ user: stale }, (at) => attempt(at, true, session))
      assert.deepEqual(outcome, { outcome: 'locked_out' })
      assert.equal(await sessions.find(session.id), undefined)
    })

    it('stores neither part when the version moved on while both were to be stored', async (t) => {
      const { users, sessions } = await storageFor(t)
      const stale = { ...freshUser(), failedAttempts: 1 }
      const first = aSession(stale)
      const second = aSession(stale)
      await users.create(stale)
      await users.update(stale.id, (user) => ({ ...user, roles: ['later'] }))
      let decided = 0
      await users.recordSignIn({ user: stale }, (at) => {
        decided += 1
        return { outcome: 'judged', user: { ...at.user, failedAttempts: 0 }, session: decided === 1 ? first : second }
      })
      assert.equal(decided, 2)
      assert.equal(await sessions.find(first.id), undefined)
      assert.deepEqual((await sessions.find(second.id))?.user.roles, ['later'])
    })

    it('says so when the user has gone, and leaves no session', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = freshUser()
      const session = aSession(user)
      await users.create(user)
      await users.delete(user.id)
      assert.equal(await users.recordSignIn({ user }, (at) => attempt(at, true, session)), undefined)
      assert.equal(await users.recordSignIn({ user }, (at) => attempt(at, false, session)), undefined)
      assert.equal(await sessions.find(session.id), undefined)
    })

    it('judges no more than 5 of 20 simultaneous wrong passwords, and refuses the right one after them [S5.1.3]', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = freshUser()
      await users.create(user)
      const wrong = () => users.recordSignIn({ user }, (at) => attempt(at, false, aSession(user)))
      const outcomes = (await atOnce(20, wrong)).map((attempted) => attempted?.outcome)
      assert.equal(countOf(outcomes, 'judged'), limit)
      assert.equal(countOf(outcomes, 'locked_out'), 20 - limit)

      const session = aSession(user)
      assert.deepEqual(await users.recordSignIn({ user }, (at) => attempt(at, true, session)), {
        outcome: 'locked_out',
      })
      assert.equal(await sessions.find(session.id), undefined)
      assert.equal((await users.find(user.id))?.version, limit)
    })

    it('lets 20 simultaneous right passwords in', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = freshUser()
      await users.create(user)
      const opened = await atOnce(20, async () => {
        const session = aSession(user)
        await users.recordSignIn({ user }, (at) => attempt(at, true, session))
        return sessions.find(session.id)
      })
      assert.equal(countOf(opened, undefined), 0)
    })
  })

  describe('more sessions than a person may have', () => {
    const signIn = (users: Storage['users'], user: User, session: Session, ended: number[] = []) =>
      users.recordSignIn({ user }, ({ sessions = 0 }) => {
        const endedSessions = surplusSessions(sessions)
        if (endedSessions > 0) ended.push(endedSessions)
        const events = [anEvent({ userId: user.id, kind: 'sign_out', details: { sessions: endedSessions } })]
        return { outcome: 'in', session, endedSessions, ...(endedSessions > 0 && { events }) }
      })
    const standing = async (sessions: Storage['sessions'], made: readonly Session[]) =>
      (await Promise.all(made.map(({ id }) => sessions.find(id)))).map((found) => found !== undefined)

    it('end with the sign-in that is one too many, the least recently seen first, and it is recorded in that commit', async (t) => {
      const { users, sessions, audit } = await storageFor(t)
      const [user, other] = [freshUser(), freshUser()]
      const hers = aSession(other, { lastSeenAtMs: 0 })
      for (const one of [user, other]) await users.create(one)
      await signIn(users, other, hers)
      // The second is seen last of all, though it is among the oldest.
      const made = Array.from({ length: maxSessions + 3 }, (_, at) =>
        aSession(user, { lastSeenAtMs: at === 1 ? now + 1_000_000 : now + at }),
      )
      const ended: number[] = []
      for (const session of made) await signIn(users, user, session, ended)
      assert.deepEqual(ended, [1, 1, 1])
      assert.deepEqual(
        await standing(sessions, made),
        made.map((_, at) => ![0, 2, 3].includes(at)),
      )
      assert.ok(await sessions.find(hers.id), 'nobody else is concerned')
      const recorded = await audit.newest({ userId: user.id, kind: 'sign_out' }, 10)
      assert.deepEqual(
        recorded.map(({ details }) => details.sessions),
        [1, 1, 1],
      )
    })

    it('are never there, however many sign in at once', async (t) => {
      const { users, sessions, audit } = await storageFor(t)
      const user = freshUser()
      await users.create(user)
      const made = Array.from({ length: maxSessions + 50 }, () => aSession(user))
      await Promise.all(made.map((session) => signIn(users, user, session)))
      assert.equal(countOf(await standing(sessions, made), true), maxSessions)
      const recorded = await audit.newest({ userId: user.id, kind: 'sign_out' }, 200)
      assert.equal(
        recorded.reduce((sum, { details }) => sum + Number(details.sessions), 0),
        50,
      )
    })

    it('end too when the sign-in changes the user', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = { ...freshUser(), failedAttempts: 2 }
      await users.create(user)
      const made = Array.from({ length: maxSessions }, (_, at) => aSession(user, { lastSeenAtMs: now + at }))
      for (const session of made) await signIn(users, user, session)
      const last = aSession(user, { lastSeenAtMs: now + 1_000_000 })
      await users.recordSignIn({ user }, ({ user: stored, sessions: count = 0 }) => ({
        outcome: 'in',
        session: last,
        user: { ...stored, failedAttempts: 0 },
        endedSessions: surplusSessions(count),
      }))
      assert.deepEqual(await standing(sessions, [...made.slice(0, 2), last]), [false, true, true])
    })
  })

  describe('the end of all sessions', () => {
    const endSessions = (users: Storage['users'], user: User, atMs: number) =>
      users.update(user.id, (stored) => ({ ...stored, sessionsEndedAtMs: atMs }))

    it('removes those that are there, also those that a machine made whose clock is ahead, and known browsers', async (t) => {
      const { users, sessions } = await storageFor(t)
      const [user, other] = [freshUser(), freshUser()]
      const [ahead, others] = [aSession(user, { createdAtMs: now + 60_000 }), aSession(other)]
      const browser = aBrowser(user, { createdAtMs: now + 60_000 })
      for (const one of [user, other]) await users.create(one)
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session: ahead, browser }))
      await users.recordSignIn({ user: other }, () => ({ outcome: 'in', session: others }))
      await users.update(user.id, (stored) => ({ ...stored, roles: ['other'] }))
      assert.ok(await sessions.find(ahead.id), 'another change ends nothing')
      await endSessions(users, user, now + 10)
      assert.equal(await sessions.find(ahead.id), undefined)
      assert.equal((await users.findForSignIn({ name: user.name }, [browser.id]))?.browser, undefined)
      assert.ok(await sessions.find(others.id))
    })

    it('leaves none of 20 simultaneous sign-ins that were decided before it', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = { ...freshUser(), sessionsEndedAtMs: null }
      await users.create(user)
      const made = Array.from({ length: 20 }, () => aSession(user, { createdAtMs: now + 60_000 }))
      const decidedBefore = new Set<string>()
      const signIns = made.map((session) =>
        users.recordSignIn({ user }, ({ user: stored }) => {
          if (stored.sessionsEndedAtMs === null) decidedBefore.add(session.id)
          else decidedBefore.delete(session.id)
          return { outcome: 'in', session }
        }),
      )
      await Promise.all([...signIns.slice(0, 10), endSessions(users, user, now), ...signIns.slice(10)])
      for (const { id } of made) {
        assert.equal((await sessions.find(id)) !== undefined, !decidedBefore.has(id))
      }
    })
  })

  describe('sessions', () => {
    it('gives back every field of a session, with its user', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = await created(users, aUser())
      for (const session of [aSession(user), aSession(user, { persistent: false, userAgent: '' })]) {
        await users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
        assert.deepEqual(await sessions.find(session.id), { session, user })
      }
    })

    it('renews and deletes a session, and does nothing when it has gone', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = await created(users, aUser())
      const session = aSession(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      await sessions.renew(session.id, now + 100, now + 50)
      const renewed = { ...session, expiresAtMs: now + 100, lastSeenAtMs: now + 50 }
      assert.deepEqual(await sessions.find(session.id), { session: renewed, user })
      await sessions.delete(session)
      await sessions.delete(session)
      await sessions.renew(session.id, now + 200, now + 200)
      assert.equal(await sessions.find(session.id), undefined)
    })
  })
}
