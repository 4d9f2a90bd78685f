import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditEvent } from '../../src/audit/entry.ts'
import { leewayAtMostMs } from '../../src/protocol/grant/leeway.ts'
import { publicHalfKeptMs } from '../../src/storage/port/keys.ts'
import { valuesOf } from '../support/values.ts'
import { userAndClient } from './contract-clients.ts'
import {
  aChain,
  aClient,
  aGrant,
  aKey,
  anEvent,
  aSession,
  atOnce,
  aUser,
  countOf,
  created,
  nextId,
  now,
} from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function serviceContract(storageFor: StorageFor): void {
  describe('the key ring', () => {
    it('gives back every field of a key, oldest first', async (t) => {
      const { keys } = await storageFor(t)
      assert.deepEqual(await keys.list(), [])
      const younger = aKey('sign', 'ES256', { createdAtMs: now + 2, expiresAtMs: now + 50 })
      const older = aKey('code', 'secret', { createdAtMs: now + 1, publicJwk: null })
      assert.deepEqual(await keys.addFirst([younger, older]), [older, younger])
      assert.deepEqual(await keys.list(), [older, younger])
    })

    it('adds no key where there is one of the same use and algorithm', async (t) => {
      const { keys } = await storageFor(t)
      const first = aKey('sign', 'ES256')
      await keys.addFirst([first])
      const others = [aKey('sign', 'ES256'), aKey('sign', 'RS256'), aKey('refresh', 'secret')]
      assert.deepEqual(await keys.addFirst(others), [first, others[1], others[2]])
    })

    it('comes out as one ring when 10 nodes start on an empty database', async (t) => {
      const { keys } = await storageFor(t)
      const uses = [['sign', 'ES256'] as const, ['sign', 'RS256'] as const, ['code', 'secret'] as const]
      const rings = await atOnce(10, async (at) => {
        const mine = uses.map(([use, algorithm]) => aKey(use, algorithm))
        // Not every node need have them in the same order.
        return keys.addFirst(at % 2 === 0 ? mine : mine.reverse())
      })
      const ring = await keys.list()
      assert.equal(ring.length, 3)
      for (const each of rings) for (const key of each) assert.ok(ring.some(({ id }) => id === key.id))
    })

    it('adds imported keys all or nothing, and of two with one id one, while a key of that id is there in whatever state', async (t) => {
      const { keys, sweep } = await storageFor(t)
      const [own, old] = [aKey('sign', 'ES256'), aKey('sign', 'RS256', { expiresAtMs: now + 1 })]
      await keys.addFirst([own, old])
      const former = aKey('imported', 'RS384', { id: 'former', expiresAtMs: now + 100 })
      assert.equal(await keys.addImported([former, aKey('imported', 'ES256', { id: own.id })]), false)
      // The public half of an expired key is kept, and its id with it.
      await sweep(now + 50, 100)
      assert.equal(await keys.addImported([former, aKey('imported', 'ES256', { id: old.id })]), false)
      assert.deepEqual(await keys.list(), [own])
      const added = await atOnce(5, async () => keys.addImported([former]))
      assert.deepEqual(added.filter((one) => one).length, 1)
      assert.deepEqual(await keys.list(), [own, former])
      await sweep(now + 100, 100)
      assert.deepEqual(await keys.list(), [own])
      assert.equal(await keys.addImported([former]), true)
    })

    it('rotates all or nothing', async (t) => {
      const { keys } = await storageFor(t)
      const [old, next] = [aKey('sign', 'ES256'), aKey('sign', 'ES256', { createdAtMs: now + 9 })]
      await keys.addFirst([old])
      const end = { id: old.id, fromMs: null, expiresAtMs: now + 100 }
      for (const foreign of [{ id: 'unknown' }, { fromMs: now + 50 }]) {
        assert.equal(await keys.rotate([next], [end, { ...end, ...foreign }]), false)
        assert.deepEqual(await keys.list(), [old])
      }
      assert.equal(await keys.rotate([next], [end]), true)
      assert.deepEqual(await keys.list(), [{ ...old, expiresAtMs: now + 100 }, next])
      assert.equal(await keys.rotate([], [{ ...end, fromMs: now + 100, expiresAtMs: now + 200 }]), true)
      assert.deepEqual(await keys.list(), [{ ...old, expiresAtMs: now + 200 }, next])
    })

    it('is rotated by exactly one of 20 that replace the same keys at once', async (t) => {
      const { keys } = await storageFor(t)
      const old = [aKey('sign', 'ES256'), aKey('sign', 'RS256')]
      await keys.addFirst(old)
      const rotated = await atOnce(20, (at) => {
        const ends = old.map(({ id }) => ({ id, fromMs: null, expiresAtMs: now + 100 + at }))
        return keys.rotate(
          old.map(({ use, algorithm }) => aKey(use, algorithm)),
          at % 2 === 0 ? ends : ends.reverse(),
        )
      })
      assert.equal(countOf(rotated, true), 1)
      assert.equal((await keys.list()).length, 4)
    })

    it('remembers that clients alone asked for a key, until the settings name its algorithm', async (t) => {
      const { keys } = await storageFor(t)
      const [ours, theirs] = [
        aKey('sign', 'ES256'),
        aKey('sign', 'EdDSA', { isForClients: true, createdAtMs: now + 2 }),
      ]
      assert.deepEqual(await keys.addFirst([ours, theirs]), [ours, theirs])
      await keys.useForSettings([])
      assert.deepEqual(await keys.list(), [ours, theirs])
      await keys.useForSettings([theirs.id])
      assert.deepEqual(await keys.list(), [ours, { ...theirs, isForClients: false }])
    })

    it('keeps the public half of an expired signing key alone, and makes room for a new first one', async (t) => {
      const storage = await storageFor(t)
      const { keys } = storage
      const [signed, secret] = [
        aKey('sign', 'EdDSA', { expiresAtMs: now }),
        aKey('code', 'secret', { publicJwk: null, expiresAtMs: now }),
      ]
      await keys.addFirst([signed, secret])
      assert.equal(await storage.sweep(now - 1, 100), 0)
      assert.equal((await keys.list()).length, 2)
      await storage.sweep(now, 100)
      assert.deepEqual(await keys.list(), [])
      const { id, algorithm, publicJwk } = signed
      assert.deepEqual(await keys.findRetired(id), { id, algorithm, publicJwk })
      assert.equal(await keys.findRetired(secret.id), undefined)
      const next = aKey('sign', 'EdDSA')
      assert.deepEqual(await keys.addFirst([next, aKey('sign', 'EdDSA')]), [next])
      await storage.sweep(now + publicHalfKeptMs - 1, 100)
      assert.notEqual(await keys.findRetired(id), undefined)
      assert.equal(await storage.sweep(now + publicHalfKeptMs, 100), 1)
      assert.equal(await keys.findRetired(id), undefined)
      assert.deepEqual(await keys.list(), [next])
    })
  })

  describe('one-time values', () => {
    it('lets exactly one of 20 simultaneous callers spend a value', async (t) => {
      const { spentValues } = await storageFor(t)
      const spent = await atOnce(20, () => spentValues.spend('once', now + 1))
      assert.equal(countOf(spent, true), 1)
      assert.equal(await spentValues.spend('once', now + 9), false)
      assert.equal(await spentValues.spend('another', now + 1), true)
    })

    it('forgets a value only when it is too old to be accepted anyway', async (t) => {
      const { spentValues, sweep } = await storageFor(t)
      await spentValues.spend('old', now)
      await spentValues.spend('fresh', now + 1)
      assert.equal(await sweep(now, 10), 1)
      assert.equal(await spentValues.spend('fresh', now + 1), false)
      assert.equal(await spentValues.spend('old', now), true)
    })
  })

  describe('uptimes', () => {
    const uptime = (fromMs: number, throughMs: number) => ({ id: nextId(), fromMs, throughMs })

    it('are stored under their ids, and their ends are moved on', async (t) => {
      const { uptimes } = await storageFor(t)
      const [first, second, third] = [uptime(now, now + 5), uptime(now + 3, now + 9), uptime(now, now + 6)]
      await uptimes.record([first, second])
      await uptimes.record([{ ...first, throughMs: now + 7 }, third])
      const found = async (afterMs: number) => (await uptimes.since(afterMs)).sort((a, b) => a.throughMs - b.throughMs)
      assert.deepEqual(await found(now), [third, { ...first, throughMs: now + 7 }, second])
      assert.deepEqual(await found(now + 7), [second])
      assert.deepEqual(await found(now + 9), [])
    })

    it('are kept for as long as a leeway may reach back to them', async (t) => {
      const { uptimes, sweep } = await storageFor(t)
      const one = uptime(now - 9, now)
      await uptimes.record([one])
      assert.equal(await sweep(now + leewayAtMostMs - 1, 10), 0)
      assert.deepEqual(await uptimes.since(0), [one])
      assert.equal(await sweep(now + leewayAtMostMs, 10), 1)
      assert.deepEqual(await uptimes.since(0), [])
    })
  })

  describe('statistics', () => {
    const hour = 3_600_000
    const day = Math.floor(now / (24 * hour)) * 24 * hour
    const counts = (sign_in: number) => ({ sign_in, sign_in_failed: 2, tokens_issued: 3, refusal: 4, error: 2 ** 33 })

    it('add up by hour and by day', async (t) => {
      const { statistics } = await storageFor(t)
      const [first, second, third] = [day + hour, day + 2 * hour, day + 24 * hour]
      await statistics.add([{ startsAtMs: first, ...counts(1) }])
      await statistics.add([
        { startsAtMs: first, ...counts(10) },
        { startsAtMs: second, ...counts(100) },
        { startsAtMs: third, ...counts(1000) },
      ])
      const double = { sign_in_failed: 4, tokens_issued: 6, refusal: 8, error: 2 ** 34 }
      const triple = { sign_in_failed: 6, tokens_issued: 9, refusal: 12, error: 3 * 2 ** 33 }
      assert.deepEqual(await statistics.activity(first, third, 'hour'), [
        { startsAtMs: first, sign_in: 11, ...double },
        { startsAtMs: second, ...counts(100) },
      ])
      assert.deepEqual(await statistics.activity(day, third + 1, 'day'), [
        { startsAtMs: day, sign_in: 111, ...triple },
        { startsAtMs: third, ...counts(1000) },
      ])
      assert.deepEqual(await statistics.activity(third + 1, third + 9 * hour, 'day'), [])
    })

    it('count events that were stored, refusals beyond those that the trail has room for, and nothing else', async (t) => {
      const { statistics, audit, clients } = await storageFor(t)
      const event = (kind: AuditEvent['kind'], details = {}) => ({ ...anEvent(), atMs: day, kind, details })
      const client = aClient()
      await clients.create(client, [event('sign_in')])
      await clients.create(client, [event('sign_in')])
      await audit.append([event('tokens_issued'), event('sign_in_failed'), event('user_changed')])
      for (let at = 0; at < 1000; at += 1) audit.note(event('refusal', { error: 'invalid_request' }))
      audit.note(event('refusal', { error: 'server_error' }))
      await audit.flush()
      const counted = { sign_in: 1, sign_in_failed: 1, tokens_issued: 1, refusal: 1000, error: 1 }
      assert.deepEqual(await statistics.activity(day, day + 1, 'hour'), [{ startsAtMs: day, ...counted }])
    })

    it('are kept for 400 days', async (t) => {
      const { statistics, sweep } = await storageFor(t)
      await statistics.add([{ startsAtMs: day, ...counts(1) }])
      await sweep(day + 401 * 24 * hour, 10)
      assert.equal((await statistics.activity(day, day + 1, 'day')).length, 1)
      await sweep(day + 401 * 24 * hour + 1, 10)
      assert.deepEqual(await statistics.activity(day, day + 1, 'day'), [])
    })

    it('have what each client got tokens for by the day, add up, and know no client that is not there', async (t) => {
      const { statistics, clientActivity, clients } = await storageFor(t)
      const [one, other] = [await created(clients, aClient()), await created(clients, aClient())]
      const of = (clientId: string, startsAtMs: number, tokens: number, lastAtMs: number) => {
        return { clientId, startsAtMs, signIns: 1, tokens, lastAtMs }
      }
      const second = day + 24 * hour
      assert.equal(await clientActivity.countedSince(), undefined)
      await statistics.add([], [of(one.id, day, 2, day + 9), of(one.id, second, 3, second + 5)])
      await statistics.add(
        [],
        [of(one.id, second, 4, second + 4), of(other.id, day, 1, day), of(nextId(), day, 7, day)],
      )
      assert.equal(await clientActivity.countedSince(), day)
      const sum = { ...of(one.id, second, 7, second + 5), signIns: 2 }
      assert.deepEqual(await clientActivity.byDay(one.id, day, second + 1), [of(one.id, day, 2, day + 9), sum])
      assert.deepEqual(await clientActivity.byDay(one.id, second + 1, second + 9), [])
      const found = await clientActivity.ofClients([one.id, other.id, one.id, nextId()], second)
      assert.deepEqual(
        new Map(found.map((use) => [use.clientId, use])),
        new Map([
          [one.id, { clientId: one.id, signIns: 2, tokens: 7, lastAtMs: second + 5 }],
          [other.id, { clientId: other.id, signIns: 0, tokens: 0, lastAtMs: day }],
        ]),
      )
      assert.deepEqual(await clientActivity.ofClients([], day), [])
      const idle = await created(clients, aClient())
      const among = await clientActivity.usedAmong([one.id, idle.id, one.id, nextId()])
      assert.deepEqual([...among], [one.id])
      assert.equal((await clientActivity.usedAmong([])).size, 0)
    })

    it('count issued tokens of a client, and sign-ins by their grant type, and go with it and after 401 days', async (t) => {
      const { clientActivity, audit, clients, sweep } = await storageFor(t)
      const client = await created(clients, aClient())
      const other = await created(clients, aClient())
      const event = (clientId: string, type: string, userId: string | null, atMs = day + 1) => {
        return { ...anEvent(), kind: 'tokens_issued', atMs, clientId, userId, details: { type } } as const
      }
      const user = nextId()
      await audit.append([
        event(client.id, 'authorization_code', user),
        event(client.id, 'urn:ietf:params:oauth:grant-type:device_code', user),
        event(client.id, 'refresh_token', user, day + 2),
        event(client.id, 'client_credentials', null),
        event(other.id, 'authorization_code', user),
        { ...event(client.id, '', user), kind: 'refusal', details: { error: 'invalid_request' } },
      ])
      const counted = { clientId: client.id, startsAtMs: day, signIns: 2, tokens: 4, lastAtMs: day + 2 }
      assert.deepEqual(await clientActivity.byDay(client.id, day, day + 1), [counted])
      await clients.delete(client.id)
      assert.deepEqual(await clientActivity.byDay(client.id, day, day + 1), [])
      await sweep(day + 401 * 24 * hour, 10)
      assert.equal((await clientActivity.byDay(other.id, day, day + 1)).length, 1)
      await sweep(day + 401 * 24 * hour + 1, 10)
      assert.deepEqual(await clientActivity.byDay(other.id, day, day + 1), [])
    })
  })

  describe('sweeping', () => {
    it('removes what has expired and leaves what has not', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const [expired, alive] = [
        aGrant(user, client, { expiresAtMs: now }),
        aGrant(user, client, { expiresAtMs: now + 1 }),
      ]
      await storage.grants.redeem(expired)
      await storage.grants.redeem(alive)
      const [ended, open] = [aSession(user, { expiresAtMs: now }), aSession(user, { expiresAtMs: now + 1 })]
      for (const session of [ended, open])
        await storage.users.recordSignIn({ user }, () => ({ outcome: 'signed_in', session }))
      await storage.accessTokens.revoke('a', now)
      await storage.accessTokens.revoke('b', now + 1)
      const [replaced, current] = [
        aKey('sign', 'ES256', { expiresAtMs: now }),
        aKey('sign', 'RS256', { expiresAtMs: now + 1 }),
      ]
      await storage.keys.addFirst([replaced, current])

      assert.equal(await storage.sweep(now, 100), 4)
      assert.equal(await storage.sweep(now, 100), 0)
      assert.equal((await storage.grants.findForRefresh(expired.id, client.id)).grant, undefined)
      assert.deepEqual((await storage.grants.findForRefresh(alive.id, client.id)).grant, alive)
      assert.equal(await storage.sessions.find(ended.id), undefined)
      assert.deepEqual(await storage.sessions.find(open.id), { session: open, user })
      assert.equal(await storage.accessTokens.isRevoked('a', alive.id), false)
      assert.equal(await storage.accessTokens.isRevoked('b', alive.id), true)
      assert.deepEqual(await storage.keys.list(), [current])
    })

    it('keeps a replaced derivation secret as long as a refresh chain was made with it, and a day for stragglers', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const day = 24 * 3_600_000
      const secret = (activeAtMs: number) =>
        aKey('refresh', 'secret', { publicJwk: null, createdAtMs: activeAtMs, activeAtMs })
      const [unused, used, current] = [secret(now), secret(now + 1), secret(now + 2)]
      await storage.keys.addFirst([unused])
      assert.equal(await storage.keys.rotate([used, current], []), true)
      // More grants than the sweeper looks at in one window; one of the last has the chain.
      const expiresAtMs = now + 3 * day
      await atOnce(700, () => storage.grants.redeem(aGrant(user, client, { expiresAtMs, refresh: null })))
      const chain = aChain(0, { derivationKeyId: used.id })
      await storage.grants.redeem(aGrant(user, client, { expiresAtMs, refresh: chain }))
      const ids = async () => (await storage.keys.list()).map(({ id }) => id)

      assert.equal(await storage.sweep(now + day, 100), 0)
      assert.equal(await storage.sweep(now + 2 + day, 100), 1)
      assert.deepEqual(await ids(), [used.id, current.id])
      assert.equal(await storage.sweep(now + 2 * day, 100), 0)
      for (let swept = 1; swept > 0; ) swept = await storage.sweep(expiresAtMs, 1000)
      assert.deepEqual(await ids(), [current.id])
      // However long nobody uses it: new chains hang on it.
      await storage.sweep(now + 1000 * day, 100)
      assert.deepEqual(await ids(), [current.id])
    })

    it('keeps a replaced derivation secret as long as it is told to, so that replaced tokens are known for what they are', async (t) => {
      const storage = await storageFor(t)
      const day = 24 * 3_600_000
      const secret = (activeAtMs: number) =>
        aKey('refresh', 'secret', { publicJwk: null, createdAtMs: activeAtMs, activeAtMs })
      const [unused, current] = [secret(now), secret(now + 1)]
      await storage.keys.addFirst([unused])
      assert.equal(await storage.keys.rotate([current], []), true)
      assert.equal(await storage.sweep(now + 14 * day, 100, 14 * day), 0)
      assert.equal(await storage.sweep(now + 1 + 14 * day, 100, 14 * day), 1)
      assert.deepEqual(valuesOf(await storage.keys.list(), 'id'), [current.id])
    })

    it('removes no more of a kind than it was told to, and comes to the rest later', async (t) => {
      const storage = await storageFor(t)
      await atOnce(1200, (at) => storage.accessTokens.revoke(`t${at}`, at % 2 === 0 ? now : now + 10))
      const swept: number[] = []
      for (let each = -1; each !== 0; swept.push(each)) each = await storage.sweep(now, 250)
      assert.deepEqual(swept, [250, 250, 100, 0])
      assert.equal(await storage.sweep(now + 10, 1000), 600)
    })
  })

  it('writes a row to find out that writes are taken, and takes it back', async (t) => {
    const { checkWrites, sweep, close } = await storageFor(t)
    await Promise.all([checkWrites(), checkWrites(), checkWrites(0)])
    // The row has expired: the sweeper would find it.
    assert.equal(await sweep(now, 10), 0)
    await close()
    await assert.rejects(checkWrites(0), { name: 'StorageUnavailable' })
  })

  it('finishes the writes that were accepted before it closes', async (t) => {
    const storage = await storageFor(t)
    const outcomes = atOnce(50, () => storage.users.create(aUser()))
    await storage.close()
    assert.deepEqual(new Set(await outcomes), new Set(['created']))
    await assert.rejects(storage.users.create(aUser({ id: nextId() })), { name: 'StorageUnavailable' })
  })
}
