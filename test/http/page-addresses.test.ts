/** The pages may live elsewhere, and a service behind https hardens its cookies and headers. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { handlerSwitch } from '../../src/http/handler-switch.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import { readSettings } from '../../src/settings/read.ts'
import { authorizePath, Browser, locationOf } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import { startService, type TestService, testUser } from '../support/service.ts'
import { openDatabase } from '../support/sqlite.ts'

describe('the addresses of the pages (specification 5.4)', () => {
  let github: FakeGithub
  let service: TestService
  before(async () => {
    github = await startFakeGithub()
    service = await startService({
      ...github.env,
      OAuth__LoginPageUrl: '/enter',
      OAuth__ConsentPageUrl: 'https://pages.example/agree?theme=dark',
      OAuth__LogoutPageUrl: '/leave',
      OAuth__ExternalLoginConfirmPageUrl: '/join',
    })
  })
  after(async () => {
    await service.stop()
    await github.stop()
  })

  it('follow the settings at the challenge, after a refused sign-in and at the external sign-in [S5.4.1, C3.10]', async () => {
    const browser = new Browser(service)
    const challenge = locationOf(await browser.get(authorizePath()))
    assert.equal(challenge.pathname, '/enter')
    assert.ok(challenge.searchParams.get('ReturnUrl')?.startsWith('/connect/authorize?'))
    const refused = locationOf(await browser.signIn({ password: 'wrong' }))
    assert.equal(refused.pathname, '/enter')
    assert.equal(refused.searchParams.get('error'), 'invalid_credentials')
    assert.equal((await browser.get('/Account/ExternalLogin')).headers.get('location'), '/enter')
    const cancelled = await browser.get('/Account/ExternalLoginCallback?error=x')
    assert.equal(locationOf(cancelled).pathname, '/enter')
  })

  it('follow the settings for consent, sign-out and the confirmation of an account [S5.4.2, C3.10]', async () => {
    const browser = new Browser(service)
    await browser.signIn()
    const consent = locationOf(await browser.get(authorizePath()))
    assert.equal(consent.origin + consent.pathname, 'https://pages.example/agree')
    assert.equal(consent.searchParams.get('theme'), 'dark')
    assert.equal(consent.searchParams.get('client_id'), 'demo')
    assert.equal(locationOf(await browser.get('/connect/logout?state=s')).pathname, '/leave')
    const visitor = new Browser(service)
    const started = await visitor.submit('/Account/ExternalLogin', { provider: 'GitHub' })
    const answer = locationOf(await fetch(locationOf(started), { redirect: 'manual' }))
    const callback = locationOf(await visitor.fetch(answer.href))
    assert.equal(locationOf(await visitor.fetch(callback.href)).pathname, '/join')
  })
})

describe('a service with an https issuer', () => {
  it('sends HSTS, and cookies with the __Host- prefix, Secure and without a domain (RFC 6265bis §4.1.3.2)', async () => {
    const read = readSettings({
      env: { OAuth__Issuer: 'https://id.example.test/', Database__Url: 'sqlite::memory:' },
      cwd: '/nowhere',
    })
    assert.ok(read.ok)
    const { settings } = read
    const clock = Date.now
    const storage = await openDatabase(settings.database.url)
    await storage.users.create(testUser())
    const keys = await openKeyRing({ storage, settings, clock })
    const log = pino({ level: 'silent' })
    const handlers = handlerSwitch(await buildApp({ settings, storage, keys, clock, random: randomBytes, log }))
    try {
      // As a proxy in front of it would ask.
      const [base] = await handlers.listen({ host: '127.0.0.1', port: 0 })
      const at = (path: string, init?: RequestInit) => fetch(base + path, init)
      const response = await at('/Account/Antiforgery')
      assert.match(response.headers.get('strict-transport-security') ?? '', /^max-age=31536000/)
      const [cookie = ''] = response.headers.getSetCookie()
      assert.match(cookie, /^__Host-latchkey\.antiforgery=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
      const { token } = (await response.json()) as { token: string }
      const body = new URLSearchParams({
        username: 'alice',
        password: 'Passw0rd!',
        __RequestVerificationToken: token,
      })
      const headers = { cookie: cookie.split(';')[0] ?? '' }
      const signedIn = await at('/Account/Login', { method: 'POST', body, headers, redirect: 'manual' })
      assert.equal(signedIn.status, 302)
      const session = signedIn.headers.getSetCookie().find((line) => line.includes('session')) ?? ''
      assert.match(session, /^__Host-latchkey\.session=/)
      assert.match(session, /; Path=\/; HttpOnly; Secure; SameSite=Lax/)
      assert.doesNotMatch(session, /Domain/i)
    } finally {
      await handlers.close()
      await storage.close()
    }
  })

  it('is told apart from one on a loopback address, which no browser could keep to https', async (t) => {
    const response = await new Browser(await serviceFor(t)).get('/Account/Antiforgery')
    assert.equal(response.headers.get('strict-transport-security'), null)
    assert.doesNotMatch(response.headers.getSetCookie().join(), /Secure|__Host-/)
  })
})
