import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { User } from '../../src/users/user.ts'
import {
  aChain,
  aClient,
  aConfirmation,
  aGrant,
  aLogin,
  anAuthorization,
  aSession,
  atOnce,
  aUser,
  consented,
  countOf,
  created,
  createdAll,
  now,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function userContract(storageFor: StorageFor): void {
  describe('users', () => {
    it('finds people by the beginning of a name or an address, byte by byte, page after page', async (t) => {
      const { users } = await storageFor(t)
      const names = ['ann', 'anna', 'Anton', 'a_n', 'ab', 'b', 'ändern', 'z']
      for (const name of names) await users.create(aUser({ name, email: `${name.toLowerCase()}@z.example` }))
      const named = async (by: 'name' | 'email', start: string, after: string) =>
        (await users.page(by, start, after)).map(({ name }) => name)
      assert.deepEqual(await named('name', 'an', ''), ['ann', 'anna', 'Anton'])
      assert.deepEqual(await named('name', '', 'ann'), ['anna', 'Anton', 'b', 'z', 'ändern'])
      assert.deepEqual(await named('email', 'an', 'ann@z.example'), ['anna', 'Anton'])
      assert.deepEqual(await named('name', 'a_', ''), ['a_n'])
      assert.deepEqual(await named('name', 'nobody', ''), [])
    })

    it('gives back every field of a user', async (t) => {
      const { users } = await storageFor(t)
      const full = aUser()
      const bare = aUser({
        emailConfirmed: false,
        passwordHash: null,
        roles: [],
        disabled: false,
        lockedUntilMs: null,
        failedAttempts: 0,
        sessionsEndedAtMs: null,
        grantsEndedAtMs: null,
        version: 0,
      })
      assert.equal(await users.create(full), 'created')
      assert.equal(await users.create(bare), 'created')
      assert.deepEqual(await users.find(full.id), full)
      assert.deepEqual(await users.find(bare.id), bare)
      assert.equal(await users.find('nobody'), undefined)
    })

    it('keeps what the next sign-in of a person asks for', async (t) => {
      const { users } = await storageFor(t)
      const asked = aUser({ requiredActions: ['update_password', 'verify_email'], hadSecondFactor: true })
      await created(users, asked)
      assert.deepEqual(await users.find(asked.id), asked)
      const done = await users.update(asked.id, ({ requiredActions: _, hadSecondFactor: __, ...rest }) => rest)
      assert.deepEqual([done?.requiredActions, done?.hadSecondFactor], [undefined, undefined])
      assert.deepEqual(await users.find(asked.id), done)
    })

    it('keeps people without an e-mail address, whom none finds', async (t) => {
      const { users } = await storageFor(t)
      const [one, other] = [aUser({ email: '', emailConfirmed: false }), aUser({ email: '', emailConfirmed: false })]
      await createdAll(users, one, other)
      assert.deepEqual(await users.find(other.id), other)
      assert.equal(await users.findForSignIn({ name: '' }, []), undefined)
      const added = await users.updateNames(one.id, (user) => ({ ...user, email: 'one@acme.example' }))
      assert.equal(typeof added === 'object' && added.email, 'one@acme.example')
      assert.equal((await users.findForSignIn({ name: 'ONE@acme.example' }, []))?.user.id, one.id)
    })

    it('keeps people with one e-mail address, which finds none of them until one proves it', async (t) => {
      const { users } = await storageFor(t)
      const email = 'family@acme.example'
      const shared = (name: string) => aUser({ name, email, emailConfirmed: false, sharesEmail: true })
      const [one, other, third] = [shared('one-of-them'), shared('other-of-them'), shared('third-of-them')]
      await createdAll(users, one, other, third)
      assert.deepEqual(await users.find(other.id), other)
      assert.equal(await users.findForSignIn({ name: email }, []), undefined)
      const page = await users.page('email', 'family@', '')
      assert.deepEqual(new Set(page.map(({ id }) => id)), new Set([one.id, other.id, third.id]))
      const proves = ({ sharesEmail: _, ...user }: User): User => ({ ...user, emailConfirmed: true })
      const outcomes = await atOnce(2, (at) => users.updateNames((at === 0 ? one : other).id, proves))
      assert.equal(outcomes.filter((outcome) => outcome === 'email_taken').length, 1)
      const proved = outcomes.find((outcome) => typeof outcome === 'object')
      assert.equal((await users.findForSignIn({ name: email }, []))?.user.id, proved?.id)
      assert.equal((await users.find(third.id))?.sharesEmail, true)
    })

    it('finds a user by any spelling of the name with the same normal form', async (t) => {
      const { users } = await storageFor(t)
      const user = await created(users, aUser({ name: 'Müller' }))
      assert.deepEqual(await users.findByName('MU\u0308LLER'), user)
      assert.equal(await users.findByName('Muller'), undefined)
    })

    it('finds nobody under a name that no database can hold', async (t) => {
      const { users } = await storageFor(t)
      assert.equal(await users.findByName('a\0b'), undefined)
      assert.equal(await users.find('\0'), undefined)
    })

    it('lists users ascending by normal form', async (t) => {
      const { users } = await storageFor(t)
      for (const name of ['bob', 'Zoe', 'Alice', 'a-b', 'ab', 'a_c']) await users.create(aUser({ name }))
      const names = (await users.list()).map((user) => user.name)
      assert.deepEqual(names, ['a-b', 'a_c', 'ab', 'Alice', 'bob', 'Zoe'])
    })

    it('says whether it is the name or the e-mail address that is taken [S2.5.2]', async (t) => {
      const { users } = await storageFor(t)
      await users.create(aUser({ name: 'alice', email: 'alice@example.com' }))
      assert.equal(await users.create(aUser({ name: 'ALICE' })), 'name_taken')
      assert.equal(await users.create(aUser({ email: 'Alice@Example.com' })), 'email_taken')
      assert.equal((await users.list()).length, 1)
    })

    it('takes no name that is somebody else’s e-mail address, and no address that is somebody else’s name', async (t) => {
      const { users } = await storageFor(t)
      const first = await created(users, aUser({ name: 'alice@example.com', email: 'a@example.com' }))
      assert.equal(await users.create(aUser({ name: 'A@example.com' })), 'name_taken')
      assert.equal(await users.create(aUser({ email: 'ALICE@example.com' })), 'email_taken')
      const login = aLogin(first, { subject: 'new' })
      const external = aUser({ name: 'a@example.com', email: 'a@example.com' })
      assert.deepEqual(await users.registerExternal(external, login, null), { outcome: 'email_taken' })
      assert.equal((await users.list()).length, 1)
      // Their own address as their name is what a registration with a provider gives.
      assert.equal(await users.create(aUser({ name: 'b@example.com', email: 'B@example.com' })), 'created')
    })

    it('creates one user of 20 simultaneous identical registrations', async (t) => {
      const { users } = await storageFor(t)
      const outcomes = await atOnce(20, () => users.create(aUser({ name: 'alice', email: 'alice@example.com' })))
      assert.equal(countOf(outcomes, 'created'), 1)
      assert.equal(countOf(outcomes, 'name_taken'), 19)
      assert.equal((await users.list()).length, 1)
    })

    it('names the e-mail address to the losers when only that is the same', async (t) => {
      const { users } = await storageFor(t)
      const outcomes = await atOnce(10, (at) => users.create(aUser({ name: `u${at}`, email: 'same@example.com' })))
      assert.equal(countOf(outcomes, 'created'), 1)
      assert.equal(countOf(outcomes, 'email_taken'), 9)
    })

    it('takes no name that looks like another one (UTS 39 §4), of simultaneous ones exactly one', async (t) => {
      const { users } = await storageFor(t)
      const alice = aUser({ name: 'paypal', email: 'p@example.com' })
      assert.equal(await users.create(alice), 'created')
      for (const name of ['paypa1', 'PaypaI', '\u0440\u0430ypal', 'pay\u200bpal', '\uff50aypal']) {
        assert.equal(await users.create(aUser({ name })), 'name_confusable', name)
        const login = aLogin(alice, { subject: name })
        assert.deepEqual(await users.registerExternal(aUser({ name }), login, null), { outcome: 'name_confusable' })
      }
      assert.equal(await users.create(aUser({ name: 'paypal2' })), 'created')
      const alike = ['user0', 'userO', 'uꜱer0', 'USER\u041e', 'u\u0455er0']
      const outcomes = await atOnce(10, (at) => users.create(aUser({ name: `${alike[at % 5]}` })))
      assert.equal(countOf(outcomes, 'created'), 1)
      assert.equal((await users.list()).length, 3)
      await users.delete(alice.id)
      assert.equal(await users.create(aUser({ name: 'paypa1' })), 'created')
    })

    it('changes name and address to what is free, and says what is not', async (t) => {
      const { users } = await storageFor(t)
      const alice = await created(users, aUser({ name: 'alice', email: 'a@b' }))
      await users.create(aUser({ name: 'bob@b', email: 'b@b' }))
      const change = (id: string, names: Partial<User>) => users.updateNames(id, (user) => ({ ...user, ...names }))
      for (const [names, conflict] of [
        [{ name: 'BOB@b' }, 'name_taken'],
        [{ email: 'B@B' }, 'email_taken'],
        [{ name: 'b@b' }, 'name_taken'],
        [{ email: 'bob@b' }, 'email_taken'],
        [{ name: 'b0b@b' }, 'name_confusable'],
      ] as const) {
        assert.equal(await change(alice.id, names), conflict, JSON.stringify(names))
      }
      assert.deepEqual(await users.find(alice.id), alice)
      assert.equal(await users.updateNames('nobody', (user) => user), undefined)
      assert.deepEqual(await users.updateNames(alice.id, () => undefined), alice)
      const renamed = await change(alice.id, { name: 'Carol', email: 'c@b' })
      assert.deepEqual(renamed, { ...alice, name: 'Carol', email: 'c@b', version: alice.version + 1 })
      assert.deepEqual(await users.findByName('CAROL'), renamed)
      // What was given up is free, in looks too.
      assert.equal(await users.create(aUser({ name: 'a1ice', email: 'a@b' })), 'created')
      // Of one's own names every spelling is free.
      assert.equal(((await change(alice.id, { name: 'CAROL' })) as User).name, 'CAROL')
      assert.equal(((await change(alice.id, { name: 'CAR0L', email: 'C@b' })) as User).name, 'CAR0L')
    })

    it('gives a name to one of those who change theirs to it at the same moment', async (t) => {
      const { users } = await storageFor(t)
      const all = Array.from({ length: 10 }, (_, at) => aUser({ name: `u${at}`, email: `u${at}@b` }))
      for (const user of all) await users.create(user)
      const outcomes = await Promise.all(
        all.map(({ id }, at) => users.updateNames(id, (user) => ({ ...user, name: at % 2 ? 'wanted' : 'WANTED' }))),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'name_taken').length, 9)
      assert.equal((await users.list()).filter(({ name }) => /wanted/i.test(name)).length, 1)
    })

    it('counts what goes with a user, as far as it still counts', async (t) => {
      const storage = await storageFor(t)
      const [user, other] = await createdAll(storage.users, aUser(), aUser())
      const client = await created(storage.clients, aClient())
      const nothing = { sessions: 0, grants: 0, consents: 0, externalLogins: 0 }
      assert.deepEqual(await storage.users.dependents(user.id, now), nothing)
      for (const session of [aSession(user), aSession(user, { expiresAtMs: now }), aSession(other)]) {
        await storage.users.recordSignIn({ user: session.userId === user.id ? user : other }, () => ({
          outcome: 'signed_in',
          session,
        }))
      }
      const ended = aGrant(user, client)
      const living = aChain(0, { expiresAtMs: now + 1 })
      for (const grant of [
        aGrant(user, client, { refresh: living }),
        aGrant(user, client, { refresh: aChain(0, { expiresAtMs: now }) }),
        aGrant(user, client, { refresh: null }),
        ended,
        aGrant(other, client),
      ]) {
        await storage.grants.redeem(grant)
      }
      await storage.grants.revoke(ended.id, now)
      for (const scopes of [['a'], ['b']]) await storage.authorizations.store(anAuthorization(user, client, { scopes }))
      const external = aUser()
      await storage.users.registerExternal(external, aLogin(external), null)
      const expected = { sessions: 1, grants: 1, consents: 2, externalLogins: 0 }
      assert.deepEqual(await storage.users.dependents(user.id, now), expected)
      assert.equal((await storage.users.dependents(external.id, now)).externalLogins, 1)
      assert.deepEqual(await storage.clients.dependents(client.id, now), { consents: 2, grants: 2 })
      assert.deepEqual(await storage.clients.dependents('nothing', now), { consents: 0, grants: 0 })
    })

    it('updates every field and counts the version up', async (t) => {
      const { users } = await storageFor(t)
      const user = await created(users, aUser())
      const other = aUser({ id: user.id, name: 'Other', email: 'other@example.com', roles: ['b'], failedAttempts: 9 })
      const changed = { ...other, passwordHash: null, emailConfirmed: false, disabled: false, lockedUntilMs: null }
      const updated = await users.update(user.id, () => changed)
      assert.deepEqual(updated, { ...changed, version: user.version + 1 })
      assert.deepEqual(await users.find(user.id), updated)
      assert.deepEqual(await users.findByName('OTHER'), updated)
      assert.equal(await users.findByName(user.name), undefined)
    })

    it('changes nothing when the decision is to change nothing', async (t) => {
      const { users } = await storageFor(t)
      const user = await created(users, aUser())
      assert.deepEqual(await users.update(user.id, () => undefined), user)
      assert.deepEqual(await users.find(user.id), user)
      assert.equal(await users.update('nobody', (found) => found), undefined)
    })

    it('loses none of 20 simultaneous updates', async (t) => {
      const { users } = await storageFor(t)
      const user = await created(users, aUser({ failedAttempts: 0, version: 0 }))
      await atOnce(20, () => users.update(user.id, (at) => ({ ...at, failedAttempts: at.failedAttempts + 1 })))
      const after = await users.find(user.id)
      assert.equal(after?.failedAttempts, 20)
      assert.equal(after?.version, 20)
    })

    it('removes with a user everything that hangs on it', async (t) => {
      const storage = await storageFor(t)
      const user = aUser()
      const client = await created(storage.clients, aClient())
      const login = aLogin(user)
      const session = aSession(user)
      await storage.users.registerExternal(user, login, { session })
      const consent = await consented(storage.authorizations, anAuthorization(user, client))
      const grant = aGrant(user, client)
      assert.equal(await storage.grants.redeem(grant), true)

      assert.equal(await storage.users.delete(user.id, [], { decidedOn: user.version - 1 }), false)
      assert.equal(await storage.users.delete(user.id), true)
      assert.equal(await storage.users.delete(user.id), false)
      assert.equal(await storage.users.find(user.id), undefined)
      assert.equal(await storage.users.findByExternalLogin(login.provider, login.subject), undefined)
      assert.equal(await storage.sessions.find(session.id), undefined)
      assert.deepEqual(await storage.authorizations.list(user.id), [])
      assert.equal(await storage.authorizations.revoke(consent.id), false)
      assert.equal((await storage.grants.findForRefresh(grant.id, client.id)).user, undefined)
      assert.equal(await storage.accessTokens.isRevoked('jti', grant.id), true)

      const again = aUser({ name: user.name, email: user.email })
      const outcome = await storage.users.registerExternal(again, { ...login, userId: again.id }, null)
      assert.equal(outcome.outcome, 'registered')
    })
  })

  describe('external logins', () => {
    it('registers user, login and session together [S2.5.5, S3.14, S4.7.25]', async (t) => {
      const { users, sessions } = await storageFor(t)
      const user = aUser({ passwordHash: null })
      const login = aLogin(user)
      const session = aSession(user, { methods: ['GitHub'] })
      assert.deepEqual(await users.registerExternal(user, login, { session }), { outcome: 'registered', user })
      assert.deepEqual(await users.findByExternalLogin(login.provider, login.subject), user)
      assert.equal(await users.findByExternalLogin('Other', login.subject), undefined)
      assert.deepEqual(await sessions.find(session.id), { session, user })
    })

    it('stores nothing when the e-mail address or the name is taken, and never binds by e-mail address [S4.7.25, S4.7.26, S4.7.31]', async (t) => {
      const { users, sessions } = await storageFor(t)
      const there = await created(users, aUser({ name: 'alice', email: 'alice@example.com' }))
      for (const [changes, outcome] of [
        [{ email: 'ALICE@example.com' }, 'email_taken'],
        [{ name: 'Alice' }, 'name_taken'],
      ] as const) {
        const user = aUser(changes)
        const login = aLogin(user)
        const session = aSession(user)
        assert.deepEqual(await users.registerExternal(user, login, { session }), { outcome })
        assert.equal(await users.findByExternalLogin(login.provider, login.subject), undefined)
        assert.equal(await sessions.find(session.id), undefined)
      }
      assert.deepEqual(await users.list(), [there])
    })

    it('registers one of 20 simultaneous identical registrations and gives the others its user', async (t) => {
      const { users, sessions } = await storageFor(t)
      const tries = Array.from({ length: 20 }, () => {
        const user = aUser({ name: 'octocat', email: 'octocat@example.com' })
        return { user, login: aLogin(user, { subject: '583231' }), session: aSession(user) }
      })
      const outcomes = await atOnce(20, async (at) => {
        const { user, login, session } = tries[at] as (typeof tries)[number]
        return users.registerExternal(user, login, { session })
      })
      const winner = outcomes.findIndex(({ outcome }) => outcome === 'registered')
      const [user] = await users.list()
      assert.equal((await users.list()).length, 1)
      for (const [at, outcome] of outcomes.entries()) {
        assert.deepEqual(outcome, { outcome: at === winner ? 'registered' : 'bound', user })
        const session = await sessions.find((tries[at] as (typeof tries)[number]).session.id)
        assert.equal(session !== undefined, at === winner)
      }
    })

    it('leaves no account of the losers when one identity registers under 20 addresses at once [S4.7.26]', async (t) => {
      const { users } = await storageFor(t)
      const outcomes = await atOnce(20, async () => {
        const user = aUser()
        return (await users.registerExternal(user, aLogin(user, { subject: '1' }), { session: aSession(user) })).outcome
      })
      assert.equal(countOf(outcomes, 'registered'), 1)
      assert.equal(countOf(outcomes, 'bound'), 19)
      assert.equal((await users.list()).length, 1)
    })

    it('lets an identity make one account at a time, linked to it or not, until that one is deleted or taken back by its owner', async (t) => {
      const { confirmations, externalLogins, personalData, users } = await storageFor(t)
      const register = async (provider: string) => {
        const user = aUser({ passwordHash: 'hash', version: 0 })
        return { user, ...(await users.registerExternal(user, aLogin(user, { provider, subject: '1' }), null)) }
      }
      const first = await register('GitHub')
      assert.equal(first.outcome, 'registered')
      const ways = { passkeys: true, providers: [] }
      assert.equal(await externalLogins.unlink(first.user.id, 'github', ways), 'unlinked')
      assert.equal((await register('GITHUB')).outcome, 'made_before')
      const other = await created(users, aUser({ passwordHash: 'hash' }))
      assert.equal(await externalLogins.link(aLogin(other, { subject: '1' })), 'linked')
      assert.equal((await register('GitHub')).outcome, 'bound')
      await externalLogins.unlink(other.id, 'github', ways)
      const { registeredBy } = await personalData.read(first.user)
      assert.deepEqual(
        registeredBy.map(({ provider, subject }) => [provider, subject]),
        [['github', '1']],
      )
      await users.delete(first.user.id)
      const second = await register('GitHub')
      assert.equal(second.outcome, 'registered')
      const reset = aConfirmation({ purpose: 'reset', userId: second.user.id, confirmedAtMs: now })
      await confirmations.put(reset)
      await confirmations.changeUser(reset.id, second.user.id, (stored) => ({ user: stored, dropsSinceMs: 0 }))
      const ends = await atOnce(4, () => register('GitHub'))
      assert.deepEqual(
        [
          countOf(
            ends.map(({ outcome }) => outcome),
            'registered',
          ),
          (await users.list()).length,
        ],
        [1, 3],
      )
    })
  })
}
