/** Second factors and passkeys of Auth0 (connections, section 7): `mfa_factors` and `authentication_methods`. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import bcrypt from 'bcryptjs'
import { Authenticator } from '../support/authenticator.ts'
import { Browser, locationOf } from '../support/browser.ts'
import type { TestService } from '../support/service.ts'
import { codeNow, enter, proved, provedBy, serviceOn } from './factors-place.ts'
import { find, lines, placeWith, type Result, result } from './import-place.ts'

const phone = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const tablet = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const password = 'Tr0ub4dor and 3'
const passwordHash = bcrypt.hashSync(password, 10)
const email = 'ann@example.com'
const origin = { issuer: 'http://localhost:1/' }
const mail = { Mail__Url: 'file:/nowhere' }

const user = (more: object) => ({
  ...{ user_id: 'auth0|5f7c', email, email_verified: true, password_hash: passwordHash },
  ...more,
})

async function imported(t: TestContext, more: object, options = '') {
  const at = placeWith(t, { 'users.json': lines(user(more)) })
  const found = await result(at, `auth0 users.json ${options}`)
  assert.deepEqual([found.created, found.rows], [1, []])
  return { at, found }
}

const said = ({ findings }: Result) =>
  findings.map(({ severity, member, reason }) => `${severity} ${member}: ${reason}`)

/** A browser after the password, and where it is sent. */
async function afterPassword(service: TestService): Promise<{ readonly browser: Browser; readonly path: string }> {
  const browser = new Browser(service)
  const response = await browser.signIn({ username: email, password, ReturnUrl: '/Account?x=1' })
  const { pathname, search } = locationOf(response)
  return { browser, path: pathname + search }
}

/** As `GET …/authentication-methods` has it. */
const key = (one: Authenticator, type: string, more: object = {}) => ({
  ...{ id: `${type}|dev_1`, type, name: 'Laptop', confirmed: true, created_at: '2025-09-23T22:57:30.206Z' },
  key_id: one.credentialId,
  public_key: Buffer.from(one.publicKey).toString('base64'),
  relying_party_identifier: 'localhost',
  ...more,
})
const atService = (service: TestService, handle: string, one: Authenticator): Authenticator => {
  one.userHandle = Buffer.from(handle).toString('base64url')
  Object.defineProperty(one, 'origin', { value: new URL(service.issuer).origin })
  return one
}

describe('authenticator apps of Auth0', () => {
  it('all come, of either member, each once and with its name', async (t) => {
    const third = 'MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U'
    const { at, found } = await imported(t, {
      mfa_factors: [{ totp: { secret: phone } }, { totp: { secret: tablet } }],
      authentication_methods: [
        { type: 'totp', name: 'Old phone', confirmed: true, totp_secret: tablet },
        { type: 'totp', name: 'Tablet', confirmed: true, totp_secret: third },
        // Its secret is one of those above; the answer has none.
        { type: 'totp', confirmed: true },
        { type: 'totp', confirmed: false, totp_secret: 'NBSWY3DPNBSWY3DPNBSWY3DPNBSWY3DP' },
        { type: 'recovery-code', confirmed: true },
      ],
    })
    assert.deepEqual(said(found), [])
    await using service = await serviceOn(at)
    for (const secret of [phone, tablet, third]) {
      const { browser, path } = await afterPassword(service)
      assert.match(path, /^\/Account\/SecondFactor/)
      assert.equal(await proved(browser, 'totp', codeNow(service, secret)), null)
    }
    const { browser } = await afterPassword(service)
    const unconfirmed = codeNow(service, 'NBSWY3DPNBSWY3DPNBSWY3DPNBSWY3DP')
    assert.equal(await proved(browser, 'totp', unconfirmed), 'code_invalid')
  })

  it('beyond five are named, and the person comes', async (t) => {
    const secrets = Array.from({ length: 7 }, (_, at) => `${phone.slice(0, 30)}${'ABCDEFG'[at]}A`)
    const { found } = await imported(t, { mfa_factors: secrets.map((secret) => ({ totp: { secret } })) })
    assert.deepEqual(
      said(found),
      Array(2).fill('lost mfa_factors: ann@example.com: An authenticator app is more than 5.'),
    )
  })
})

describe('keys of Auth0 at the same host', () => {
  it('that were a second factor are asked for after the password, and sign nobody in by themselves', async (t) => {
    const own = new Authenticator(origin)
    const { at, found } = await imported(t, { authentication_methods: [key(own, 'webauthn-roaming')] })
    assert.deepEqual(said(found), [])
    await using service = await serviceOn(at)
    atService(service, 'auth0|5f7c', own)
    assert.equal(await enter(service, own), 'invalid_credentials')
    const { browser, path } = await afterPassword(service)
    assert.match(path, /^\/Account\/SecondFactor/)
    assert.equal(await provedBy(browser, own, { userHandle: null }), null)
  })

  it('that sign in do so by the handle that Auth0 gave, which is not the id', async (t) => {
    const own = new Authenticator(origin)
    const user_handle = Buffer.from('random there').toString('base64')
    const more = { user_handle, credential_device_type: 'single_device', transports: ['internal'] }
    const { at, found } = await imported(t, { authentication_methods: [key(own, 'passkey', more)] })
    assert.deepEqual(said(found), [])
    await using service = await serviceOn(at)
    assert.equal(await enter(service, atService(service, 'auth0|5f7c', own)), 'invalid_credentials')
    assert.equal(await enter(service, atService(service, 'random there', own)), email)
    const [kept] = await service.storage.passkeys.list('auth0|5f7c')
    assert.deepEqual(
      [kept?.name, kept?.synced, kept?.transports, kept?.createdAtMs],
      ['Laptop', false, ['internal'], Date.parse('2025-09-23T22:57:30.206Z')],
    )
  })

  it('of another host, without a handle, or with a key that nobody can read, are named with the reason', async (t) => {
    const [one, two, three] = [new Authenticator(origin), new Authenticator(origin), new Authenticator(origin)]
    const { found } = await imported(t, {
      authentication_methods: [
        key(one, 'passkey'),
        key(two, 'passkey', { user_handle: 'AAAA', relying_party_identifier: 'acme.auth0.com' }),
        key(three, 'passkey', { user_handle: 'AAAA', public_key: 'AAAA' }),
      ],
    })
    const [handle, host, unread] = said(found)
    assert.match(handle ?? '', /^lost authentication_methods passkey: .*has no user_handle/)
    assert.match(host ?? '', /^lost authentication_methods passkey: .*belongs to the host acme\.auth0\.com/)
    assert.match(unread ?? '', /^lost authentication_methods passkey: /)
  })
})

describe('whoever had another second factor at Auth0', () => {
  const cases = {
    'codes by text message': { mfa_factors: [{ phone: { value: '+4722123456' } }] },
    'codes by mail': { mfa_factors: [{ email: { value: email } }] },
    'push messages': { authentication_methods: [{ type: 'push', confirmed: true }] },
    'an app whose secret is not there': { authentication_methods: [{ type: 'totp', confirmed: true }] },
    'an app whose secret is none': { mfa_factors: [{ totp: { secret: '1' } }] },
    'what nobody knows': { mfa_factors: [null, 'totp', 7] },
    'a factor behind a hundred others that are none': {
      authentication_methods: [
        ...Array.from({ length: 100 }, () => ({ type: 'email-verification', confirmed: true })),
        { type: 'phone', confirmed: true },
      ],
    },
    'a key of another host': {
      authentication_methods: [
        key(new Authenticator(origin), 'webauthn-platform', { relying_party_identifier: 'a.example' }),
      ],
    },
    'an enrolment of which nothing else is said': { multifactor: ['guardian'] },
  }
  for (const [what, more] of Object.entries(cases)) {
    it(`${what}: is held and named, and never comes in with the password alone`, async (t) => {
      const { at, found } = await imported(t, more)
      assert.match(
        said(found).join('\n'),
        /held \w+: ann@example\.com had a second factor without an authenticator app: /,
      )
      assert.equal((await find(at, email)).hadSecondFactor, true)
      await using service = await serviceOn(at, mail)
      const { browser, path } = await afterPassword(service)
      assert.match(path, /^\/Account\/Confirm\?.*purpose=signin/)
      assert.equal(await browser.userName(), undefined)
    })
  }

  it('is counted by the kind of factor, in a dry run as in the real one', async (t) => {
    const more = { mfa_factors: [{ totp: { secret: phone } }, { phone: { value: '+4722123456' } }] }
    const tried = await imported(t, more, '--dry-run')
    const { at, found } = await imported(t, more)
    assert.deepEqual(found.findings, tried.found.findings)
    assert.deepEqual((found as Result & { not_kept: object }).not_kept, { 'mfa_factors phone': 1 })
    assert.equal((await find(at, email)).hadSecondFactor, undefined)
  })
})
