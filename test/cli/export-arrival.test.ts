/** Who leaves by `latchkey export` and arrives elsewhere signs in there, and with no less proof (connections, section 7). */
import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { TOTP } from 'otpauth'
import { aPasskey } from '../storage/records.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { serviceFor } from '../support/lifetime.ts'
import { mailTo } from '../support/mails.ts'
import type { TestService } from '../support/service.ts'
import { find, lines, placeWith, result } from './import-place.ts'
import type { Workplace } from './run.ts'

/** Argon2 is checked by Keycloak, too. */
const hashOf = (password: string) => {
  const salt = Buffer.alloc(16, 3)
  const parameters = { memory: 1024, passes: 1, parallelism: 1 }
  const hash = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...parameters })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=1024,t=1,p=1$${text(salt)}$${text(hash)}`
}
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const person = (username: string, more: object = {}) => ({
  ...{ username, email: `${username}@acme.example`, email_verified: true },
  ...{ password_hash: hashOf(`password of ${username}`), ...more },
})
const app = { totp_secret: secret, recovery_codes: ['2V7XK-9QWRT'] }
const shared = { email: 'office@acme.example' }
const people = [
  ...[person('plain'), person('with-app', app), person('lost-app', app), person('key-and-codes', app)],
  ...[person('key-alone'), person('no-address', { email: null }), person('no-help', { ...app, email: null })],
  ...[person('one', shared), person('two', shared)],
]

/** Where people have what an export cannot take: passkeys, and an app whose secret the keys do not open. */
async function left(t: TestContext): Promise<Workplace> {
  const at = placeWith(t, { 'people.jsonl': lines(...people) })
  assert.equal((await result(at, 'users people.jsonl --shared-emails')).created, people.length)
  await at.withStorage(async ({ users, secondFactors, passkeys }) => {
    for (const name of ['lost-app', 'key-and-codes', 'key-alone', 'no-help']) {
      const user = (await users.findByName(name)) ?? assert.fail(name)
      if (name === 'lost-app') {
        await secondFactors.change(user.id, ({ factors = assert.fail(name) }) => {
          const totp = factors.totp && { ...factors.totp, sealedSecret: 'sealed:by other keys' }
          return { factors: { ...factors, totp } }
        })
        continue
      }
      const challenge = { id: `passkey:${name}`, expiresAtMs: at.nowMs + 60_000 }
      assert.equal(await passkeys.add(aPasskey(user, { credentialId: name }), challenge), 'added')
      if (name === 'key-alone') continue
      await secondFactors.change(user.id, ({ factors = assert.fail(name) }) => ({
        factors: { ...factors, totp: null },
      }))
    }
  })
  return at
}

async function arrived(t: TestContext, at: Workplace, kind: string, options = ''): Promise<TestService> {
  const file = `all.${kind}`
  const { code, stderr } = await at.run(`export ${kind} ${file}`)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /not exported, for 3 people: second factors of people who have no other one that leaves/)
  const there = placeWith(t, { [file]: readFileSync(join(at.folder, file), 'utf8') })
  const { created, failed, rows } = await result(there, `${kind} ${file} ${options}`)
  assert.deepEqual([created - people.length, failed], [0, 0], JSON.stringify(rows))
  for (const { username } of people) assert.equal((await find(there, username)).id, (await find(at, username)).id)
  const service = await serviceFor(t, {
    ...{ Database__Url: `sqlite:${join(there.folder, 'data', 'latchkey.db')}`, Mail__Url: 'file:/nowhere' },
    RateLimit__LoginPerMinute: '1000',
  })
  service.setClock((there.nowMs - Date.now()) / 1000 + 60)
  return service
}

const place = '/Account?x=1'
const signIn = (browser: Browser, username: string) =>
  browser.signIn({ username, password: `password of ${username}`, ReturnUrl: place })
const at = (response: Response) => {
  const { pathname, search } = locationOf(response)
  return pathname + search
}
const codeNow = (service: TestService, of = secret) => new TOTP({ secret: of }).generate({ timestamp: service.now() })

async function assertArrives(service: TestService, name: string): Promise<void> {
  const browser = new Browser(service)
  assert.equal(at(await signIn(browser, name)), place, name)
  assert.equal(await browser.userName(), name)
}

/** The password leads to a code by mail, and that to another second factor. */
async function assertHeld(service: TestService, name: string): Promise<void> {
  const browser = new Browser(service)
  assert.equal(at(await signIn(browser, name)), '/Account/Confirm?purpose=signin', name)
  assert.equal((await browser.self('POST', '/totp', {})).status, 401)
  const address = `${name}@acme.example`
  const { code } = await mailTo(service, address, 'signin')
  let next = at(await browser.submit('/Account/Confirm', { purpose: 'signin', code }))
  if (next.startsWith('/Account/Confirm')) {
    assert.equal(await browser.userName(), undefined)
    const { code: second } = await mailTo(service, address, 'email')
    next = at(await browser.submit('/Account/Confirm', { purpose: 'email', code: second }))
  }
  assert.deepEqual([next, await browser.userName()], ['/Account/SecondFactor', undefined], name)
  const { secret: fresh } = (await browser.self('POST', '/totp', {})).body
  assert.equal((await browser.self('POST', '/totp/confirm', { code: codeNow(service, fresh) })).status, 200)
  assert.equal(await browser.userName(), name)
}

async function assertMailboxIsNotEnough(service: TestService, name: string): Promise<void> {
  const browser = new Browser(service)
  const address = `${name}@acme.example`
  await browser.submit('/Account/ForgotPassword', { email: address })
  const { code } = await mailTo(service, address, 'reset')
  await browser.submit('/Account/Confirm', { purpose: 'reset', code })
  const reset = await browser.submit('/Account/ResetPassword', { password: `password of ${name}` })
  assert.equal(locationOf(reset).searchParams.get('error'), 'account_needs_help', name)
  assert.equal(await browser.userName(), undefined)
}

for (const kind of ['users', 'keycloak']) {
  describe(`somebody who leaves by latchkey export ${kind}`, () => {
    it('signs in where the file is imported, and nobody with less proof than before', async (t) => {
      const here = await left(t)
      const service = await arrived(t, here, kind, kind === 'users' ? '--shared-emails' : '')
      for (const name of ['plain', 'key-alone', 'no-address', 'one', 'two']) await assertArrives(service, name)
      const browser = new Browser(service)
      assert.equal(at(await signIn(browser, 'with-app')), '/Account/SecondFactor')
      const proved = await browser.submit('/Account/SecondFactor', { method: 'totp', code: codeNow(service) })
      assert.deepEqual([at(proved), await browser.userName()], [place, 'with-app'])
      await assertMailboxIsNotEnough(service, 'key-and-codes')
      await assertHeld(service, 'lost-app')
      // Nobody can prove an address that there is not.
      const refused = await signIn(new Browser(service), 'no-help')
      const expected = kind === 'users' ? 'account_needs_help' : 'invalid_credentials'
      assert.equal(locationOf(refused).searchParams.get('error'), expected)
    })
  })
}
