/** What the login page is told about a request, and the choice of an account (`prompt=select_account`). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
await addUser(service, 'bob')
const metadata = {
  ...defaultClientMetadata,
  logo_uri: 'https://orchard.example/logo.svg',
  policy_uri: 'https://orchard.example/privacy',
  localized: { 'client_name#de': 'Obstgarten' },
}
await addClient(service, {
  id: 'orchard',
  name: 'Orchard',
  consent: 'implicit',
  redirectUris: ['https://orchard.example/'],
  metadata,
})

const requestOf = (change: Readonly<Record<string, string>> = {}) =>
  authorizePath({ client_id: 'orchard', redirect_uri: 'https://orchard.example/', scope: 'openid', ...change })

async function contextOf(browser: Browser, returnUrl: string, headers: Readonly<Record<string, string>> = {}) {
  const path = `/Account/LoginContext?ReturnUrl=${encodeURIComponent(returnUrl)}`
  const response = await browser.get(path, headers)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  // biome-ignore lint/suspicious/noExplicitAny: the JSON under test
  return (await response.json()) as any
}

describe('GET /Account/LoginContext', () => {
  it('names the client as it is registered, in the language of the visitor, and nothing of the request', async () => {
    const browser = new Browser(service)
    const returnUrl = requestOf({ state: 'marker-1', login_hint: 'marker-2', client_name: 'marker-3' })
    const context = await contextOf(browser, returnUrl)
    assert.deepEqual(context, {
      client: { id: 'orchard', name: 'Orchard', hasLogo: true, policyUri: 'https://orchard.example/privacy' },
      user: null,
      reason: null,
    })
    const inGerman = await contextOf(browser, returnUrl, { 'accept-language': 'de-AT, en;q=0.5' })
    assert.equal(inGerman.client.name, 'Obstgarten')
    const asked = await contextOf(browser, requestOf({ ui_locales: 'de' }), { 'accept-language': 'en' })
    assert.equal(asked.client.name, 'Obstgarten')
    browser.cookies.set('latchkey.language', 'de')
    assert.equal((await contextOf(browser, returnUrl)).client.name, 'Obstgarten')
  })

  it('has no client for an address that leads elsewhere, and for a request that is refused', async () => {
    const browser = new Browser(service)
    for (const returnUrl of [
      '/',
      '/Account/Security?client_id=orchard',
      'https://evil.example/connect/authorize?client_id=orchard',
      '//evil.example/connect/authorize?client_id=orchard',
      '/connect/authorize',
      '/connect/authorize?client_id=%zz',
      requestOf({ client_id: 'nobody' }),
      requestOf({ redirect_uri: 'https://evil.example/' }),
      requestOf({ response_type: 'marker' }),
    ]) {
      assert.deepEqual(await contextOf(browser, returnUrl), { client: null, user: null, reason: null }, returnUrl)
    }
  })

  it('says why the sign-in of a signed-in visitor does not do', async () => {
    const browser = await Browser.signedIn(service)
    service.advance(60)
    assert.deepEqual((await contextOf(browser, '/')).user, { name: 'alice' })
    const reasonFor = async (change: Readonly<Record<string, string>>) =>
      (await contextOf(browser, requestOf(change))).reason
    assert.equal(await reasonFor({}), null)
    assert.equal(await reasonFor({ prompt: 'select_account' }), null)
    assert.equal(await reasonFor({ prompt: 'login' }), 'login')
    assert.equal(await reasonFor({ max_age: '0' }), 'login')
    assert.equal(await reasonFor({ max_age: '30' }), 'max_age')
    assert.equal(await reasonFor({ max_age: '90' }), null)
    assert.equal(await reasonFor({ claims: '{"id_token":{"sub":{"value":"somebody-else"}}}' }), 'another')
  })
})

describe('prompt=select_account (OpenID Connect Core §3.1.2.1)', () => {
  const returnUrl = requestOf({ prompt: 'select_account', state: 'kept' })
  const choose = (browser: Browser, fields: Readonly<Record<string, string>>) =>
    browser.submit('/Account/Choose', { ReturnUrl: returnUrl, ...fields })
  const codeAt = (response: Response) => new URL(locationOf(response), service.issuer).searchParams.get('code')
  const locationOf = (response: Response) => response.headers.get('location') ?? ''

  it('leads a signed-in visitor to the choice, and on with the one who is signed in', async () => {
    const browser = await Browser.signedIn(service)
    const asked = await browser.get(returnUrl)
    assert.equal(locationOf(asked), `/Account/Choose?ReturnUrl=${encodeURIComponent(returnUrl)}`)
    // Coming back without an answer is none.
    assert.match(locationOf(await browser.get(returnUrl)), /^\/Account\/Choose\?/)
    const chosen = await choose(browser, { account: 'current' })
    assert.equal(locationOf(chosen), returnUrl)
    assert.ok(codeAt(await browser.get(returnUrl)))
    // The next request asks anew.
    assert.match(locationOf(await browser.get(returnUrl)), /^\/Account\/Choose\?/)
  })

  it('leads to the login page for another account, whose sign-in is the choice', async () => {
    const browser = await Browser.signedIn(service)
    await browser.get(returnUrl)
    const another = await choose(browser, { account: 'another' })
    const expected = `/Account/Login?ReturnUrl=${encodeURIComponent(returnUrl)}&another=true`
    assert.equal(locationOf(another), expected)
    service.advance(1)
    await browser.signIn({ username: 'bob', ReturnUrl: returnUrl })
    assert.ok(codeAt(await browser.get(returnUrl)))
  })

  it('counts for the request and the person that it was made for alone', async () => {
    const browser = await Browser.signedIn(service)
    await choose(browser, { account: 'current' })
    assert.match(locationOf(await browser.get(returnUrl.replace('kept', 'other'))), /^\/Account\/Choose\?/)
    const stranger = await Browser.signedIn(service, { username: 'bob' })
    for (const [name, value] of browser.cookies) {
      if (name.startsWith('latchkey.chosen.')) stranger.cookies.set(name, value)
    }
    assert.match(locationOf(await stranger.get(returnUrl)), /^\/Account\/Choose\?/)
  })

  it('satisfies neither prompt=login nor a request for another person', async () => {
    const browser = await Browser.signedIn(service)
    const fresh = requestOf({ prompt: 'select_account login' })
    await choose(browser, { ReturnUrl: fresh, account: 'current' })
    assert.match(locationOf(await browser.get(fresh)), /^\/Account\/Login\?/)
  })

  it('needs the anti-forgery token, stays on this site, and sends visitors without a session to the login page', async () => {
    const browser = new Browser(service)
    assert.equal(
      locationOf(await choose(browser, { account: 'current' })),
      `/Account/Login?ReturnUrl=${encodeURIComponent(returnUrl)}`,
    )
    await browser.signIn()
    const forged = await browser.post('/Account/Choose', { ReturnUrl: returnUrl, account: 'current' })
    assert.deepEqual([forged.status, await forged.text()], [400, ''])
    for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example', '']) {
      assert.equal(locationOf(await choose(browser, { ReturnUrl: elsewhere, account: 'current' })), '/')
    }
    const long = await choose(browser, { ReturnUrl: `/${'x'.repeat(20_000)}`, account: 'current' })
    assert.equal(long.status, 400)
  })
})
