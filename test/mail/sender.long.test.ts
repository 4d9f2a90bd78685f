/** Mails from the outbox to a real mail server. */

import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import tls from 'node:tls'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import type { Mail } from '../../src/mail/mail.ts'
import { outgoingMail } from '../../src/mail/outgoing.ts'
import { interruptedMs, mailPausesMs, mailSender } from '../../src/server/mail-sender.ts'
import { mailTransport, NotSent } from '../../src/server/mail-transport.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { anEvent } from '../storage/records.ts'
import { certificate, generalNames, pemOf } from '../support/certificates.ts'
import { startService } from '../support/service.ts'
import { settingsFrom } from '../support/settings.ts'
import { mailServer } from '../support/smtp-server.ts'

const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const cert = pemOf(
  certificate({
    keys: keyPair,
    alternativeNames: [
      [generalNames.dns, 'localhost'],
      [generalNames.ip, Buffer.from([127, 0, 0, 1])],
    ],
  }).der,
)
const key = keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' })
tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert])

const [user, secret] = ['mailer', 'p@ss/w:rd']
let refused: Record<string, string> = {}
const server = await mailServer({
  key,
  cert,
  authOptional: false,
  refuse: (address) => refused[address],
  onAuth({ username, password }, _session, done) {
    if (username === user && password === secret) return done(null, { user })
    return done(new Error(`Invalid user name or password ${password}`))
  },
})
const url = `smtp://${user}:${encodeURIComponent(secret)}@127.0.0.1:${server.port}`
const service = await startService({ Mail__Url: url, Mail__From: 'Latchkey Ünit <no-reply@example.com>' })
after(async () => {
  await service.stop()
  await server.stop()
})
const { storage, keys, now: clock } = service
const settingsWith = (mailUrl: string) => settingsFrom({ Mail__Url: mailUrl }, tmpdir())

function senderOf(settings: Settings = service.settings) {
  const lines: string[] = []
  const counts = { sent: 0, failed: 0 }
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  return { ...mailSender({ storage, keys, settings: () => settings, clock, log, counts }), counts, lines }
}

const out = outgoingMail({ settings: service.settings, storage, keys, clock, random: randomBytes })

let made = 0
async function queue(change: Partial<Mail> & { readonly to?: string } = {}): Promise<{ to: string; id: string }> {
  made += 1
  const reset = {
    to: `person${made}@example.com`,
    purpose: 'reset',
    language: 'en',
    data: { username: 'ada' },
    link: '/Account/Confirm?purpose=reset&ReturnUrl=%2F#token=abc',
    code: '042317',
    validSeconds: 900,
  } as const
  const event = out.withMail(anEvent({ userId: 'ada' }), { ...reset, ...change } as Mail)
  await storage.audit.append([event])
  return { to: event.mails?.[0]?.to ?? '', id: event.mails?.[0]?.id ?? '' }
}

const receivedBy = (address: string) => server.received.filter(({ recipients }) => recipients.includes(address))

describe('a mail by SMTP', () => {
  it('goes out encrypted, signed in, as text and HTML with code and link, once, and its content is gone', async () => {
    const { to, id } = await queue()
    const [first, second] = [senderOf(), senderOf()]
    await Promise.all([first.drain(), second.drain()])
    const [mail, ...more] = receivedBy(to)
    assert.deepEqual(more, [])
    assert.equal(mail?.isEncrypted, true)
    assert.equal(mail?.from?.text, '"Latchkey Ünit" <no-reply@example.com>')
    assert.equal(mail?.sender, 'no-reply@example.com')
    assert.equal(mail?.subject, 'Reset your password for Latchkey')
    assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated')
    const link = `${service.issuer}Account/Confirm?purpose=reset&ReturnUrl=%2F#token=abc`
    for (const form of [mail?.text ?? '', String(mail?.html).replaceAll('&amp;', '&')]) {
      assert.ok(form.includes(link), form)
      assert.ok(form.includes('042317'), form)
      assert.ok(form.includes('15 minutes'), form)
    }
    assert.match(mail?.messageId ?? '', new RegExp(`^<${id}@`))
    assert.partialDeepStrictEqual(await storage.mails.find(id), { state: 'sent', attempts: 1, error: null })
    assert.equal(first.counts.sent + second.counts.sent, 1)
    const logged = [...first.lines, ...second.lines].join('')
    assert.match(logged, new RegExp(id))
    assert.doesNotMatch(logged, /042317|token=|person\d|p@ss|p%40ss/)
    assert.equal(await storage.mails.retry(id, clock()), false)
  })

  it('is repeated after a crash between the answer and the note of it, with the same Message-ID', async () => {
    const { to, id } = await queue()
    const { mails } = storage
    const crashing = { ...mails, sent: async () => assert.fail('the process ended here') }
    const lost = mailSender({
      storage: { mails: crashing, branding: storage.branding },
      keys,
      settings: () => service.settings,
      clock,
      log: pino({ level: 'silent' }),
      counts: { sent: 0, failed: 0 },
    })
    await lost.drain()
    await senderOf().drain()
    assert.equal(receivedBy(to).length, 1)
    service.advance(interruptedMs / 1000)
    await senderOf().drain()
    const ids = receivedBy(to).map(({ messageId }) => messageId)
    assert.deepEqual(ids, [ids[0], ids[0]])
    assert.partialDeepStrictEqual(await storage.mails.find(id), { state: 'sent', attempts: 2 })
  })

  it('fails at once when it is refused for good, with an entry that names no address, and can be retried', async () => {
    const { to, id } = await queue()
    refused = { [to]: `550 no such user ${to}` }
    const sender = senderOf()
    await sender.drain()
    const record = await storage.mails.find(id)
    assert.partialDeepStrictEqual(record, { state: 'failed', attempts: 1, nextAtMs: null })
    assert.match(record?.error ?? '', /550 no such user/)
    assert.deepEqual(sender.counts, { sent: 0, failed: 1 })
    const entries = await storage.audit.list({ kind: 'mail_failed', userId: 'ada' }, undefined, 99)
    assert.deepEqual(entries.at(-1)?.details, {
      ...{ actor: 'service', mail: id, purpose: 'reset', attempts: 1, reason: 'refused' },
    })
    assert.doesNotMatch(sender.lines.join('') + JSON.stringify(entries), /person\d/)
    refused = {}
    assert.equal(await storage.mails.retry(id, clock()), true)
    await senderOf().drain()
    assert.equal(receivedBy(to).length, 1)
  })

  it('is tried again after 15 seconds and growing pauses for a day when the refusal passes, and then fails', async () => {
    const { to, id } = await queue({ validSeconds: undefined })
    refused = { [to]: '451 come back later' }
    const sender = senderOf()
    const times: number[] = []
    for (const [at, pauseMs] of [0, ...mailPausesMs].entries()) {
      if (at > 0) {
        service.advance(pauseMs / 1000 - 3)
        await sender.drain()
        assert.equal((await storage.mails.find(id))?.attempts, at, 'not before its time')
        service.advance(3)
      }
      await sender.drain()
      assert.equal((await storage.mails.find(id))?.attempts, at + 1)
      times.push(clock())
    }
    assert.equal(Math.round(((times[1] ?? 0) - (times[0] ?? 0)) / 1000), 15)
    const hours = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 3_600_000
    assert.ok(hours > 23 && hours <= 24, `${hours}`)
    assert.partialDeepStrictEqual(await storage.mails.find(id), { state: 'failed', nextAtMs: null })
    refused = {}
    assert.equal(receivedBy(to).length, 0)
    await storage.mails.retry(id, clock())
    await sender.drain()
    assert.equal(receivedBy(to).length, 1)
  })

  it('is never sent after its end, neither by a late sender nor by a late attempt nor by an operator', async () => {
    const late = await queue()
    const slow = await queue()
    refused = { [slow.to]: '421 too busy' }
    const due = await storage.mails.due(clock())
    assert.ok(due.some(({ id }) => id === slow.id))
    await storage.mails.claim(late.id, 0, clock() + 900_000)
    const sender = senderOf()
    for (const seconds of [0, 15, 60, 300]) {
      service.advance(seconds)
      await sender.drain()
    }
    assert.partialDeepStrictEqual(await storage.mails.find(slow.id), { state: 'failed', attempts: 4 })
    refused = {}
    service.advance(900)
    await sender.drain()
    assert.partialDeepStrictEqual(await storage.mails.find(late.id), { state: 'failed' })
    for (const { id, to } of [late, slow]) {
      assert.equal(await storage.mails.retry(id, clock()), false)
      assert.deepEqual(receivedBy(to), [])
    }
  })

  it('of a purpose that this version does not know is left to the version that does', async () => {
    const { id } = await queue({ purpose: 'from-the-future' as 'reset' })
    await senderOf().drain()
    assert.partialDeepStrictEqual(await storage.mails.find(id), { state: 'queued', attempts: 0 })
    await storage.mails.fail(id, clock(), 'end of the test')
  })

  it('cannot have a header line, a recipient or markup in what strangers chose', async () => {
    const attack = 'x\r\nBcc: victim@example.com\r\n\r\n<script src="https://evil.example">'
    const { to } = await queue({
      data: { username: attack },
      facts: { atMs: clock(), browser: `${attack}<img src=https://evil.example/pixel>`, address: '192.0.2.1' },
    } as Partial<Mail>)
    const many = await queue({ to: 'one@example.com, victim@example.com' })
    const broken = await queue({ to: 'one@example.com\r\nRCPT TO:<victim@example.com>' })
    await senderOf().drain()
    const [mail] = receivedBy(to)
    assert.deepEqual(mail?.recipients, [to])
    assert.equal(mail?.headers.has('bcc'), false)
    assert.match(mail?.text ?? '', /account x Bcc: victim@example\.com <script/)
    assert.doesNotMatch(String(mail?.html), /<script|<img/)
    assert.deepEqual(receivedBy('victim@example.com'), [])
    for (const { id } of [many, broken]) {
      const record = await storage.mails.find(id)
      assert.equal(record?.state, 'failed')
    }
  })
})

describe('a mail server', () => {
  const letter = { id: 'letter', to: 'a@example.com', subject: 's', text: 't', html: '<p>t</p>', atMs: 0, service: 's' }
  const failureOf = async (mailUrl: string): Promise<NotSent> => {
    const transport = mailTransport(settingsWith(mailUrl))
    const [sending, checking] = await Promise.allSettled([transport?.send(letter), transport?.check()])
    assert.ok(sending.status === 'rejected' && sending.reason instanceof NotSent)
    assert.ok(checking.status === 'rejected' && checking.reason instanceof NotSent)
    assert.doesNotMatch(`${sending.reason.message} ${checking.reason.message} ${transport?.place}`, /p@ss|p%40ss|wrong/)
    return sending.reason
  }

  it('is checked with sign-in, and its address is shown without the password', async () => {
    const transport = mailTransport(service.settings)
    await transport?.check()
    assert.equal(transport?.place, `smtp://127.0.0.1:${server.port}`)
    const error = await failureOf(`smtp://mailer:wrong-password@127.0.0.1:${server.port}`)
    assert.equal(error.isPermanent, false, 'the mail itself was not refused')
  })

  it('without STARTTLS, or with a certificate of nobody, gets neither password nor mail', async (t) => {
    let signIns = 0
    const onAuth = (_auth: unknown, _session: unknown, done: (error: null, answer: { user: string }) => void) => {
      signIns += 1
      done(null, { user })
    }
    const plain = await mailServer({ disabledCommands: ['STARTTLS'], onAuth })
    const foreign = await mailServer({ onAuth })
    t.after(() => Promise.all([plain.stop(), foreign.stop()]))
    for (const { port } of [plain, foreign]) {
      const error = await failureOf(`smtp://mailer:p%40ss@127.0.0.1:${port}`)
      assert.equal(error.isPermanent, false)
    }
    assert.equal(signIns, 0)
    const off = mailTransport(settingsWith(`smtp://127.0.0.1:${plain.port}?tls=off`))
    await off?.send(letter)
    assert.equal(plain.received.length, 1)
    assert.equal(plain.received[0]?.isEncrypted, false)
  })

  it('that speaks TLS from the start is reached with smtps', async (t) => {
    const secure = await mailServer({ secure: true, key, cert })
    t.after(() => secure.stop())
    await mailTransport(settingsWith(`smtps://127.0.0.1:${secure.port}`))?.send(letter)
    assert.equal(secure.received[0]?.isEncrypted, true)
  })

  it('that is not there fails for a while, not for good', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise((resolve) => closed.close(resolve))
    assert.equal((await failureOf(`smtp://127.0.0.1:${port}?tls=off`)).isPermanent, false)
  })
})

it('a mail as a file is readable by its owner alone, in a new folder, and names sort by time', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'latchkey-mails-')), 'a', 'b')
  t.after(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }))
  const transport = mailTransport(settingsWith(`file:${folder}`))
  await transport?.check()
  const letter = {
    to: 'ünïcode@example.com',
    subject: 'Bestätigen',
    text: 'Grüße',
    html: '<p>Grüße</p>',
    service: 'Latchkey',
  }
  for (const atMs of [1_800_000_000_000, 1_700_000_000_000, 1_900_000_000_000]) {
    await transport?.send({ ...letter, id: `mail-${atMs}`, atMs })
  }
  const names = readdirSync(folder).sort()
  assert.deepEqual(
    names.map((name) => name.slice(0, 9)),
    ['20231114T', '20270115T', '20300317T'],
  )
  const file = join(folder, names[0] ?? '')
  assert.equal(statSync(file).mode & 0o077, 0)
  const mail = await simpleParser(readFileSync(file))
  assert.equal(mail.subject, 'Bestätigen')
  assert.equal(mail.text?.trim(), 'Grüße')
  assert.match(mail.from?.text ?? '', /^"?Latchkey"? <no-reply@localhost>$/)
})
