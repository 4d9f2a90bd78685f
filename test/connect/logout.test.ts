import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rotateKeys } from '../../src/keys/rotate.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { exchange, request } from '../attacks/wire.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  fetchWithToken,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
} from '../support/browser.ts'
import { addClient, serviceForFile, startService } from '../support/service.ts'

const service = await serviceForFile()
await addClient(service, { id: 'other', postLogoutRedirectUris: ['http://other.test/out?x=1'] })
for (const registration of ['open', 'document'] as const) {
  const metadata = { ...defaultClientMetadata, registration }
  await addClient(service, { id: registration, metadata, postLogoutRedirectUris: ['https://stranger.test/'] })
}

const parameters = { client_id: 'demo', post_logout_redirect_uri: 'http://localhost:5081/', state: 's-1' }
const path = (change: Record<string, string> = {}) =>
  `/connect/logout?${new URLSearchParams({ ...parameters, ...change })}`
const isSignedIn = async (browser: Browser) => (await browser.userName()) !== undefined

describe('GET /connect/logout (specification 4.4)', () => {
  it('goes on to the logout page with the same query, repeats kept, and leaves the session [S1.7, S4.4.1]', async () => {
    const browser = await Browser.signedIn(service)
    const response = await browser.get(`${path()}&ui_locales=en&ui_locales=de`)
    assert.equal(response.status, 302)
    const location = locationOf(response)
    assert.equal(location.pathname, '/Account/Logout')
    assert.deepEqual(location.searchParams.getAll('ui_locales'), ['en', 'de'])
    assert.equal(location.searchParams.get('post_logout_redirect_uri'), 'http://localhost:5081/')
    assert.ok(await isSignedIn(browser))
  })

  it('goes on with the longest hint and state, and refuses what no address of the page has room for [S4.4.1]', async () => {
    const askedBy = (method: 'GET' | 'POST', more: Record<string, string>) =>
      method === 'GET'
        ? new Browser(service).get(path(more))
        : new Browser(service).post('/connect/logout', { ...parameters, ...more })
    for (const method of ['GET', 'POST'] as const) {
      const beyond = [{ p: 'x'.repeat(30_000) }, { p: '"'.repeat(9000) }, { p: 'é'.repeat(6000) }]
      for (const more of beyond) {
        const refused = await askedBy(method, more)
        assert.equal(refused.status, 400)
        assert.match(((await refused.json()) as { error_uri: string }).error_uri, /#ID9141$/)
      }
    }
    const longest = path({ id_token_hint: 'h'.repeat(16_384), state: 's'.repeat(4096) })
    const [answer] = await exchange(service, request([`GET ${longest} HTTP/1.1`, 'Host: x', 'Connection: close']))
    const { pathname, searchParams } = new URL(answer?.headers.get('location') ?? '', service.issuer)
    assert.equal(pathname, '/Account/Logout')
    assert.deepEqual(
      [searchParams.get('id_token_hint')?.length, searchParams.get('state')?.length, searchParams.get('client_id')],
      [16_384, 4096, 'demo'],
    )
  })

  for (const [what, change, id] of [
    ['an unregistered address', { post_logout_redirect_uri: 'https://evil.test/' }, 'ID2052'],
    ['an address of another client', { post_logout_redirect_uri: 'http://other.test/out?x=1' }, 'ID2052'],
    ['a registered address with an added query', { post_logout_redirect_uri: 'http://localhost:5081/?x=1' }, 'ID2052'],
    ['an unknown client', { client_id: 'nobody' }, 'ID2052'],
    [
      'an address that nobody registered, without a client',
      { client_id: '', post_logout_redirect_uri: 'https://evil.test/' },
      'ID2052',
    ],
    [
      'an address that a stranger registered, without a client',
      { client_id: '', post_logout_redirect_uri: 'https://stranger.test/' },
      'ID2052',
    ],
    ['an address without a client beside a hint that is not ours', { client_id: '', id_token_hint: 'x.y.z' }, 'ID2052'],
    ['a relative address', { post_logout_redirect_uri: '/' }, 'ID2030'],
    ['an address with a fragment', { post_logout_redirect_uri: 'http://localhost:5081/#x' }, 'ID2031'],
  ] as const) {
    it(`refuses ${what} with ${id}, for the get and for the post [S2.4.8, S4.4.5, S7.12, C4.26]`, async () => {
      const browser = await Browser.signedIn(service)
      const get = await browser.get(path(change))
      const post = await browser.submit('/connect/logout', { ...parameters, ...change, Confirm: 'Yes' })
      for (const response of [get, post]) {
        assert.equal(response.status, 400)
        assert.match(((await response.json()) as { error_uri: string }).error_uri, new RegExp(`#${id}$`))
      }
      assert.ok(await isSignedIn(browser))
    })
  }
})

describe('POST /connect/logout', () => {
  it('ends the session, removes the cookies and goes to the registered address with state [S3.9, S4.4.2, C4.26]', async () => {
    const browser = await Browser.signedIn(service)
    const stolen = new Map(browser.cookies)
    const response = await browser.submit('/connect/logout', { ...parameters, Confirm: 'Yes' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), 'http://localhost:5081/?state=s-1')
    assert.ok(![...browser.cookies.keys()].some((name) => name.endsWith('session')))
    const thief = new Browser(service)
    for (const [name, value] of stolen) thief.cookies.set(name, value)
    assert.equal(await isSignedIn(thief), false, 'a copied cookie ends with the session')
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
  })

  it('goes to / without an address, and with only a state [S4.4.3]', async () => {
    for (const fields of [{}, { state: 's' }]) {
      const browser = await Browser.signedIn(service)
      const response = await browser.submit('/connect/logout', { ...fields, Confirm: 'Yes' })
      assert.equal(response.headers.get('location'), '/')
    }
  })

  it('accepts the client from an id token hint, expired or not (RP-Initiated Logout §2)', async () => {
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    service.advance(7200)
    const fields = { id_token_hint: body.id_token, post_logout_redirect_uri: 'http://localhost:5081/', Confirm: 'Yes' }
    const response = await browser.submit('/connect/logout', fields)
    assert.equal(response.headers.get('location'), 'http://localhost:5081/')
  })

  it('refuses the hint of another client (ID2141), and ignores one that is not ours', async () => {
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const foreign = await new Browser(service).get(`/connect/logout?client_id=other&id_token_hint=${body.id_token}`)
    assert.match(((await foreign.json()) as { error_uri: string }).error_uri, /#ID2141$/)
    const tampered = await new Browser(service).get(`/connect/logout?client_id=other&id_token_hint=${body.id_token}x`)
    assert.equal(locationOf(tampered).pathname, '/Account/Logout')
  })

  it('refuses a missing or foreign anti-forgery token: 400, empty body, session kept [S4.4.4, S5.5.5, S5.5.7]', async () => {
    const browser = await Browser.signedIn(service)
    const foreign = await new Browser(service).antiforgeryToken()
    for (const token of ['', foreign]) {
      const response = await browser.post('/connect/logout', { Confirm: 'Yes', __RequestVerificationToken: token })
      assert.equal(response.status, 400)
      assert.equal(await response.text(), '')
    }
    assert.ok(await isSignedIn(browser))
  })

  it('takes the token of the page for the confirmation: a script may submit the form without the button [S3.9]', async () => {
    const browser = await Browser.signedIn(service)
    const response = await browser.submit('/connect/logout', parameters)
    assert.equal(response.headers.get('location'), 'http://localhost:5081/?state=s-1')
    assert.equal(await isSignedIn(browser), false)
  })

  it('asks when neither token nor button came, as by GET: another site may post it (RP-Initiated Logout §2) [S1.7]', async () => {
    const browser = await Browser.signedIn(service)
    const response = await browser.post('/connect/logout', parameters, { 'sec-fetch-site': 'cross-site' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), path().replace('/connect/logout', '/Account/Logout'))
    assert.ok(await isSignedIn(browser))
    for (const [fields, headers] of [
      [{ Confirm: 'Yes' }, {}],
      [{ Confirm: '' }, {}],
      [{ __RequestVerificationToken: 'x' }, {}],
      [{}, { RequestVerificationToken: '' }],
    ] as const) {
      const forged = await browser.post('/connect/logout', { ...parameters, ...fields }, headers)
      assert.deepEqual([forged.status, await forged.text()], [400, ''])
      assert.ok(await isSignedIn(browser))
    }
  })

  it('goes to a registered address without client_id and hint [S4.4.3]', async () => {
    const { client_id: _named, ...unnamed } = parameters
    const browser = await Browser.signedIn(service)
    assert.equal((await browser.get(`/connect/logout?${new URLSearchParams(unnamed)}`)).status, 302)
    const response = await browser.submit('/connect/logout', { ...unnamed, Confirm: 'Yes' })
    assert.equal(response.headers.get('location'), 'http://localhost:5081/?state=s-1')
    assert.equal(await isSignedIn(browser), false)
  })

  it('signs out by id_token_hint alone long after its key has gone (RP-Initiated Logout §2)', async () => {
    await using own = await startService({ Keys__MasterKey: Buffer.alloc(32, 1).toString('base64') })
    const browser = new Browser(own)
    const { body } = await postToken(own, codeFields(await obtainCode(browser)))
    await rotateKeys({ ...own, clock: () => own.now() })
    own.advance(200 * 86_400)
    await own.storage.sweep(own.now(), 100)
    await own.keys.refresh(0)
    assert.ok(!own.keys.keySet().includes(headerOf(body.id_token).kid))
    await browser.signIn()
    const hint = { id_token_hint: body.id_token, post_logout_redirect_uri: 'http://localhost:5081/' }
    assert.equal((await browser.get(`/connect/logout?${new URLSearchParams(hint)}`)).status, 302)
    const response = await browser.submit('/connect/logout', { ...hint, Confirm: 'Yes' })
    assert.equal(response.headers.get('location'), 'http://localhost:5081/')
    const access = await fetchWithToken(own, 'connect/userinfo', body.access_token)
    assert.equal(access.status, 401)
  })

  it('revokes no token: an access token stays valid (specification 4.4) [S4.4.6]', async () => {
    const browser = new Browser(service)
    const { body } = await postToken(service, codeFields(await obtainCode(browser)))
    await browser.submit('/connect/logout', { Confirm: 'Yes' })
    const api = await fetchWithToken(service, 'weatherforecast', body.access_token)
    assert.equal(api.status, 200)
  })
})
