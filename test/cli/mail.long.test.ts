import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { simpleParser } from 'mailparser'
import type { QueuedMail } from '../../src/mail/queued-mail.ts'
import { aMail, anEvent, someFactors } from '../storage/records.ts'
import { mailServer } from '../support/smtp-server.ts'
import { type Workplace, workplace } from './run.ts'

async function queued(place: Workplace, change: Partial<QueuedMail> = {}): Promise<QueuedMail> {
  const { nowMs } = place
  const mail = aMail({ createdAtMs: nowMs, endsAtMs: nowMs + 900_000, keptUntilMs: nowMs + 1_000_000, ...change })
  await place.withStorage(({ audit }) => audit.append([{ ...anEvent(), mails: [mail] }]))
  return mail
}

describe('latchkey mail', () => {
  it('lists what waits, was sent and failed, newest first, without what the mails say', async (t) => {
    const place = workplace(t)
    assert.deepEqual(await place.json('mail list'), [])
    const [waits, sent, failed] = [await queued(place), await queued(place), await queued(place)]
    await place.withStorage(async ({ mails }) => {
      for (const { id } of [sent, failed]) await mails.claim(id, 0, place.nowMs + 1)
      await mails.sent(sent.id)
      await mails.fail(failed.id, place.nowMs, '550 no such user')
    })
    const times = { created_at: '2027-01-01T00:00:00.000Z', ends_at: '2027-01-01T00:15:00.000Z' }
    const common = { to: waits.to, user_id: waits.userId, purpose: 'reset', notice: false, failure: null, ...times }
    assert.deepEqual(await place.json('mail list'), [
      {
        ...{ id: failed.id, ...common, state: 'failed', attempts: 1, next_at: null },
        ...{ failure: 'refused', error: '550 no such user' },
      },
      { id: sent.id, ...common, state: 'sent', attempts: 1, next_at: null, error: null },
      { id: waits.id, ...common, state: 'queued', attempts: 0, next_at: '2027-01-01T00:00:00.000Z', error: null },
    ])
    const { stdout } = await place.run('mail list')
    assert.match(stdout, /550 no such user/)
    assert.doesNotMatch(stdout, /sealed/)
  })

  it('queues a failed mail again, on record, and says why another cannot be', async (t) => {
    const place = workplace(t)
    const { id } = await queued(place)
    await place.refuses(`mail retry ${id}`, /is due or being sent, so there is nothing to retry/)
    await place.refuses('mail retry nothing', /There is no mail nothing/)
    const fail = () => place.withStorage(({ mails }) => mails.fail(id, place.nowMs, 'refused'))
    await fail()
    assert.partialDeepStrictEqual(await place.json(`mail retry ${id}`), { id, state: 'queued', attempts: 0 })
    assert.partialDeepStrictEqual(await place.json('audit list --kind mail_retried'), [{ details: { mail: id } }])
    await fail()
    place.nowMs += 900_000
    await place.refuses(`mail retry ${id}`, /was of use until 2027-01-01T00:15:00\.000Z only/)
  })

  it('sends a test mail to a folder or a mail server at once, and reports a refusal', async (t) => {
    const place = workplace(t)
    await place.refuses('mail test ada@example.com', /Mail:Url is not set/)
    await place.refuses('mail test ada', /must look like name@host/, { env: { Mail__Url: 'file:mails' } })
    const folder = join(place.folder, 'mails')
    const through = await place.json('mail test ada@example.com', { env: { Mail__Url: 'file:mails' } })
    assert.deepEqual(through, { to: 'ada@example.com', through: `file:${folder}` })
    const [file = '', ...more] = readdirSync(folder)
    assert.deepEqual(more, [])
    const mail = await simpleParser(readFileSync(join(folder, file)))
    assert.equal(mail.subject, 'Test email from Latchkey')
    assert.match(mail.text ?? '', /latchkey mail test/)
    const server = await mailServer({ disabledCommands: ['STARTTLS'], refuse: () => '550 not here' })
    t.after(() => server.stop())
    const env = { Mail__Url: `smtp://127.0.0.1:${server.port}?tls=off` }
    await place.refuses('mail test ada@example.com', /smtp:\/\/127\.0\.0\.1:\d+ did not accept the mail: .*550/, {
      env,
    })
  })
})

describe('a command that changes an account', () => {
  it('queues a notice to its owner, of a new e-mail address to the former one, and none without Mail:Url', async (t) => {
    const place = workplace(t)
    const due = () => place.withStorage(({ mails }) => mails.due(place.nowMs))
    const env = { Mail__Url: 'file:mails' }
    await place.json('user add ada --email ada@example.com --password-stdin', { stdin: 'correct horse' })
    await place.json('user set-password ada --password-stdin', { stdin: 'battery staple' })
    await place.json('user set ada email=ada@example.net email_verified=true')
    assert.deepEqual(await due(), [])
    await place.json('user set-password ada --password-stdin', { stdin: 'battery horse', env })
    await place.json('user set ada email=ADA@example.net', { env })
    await place.json('user set ada email=ada@example.org email_verified=true', { env })
    await place.withStorage(async ({ users }) => {
      const user = await users.findByName('ada')
      assert.ok(user)
      await users.recordSignIn({ user }, () => ({ outcome: 'factors', factors: someFactors(user) }))
    })
    await place.json('user reset-second-factor ada', { env })
    const told = (await due()).map(({ to, purpose }) => `${to} ${purpose}`).sort()
    const expected = ['ADA@example.net email_changed', 'ada@example.net password_changed']
    assert.deepEqual(told, [...expected, 'ada@example.org second_factor_off'])
  })
})

describe('latchkey doctor', () => {
  type Finding = { readonly check: string; readonly status: string; readonly message: string }

  it('checks the connection for mail, and says what is missing without one', async (t) => {
    const place = workplace(t)
    const found = async (env: Readonly<Record<string, string>>): Promise<Finding | undefined> => {
      const { stdout } = await place.run('doctor --json', { env })
      assert.doesNotMatch(stdout, /s3cret/)
      return (JSON.parse(stdout) as Finding[]).find(({ check }) => check === 'mail')
    }
    assert.equal((await found({}))?.status, 'note')
    assert.match((await place.run('doctor')).stdout, /^– Mail:Url is not set/m)
    assert.match((await found({}))?.message ?? '', /Mail:Url is not set: nobody can reset a forgotten password/)
    assert.equal((await found({ Accounts__Registration: 'invite' }))?.status, 'warning')
    assert.equal((await found({ Mail__Url: 'file:mails' }))?.status, 'ok')
    writeFileSync(join(place.folder, 'data', 'demo-mail'), 'file:/demo')
    assert.equal((await found({}))?.message, 'Mail is sent through file:/demo.')
    const server = await mailServer({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      onAuth: ({ password }, _session, done) =>
        password === 's3cret' ? done(null, { user: 'x' }) : done(new Error(`not ${password}`)),
    })
    t.after(() => server.stop())
    const at = (credentials: string) => ({ Mail__Url: `smtp://${credentials}127.0.0.1:${server.port}?tls=off` })
    assert.equal((await found(at('x:s3cret@')))?.status, 'ok')
    assert.equal((await found(at('x:s3cret2@')))?.status, 'failed')
    await server.stop()
    assert.match((await found(at('')))?.message ?? '', /^Mail cannot be sent through smtp:\/\/127\.0\.0\.1:/)
  })
})
