import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MailingEvent } from '../../src/audit/entry.ts'
import type { QueuedMail } from '../../src/mail/queued-mail.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { mailHourMs, mailLimits, noticeSpanMs } from '../../src/users/mail-limits.ts'
import { valuesOf } from '../support/values.ts'
import {
  aChain,
  aClient,
  aGrant,
  aMail,
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

const telling = (...mails: QueuedMail[]): MailingEvent => ({ ...anEvent(), mails })

const waiting = async ({ mails }: Storage, nowMs = now) => (await mails.due(nowMs)).map(({ id }) => id)

async function queued(storage: Storage, changes: Partial<QueuedMail> = {}): Promise<QueuedMail> {
  const mail = aMail(changes)
  await storage.audit.append([telling(mail)])
  return mail
}

export function mailContract(storageFor: StorageFor): void {
  describe('a mail', () => {
    it('is queued by the commit that stores its event, in commits of every kind', async (t) => {
      const storage = await storageFor(t)
      const { users, clients, grants, sessions, spentValues, audit } = storage
      const user = aUser({ lockedUntilMs: null, version: 0 })
      const client = aClient()
      const grant = aGrant(user, client, { refresh: aChain(0) })
      const mails: QueuedMail[] = []
      const next = (): MailingEvent => {
        const mail = aMail()
        mails.push(mail)
        return telling(mail)
      }
      await users.create(user, [next()])
      await clients.create(client, [next()])
      const session = aSession(user)
      const events = [anEvent(), next()]
      await users.recordSignIn({ user }, () => ({ outcome: 'in', session, events }))
      assert.equal(await grants.redeem(grant, [next()]), true)
      await spentValues.spend('once', now + 1, [next()])
      const change = telling(...next().mails, ...next().mails)
      await users.update(user.id, (at) => ({ ...at, sessionsEndedAtMs: now }), [change, anEvent()])
      await audit.append([next(), anEvent()])
      assert.deepEqual((await waiting(storage)).sort(), mails.map(({ id }) => id).sort())
      assert.equal(await sessions.find(session.id), undefined)
      const [first] = await storage.mails.due(now)
      const { keptUntilMs, createdAtMs, ...kept } = mails[0] as QueuedMail
      assert.deepEqual(first, { ...kept, attempts: 0, gathered: 0 })
    })

    it('stands for all notices of its kind but the first, however many come at once, and is due at the end of ten minutes', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const noticeKey = 'ada new_browser 1'
      const [first, other] = [await queued(storage, { noticeKey }), await queued(storage, { noticeKey: 'bob' })]
      assert.deepEqual((await waiting(storage)).sort(), [first.id, other.id].sort())
      assert.equal(await mails.claim(first.id, 0, now + 60_000), true)
      await mails.sent(first.id)
      await atOnce(20, () => queued(storage, { noticeKey }))
      const last = await queued(storage, { noticeKey })
      const end = now - (now % noticeSpanMs) + noticeSpanMs
      assert.deepEqual(await waiting(storage, end - 1), [other.id])
      const gathered = (await mails.due(end)).find(({ id }) => id !== other.id)
      assert.partialDeepStrictEqual(gathered, { id: last.id, content: last.content, attempts: 0, gathered: 21 })
      // What a sender had begun with the former content ends nothing.
      await mails.sent(first.id)
      assert.equal(await mails.claim(last.id, 0, end + 60_000), true)
      await mails.sent(last.id)
      assert.deepEqual(await waiting(storage, end + 60_000), [other.id])
      const next = await queued(storage, { noticeKey: 'ada new_browser 2' })
      assert.ok((await waiting(storage)).includes(next.id))
      // Two in one commit are one row.
      const [a, b] = [aMail({ noticeKey: 'c' }), aMail({ noticeKey: 'c' })]
      await storage.audit.append([telling(a, b)])
      assert.deepEqual((await waiting(storage)).includes(a.id), false)
      assert.ok((await waiting(storage)).includes(b.id))
    })

    it('is not queued by what did not happen: a lost race, a name that is taken, no change', async (t) => {
      const storage = await storageFor(t)
      const user = await created(storage.users, aUser())
      assert.notEqual(await storage.users.create({ ...user, id: nextId() }, [telling(aMail())]), 'created')
      await storage.users.update(user.id, () => undefined, [telling(aMail())])
      await storage.users.delete('nobody', [telling(aMail())])
      const winners = await atOnce(10, (at) =>
        storage.spentValues.spend('race', now + 1, [telling(aMail({ to: `${at}@example.com` }))]),
      )
      const due = await storage.mails.due(now)
      assert.deepEqual(valuesOf(due, 'to'), [`${winners.indexOf(true)}@example.com`])
    })

    it('takes what it belongs to with it if it cannot be stored', async (t) => {
      const storage = await storageFor(t)
      const mail = await queued(storage)
      const user = aUser()
      await assert.rejects(storage.users.create(user, [telling(aMail(), mail)]))
      assert.equal(await storage.users.find(user.id), undefined)
      assert.deepEqual(await waiting(storage), [mail.id])
      // Others of the same moment are stored.
      const good = aUser()
      const [, created] = await Promise.allSettled([
        storage.spentValues.spend('bad', now, [telling(mail)]),
        storage.users.create(good, [anEvent()]),
      ])
      assert.equal(created.status, 'fulfilled')
      assert.equal((await storage.users.find(good.id))?.id, good.id)
      assert.equal(await storage.spentValues.spend('bad', now), true)
    })

    it('gives an attempt to one of many processes, and comes back to it after a crash', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const { id } = await queued(storage)
      assert.equal(countOf(await atOnce(8, () => mails.claim(id, 0, now + 10)), true), 1)
      assert.deepEqual(await waiting(storage, now + 9), [])
      const [again] = await mails.due(now + 10)
      assert.deepEqual([again?.id, again?.attempts], [id, 1])
      assert.equal(await mails.claim(id, 0, now + 20), false)
    })

    it('is kept without its content when it was sent, and is not sent again', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const { id, keptUntilMs } = await queued(storage)
      await mails.claim(id, 0, now)
      await mails.sent(id)
      assert.deepEqual(await waiting(storage, now + 100), [])
      assert.equal(await mails.claim(id, 1, now), false)
      assert.equal(await mails.retry(id, now), false)
      await mails.fail(id, now, 'late')
      await mails.postpone(id, now, 'late')
      const record = await mails.find(id)
      assert.partialDeepStrictEqual(record, { state: 'sent', attempts: 1, nextAtMs: null, error: null })
      assert.deepEqual(await mails.list(), [record])
      await storage.sweep(keptUntilMs - 1, 10)
      assert.equal((await mails.list()).length, 1)
      assert.equal(await storage.sweep(keptUntilMs, 10), 1)
      assert.deepEqual(await mails.list(), [])
    })

    it('can be tried again after it failed, once, and until it ends', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const mail = await queued(storage)
      const { id, endsAtMs } = mail
      await mails.claim(id, 0, now + 5)
      await mails.postpone(id, now + 7, 'no answer')
      assert.partialDeepStrictEqual(await mails.find(id), { state: 'queued', nextAtMs: now + 7, error: 'no answer' })
      await mails.fail(id, now, 'refused', [anEvent({ kind: 'mail_failed' })])
      assert.partialDeepStrictEqual(await mails.find(id), { state: 'failed', nextAtMs: null, error: 'refused' })
      assert.deepEqual(await waiting(storage, endsAtMs), [])
      assert.equal(await mails.retry(id, endsAtMs), false)
      assert.equal(countOf(await atOnce(5, () => mails.retry(id, now + 8, [anEvent()])), true), 1)
      const [due] = await mails.due(now + 8)
      assert.deepEqual([due?.attempts, due?.content], [0, mail.content])
      await mails.fail(id, endsAtMs, 'too late')
      assert.equal(await mails.retry(id, now), false)
      assert.equal(await mails.retry('nothing', now), false)
    })

    it('is sent at once that waits for its next attempt, once, and not while an attempt is under way', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const { id } = await queued(storage)
      // It is due: nothing has to be done.
      assert.equal(await mails.retry(id, now), false)
      await mails.claim(id, 0, now + 60_000)
      assert.equal(await mails.retry(id, now), false)
      await mails.postpone(id, now + 500_000, 'no answer')
      assert.equal(countOf(await atOnce(5, () => mails.retry(id, now, [anEvent({ clientId: id })])), true), 1)
      assert.equal((await storage.audit.list({ clientId: id }, undefined, 10)).length, 1)
      assert.partialDeepStrictEqual(await mails.find(id), { state: 'queued', attempts: 0, nextAtMs: now, error: null })
      assert.deepEqual(await waiting(storage), [id])
    })

    it('is withdrawn while it waits, once, and never by one of many while another sends it', async (t) => {
      const storage = await storageFor(t)
      const { audit, mails } = storage
      for (const error of [undefined, 'no answer']) {
        const { id } = await queued(storage)
        if (error !== undefined) {
          await mails.claim(id, 0, now + 60_000)
          assert.equal(await mails.withdraw(id, now), false)
          await mails.postpone(id, now + 90_000, error)
        }
        const before = await mails.find(id)
        const outcomes = await Promise.all([
          ...Array.from({ length: 4 }, () => mails.withdraw(id, now, [anEvent({ clientId: id })])),
          mails.claim(id, before?.attempts ?? 0, now + 200_000),
          ...Array.from({ length: 4 }, () => mails.withdraw(id, now, [anEvent({ clientId: id })])),
        ])
        assert.equal(countOf(outcomes, true), 1)
        const isSent = outcomes[4] === true
        assert.equal((await mails.find(id)) !== undefined, isSent)
        assert.equal((await audit.list({ clientId: id }, undefined, 10)).length, isSent ? 0 : 1)
        await mails.sent(id)
        assert.equal(await mails.withdraw(id, now), false)
      }
      // A crash interrupted its attempt.
      const { id } = await queued(storage)
      await mails.claim(id, 0, now + 60_000)
      assert.equal(await mails.withdraw(id, now + 59_999), false)
      assert.equal(await mails.withdraw(id, now + 60_000), true)
      assert.equal(await mails.withdraw(id, now + 60_000), false)
    })

    it('is read by page from either end, with all others or those in its state', async (t) => {
      const storage = await storageFor(t)
      const { mails } = storage
      const ids: string[] = []
      for (let at = 0; at < 5; at += 1) ids.push((await queued(storage)).id)
      const [first = '', second = ''] = ids
      for (const id of [first, second]) await mails.claim(id, 0, now + 1)
      await mails.sent(first)
      await mails.fail(second, now, '550 no such mailbox')
      const of = { after: undefined, limit: 2, order: 'oldest' } as const
      assert.deepEqual(valuesOf(await mails.page(of), 'id'), ids.slice(0, 2))
      assert.deepEqual(valuesOf(await mails.page({ ...of, after: ids[1] }), 'id'), ids.slice(2, 4))
      assert.deepEqual(valuesOf(await mails.page({ ...of, order: 'newest' }), 'id'), ids.slice(3).reverse())
      const newest = { ...of, order: 'newest', after: ids[2] } as const
      assert.deepEqual(valuesOf(await mails.page(newest), 'id'), [second, first])
      assert.deepEqual(await mails.page(of, 'failed'), [await mails.find(second)])
      assert.deepEqual(valuesOf(await mails.page({ ...of, limit: 3 }, 'queued'), 'id'), ids.slice(2))
      assert.deepEqual(valuesOf(await mails.page(newest, 'queued'), 'id'), [])
    })
  })

  describe('places of mail limits', () => {
    it('are taken by no more than there are, of any number at once, and become free one by one', async (t) => {
      const storage = await storageFor(t)
      const take = (address: string, network: string, atMs: number) =>
        storage.mails.takePlaces(mailLimits(address, { by: 'stranger', network }), atMs)
      assert.equal(countOf(await atOnce(12, (at) => take('victim@example.com', `network ${at}`, now)), true), 5)
      assert.equal(await take('victim@example.com', 'another', now + 1), false)
      assert.equal(await take('victim@example.com', 'another', now + mailHourMs - 1), false)
      assert.equal(await take('victim@example.com', 'another', now + mailHourMs), true)
      assert.equal(countOf(await atOnce(30, (at) => take(`${at}@example.com`, 'flood', now)), true), 20)
      assert.equal(await take('somebody@example.com', 'flood', now + 1), false)
      // What one limit refused has taken no place of the other.
      assert.equal(countOf(await atOnce(6, (at) => take('somebody@example.com', `${at}`, now)), true), 5)
      await storage.sweep(now + 2 * mailHourMs, 100)
      assert.equal(await take('victim@example.com', 'another', now + 2 * mailHourMs), true)
    })

    it('are freed by whoever took them, and not once somebody else has them', async (t) => {
      const { places } = await storageFor(t)
      const limit = { key: 'places', places: 2, lastsMs: 1000 }
      const taken = await atOnce(6, () => places.take([limit], now))
      assert.equal(countOf(taken, undefined), 4)
      const [first, second] = taken.filter((one) => one !== undefined)
      await places.free(first ?? [])
      const again = await places.take([limit], now + 1)
      assert.equal(again?.[0]?.id, first?.[0]?.id)
      await places.free(first ?? [])
      assert.equal(await places.take([limit], now + 2), undefined)
      await places.free([...(again ?? []), ...(second ?? [])])
      assert.equal(countOf(await atOnce(3, () => places.take([limit, { ...limit, key: 'b' }], now + 3)), undefined), 1)
    })
  })
}
