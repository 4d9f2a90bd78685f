/** The way back to the application from the pages of a sign-in, and everything that could go wrong with it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { TOTP } from 'otpauth'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizeParameters, authorizePath, Browser, locationOf, postToken } from '../support/browser.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })
await addUser(service, 'bob')
await addClient(service, { id: 'other', redirectUris: ['https://other.example/callback'] })
const byItself = { ...defaultClientMetadata, registration: 'open' as const }
await addClient(service, { id: 'stranger', redirectUris: ['https://stranger.example/'], metadata: byItself })

const callback = 'http://localhost:5081/callback'

/** `browser`: one without a session, unless given. */
const cancel = (returnUrl: string, browser = new Browser(service)) =>
  browser.submit('/Account/Cancel', { ReturnUrl: returnUrl })

const addressOf = (response: Response) => locationOf(response).href.split(/[?#]/)[0]

async function pushed(): Promise<string> {
  const { status, body } = await postToken(service, authorizeParameters(), {}, 'connect/par')
  assert.equal(status, 201)
  return body.request_uri
}
const pushedPath = (requestUri: string, clientId = 'demo') =>
  `/connect/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri })}`

describe('POST /Account/Cancel', () => {
  it('sends access_denied to the redirect address, with state and iss (RFC 6749 §4.1.2.1, RFC 9207 §2)', async () => {
    const response = await cancel(authorizePath())
    assert.equal(response.status, 302)
    assert.equal(addressOf(response), callback)
    const { error, state, iss, ...rest } = Object.fromEntries(locationOf(response).searchParams)
    assert.deepEqual({ error, state, iss }, { error: 'access_denied', state: 'state-1', iss: service.issuer })
    assert.deepEqual(Object.keys(rest).sort(), ['error_description', 'error_uri'])
  })

  it('answers in the fragment', async () => {
    const location = locationOf(await cancel(authorizePath({ response_mode: 'fragment' })))
    assert.equal(location.search, '')
    const fields = new URLSearchParams(location.hash.slice(1))
    assert.equal(fields.get('error'), 'access_denied')
    assert.equal(fields.get('state'), 'state-1')
    assert.equal(fields.get('iss'), service.issuer)
  })

  it('answers by a form that posts itself', async () => {
    const response = await cancel(authorizePath({ response_mode: 'form_post', state: '"><b>' }))
    assert.equal(response.status, 200)
    const page = await response.text()
    assert.ok(page.includes(`<form method="post" action="${callback}">`))
    assert.match(page, /name="error" value="access_denied"/)
    assert.match(page, /name="state" value="&quot;&gt;&lt;b&gt;"/)
    assert.ok(page.includes(`name="iss" value="${service.issuer}"`))
  })

  for (const mode of ['jwt', 'query.jwt', 'fragment.jwt']) {
    it(`answers with one signed JWT (${mode})`, async () => {
      const { searchParams, hash } = locationOf(await cancel(authorizePath({ response_mode: mode })))
      const fields = mode === 'fragment.jwt' ? new URLSearchParams(hash.slice(1)) : searchParams
      assert.deepEqual([...fields.keys()], ['response'])
      const keys = await (await fetch(new URL('.well-known/jwks', service.issuer))).json()
      const options = { issuer: service.issuer, audience: 'demo', currentDate: new Date(service.now()) }
      const { payload } = await jwtVerify(fields.get('response') ?? '', createLocalJWKSet(keys as never), options)
      assert.equal(payload.error, 'access_denied')
      assert.equal(payload.state, 'state-1')
    })
  }

  it('leads to an application that registered itself, because a person asked for it', async () => {
    const asked = { client_id: 'stranger', redirect_uri: 'https://stranger.example/', scope: 'openid' }
    const response = await cancel(authorizePath(asked))
    assert.equal(addressOf(response), 'https://stranger.example/')
    assert.equal(locationOf(response).searchParams.get('error'), 'access_denied')
  })

  it('keeps session, consents and what else the person has', async () => {
    const browser = await Browser.signedIn(service, { username: 'bob' })
    await browser.allow()
    const cookies = [...browser.cookies].sort()
    const response = await cancel(authorizePath({ prompt: 'login' }), browser)
    assert.equal(locationOf(response).searchParams.get('error'), 'access_denied')
    assert.equal(await browser.userName(), 'bob')
    assert.deepEqual([...browser.cookies].sort(), cookies)
    const again = await browser.get(authorizePath())
    assert.notEqual(locationOf(again).searchParams.get('code'), null)
  })

  it('is answered for requests with select_account, and forgets the choice', async () => {
    const browser = await Browser.signedIn(service, { username: 'bob' })
    const returnUrl = authorizePath({ prompt: 'select_account' })
    await browser.get(returnUrl)
    await browser.submit('/Account/Choose', { ReturnUrl: returnUrl, account: 'current' })
    assert.equal(locationOf(await cancel(returnUrl, browser)).searchParams.get('error'), 'access_denied')
    assert.equal(locationOf(await browser.get(returnUrl)).pathname, '/Account/Choose')
  })
})

describe('a sign-in that waits for its second factor', () => {
  async function halfWay(returnUrl: string) {
    const name = `person-${service.now()}`
    await addUser(service, name)
    const browser = await Browser.signedIn(service, { username: name })
    const { secret } = (await browser.self('POST', '/totp')).body
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: service.now() })
    assert.equal((await browser.self('POST', '/totp/confirm', { code: codeNow() })).status, 200)
    service.advance(120)
    const next = new Browser(service)
    const response = await next.signIn({ username: name, ReturnUrl: returnUrl })
    assert.equal(locationOf(response).pathname, '/Account/SecondFactor')
    const prove = () => next.submit('/Account/SecondFactor', { method: 'totp', code: codeNow(), ReturnUrl: returnUrl })
    return { browser: next, prove }
  }

  it('is dropped, and a copy of its cookie is of no use', async () => {
    const { browser, prove } = await halfWay(authorizePath())
    const copied = new Map(browser.cookies)
    const response = await cancel(authorizePath(), browser)
    assert.equal(locationOf(response).searchParams.get('error'), 'access_denied')
    assert.equal((await browser.get('/Account/SecondFactorContext')).status, 401)
    for (const [name, value] of copied) browser.cookies.set(name, value)
    const proved = locationOf(await prove())
    assert.equal(proved.pathname, '/Account/Login')
    assert.equal(proved.searchParams.get('error'), 'sign_in_expired')
    assert.equal(await browser.userName(), undefined)
  })

  it('goes on if it was begun for another request, or if the form was forged', async () => {
    const { browser, prove } = await halfWay(authorizePath())
    await cancel(authorizePath({ state: 'state-2' }), browser)
    assert.equal((await browser.post('/Account/Cancel', { ReturnUrl: authorizePath() })).status, 400)
    assert.equal(locationOf(await prove()).pathname, '/connect/authorize')
    assert.notEqual(await browser.userName(), undefined)
  })
})

describe('a cancelled request that was pushed (RFC 9126)', () => {
  it('is completed: neither a second answer nor a code can follow', async () => {
    const browser = await Browser.signedIn(service)
    const path = pushedPath(await pushed())
    await browser.get(path)
    assert.equal(locationOf(await cancel(path, browser)).searchParams.get('error'), 'access_denied')
    const again = await cancel(path, browser)
    assert.equal(again.status, 400)
    assert.equal(again.headers.get('location'), null)
    const opened = await browser.get(path)
    assert.equal(opened.status, 400)
    assert.equal(opened.headers.get('location'), null)
  })

  it('has one answer however many come at once', async () => {
    const browser = await Browser.signedIn(service)
    const path = pushedPath(await pushed())
    await browser.get(path)
    const token = await browser.antiforgeryToken()
    const fields = { ReturnUrl: path, __RequestVerificationToken: token }
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.post('/Account/Cancel', fields)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 400, 400, 400, 400, 400])
  })

  it('is refused when it expired, was pushed by another client, or is unknown', async () => {
    const requestUri = await pushed()
    const unknown = `${requestUri.slice(0, -1)}${requestUri.endsWith('A') ? 'B' : 'A'}`
    for (const path of [pushedPath(requestUri, 'other'), pushedPath(unknown)]) {
      assert.equal((await cancel(path)).status, 400, path)
    }
    service.advance(61)
    assert.equal((await cancel(pushedPath(requestUri))).status, 400)
  })
})

describe('refuses', () => {
  it('a form without the anti-forgery token of this browser and person', async () => {
    const [mine, theirs] = [new Browser(service), new Browser(service)]
    const signedIn = await Browser.signedIn(service)
    const ReturnUrl = authorizePath()
    const token = await theirs.antiforgeryToken()
    for (const response of [
      await mine.post('/Account/Cancel', { ReturnUrl }),
      await mine.post('/Account/Cancel', { ReturnUrl, __RequestVerificationToken: token }),
      await signedIn.post('/Account/Cancel', { ReturnUrl, __RequestVerificationToken: token }),
      await signedIn.post('/Account/Cancel', { ReturnUrl }, { 'sec-fetch-site': 'cross-site' }),
    ]) {
      assert.equal(response.status, 400)
      assert.equal(await response.text(), '')
      assert.equal(response.headers.get('location'), null)
    }
  })

  it('what is no authorization request of this service, and what names an unverified address', async () => {
    const evil = 'https://evil.example/'
    const request = authorizePath()
    const addresses = [
      '',
      '/',
      evil,
      '/Account',
      '/connect/authorize',
      `/connect/logout${request.slice(request.indexOf('?'))}`,
      `${evil.slice(0, -1)}${request}`,
      `/${request}`,
      `/\\evil.example${request}`,
      `/\t${request}`,
      ` ${request}`,
      `/connect/../connect/authorize${request.slice(request.indexOf('?'))}`,
      `/connect/authorize@evil.example${request.slice(request.indexOf('?'))}`,
      `/connect/authorize#${request.slice(request.indexOf('?') + 1)}`,
      '/connect/authorize?client_id=%zz',
      authorizePath({ client_id: 'nobody' }),
      authorizePath({ redirect_uri: evil }),
      authorizePath({ redirect_uri: `${callback}@evil.example/` }),
      authorizePath({ redirect_uri: 'https://other.example/callback' }),
      authorizePath({ redirect_uri: 'javascript:alert(1)' }),
      authorizePath({ redirect_uri: '' }),
      `${request}&redirect_uri=${encodeURIComponent(evil)}`,
      `${request}&redirect_uri=${encodeURIComponent(callback)}`,
      `${request}&client_id=other`,
      `${request}&request_uri=${encodeURIComponent('https://evil.example/request')}`.replace('redirect_uri', 'x'),
      `${request}&x=${'x'.repeat(16_384)}`,
    ]
    assert.equal(addresses.length, 26)
    for (const address of addresses) {
      const response = await cancel(address)
      assert.equal(response.status, 400, address)
      assert.equal(response.headers.get('location'), null, address)
    }
  })

  it('an address that is sent twice, or none', async () => {
    const browser = new Browser(service)
    const twice: [string, string][] = [
      ['ReturnUrl', authorizePath()],
      ['returnurl', authorizePath({ client_id: 'other', redirect_uri: 'https://other.example/callback' })],
    ]
    assert.equal((await browser.submit('/Account/Cancel', twice)).status, 400)
    assert.equal((await browser.submit('/Account/Cancel', {})).status, 400)
  })

  it('other methods', async () => {
    const browser = new Browser(service)
    const response = await browser.get(`/Account/Cancel?ReturnUrl=${encodeURIComponent(authorizePath())}`)
    assert.equal(response.headers.get('location'), null)
    assert.notEqual(response.status, 302)
  })

  it('as the authorization endpoint does, what is wrong otherwise', async () => {
    const wrong = [
      { scope: 'openid unheard-of' },
      { response_type: 'token' },
      { code_challenge_method: 'plain' },
      { request: 'no.object.atall' },
    ]
    for (const change of wrong) {
      const here = await cancel(authorizePath(change))
      const there = await new Browser(service).get(authorizePath(change))
      assert.equal(addressOf(here), callback)
      assert.equal(locationOf(here).href, locationOf(there).href)
    }
    const asked = { client_id: 'stranger', redirect_uri: 'https://stranger.example/', scope: 'unheard-of' }
    const untrusted = await cancel(authorizePath(asked))
    assert.equal(untrusted.status, 400)
    assert.equal(untrusted.headers.get('location'), null)
  })
})
