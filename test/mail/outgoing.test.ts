import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { networkOf } from '../../src/http/log-gate.ts'
import { openMail, outgoingMail } from '../../src/mail/outgoing.ts'
import { anEvent } from '../storage/records.ts'
import { waitingMails } from '../support/mails.ts'
import { serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ Mail__Url: 'file:/nowhere' })
const { settings, storage, keys, now: clock } = service
const mail = outgoingMail({ settings, storage, keys, clock, random: randomBytes })
const from = (address: string) => ({ by: 'stranger', network: networkOf(address) }) as const
const reset = {
  to: 'ada@example.com',
  purpose: 'reset',
  language: 'en',
  data: { username: 'ada' },
  link: '/Account/Confirm?purpose=reset#token=secret-token',
  code: '314159',
  validSeconds: 900,
} as const

describe('a mail of an event', () => {
  it('is stored with it, sealed, and opens for its own record alone', async () => {
    const notice = { to: 'old@example.com', purpose: 'deleted', language: 'de', data: { username: 'ada' } } as const
    await storage.audit.append([mail.withMail(mail.withMail(anEvent({ userId: 'id of ada' }), reset), notice)])
    const waiting = (await waitingMails(service)).sort((a, b) => (a.to < b.to ? -1 : 1))
    assert.partialDeepStrictEqual(waiting, [
      { to: 'ada@example.com', code: '314159', link: reset.link, data: { username: 'ada' } },
      { to: 'old@example.com', purpose: 'deleted', language: 'de' },
    ])
    const rows = await storage.mails.due(clock())
    assert.doesNotMatch(JSON.stringify(rows), /314159|secret-token/)
    const entries = await storage.audit.list({ userId: 'id of ada' }, undefined, 9)
    assert.equal(entries.length, 1)
    assert.doesNotMatch(JSON.stringify(entries), /314159|secret-token|example\.com/)
    const [first, second] = rows.sort((a, b) => (a.to < b.to ? -1 : 1))
    const content = first?.content ?? ''
    for (const other of [
      { id: first?.id ?? '', to: 'mallory@example.com', content },
      { id: second?.id ?? '', to: reset.to, content },
      { id: first?.id ?? '', to: reset.to, content: `${content.slice(0, -1)}${content.endsWith('A') ? 'B' : 'A'}` },
      { id: first?.id ?? '', to: reset.to, content: '' },
    ]) {
      assert.equal(openMail(keys, other), undefined)
    }
    const record = await storage.mails.find(first?.id ?? '')
    assert.ok(Math.abs((record?.endsAtMs ?? 0) - clock() - 900_000) < 10_000)
  })

  it('is none without Mail:Url, or without an address', () => {
    const event = anEvent()
    const unset = outgoingMail({
      settings: { ...settings, mail: { ...settings.mail, url: null } },
      ...{ storage, keys, clock },
      random: randomBytes,
    })
    assert.deepEqual([unset.enabled, unset.withMail(event, reset)], [false, event])
    assert.deepEqual([mail.enabled, mail.withMail(event, { ...reset, to: '' })], [true, event])
  })
})

describe('mails that requests ask for', () => {
  it('are limited for an address however it is written, and for the network of an IPv6 client', async () => {
    for (const to of ['b@example.com', 'B@example.com', 'b@EXAMPLE.com', 'b@example.com', 'B@EXAMPLE.COM']) {
      assert.equal(await mail.mayAsk(to, from('192.0.2.1')), true)
    }
    assert.equal(await mail.mayAsk('b@example.com', from('192.0.2.2')), false)
    for (let at = 0; at < 20; at += 1)
      assert.equal(await mail.mayAsk(`${at}@example.com`, from(`2001:db8::${at}`)), true)
    assert.equal(await mail.mayAsk('more@example.com', from('2001:db8::ffff')), false)
    assert.equal(await mail.mayAsk('more@example.com', from('2001:db8:0:1::1')), true)
    service.advance(3600)
    assert.equal(await mail.mayAsk('b@example.com', from('192.0.2.2')), true)
    service.advance(-3600)
  })
})
