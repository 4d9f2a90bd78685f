import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { password, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()

describe('GET /Account/Antiforgery (specification 4.5)', () => {
  it('answers with a token of about 150 characters, the field name, and an HttpOnly cookie [S2.7.1, S2.7.2, S2.7.3, S4.0, S4.5.1, S4.5.2, S8.4]', async () => {
    const browser = new Browser(service)
    const response = await browser.get('/Account/Antiforgery')
    const body = (await response.json()) as { token: string; formFieldName: string }
    assert.deepEqual(Object.keys(body).sort(), ['formFieldName', 'token'])
    assert.equal(body.formFieldName, '__RequestVerificationToken')
    assert.ok(body.token.length >= 130 && body.token.length <= 170, `${body.token.length} characters`)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const cookie = browser.setCookies.find((line) => line.startsWith('latchkey.antiforgery=')) ?? ''
    assert.match(cookie, /HttpOnly/)
    assert.match(cookie, /SameSite=Strict/)
    assert.doesNotMatch(cookie, /Expires|Max-Age/i)
  })

  it('keeps the cookie of the browser, and replaces one that is not of its making [S4.5.2]', async () => {
    const browser = new Browser(service)
    await browser.antiforgeryToken()
    const first = browser.cookies.get('latchkey.antiforgery')
    await browser.antiforgeryToken()
    assert.equal(browser.cookies.get('latchkey.antiforgery'), first)
    browser.cookies.set('latchkey.antiforgery', 'garbage')
    await browser.antiforgeryToken()
    assert.notEqual(browser.cookies.get('latchkey.antiforgery'), 'garbage')
  })
})

describe('an anti-forgery token', () => {
  const post = (browser: Browser, token: string, headers: Record<string, string> = {}) =>
    browser.post('/Account/Login', { username: 'alice', password, __RequestVerificationToken: token }, headers)

  it('may be used more than once for 12 hours, and not after [S4.6.11, S7.2, C4.14]', async () => {
    const browser = new Browser(service)
    const token = await browser.antiforgeryToken()
    assert.equal((await browser.post('/Account/Login', { __RequestVerificationToken: token })).status, 302)
    service.advance(12 * 3600 - 5)
    assert.equal((await browser.post('/Account/Login', { __RequestVerificationToken: token })).status, 302)
    service.advance(10)
    assert.equal((await browser.post('/Account/Login', { __RequestVerificationToken: token })).status, 400)
  })

  it('of an anonymous visitor ends with the sign-in, and of one person with the sign-out [C4.14]', async () => {
    const browser = new Browser(service)
    const anonymous = await browser.antiforgeryToken()
    assert.equal((await post(browser, anonymous)).status, 302)
    assert.equal((await post(browser, anonymous)).status, 400)
    const ofAlice = await browser.antiforgeryToken()
    await browser.submit('/connect/logout', { Confirm: 'Yes' })
    assert.equal((await post(browser, ofAlice)).status, 400)
  })

  it('counts from the header alone when the header is there, even empty (specification 2.7) [S2.7.4, S2.7.5]', async () => {
    const browser = new Browser(service)
    const token = await browser.antiforgeryToken()
    assert.equal((await post(browser, token, { RequestVerificationToken: 'wrong' })).status, 400)
    assert.equal((await post(browser, token, { RequestVerificationToken: '' })).status, 400)
    assert.equal((await post(browser, 'wrong', { RequestVerificationToken: token })).status, 302)
  })

  it('refuses the cookie value as the token, and a token with a cookie made by somebody else', async () => {
    const browser = new Browser(service)
    const token = await browser.antiforgeryToken()
    assert.equal((await post(browser, browser.cookies.get('latchkey.antiforgery') ?? '')).status, 400)
    browser.cookies.set('latchkey.antiforgery', 'A'.repeat(43))
    assert.equal((await post(browser, token)).status, 400)
  })

  it('must not be sent twice in one form', async () => {
    const browser = new Browser(service)
    const token = await browser.antiforgeryToken()
    const response = await browser.post('/Account/Login', [
      ['username', 'alice'],
      ['password', password],
      ['__RequestVerificationToken', token],
      ['__RequestVerificationToken', token],
    ])
    assert.equal(response.status, 400)
  })
})
