import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditEvent } from '../../src/audit/entry.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import type { Grant } from '../../src/protocol/grant/grant.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { maxSessions, type Session, surplusSessions } from '../../src/users/session.ts'
import type { User } from '../../src/users/user.ts'
import { aClient, aGrant, anEvent, aSession, atOnce, aUser, countOf, created, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const back = { ...defaultClientMetadata, backchannel_logout_uri: 'https://client.example/out' }
const front = { ...defaultClientMetadata, frontchannel_logout_uri: 'https://client.example/frame' }

/** A user with a session, and clients that are told, that only the browser tells, and that are not told. */
async function scene(storage: Storage) {
  const user = await created(storage.users, aUser({ lockedUntilMs: null, version: 0 }))
  const session = await signIn(storage, user)
  const clients = [aClient({ metadata: back }), aClient({ metadata: front }), aClient()] as const
  for (const client of clients) await storage.clients.create(client)
  return { storage, user, session, told: clients[0], framed: clients[1], silent: clients[2] }
}

async function signIn({ users }: Storage, user: User, change: Partial<Session> = {}): Promise<Session> {
  const session = aSession(user, change)
  const stored = await users.find(user.id)
  await users.recordSignIn({ user: stored ?? user }, () => ({ outcome: 'in', session }))
  return session
}

/** The client redeems a code of the session, in which it is called `sid`. */
const redeem = ({ grants }: Storage, user: User, client: Client, { id }: Pick<Session, 'id'>, sid = `sid of ${id}`) =>
  grants.redeem(aGrant(user, client, { sessionId: id }), [], undefined, [], sid)

const waiting = async ({ logoutNotices }: Storage, nowMs = now) =>
  (await logoutNotices.due(nowMs, [])).map(({ clientId, sid }) => `${clientId} ${sid}`).sort()

export function logoutContract(storageFor: StorageFor): void {
  describe('the clients of a session', () => {
    it('are read with the session, each with its sid; a client without a logout address is none', async (t) => {
      const { storage, user, session, told, framed, silent } = await scene(await storageFor(t))
      for (const client of [told, framed]) assert.equal(await redeem(storage, user, client, session, 's'), true)
      await redeem(storage, user, told, session, 's')
      await storage.grants.redeem(aGrant(user, silent, { sessionId: session.id }))
      const found = await storage.sessions.findToEnd(session.id)
      assert.deepEqual(found?.session, session)
      assert.equal(found?.user.id, user.id)
      const byId = (a: { client: Client }, b: { client: Client }) => (a.client.id < b.client.id ? -1 : 1)
      const expected = [told, framed].map((client) => ({ client, sid: 's' }))
      assert.deepEqual([...(found?.clients ?? [])].sort(byId), expected.sort(byId))
      const other = await signIn(storage, user)
      assert.deepEqual((await storage.sessions.findToEnd(other.id))?.clients, [])
      assert.equal(await storage.sessions.findToEnd(nextId()), undefined)
    })

    it('lose with it what they have for its time alone, and keep what they have offline', async (t) => {
      const { storage, user, silent } = await scene(await storageFor(t))
      const events = [anEvent()]
      const ends: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
        delete: (session) => storage.sessions.delete(session, events),
        end: (session) => storage.sessions.end(session, events),
        replace: (session) => storage.sessions.replace(session, { id: nextId(), userId: nextId() }, events),
        endOthers: ({ userId }) => storage.sessions.endOthers(userId, nextId(), events),
      }
      for (const [verb, end] of Object.entries(ends)) {
        const [session, other] = [await signIn(storage, user), await signIn(storage, user)]
        const grants = {
          online: aGrant(user, silent, { sessionId: session.id, scopes: ['openid'] }),
          offline: aGrant(user, silent, { sessionId: session.id }),
          withoutRefresh: aGrant(user, silent, { sessionId: session.id, scopes: ['openid'], refresh: null }),
          ofOther: aGrant(user, silent, { sessionId: other.id, scopes: ['openid'] }),
        }
        for (const grant of Object.values(grants)) assert.equal(await storage.grants.redeem(grant), true)
        await end(session)
        const until: Record<string, number | undefined> = {}
        for (const [name, { id }] of Object.entries(grants)) {
          const { grant } = await storage.grants.findForRefresh(id, silent.id)
          assert.equal(grant?.revokedAtMs, null)
          until[name] = grant?.refresh?.expiresAtMs
        }
        const [atMs, later] = [events[0]?.atMs, grants.offline.refresh?.expiresAtMs]
        assert.ok(Number(atMs) < Number(later))
        const ofOther = verb === 'endOthers' ? atMs : later
        assert.deepEqual(until, { online: atMs, offline: later, withoutRefresh: undefined, ofOther }, verb)
      }
    })

    for (const [verb, end] of Object.entries({
      delete: ({ sessions }, session, event) => sessions.delete(session, [event]),
      end: ({ sessions }, session, event) => sessions.end(session, [event], { isSignOut: true }),
      replace: ({ sessions }, session, event) => sessions.replace(session, { id: nextId(), userId: nextId() }, [event]),
      endOthers: ({ sessions }, { userId }, event) => sessions.endOthers(userId, nextId(), [event]),
    } satisfies Record<string, (storage: Storage, session: Session, event: AuditEvent) => Promise<unknown>>)) {
      it(`keep it where the same browser signs in again as the same person, until that ends, too: ${verb}`, async (t) => {
        const { storage, user, silent, session } = await scene(await storageFor(t))
        const stranger = await scene(storage)
        const grants = {
          online: aGrant(user, silent, { sessionId: session.id, scopes: ['openid'] }),
          offline: aGrant(user, silent, { sessionId: session.id }),
          ofNoSession: aGrant(user, silent, { sessionId: null, scopes: ['openid'] }),
          ofStranger: aGrant(stranger.user, silent, { sessionId: stranger.session.id, scopes: ['openid'] }),
        }
        for (const grant of Object.values(grants)) assert.equal(await storage.grants.redeem(grant), true)
        const until = async ({ id }: Grant) =>
          (await storage.grants.findForRefresh(id, silent.id)).grant?.refresh?.expiresAtMs
        const next = await signIn(storage, user)
        await storage.sessions.replace(session, next, [anEvent()])
        const last = await signIn(storage, user)
        await storage.sessions.replace(next, last, [anEvent()])
        const later = grants.online.refresh?.expiresAtMs
        assert.equal(await until(grants.online), later)
        const event = anEvent()
        await end(storage, last, event)
        assert.deepEqual(await Promise.all(Object.values(grants).map(until)), [event.atMs, later, later, later])
      })
    }

    it('are two hundred at most: who signs in later is not told, and gets its tokens all the same', async (t) => {
      const { storage, user, session } = await scene(await storageFor(t))
      const clients = Array.from({ length: 202 }, () => aClient({ metadata: back }))
      await Promise.all(clients.map((client) => storage.clients.create(client)))
      for (const client of clients) assert.equal(await redeem(storage, user, client, session), true)
      assert.equal((await storage.sessions.findToEnd(session.id))?.clients.length, 200)
    })

    it('are told in the commit that ends the session, once, and the others of the user not at all', async (t) => {
      const { storage, user, session, told, framed } = await scene(await storageFor(t))
      const other = await signIn(storage, user)
      await redeem(storage, user, told, session)
      await redeem(storage, user, framed, session)
      await redeem(storage, user, told, other)
      await atOnce(5, () => storage.sessions.end(session, [anEvent()]))
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
      assert.equal((await storage.sessions.findToEnd(other.id))?.clients.length, 1)
      const [notice] = await storage.logoutNotices.due(now, [])
      assert.deepEqual(notice?.client, told)
      assert.equal(notice?.userId, user.id)
      assert.equal(notice?.attempts, 0)
    })

    for (const [what, end] of [
      ['the sessions of the user end', ({ users }, { id }) => users.update(id, ended)],
      ['the user is deleted', ({ users }, { id }) => users.delete(id)],
    ] satisfies [string, (storage: Storage, user: User) => Promise<unknown>][]) {
      it(`are told when ${what}`, async (t) => {
        const { storage, user, session, told } = await scene(await storageFor(t))
        const second = await signIn(storage, user)
        const stranger = await scene(storage)
        await redeem(storage, user, told, session)
        await redeem(storage, user, told, second)
        await redeem(storage, stranger.user, told, stranger.session)
        await end(storage, user)
        const expected = [session, second].map(({ id }) => `${told.id} sid of ${id}`)
        assert.deepEqual(await waiting(storage), expected.sort())
      })
    }

    it('are told when the session is one of too many', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      await redeem(storage, user, told, session)
      for (let at = 1; at < maxSessions; at += 1) {
        await signIn(storage, user, { lastSeenAtMs: session.lastSeenAtMs + at })
      }
      const candidate = { user: (await storage.users.find(user.id)) ?? user, sessions: maxSessions }
      const more = aSession(user, { lastSeenAtMs: session.lastSeenAtMs + maxSessions })
      const endedSessions = surplusSessions(maxSessions)
      await storage.users.recordSignIn(candidate, () => ({ outcome: 'in', session: more, endedSessions }))
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
    })

    it('follow the user to the session of another sign-in in the same browser, and are told of that one', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      await redeem(storage, user, told, session, 'first')
      const next = await signIn(storage, user)
      await storage.sessions.replace(session, next)
      assert.deepEqual(await waiting(storage), [])
      await redeem(storage, user, told, next, 'second')
      await storage.sessions.end(next)
      assert.deepEqual(await waiting(storage), [`${told.id} first`, `${told.id} second`])
    })

    it('are told when another user signs in in the same browser', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      await redeem(storage, user, told, session)
      const other = await scene(storage)
      await storage.sessions.replace(session, other.session)
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
    })

    it('are told by the commit that redeems their code after the session ended', async (t) => {
      const { storage, user, session, told, framed } = await scene(await storageFor(t))
      await storage.sessions.end(session)
      await redeem(storage, user, told, session)
      await redeem(storage, user, framed, session)
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
    })

    it('are told of the end of a session that races with the redemption of their code', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      await Promise.all([redeem(storage, user, told, session), storage.sessions.end(session)])
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
    })

    it('end a refresh chain without offline_access whose code is redeemed after the session, or races with its end', async (t) => {
      const { storage, user, session, silent } = await scene(await storageFor(t))
      const other = await signIn(storage, user)
      const events = [anEvent()]
      const store = async (scopes: readonly string[], sessionId: string) => {
        const grant = aGrant(user, silent, { sessionId, scopes })
        assert.equal(await storage.grants.redeem(grant), true)
        return grant.id
      }
      const [ids] = await Promise.all([
        atOnce(8, () => store(['openid'], session.id)),
        storage.sessions.end(session, events),
      ])
      const isOver = async (id: string) => {
        const { grant } = await storage.grants.findForRefresh(id, silent.id)
        return (grant?.refresh?.expiresAtMs ?? assert.fail(id)) <= now + 2
      }
      for (const id of [...ids, await store(['openid'], session.id)]) assert.equal(await isOver(id), true)
      for (const id of [await store(['openid'], other.id), await store(['openid', 'offline_access'], session.id)]) {
        assert.equal(await isOver(id), false)
      }
    })

    it('are told by the sweeper if the session was deleted without telling them; not if it expired', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      const expired = await signIn(storage, user, { expiresAtMs: now - 1 })
      await redeem(storage, user, told, session)
      await redeem(storage, user, told, expired)
      await storage.sessions.delete(session)
      assert.deepEqual(await waiting(storage), [])
      await storage.sweep(now, 10)
      assert.equal(await storage.sessions.find(expired.id), undefined)
      assert.deepEqual(await waiting(storage), [`${told.id} sid of ${session.id}`])
      assert.equal(await storage.sweep(now, 10), 0)
    })

    it('are forgotten with the client, whose id may be reused', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      const second = await signIn(storage, user)
      await redeem(storage, user, told, session)
      await redeem(storage, user, told, second)
      await storage.sessions.end(session)
      await storage.clients.delete(told.id)
      await storage.clients.create(told)
      await storage.sessions.end(second)
      assert.deepEqual(await waiting(storage), [])
    })
  })

  describe('the outbox of logout tokens', () => {
    it('gives an attempt to one of many processes, and comes back to it after a crash', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      await redeem(storage, user, told, session)
      await storage.sessions.end(session)
      const notices = storage.logoutNotices
      const [notice] = await notices.due(now, [])
      assert.ok(notice)
      const claims = await atOnce(8, () => notices.claim(notice.id, 0, now + 10))
      assert.equal(countOf(claims, true), 1)
      assert.deepEqual(await notices.due(now + 9, []), [])
      const [again] = await notices.due(now + 10, [])
      assert.equal(again?.attempts, 1)
      await notices.finish(notice.id, [anEvent()])
      assert.deepEqual(await notices.due(now + 10, []), [])
      assert.equal(await notices.claim(notice.id, 1, now + 20), false)
    })

    it('leaves out clients on request, and postpones what is due to one', async (t) => {
      const { storage, user, session, told } = await scene(await storageFor(t))
      const other = await created(storage.clients, aClient({ metadata: back }))
      const second = await signIn(storage, user)
      for (const each of [session, second]) await redeem(storage, user, told, each)
      await redeem(storage, user, other, session)
      await storage.users.update(user.id, ended)
      const notices = storage.logoutNotices
      const clientsAt = async (nowMs: number, except: string[] = []) =>
        (await notices.due(nowMs, except)).map(({ clientId }) => clientId).sort()
      assert.deepEqual(await clientsAt(now, [told.id]), [other.id])
      assert.deepEqual(await clientsAt(now, [told.id, other.id]), [])
      await notices.postpone(told.id, 0, now, now + 10)
      assert.deepEqual(await clientsAt(now + 9), [other.id])
      assert.deepEqual(await clientsAt(now + 10), [other.id, told.id, told.id].sort())
      await notices.postpone(told.id, 0, now + 10, now + 99)
      assert.deepEqual(await clientsAt(now + 10, [other.id]), [told.id, told.id], 'only what had as many attempts')
    })
  })
}

const ended = (user: User): User => ({ ...user, sessionsEndedAtMs: (user.sessionsEndedAtMs ?? 0) + 1 })
