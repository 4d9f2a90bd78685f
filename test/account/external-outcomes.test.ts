/** The rarer ends of an external sign-in, and what it keeps in the browser (specification 2.10, 4.7). */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openKeyRing } from '../../src/keys/ring.ts'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { unseal } from '../../src/secrets/seal.ts'
import { readSettings } from '../../src/settings/read.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { serviceForFile } from '../support/service.ts'

const masterKey = { Keys__MasterKey: Buffer.alloc(32, 5).toString('base64') }
let visitor = 5000
const github = await githubForFile()
const service = await serviceForFile({ ...github.env, ...masterKey })
beforeEach(() => {
  visitor += 1
  github.user = { id: visitor, login: `cat-${visitor}`, name: 'A Cat', email: null }
  github.emails = [{ email: `cat-${visitor}@example.com`, primary: true, verified: true }]
})

/** Up to the external cookie; the address that the browser is sent on to. */
async function authenticate(browser: Browser): Promise<string> {
  const started = await browser.submit('/Account/ExternalLogin?returnUrl=/after', { provider: 'GitHub' })
  const atProvider = await fetch(locationOf(started), { redirect: 'manual' })
  return locationOf(await browser.fetch(locationOf(atProvider).href)).href
}

const register = (browser: Browser) =>
  browser.submit('/Account/ExternalLoginRegister', { email: `cat-${visitor}@example.com`, ReturnUrl: '/after' })

/** Replaces one verb of the users for as long as `work` takes. */
async function withVerb<Name extends keyof Storage['users']>(
  name: Name,
  verb: Storage['users'][Name],
  work: () => Promise<void>,
): Promise<void> {
  const users = service.storage.users as { -readonly [Key in keyof Storage['users']]: Storage['users'][Key] }
  const real = users[name]
  users[name] = verb
  try {
    await work()
  } finally {
    users[name] = real
  }
}

describe('what the external cookie holds', () => {
  it('is who the provider named and its back-channel tokens, readable by the service alone (2.10) [S2.10.2, S2.10.3]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    const [id = '', sealed = ''] = (browser.cookies.get('latchkey.external') ?? '').split(/\.(.*)/s)
    const read = readSettings({ env: { Database__Url: 'sqlite::memory:', ...masterKey }, cwd: '/nowhere' })
    assert.ok(read.ok)
    const keys = await openKeyRing({ storage: service.storage, settings: read.settings, clock: service.now })
    const secret = keys.secretById('external', id)
    const text = secret && unseal(secret.bytes, 'latchkey external identity v1', sealed)
    const { value } = JSON.parse(text ?? '{}')
    assert.deepEqual(
      { ...value, accessToken: String(value.accessToken).slice(0, 4) },
      {
        provider: 'GitHub',
        displayName: 'GitHub',
        subject: String(visitor),
        name: 'A Cat',
        email: `cat-${visitor}@example.com`,
        accessToken: 'gho_',
        refreshToken: null,
      },
    )
  })

  it('goes with a sign-in by password and with a sign-out (2.10, 3) [S2.10.5, S2.10.6, S3.9, S7.15]', async () => {
    const names = (browser: Browser) => [...browser.cookies.keys()].filter((name) => name.includes('external'))
    const signingIn = new Browser(service)
    await authenticate(signingIn)
    assert.equal(names(signingIn).length, 1)
    await signingIn.signIn()
    assert.deepEqual(names(signingIn), [])
    const signingOut = await Browser.signedIn(service)
    await authenticate(signingOut)
    assert.equal(names(signingOut).length, 1)
    assert.equal((await signingOut.submit('/connect/logout', { Confirm: 'Yes' })).headers.get('location'), '/')
    assert.deepEqual(names(signingOut), [])
    assert.equal((await signingOut.get('/Account/ExternalLoginPending')).status, 404)
  })

  it('is no application session [S2.10.1]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    assert.deepEqual(await (await browser.get('/Account/Session')).json(), { user: null })
  })
})

describe('the session of an external sign-in', () => {
  it('records the provider as the way the person signed in, and ends with the browser (specification 3) [S3.13]', async () => {
    for (const round of ['registered', 'known']) {
      const browser = new Browser(service)
      const callback = await authenticate(browser)
      await (round === 'registered' ? register(browser) : browser.fetch(callback))
      const cookie = browser.setCookies.find((line) => line.startsWith('latchkey.session=')) ?? 'Max-Age'
      assert.doesNotMatch(cookie, /Expires|Max-Age/i)
      const opaque = parseOpaque(/^latchkey\.session=([^;]+)/.exec(cookie)?.[1] ?? '')
      const found = await service.storage.sessions.find(opaque?.id ?? '')
      assert.deepEqual(found?.session.methods, ['GitHub'], round)
      assert.equal(found?.session.persistent, false)
    }
  })
})

describe('the id token after an external sign-in', () => {
  it('claims no method of authentication: what happened at the provider is not known here (RFC 8176)', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    await register(browser)
    const arrivedAt = Math.floor(service.now() / 1000)
    const code = await browser.allowedCode()
    const claims = claimsOf((await postToken(service, codeFields(code))).body.id_token)
    assert.ok(!('amr' in claims) && !('acr' in claims))
    assert.ok(Math.abs(claims.auth_time - arrivedAt) <= 2)
  })
})

describe('the form of the account confirmation', () => {
  it('reads its fields without regard to case (contract 4) [C4.4]', async () => {
    const browser = new Browser(service)
    await authenticate(browser)
    const fields = { EMAIL: `cat-${visitor}@example.com`, returnurl: '/elsewhere' }
    const response = await browser.submit('/Account/ExternalLoginRegister', fields)
    assert.equal(response.headers.get('location'), '/elsewhere')
  })
})

describe('failures on our own side', () => {
  it('say external_login_failed, with a warning in the log, when the bound account goes meanwhile [S4.7.20]', async () => {
    const browser = new Browser(service)
    const callback = await authenticate(browser)
    await register(browser)
    const again = new Browser(service)
    await authenticate(again)
    const logged = service.log.length
    await withVerb(
      'recordSignIn',
      async () => undefined,
      async () => {
        const response = await again.fetch(callback)
        assert.equal(response.headers.get('location'), '/Account/Login?ReturnUrl=%2Fafter&error=external_login_failed')
      },
    )
    assert.ok(service.log.slice(logged).some(({ level, msg }) => level === 40 && msg === 'sign-in refused'))
    assert.deepEqual(await (await again.get('/Account/Session')).json(), { user: null })
  })

  it('answer 500 when the database fails, at the callback and at the registration [S4.7.21, S4.7.26, C4.5]', async () => {
    const browser = new Browser(service)
    const callback = await authenticate(browser)
    const fail = async (): Promise<never> => {
      throw new Error('the disk is on fire')
    }
    const assertFailed = async (response: Response): Promise<void> => {
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('location'), null)
      assert.doesNotMatch(await response.text(), /on fire/)
    }
    await withVerb('findForSignIn', fail, async () => assertFailed(await browser.fetch(callback)))
    await withVerb('registerExternal', fail, async () => assertFailed(await register(browser)))
    assert.equal(await service.storage.users.findByExternalLogin('github', String(visitor)), undefined)
    assert.equal((await register(browser)).headers.get('location'), '/after', 'a retry succeeds')
  })
})
