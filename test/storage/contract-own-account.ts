import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditKey } from '../../src/audit/entry.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import type { User } from '../../src/users/user.ts'
import { valuesOf } from '../support/values.ts'
import {
  aBrowser,
  aChain,
  aClient,
  aGrant,
  aLogin,
  anAuthorization,
  anEvent,
  aPasskey,
  aSession,
  atOnce,
  aUser,
  consented,
  countOf,
  created,
  createdAll,
  nextId,
  now,
  redeemed,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

async function people({ users }: Storage): Promise<[User, User]> {
  const both = [aUser({ version: 0 }), aUser({ version: 0 })] as [User, User]
  for (const user of both) assert.equal(await users.create(user), 'created')
  return both
}

const signIn = async ({ users }: Storage, user: User) => {
  const [session, browser] = [aSession(user), aBrowser(user)]
  await users.recordSignIn({ user }, () => ({ outcome: 'in', session, browser }))
  return { session, browser }
}

const kinds = async ({ audit }: Storage, userId: string) =>
  (await audit.list({ userId }, undefined, 100)).map(({ kind }) => kind)

/** What people see and end of their own: sessions, browsers, applications, linked accounts, activity, the account. */
export function ownAccountContract(storageFor: StorageFor): void {
  describe('the sessions of a person', () => {
    it('are listed for nobody else, and all but one end together, with notices to their clients', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const client = await created(
        storage.clients,
        aClient({ metadata: { ...defaultClientMetadata, backchannel_logout_uri: 'https://c.example/' } }),
      )
      const [kept, other, third] = [
        (await signIn(storage, alice)).session,
        (await signIn(storage, alice)).session,
        (await signIn(storage, alice)).session,
      ]
      const { session: his } = await signIn(storage, bob)
      for (const { id } of [kept, other]) {
        await storage.grants.redeem(aGrant(alice, client, { sessionId: id }), [], undefined, [], `sid ${id}`)
      }
      assert.deepEqual(await storage.sessions.ofUser(alice.id), [kept, other, third])
      const ended = [anEvent({ kind: 'sign_out', userId: alice.id })]
      assert.equal(await storage.sessions.endOthers(alice.id, kept.id, ended), 2)
      assert.equal(await storage.sessions.endOthers(alice.id, kept.id, ended), 0)
      assert.deepEqual(await storage.sessions.ofUser(alice.id), [kept])
      assert.deepEqual(await storage.sessions.ofUser(bob.id), [his])
      assert.deepEqual(valuesOf(await storage.logoutNotices.due(now, []), 'sid'), [`sid ${other.id}`])
      assert.deepEqual(await kinds(storage, alice.id), ['sign_out'])
    })
  })

  describe('the known browsers of a person', () => {
    it('are listed with what they called themselves, most recently used first, and forgotten by their owner alone', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const { browser: first } = await signIn(storage, alice)
      const second = aBrowser(alice, { lastUsedAtMs: first.lastUsedAtMs + 1, userAgent: null })
      await storage.users.recordSignIn({ user: alice }, () => ({
        outcome: 'in',
        session: aSession(alice),
        browser: second,
      }))
      const { browser: his } = await signIn(storage, bob)
      assert.deepEqual(await storage.knownBrowsers.list(alice.id), [second, first])
      const event = [anEvent({ kind: 'user_changed', userId: alice.id })]
      assert.equal(await storage.knownBrowsers.forget(alice.id, his.id, event), false)
      const outcomes = await atOnce(4, () => storage.knownBrowsers.forget(alice.id, first.id, event))
      assert.equal(countOf(outcomes, true), 1)
      assert.deepEqual(await storage.knownBrowsers.list(alice.id), [second])
      assert.deepEqual(await storage.knownBrowsers.list(bob.id), [his])
      assert.deepEqual(await kinds(storage, alice.id), ['user_changed'])
    })
  })

  describe('the applications of a person', () => {
    it('are those with a consent and those with an open grant, each once, with their first and their last use', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const [both, consented, implicit, over] = [aClient(), aClient(), aClient(), aClient()]
      for (const one of [both, consented, implicit, over]) await storage.clients.create(one)
      const consent = anAuthorization(alice, both, { scopes: ['b', 'a'], createdAtMs: now + 10 })
      await storage.authorizations.store(consent)
      await storage.authorizations.store(anAuthorization(alice, consented, { scopes: ['z'], createdAtMs: now + 11 }))
      const open = { revokedAtMs: null, expiresAtMs: now + 1_000_000, createdAtMs: now + 20, refresh: null }
      const rotated = aChain(2, { rotatedAtMs: [now + 90, now + 30] })
      const grants = [
        aGrant(alice, both, { ...open, authorizationId: consent.id, scopes: ['a', 'c'], refresh: rotated }),
        aGrant(alice, both, { ...open, authorizationId: null, scopes: ['a', 'c'], createdAtMs: now + 40 }),
        aGrant(alice, implicit, { ...open, authorizationId: null, scopes: ['i'] }),
        aGrant(bob, over, { ...open, authorizationId: null }),
        aGrant(alice, over, { ...open, authorizationId: null, expiresAtMs: now + 50 }),
        aGrant(alice, over, { ...open, authorizationId: null, createdAtMs: now + 5 }),
      ]
      for (const grant of grants) assert.equal(await storage.grants.redeem(grant), true)
      const revoked = await redeemed(storage.grants, aGrant(alice, over, { ...open, authorizationId: null }))
      await storage.grants.revoke(revoked.id, now + 60)
      const listed = await storage.applications.list({ id: alice.id, grantsEndedAtMs: now + 6 }, now + 60)
      const byId = (a: { client: { id: string } }, b: { client: { id: string } }) =>
        a.client.id < b.client.id ? -1 : 1
      assert.deepEqual(
        listed,
        [
          { client: both, scopes: ['a', 'b', 'c'], createdAtMs: now + 10, lastUsedAtMs: now + 90 },
          { client: consented, scopes: ['z'], createdAtMs: now + 11, lastUsedAtMs: null },
          { client: implicit, scopes: ['i'], createdAtMs: now + 20, lastUsedAtMs: now + 20 },
        ].sort(byId),
      )
    })

    it('lose consents and grants in one commit, for this person and client alone, and one of many callers does it', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const [client, other] = await createdAll(storage.clients, aClient(), aClient())
      const consent = await consented(storage.authorizations, anAuthorization(alice, client))
      const open = { revokedAtMs: null, expiresAtMs: now + 1_000_000, authorizationId: null }
      const [hers, implied, kept, his] = [
        aGrant(alice, client, { ...open, authorizationId: consent.id }),
        aGrant(alice, client, open),
        aGrant(alice, other, open),
        aGrant(bob, client, open),
      ]
      for (const grant of [hers, implied, kept, his]) assert.equal(await storage.grants.redeem(grant), true)
      const event = [anEvent({ kind: 'consent_revoked', userId: alice.id })]
      assert.equal(await storage.applications.remove(bob.id, other.id, now + 50, event), false)
      const outcomes = await atOnce(4, () => storage.applications.remove(alice.id, client.id, now + 50, event))
      assert.equal(countOf(outcomes, true), 1)
      const revokedAt = async ({ id }: { id: string }) =>
        (await storage.grants.findForRefresh(id, client.id)).grant?.revokedAtMs
      assert.deepEqual(
        [await revokedAt(hers), await revokedAt(implied), await revokedAt(kept), await revokedAt(his)],
        [now + 50, now + 50, null, null],
      )
      assert.deepEqual(await storage.authorizations.list(alice.id), [])
      assert.deepEqual(await kinds(storage, alice.id), ['consent_revoked'])
    })
  })

  describe('linked accounts', () => {
    it('are linked once, to one person, one for each provider, however many ask at once', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const login = aLogin(alice)
      const linked = [anEvent({ kind: 'user_changed', userId: alice.id })]
      const outcomes = await atOnce(4, () => storage.externalLogins.link(login, linked))
      assert.deepEqual(outcomes.toSorted(), ['bound', 'bound', 'bound', 'linked'])
      assert.equal(await storage.externalLogins.link({ ...login, userId: bob.id }), 'taken')
      assert.equal(await storage.externalLogins.link({ ...login, subject: 'another' }), 'another')
      assert.equal(await storage.externalLogins.link({ ...aLogin(bob), userId: nextId() }), 'no_user')
      const different = await atOnce(4, (at) => storage.externalLogins.link({ ...aLogin(bob), subject: `s${at}` }))
      assert.deepEqual([countOf(different, 'linked'), countOf(different, 'another')], [1, 3])
      assert.deepEqual(await storage.externalLogins.list(alice.id), [login])
      assert.equal((await storage.users.findByExternalLogin(login.provider, login.subject))?.id, alice.id)
      assert.deepEqual(await kinds(storage, alice.id), ['user_changed'])
    })

    it('have one name of their provider, in whatever spelling they are bound, looked up and unlinked', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const login = aLogin(alice, { provider: 'GitHub' })
      assert.equal(await storage.externalLogins.link(login), 'linked')
      assert.deepEqual(await storage.externalLogins.list(alice.id), [{ ...login, provider: 'github' }])
      const spelled = { ...login, provider: 'GITHUB' }
      assert.equal(await storage.externalLogins.link(spelled), 'bound')
      assert.equal(await storage.externalLogins.link({ ...spelled, subject: 'another' }), 'another')
      assert.equal(await storage.externalLogins.link({ ...spelled, userId: bob.id }), 'taken')
      const third = aUser({ passwordHash: null })
      const registered = await storage.users.registerExternal(third, { ...spelled, userId: third.id }, null)
      assert.deepEqual([registered.outcome, await storage.users.find(third.id)], ['bound', undefined])
      for (const provider of ['github', 'GitHub', 'GITHUB']) {
        const { subject } = login
        assert.equal((await storage.users.findByExternalLogin(provider, subject))?.id, alice.id)
        assert.equal((await storage.users.findForSignIn({ provider, subject }, []))?.user.id, alice.id)
      }
      const ways = { passkeys: false, providers: [] }
      assert.equal(await storage.externalLogins.unlink(alice.id, 'gitHUB', ways), 'unlinked')
      assert.deepEqual(await storage.externalLogins.list(alice.id), [])
    })

    it('are unlinked unless they are the last way to sign in, and of concurrent removals of the last two one remains', async (t) => {
      const storage = await storageFor(t)
      const user = await created(storage.users, aUser({ passwordHash: null }))
      const login = aLogin(user)
      const usable = { passkeys: true, providers: [login.provider, 'other'] }
      assert.equal(await storage.externalLogins.link(login), 'linked')
      assert.equal(await storage.externalLogins.unlink(user.id, login.provider, usable), 'last')
      assert.equal(await storage.externalLogins.unlink(user.id, 'unknown', usable), 'not_found')
      assert.equal(await storage.externalLogins.link({ ...login, provider: 'other' }), 'linked')
      const both = await Promise.all([
        storage.externalLogins.unlink(user.id, login.provider, usable),
        storage.externalLogins.unlink(user.id, 'other', usable),
      ])
      assert.deepEqual(both.toSorted(), ['last', 'unlinked'])
      const [left] = await storage.externalLogins.list(user.id)
      const passkey = aPasskey(user)
      await storage.passkeys.add(passkey, { id: nextId(), expiresAtMs: now + 1 })
      const mixed = await Promise.all([
        storage.externalLogins.unlink(user.id, left?.provider ?? '', usable),
        storage.passkeys.remove(user.id, passkey.id, usable),
      ])
      assert.equal(mixed.filter((outcome) => outcome === 'last').length, 1)
      const remaining = [...(await storage.passkeys.list(user.id)), ...(await storage.externalLogins.list(user.id))]
      assert.equal(remaining.length, 1)
      // What the service lets nobody sign in with is no way.
      const [bare, three] = [aUser({ passwordHash: null }), aPasskey(user)]
      await storage.users.create(bare)
      await storage.externalLogins.link({ ...login, userId: bare.id, subject: 'x' })
      await storage.externalLogins.link({ ...login, userId: bare.id, subject: 'y', provider: 'gone' })
      const own = { ...three, userId: bare.id }
      await storage.passkeys.add(own, { id: nextId(), expiresAtMs: now + 1 })
      const withoutPasskeys = { passkeys: false, providers: [login.provider] }
      assert.equal(await storage.externalLogins.unlink(bare.id, login.provider, withoutPasskeys), 'last')
      assert.equal(await storage.passkeys.remove(bare.id, own.id, { providers: [] }), 'last')
      assert.equal(await storage.externalLogins.unlink(bare.id, 'gone', withoutPasskeys), 'unlinked')
      const unlinked = await storage.externalLogins.unlink(bare.id, login.provider, { ...usable, providers: [] })
      assert.equal(unlinked, 'unlinked')
    })
  })

  describe('the activity of a person', () => {
    it('is read a page at a time, newest first, without issued tokens, refusals and other people', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      const events = Array.from({ length: 120 }, (_, at) =>
        anEvent({ kind: 'sign_in', userId: alice.id, atMs: now + Math.floor(at / 3), details: { at } }),
      )
      await storage.audit.append(events)
      await storage.audit.append([
        anEvent({ kind: 'tokens_issued', userId: alice.id, atMs: now + 500 }),
        anEvent({ kind: 'refusal', userId: alice.id, atMs: now + 500 }),
        anEvent({ kind: 'sign_in', userId: bob.id, atMs: now + 500 }),
      ])
      const seen: unknown[] = []
      const sizes: number[] = []
      for (let before: AuditKey | undefined; ; ) {
        const page = await storage.audit.activity(alice.id, before)
        sizes.push(page.length)
        seen.push(...page.map(({ details }) => details.at))
        before = page.at(-1)
        if (before === undefined) break
      }
      assert.deepEqual(sizes, [50, 50, 20, 0])
      assert.deepEqual(
        seen,
        Array.from({ length: 120 }, (_, at) => 119 - at),
      )
    })
  })

  describe('the last entry of a kind about a person', () => {
    it('is the newest sign-in, and the newest change of the password, of this person alone', async (t) => {
      const storage = await storageFor(t)
      const [alice, bob] = await people(storage)
      assert.equal(await storage.audit.last(alice.id, 'signIn'), undefined)
      await storage.audit.append([
        anEvent({ kind: 'sign_in', userId: alice.id, atMs: now, address: '192.0.2.1' }),
        anEvent({ kind: 'user_changed', userId: alice.id, atMs: now + 1, details: { change: 'password_set' } }),
        anEvent({ kind: 'sign_in', userId: alice.id, atMs: now + 2, address: '192.0.2.2' }),
        anEvent({ kind: 'user_changed', userId: alice.id, atMs: now + 3, details: { change: 'password_reset' } }),
        anEvent({ kind: 'user_changed', userId: alice.id, atMs: now + 4, details: { change: 'locked' } }),
        anEvent({ kind: 'sign_in', userId: bob.id, atMs: now + 5, address: '192.0.2.3' }),
      ])
      const signIn = await storage.audit.last(alice.id, 'signIn')
      assert.deepEqual([signIn?.atMs, signIn?.address], [now + 2, '192.0.2.2'])
      assert.equal((await storage.audit.last(alice.id, 'password'))?.atMs, now + 3)
      assert.equal(await storage.audit.last(bob.id, 'password'), undefined)
      // As the account was made, if a password was set then.
      await storage.audit.append([
        anEvent({ kind: 'user_added', userId: bob.id, atMs: now + 6, details: { roles: [], password: true } }),
        anEvent({ kind: 'account_registered', userId: bob.id, atMs: now + 7, details: { method: 'github' } }),
        anEvent({ kind: 'sign_in', userId: bob.id, atMs: now + 8, details: { password: true } }),
      ])
      assert.equal((await storage.audit.last(bob.id, 'password'))?.atMs, now + 6)
      assert.equal((await storage.audit.last(bob.id, 'signIn'))?.atMs, now + 8)
      assert.equal((await storage.audit.last(alice.id, 'password'))?.atMs, now + 3)
    })
  })

  describe('the deletion that an owner asked for', () => {
    it('finds those that are due, and deletes an account once, with everything, while it is still due', async (t) => {
      const storage = await storageFor(t)
      const [later, alice, bob, carol] = [
        aUser({ deletionDueAtMs: now + 101 }),
        aUser({ deletionDueAtMs: now + 100 }),
        aUser({ deletionDueAtMs: now + 99, version: 0 }),
        aUser({ deletionDueAtMs: null }),
      ]
      for (const user of [later, alice, bob, carol]) await storage.users.create(user)
      const { session, browser } = await signIn(storage, alice)
      const client = await created(storage.clients, aClient())
      const grant = aGrant(alice, client, { authorizationId: null, sessionId: session.id })
      await storage.grants.redeem(grant)
      await storage.externalLogins.link(aLogin(alice))
      assert.deepEqual(valuesOf(await storage.deletions.due(now + 100), 'id'), [bob.id, alice.id])
      await storage.users.recordSignIn({ user: bob }, (stored) => ({
        outcome: 'in',
        user: { ...stored.user, deletionDueAtMs: null },
        session: aSession(bob),
      }))
      const event = (user: User) => [anEvent({ kind: 'user_deleted', userId: user.id })]
      assert.equal(await storage.deletions.delete(bob.id, now + 100, event(bob)), false)
      assert.equal(await storage.deletions.delete(carol.id, now + 100), false)
      assert.equal(await storage.deletions.delete(later.id, now + 100), false)
      const outcomes = await atOnce(4, () => storage.deletions.delete(alice.id, now + 100, event(alice)))
      assert.equal(countOf(outcomes, true), 1)
      assert.equal(await storage.users.find(alice.id), undefined)
      assert.equal(await storage.sessions.find(session.id), undefined)
      assert.deepEqual(await storage.knownBrowsers.list(alice.id), [])
      assert.deepEqual(await storage.externalLogins.list(alice.id), [])
      const left = await storage.grants.findForRefresh(grant.id, client.id)
      assert.deepEqual([left.grant?.userId, left.user], [alice.id, undefined], 'its tokens are no longer valid')
      assert.deepEqual(await storage.deletions.due(now + 100), [])
      assert.deepEqual(await kinds(storage, alice.id), ['user_deleted'])
      assert.deepEqual(await kinds(storage, bob.id), [])
      assert.equal(browser.userId, alice.id)
    })
  })
}
