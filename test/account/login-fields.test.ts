/** The fields of the sign-in form and the cookie that it gives (specification 4.6, 5). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authorizeParameters, authorizePath, Browser, locationOf } from '../support/browser.ts'
import { password, startService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startService({ RateLimit__LoginPerMinute: '1000' })
})
after(() => service.stop())

describe('the form of POST /Account/Login', () => {
  for (const name of ['username', 'password'] as const) {
    it(`takes a missing ${name} for an empty one`, async () => {
      const { [name]: _left, ...fields } = { username: 'nobody', password }
      const response = await new Browser(service).submit('/Account/Login', fields)
      assert.equal(response.status, 302)
      const location = locationOf(response)
      assert.equal(location.searchParams.get('error'), 'invalid_credentials')
      assert.equal(location.searchParams.get('username') ?? '', name === 'username' ? '' : 'nobody')
    })
  }

  it('takes a missing ReturnUrl for /', async () => {
    const response = await new Browser(service).submit('/Account/Login', { username: 'alice', password })
    assert.equal(response.headers.get('location'), '/')
  })

  it('goes where it is told to whatever Origin the request names: the anti-forgery token is its defence (5.5)', async () => {
    for (const origin of ['https://evil.test', 'null']) {
      const browser = new Browser(service)
      const fields = { username: 'alice', password, __RequestVerificationToken: await browser.antiforgeryToken() }
      assert.equal((await browser.post('/Account/Login', fields, { origin })).headers.get('location'), '/')
      const without = await new Browser(service).post('/Account/Login', { username: 'alice', password }, { origin })
      assert.equal(without.status, 400)
    }
  })
})

describe('the session cookie', () => {
  const sessionCookie = (browser: Browser) => browser.setCookies.find((line) => line.startsWith('latchkey.session='))

  it('is sent again for another 14 days when a persistent session slides, and stays one of the browser otherwise', async () => {
    for (const [fields, attribute] of [
      [{ rememberMe: 'true' }, /; Max-Age=1209600/],
      [{}, /^(?!.*(?:Expires|Max-Age))/i],
    ] as const) {
      const browser = new Browser(service)
      await browser.signIn(fields)
      await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
      assert.equal(sessionCookie(browser), undefined, 'nothing to renew yet')
      service.advance(8 * 86_400)
      await browser.get(authorizePath())
      assert.match(sessionCookie(browser) ?? 'none; Max-Age', attribute)
      assert.match(sessionCookie(browser) ?? '', /; HttpOnly/)
    }
  })
})
