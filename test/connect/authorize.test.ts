import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, it } from 'node:test'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  type Fields,
  locationOf,
  obtainCode,
  postToken,
} from '../support/browser.ts'
import { addClient, addUser, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile()
await addClient(service, { id: 'first-party', consent: 'implicit' })
await addClient(service, { id: 'two-addresses', redirectUris: ['http://a.test/', 'http://b.test/'] })

const html = { accept: 'text/html,application/xhtml+xml' }

describe('GET /connect/authorize without a session (specification 3)', () => {
  it('redirects to the login page with the original request as ReturnUrl [S3.1, S4.1.1, S4.1.3, S5.4.1]', async () => {
    const response = await new Browser(service).get(authorizePath())
    assert.equal(response.status, 302)
    const location = locationOf(response)
    assert.equal(location.pathname, '/Account/Login')
    const returnUrl = new URL(location.searchParams.get('ReturnUrl') ?? '', service.issuer)
    assert.equal(returnUrl.pathname, '/connect/authorize')
    assert.deepEqual(Object.fromEntries(returnUrl.searchParams), authorizeParameters())
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('takes the request as a form too, and keeps its parameters (§3.1) [S4.1.1, S4.1.5]', async () => {
    const response = await new Browser(service).post('/connect/authorize', authorizeParameters())
    const returnUrl = new URL(locationOf(response).searchParams.get('ReturnUrl') ?? '', service.issuer)
    assert.deepEqual(Object.fromEntries(returnUrl.searchParams), authorizeParameters())
  })

  describe('posted by another site, which keeps the session cookie back (OpenID Connect Core §3.1.2.1)', () => {
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    const post = (fields: Fields, headers: Record<string, string> = crossSite, browser = new Browser(service)) =>
      browser.post('/connect/authorize', fields, headers)

    it('is answered with a 303 to the same request as GET, which goes on as any other', async () => {
      const repeated: Fields = [...Object.entries(authorizeParameters()), ['ui', 'a'], ['ui', 'b & ü']]
      const response = await post(repeated)
      assert.equal(response.status, 303)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(locationOf(response).pathname, '/connect/authorize')
      assert.deepEqual([...locationOf(response).searchParams], repeated)
      const next = await new Browser(service).get(locationOf(response).href, crossSite)
      assert.equal(next.status, 302)
      assert.equal(locationOf(next).pathname, '/Account/Login')
    })

    it('is answered at once when it is an answer of the consent form, or its cookie came', async () => {
      for (const extra of [{ __RequestVerificationToken: '' }, { 'submit.Accept': 'Yes' }, { 'submit.Deny': 'No' }]) {
        const response = await post({ ...authorizeParameters(), ...extra })
        assert.equal(response.status, 302)
        assert.equal(locationOf(response).pathname, '/Account/Login')
      }
      const browser = await Browser.signedIn(service)
      const known = await post(authorizeParameters({ client_id: 'first-party' }), crossSite, browser)
      assert.ok(locationOf(known).searchParams.get('code'))
    })

    it('is answered at once when it is not from another site, or too long for an address', async () => {
      for (const site of ['same-site', 'same-origin', 'none']) {
        assert.equal((await post(authorizeParameters(), { 'sec-fetch-site': site })).status, 302)
      }
      const long = authorizeParameters({ state: 'x'.repeat(500), login_hint: 'y'.repeat(500), ui: 'z'.repeat(16_000) })
      const response = await post(long)
      assert.equal(response.status, 302)
      assert.match(locationOf(response).searchParams.get('error_uri') ?? '', /#ID9110$/)
    })

    it('is refused where it stands when it is wrong', async () => {
      const response = await post(authorizeParameters({ client_id: 'nobody' }))
      assert.equal(response.status, 400)
      const refused = await post(authorizeParameters({ response_type: 'token' }))
      assert.equal(locationOf(refused).origin, 'http://localhost:5081')
    })
  })

  it('reads a post from the body alone, never from the query [S4.1.5]', async () => {
    const response = await new Browser(service).post(authorizePath(), {})
    assert.equal(response.status, 400)
    assert.match(((await response.json()) as { error_uri: string }).error_uri, /#ID2029$/)
  })

  it('passes login_hint on as the user name to fill in', async () => {
    const response = await new Browser(service).get(authorizePath({ login_hint: 'alice' }))
    assert.equal(locationOf(response).searchParams.get('username'), 'alice')
  })

  it('answers prompt=none with login_required at the client, with state and iss (RFC 9207)', async () => {
    const location = locationOf(await new Browser(service).get(authorizePath({ prompt: 'none' })))
    assert.equal(location.origin + location.pathname, 'http://localhost:5081/callback')
    assert.equal(location.searchParams.get('error'), 'login_required')
    assert.equal(location.searchParams.get('state'), 'state-1')
    assert.equal(location.searchParams.get('iss'), service.issuer)
  })
})

describe('GET /connect/authorize with a session', () => {
  it('asks for consent with every parameter, and shows again when neither button was pressed [S1.6, S2.4.1, S4.1.4]', async () => {
    const browser = await Browser.signedIn(service)
    const asked = await browser.get(authorizePath({ nonce: 'n-1' }))
    assert.equal(locationOf(asked).pathname, '/Account/Consent')
    assert.deepEqual(Object.fromEntries(locationOf(asked).searchParams), authorizeParameters({ nonce: 'n-1' }))
    const neither = await browser.submit('/connect/authorize', authorizeParameters({ nonce: 'n-1' }))
    assert.equal(neither.status, 302)
    assert.deepEqual(Object.fromEntries(locationOf(neither).searchParams), authorizeParameters({ nonce: 'n-1' }))
  })

  it('issues a code on Accept, and silently the next time for exactly the same scopes (specification 2.6) [S2.6.1, S4.1.6]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const again = locationOf(await browser.get(authorizePath({ scope: 'demo_api openid' })))
    assert.ok(again.searchParams.get('code'))
    assert.equal(again.searchParams.get('state'), 'state-1')
    assert.equal(again.searchParams.get('iss'), service.issuer)
    for (const scope of ['openid', 'openid demo_api offline_access']) {
      const browserWithOther = await browser.get(authorizePath({ scope, prompt: 'none' }))
      assert.equal(locationOf(browserWithOther).searchParams.get('error'), 'consent_required', scope)
    }
  })

  it('asks again with prompt=consent, and keeps one stored consent [S4.1.7]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid' })
    const forced = await browser.get(authorizePath({ scope: 'openid', prompt: 'consent' }))
    assert.equal(locationOf(forced).pathname, '/Account/Consent')
    await obtainCode(browser, { scope: 'openid', prompt: 'consent' })
    const user = await service.storage.users.findByName('alice')
    const stored = await service.storage.authorizations.list(user?.id ?? '')
    assert.equal(stored.filter(({ scopes }) => scopes.join(' ') === 'openid').length, 1)
  })

  it('sends access_denied with ID2015 on Deny, and stores nothing [S3.18, S4.1.12, S7.4]', async () => {
    const browser = await Browser.signedIn(service)
    const parameters = authorizeParameters({ scope: 'offline_access' })
    const denied = locationOf(await browser.submit('/connect/authorize', { ...parameters, 'submit.Deny': 'No' }))
    assert.equal(denied.searchParams.get('error'), 'access_denied')
    assert.match(denied.searchParams.get('error_uri') ?? '', /#ID2015$/)
    assert.match(denied.searchParams.get('error_description') ?? '', /ID2015/)
    assert.equal(denied.searchParams.get('state'), 'state-1')
    assert.equal(locationOf(await browser.get(authorizePath({ scope: 'offline_access' }))).pathname, '/Account/Consent')
  })

  it('asks nobody for a client with implicit consent', async () => {
    const browser = await Browser.signedIn(service)
    const location = locationOf(await browser.get(authorizePath({ client_id: 'first-party' })))
    assert.ok(location.searchParams.get('code'))
  })

  it('answers in the fragment and as a form post when asked to (Multiple Response Types §2.1)', async () => {
    const browser = await Browser.signedIn(service)
    const fragment = locationOf(
      await browser.get(authorizePath({ client_id: 'first-party', response_mode: 'fragment' })),
    )
    assert.equal(fragment.search, '')
    assert.ok(new URLSearchParams(fragment.hash.slice(1)).get('code'))
    const state = '"><script>alert(1)</script>'
    const posted = await browser.get(authorizePath({ client_id: 'first-party', response_mode: 'form_post', state }))
    assert.equal(posted.status, 200)
    const text = await posted.text()
    assert.match(text, /<form method="post" action="http:\/\/localhost:5081\/callback">/)
    assert.match(text, /name="code" value="/)
    assert.ok(!text.includes('<script>alert'))
    assert.match(posted.headers.get('content-security-policy') ?? '', /script-src 'sha256-/)
  })
})

describe('an operator who deletes while a consent is being stored', () => {
  /** Runs `work` at the moment between what the service read and what it stores. */
  const inBetween = async (work: () => Promise<unknown>, post: () => Promise<Response>): Promise<Response> => {
    const { authorizations } = service.storage
    const { store } = authorizations
    authorizations.store = async (authorization) => {
      authorizations.store = store
      await work()
      return store(authorization)
    }
    return post()
  }

  it('the user: the visitor gets to the login page with the request kept', async () => {
    const user = await addUser(service, 'leaving')
    const browser = await Browser.signedIn(service, { username: 'leaving' })
    const response = await inBetween(
      () => service.storage.users.delete(user.id),
      () => browser.allow(),
    )
    assert.equal(response.status, 302)
    assert.equal(locationOf(response).pathname, '/Account/Login')
    const returnUrl = new URL(locationOf(response).searchParams.get('ReturnUrl') ?? '', service.issuer)
    assert.deepEqual(Object.fromEntries(returnUrl.searchParams), authorizeParameters())
  })

  it('the client: a readable page says that it is not known, and nothing is sent to it', async () => {
    await addClient(service, { id: 'leaving' })
    const browser = await Browser.signedIn(service)
    const fields = { ...authorizeParameters({ client_id: 'leaving' }), 'submit.Accept': 'Yes' }
    const token = await browser.antiforgeryToken()
    const response = await inBetween(
      () => service.storage.clients.delete('leaving'),
      () => browser.post('/connect/authorize', { ...fields, __RequestVerificationToken: token }, html),
    )
    assert.equal(response.status, 400)
    assert.equal(response.headers.get('location'), null)
    assert.match(await response.text(), /The client_id is not known/)
  })
})

describe('the consent post', () => {
  it('refuses Accept and Deny without a valid anti-forgery token: 400, empty body [S3.17, S3.18, S4.1.9, S4.1.11, S5.5.4, S5.5.7]', async () => {
    const browser = await Browser.signedIn(service)
    const foreign = await new Browser(service).antiforgeryToken()
    for (const [field, token] of [
      ['submit.Accept', ''],
      ['submit.Accept', 'x'],
      ['submit.Deny', foreign],
    ] as const) {
      const parameters = { ...authorizeParameters(), [field]: 'Yes', __RequestVerificationToken: token }
      const response = await browser.post('/connect/authorize', parameters)
      assert.equal(response.status, 400)
      assert.equal(await response.text(), '')
    }
  })

  it('answers ID2029 when it came without its parameters [S4.1.15, S7.5]', async () => {
    const browser = await Browser.signedIn(service)
    const response = await browser.submit('/connect/authorize', { 'submit.Accept': 'Yes' })
    assert.equal(response.status, 400)
    const body = (await response.json()) as Record<string, string>
    assert.equal(body.error, 'invalid_request')
    assert.match(body.error_description ?? '', /ID2029.*client_id/)
    assert.equal(body.error_uri, `${service.issuer}errors#ID2029`)
  })

  it('goes on to the login page with its parameters when nobody is signed in any more', async () => {
    const parameters = { ...authorizeParameters(), 'submit.Accept': 'Yes' }
    const response = await new Browser(service).submit('/connect/authorize', parameters)
    const returnUrl = new URL(locationOf(response).searchParams.get('ReturnUrl') ?? '', service.issuer)
    assert.deepEqual(Object.fromEntries(returnUrl.searchParams), authorizeParameters())
  })

  it('refuses both answers at once', async () => {
    const browser = await Browser.signedIn(service)
    const both = { ...authorizeParameters(), 'submit.Accept': 'Yes', 'submit.Deny': 'No' }
    assert.equal((await browser.submit('/connect/authorize', both)).status, 400)
  })

  it('takes an empty answer for none [S4.1.8]', async () => {
    const browser = await Browser.signedIn(service)
    const empty = { ...authorizeParameters({ prompt: 'consent' }), 'submit.Accept': '' }
    assert.equal(locationOf(await browser.submit('/connect/authorize', empty)).pathname, '/Account/Consent')
  })
})

describe('prompt=login and max_age (OpenID Connect Core §3.1.2.1)', () => {
  it('asks for a sign-in of its own, which going back does not replace [S3.2, S3.4, C4.16]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const path = authorizePath({ scope: 'openid demo_api', prompt: 'login' })
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login')
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login', 'coming back proves nothing')
    service.advance(1)
    await browser.signIn()
    assert.ok(
      locationOf(await browser.get(path)).searchParams.get('code'),
      'a sign-in after the challenge satisfies it',
    )
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login', 'but only once')
  })

  it('is satisfied by the sign-in of a visitor who had none [S3.4]', async () => {
    const browser = new Browser(service)
    const path = authorizePath({ scope: 'openid demo_api', prompt: 'login' })
    await browser.get(path)
    service.advance(1)
    await browser.signIn()
    assert.ok(locationOf(await browser.get(path)).searchParams.get('code'))
  })

  it('refuses a challenge whose moment was changed in its cookie [C4.16]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const path = authorizePath({ scope: 'openid demo_api', prompt: 'login' })
    await browser.get(path)
    const [name, value] = [...browser.cookies].find(([cookie]) => cookie.includes('challenge')) ?? ['', '']
    const [id, , signature] = value.split('.')
    browser.cookies.set(name, `${id}.${(1).toString(36)}.${signature}`)
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login')
  })

  it('carries the challenge through the consent page to the accept post [S3.4, C4.17]', async () => {
    const browser = new Browser(service)
    const parameters = authorizeParameters({ scope: 'offline_access demo_api', prompt: 'login' })
    const path = authorizePath({ scope: 'offline_access demo_api', prompt: 'login' })
    await browser.get(path)
    service.advance(1)
    await browser.signIn()
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Consent')
    const accepted = await browser.submit('/connect/authorize', { ...parameters, 'submit.Accept': 'Yes' })
    assert.ok(locationOf(accepted).searchParams.get('code'))
  })

  it('takes no consent to a prompt=login request without the sign-in it asks for [C4.17]', async () => {
    const browser = await Browser.signedIn(service)
    const accepted = await browser.allow({ prompt: 'login' })
    assert.equal(locationOf(accepted).pathname, '/Account/Login')
  })

  it('counts max_age from the real sign-in, and auth_time with it [S3.3]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const signedInAt = Math.floor(service.now() / 1000)
    service.advance(100)
    const fresh = locationOf(await browser.get(authorizePath({ scope: 'openid demo_api', max_age: '200' })))
    const tokens = await postToken(service, codeFields(fresh.searchParams.get('code') ?? ''))
    assert.ok(Math.abs(claimsOf(tokens.body.id_token).auth_time - signedInAt) <= 2)
    const stale = await browser.get(authorizePath({ scope: 'openid demo_api', max_age: '50' }))
    assert.equal(locationOf(stale).pathname, '/Account/Login')
    const silent = await browser.get(authorizePath({ scope: 'openid demo_api', max_age: '50', prompt: 'none' }))
    assert.equal(locationOf(silent).searchParams.get('error'), 'login_required')
  })
})

describe('faults of an authorization request', () => {
  it('shows an unknown client and an unregistered address as a page, never a redirect (RFC 6749 §4.1.2.1) [S2.4.7, S7.11, C4.10]', async () => {
    for (const [change, id] of [
      [{ client_id: 'nobody' }, 'ID2052'],
      [{ redirect_uri: 'http://localhost:5081/callback/' }, 'ID2043'],
      [{ redirect_uri: 'https://evil.test/' }, 'ID2043'],
      [{ redirect_uri: 'callback' }, 'ID2030'],
      [{ redirect_uri: 'http://localhost:5081/callback#x' }, 'ID2031'],
      [{ client_id: '' }, 'ID2029'],
      [{ client_id: 'two-addresses', redirect_uri: '', scope: 'demo_api' }, 'ID2029'],
    ] as const) {
      const page = await new Browser(service).get(authorizePath(change), html)
      assert.equal(page.status, 400)
      assert.equal(page.headers.get('location'), null)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      const [withoutScripts = ''] = /<noscript>.*<\/noscript>/s.exec(await page.text()) ?? []
      assert.match(withoutScripts, /This request could not be completed/)
      assert.match(withoutScripts, new RegExp(`<details.*${id}.*</details>`, 's'))
      const json = await new Browser(service).get(authorizePath(change))
      assert.equal(((await json.json()) as { error_uri: string }).error_uri, `${service.issuer}errors#${id}`)
      assert.equal(json.headers.get('cache-control'), 'no-store')
    }
  })

  it('redirects every other fault to the client, with state and iss [S2.4.2, S4.1.2, S4.1.14, S5.2.1, S7.6]', async () => {
    for (const [change, error, id] of [
      [{ response_type: 'token' }, 'unsupported_response_type', 'ID2032'],
      [{ response_type: '' }, 'invalid_request', 'ID2029'],
      [{ scope: 'openid nothing' }, 'invalid_scope', 'ID2052'],
      [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request', 'ID2054'],
      [{ code_challenge_method: 'plain' }, 'invalid_request', 'ID2032'],
      [{ prompt: 'none login' }, 'invalid_request', 'ID2052'],
      [{ request: 'x' }, 'request_not_supported', 'ID2028'],
      [{ request_uri: 'urn:x' }, 'request_uri_not_supported', 'ID2028'],
    ] as const) {
      const location = locationOf(await new Browser(service).get(authorizePath(change)))
      assert.equal(location.origin, 'http://localhost:5081')
      assert.equal(location.searchParams.get('error'), error)
      assert.match(location.searchParams.get('error_uri') ?? '', new RegExp(`#${id}$`))
      assert.equal(location.searchParams.get('state'), 'state-1')
      assert.equal(location.searchParams.get('iss'), service.issuer)
    }
  })

  it('tells a client that may not request codes so (RFC 6749 §4.1.2.1)', async () => {
    await addClient(service, { id: 'refreshing', grantTypes: ['refresh_token'] })
    const { searchParams } = locationOf(await new Browser(service).get(authorizePath({ client_id: 'refreshing' })))
    assert.equal(searchParams.get('error'), 'unauthorized_client')
    assert.match(searchParams.get('error_uri') ?? '', /#ID2047$/)
  })

  it('refuses a repeated parameter in the query and in the form (§3.1)', async () => {
    const doubled = await new Browser(service).get(`${authorizePath()}&client_id=demo`)
    assert.equal(doubled.status, 400)
    const state = locationOf(await new Browser(service).get(`${authorizePath()}&state=other`))
    assert.equal(state.searchParams.get('error'), 'invalid_request')
    assert.equal(state.searchParams.get('state'), null)
  })

  it('lets a scope be used once it is registered and permitted (specification 2.4) [S2.4.6, S5.2.3]', async () => {
    await addClient(service, { id: 'profiled', scopes: ['profile', 'email', 'roles'] })
    const browser = new Browser(service)
    const before = locationOf(await browser.get(authorizePath({ client_id: 'profiled', scope: 'openid profile' })))
    assert.equal(before.searchParams.get('error'), 'invalid_scope')
    await service.storage.scopes.create(testScope('profile'))
    const after = locationOf(await browser.get(authorizePath({ client_id: 'profiled', scope: 'openid profile' })))
    assert.equal(after.pathname, '/Account/Login')
  })
})

await addUser(service, 'stateful')

describe('requests that fill headers', () => {
  for (const mode of ['query', 'fragment', 'form_post', 'query.jwt']) {
    it(`carries a state of 8000 characters through sign-in and consent, as some clients keep all there (${mode})`, async () => {
      const state = randomBytes(6000).toString('base64url')
      const browser = new Browser(service)
      const login = locationOf(await browser.get(authorizePath({ state, response_mode: mode, prompt: 'consent' })))
      assert.equal(login.pathname, '/Account/Login')
      const accepted = await browser.signIn({
        username: 'stateful',
        ReturnUrl: login.searchParams.get('ReturnUrl') ?? '',
      })
      const consent = locationOf(await browser.fetch(locationOf(accepted).href))
      assert.equal(consent.pathname, '/Account/Consent')
      assert.equal(consent.searchParams.get('state'), state)
      const answered = await browser.submit('/connect/authorize', [...consent.searchParams, ['submit.Accept', 'Yes']])
      if (mode === 'form_post') {
        assert.ok((await answered.text()).includes(`name="state" value="${state}"`))
        return
      }
      const { searchParams, hash } = locationOf(answered)
      const response = mode === 'fragment' ? new URLSearchParams(hash.slice(1)) : searchParams
      const sent = mode === 'query.jwt' ? claimsOf(response.get('response') ?? '').state : response.get('state')
      assert.equal(sent, state)
    })
  }

  it('carries a state of 8000 characters in a pushed request of a public client (RFC 9126)', async () => {
    const state = randomBytes(6000).toString('base64url')
    const pushed = await postToken(service, { ...authorizeParameters({ state, prompt: 'consent' }) }, {}, 'connect/par')
    assert.equal(pushed.status, 201)
    const browser = await Browser.signedIn(service, { username: 'stateful' })
    const { request_uri } = pushed.body as { request_uri: string }
    const query = new URLSearchParams({ client_id: 'demo', request_uri })
    const consent = locationOf(await browser.get(`/connect/authorize?${query}`))
    const denied = await browser.submit('/connect/authorize', [...consent.searchParams, ['submit.Deny', 'No']])
    assert.equal(locationOf(denied).searchParams.get('state'), state)
  })

  it('bounds the state with the rest of the request (ID9110, ID9002)', async () => {
    const ask = async (length: number) =>
      locationOf(await new Browser(service).get(authorizePath({ state: 's'.repeat(length) })))
    assert.equal((await ask(13_000)).pathname, '/Account/Login')
    // A redirect would be longer than the headers that this test's own client reads.
    const tooLong = authorizePath({ state: 's'.repeat(16_300), response_mode: 'form_post' })
    assert.match(await (await new Browser(service).get(tooLong)).text(), /#ID9110/)
    const beyond = locationOf(await new Browser(service).get(authorizePath({ state: 's'.repeat(16_385) })))
    assert.match(beyond.searchParams.get('error_uri') ?? '', /#ID9002$/)
    assert.equal(beyond.searchParams.get('state'), null)
  })

  it('refuses at the client what is too long to come back to from a sign-in, and goes on with it in a session (RFC 6749 §4.1.2.1)', async () => {
    const asked = authorizePath({ state: 's' })
    const beyond = [
      `p=${'%C3%A9'.repeat(9900)}`,
      Array.from({ length: 240 }, (_, at) => `p${at}=${'v'.repeat(220)}`).join('&'),
      `p=${'v'.repeat(16_384)}`,
    ]
    // Too long only when it is encoded.
    const encoded = `p=${'%C3%A9'.repeat(3000)}`
    for (const more of [...beyond, encoded]) {
      const location = locationOf(await new Browser(service).get(`${asked}&${more}`))
      assert.equal(location.origin + location.pathname, 'http://localhost:5081/callback')
      assert.equal(location.searchParams.get('error'), 'invalid_request')
      assert.match(location.searchParams.get('error_uri') ?? '', /#ID9110$/)
      assert.equal(location.searchParams.get('state'), 's')
    }
    const within = locationOf(await new Browser(service).get(`${asked}&p=${'v'.repeat(12_000)}`))
    assert.equal(within.pathname, '/Account/Login')
    const browser = await Browser.signedIn(service)
    // `fetch` reads 16 KiB of headers.
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const options = { headers: { cookie }, maxHeaderSize: 64 * 1024 }
    const sent = request(new URL(`${asked}&${encoded}`, service.issuer), options).end()
    const [shown] = (await once(sent, 'response')) as [IncomingMessage]
    shown.resume()
    assert.match(shown.headers.location ?? '', /^\/Account\/Consent\?/)
    const unshown = locationOf(await browser.get(`${asked}&p=${'%C3%A9'.repeat(5000)}`))
    assert.match(unshown.searchParams.get('error_uri') ?? '', /#ID9110$/)
  })

  it('keeps at most eight challenges in a browser, the newest', async () => {
    const browser = new Browser(service)
    for (let request = 0; request < 20; request += 1) {
      service.advance(1)
      await browser.get(authorizePath({ prompt: 'login', state: `s${request}` }))
    }
    assert.equal([...browser.cookies.keys()].filter((name) => name.includes('challenge.')).length, 8)
    await browser.signIn()
    const newest = await browser.get(authorizePath({ prompt: 'login', state: 's19' }))
    assert.equal(locationOf(newest).pathname, '/Account/Consent')
  })
})

describe('id_token_hint (OpenID Connect Core §3.1.2.2)', () => {
  it('that cannot be verified is login_required under prompt=none, whoever is signed in, and else ignored', async () => {
    const browser = await Browser.signedIn(service)
    for (const id_token_hint of ['x', 'x.y.z']) {
      const asked = (prompt: string) => browser.get(authorizePath({ client_id: 'first-party', id_token_hint, prompt }))
      const silent = locationOf(await asked('none')).searchParams
      assert.deepEqual([silent.get('error'), silent.get('code')], ['login_required', null])
      assert.ok(locationOf(await asked('')).searchParams.has('code'))
    }
  })

  it('gives no code for another person than the hint names', async () => {
    await addUser(service, 'bob')
    const alice = new Browser(service)
    const { body } = await postToken(
      service,
      codeFields(await obtainCode(alice, { client_id: 'first-party' }), { client_id: 'first-party' }),
    )
    const bob = await Browser.signedIn(service, { username: 'bob' })
    const path = authorizePath({ client_id: 'first-party', id_token_hint: body.id_token })
    assert.equal(locationOf(await bob.get(path)).pathname, '/Account/Login')
    service.advance(1)
    await bob.signIn({ username: 'bob' })
    assert.equal(locationOf(await bob.get(path)).searchParams.get('error'), 'login_required')
    assert.ok(locationOf(await alice.get(path)).searchParams.get('code'))
  })
})

describe('a session that no longer counts', () => {
  it('sends a locked, then unlocked user to the login page and back in (contract 4) [C4.19]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const user = await service.storage.users.findByName('alice')
    const lockedUntilMs = service.now() + 60_000
    await service.storage.users.update(user?.id ?? '', (stored) => ({ ...stored, lockedUntilMs }))
    const path = authorizePath({ scope: 'openid demo_api' })
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login')
    service.advance(61)
    assert.ok(locationOf(await browser.get(path)).searchParams.get('code'), 'a lockout ends by itself')
  })

  it('slides while it is used and ends when it is not (14 days) [S4.6.8, S5.1.1, S8.2, C3.21]', async () => {
    const browser = new Browser(service)
    await obtainCode(browser, { scope: 'openid demo_api' })
    const path = authorizePath({ scope: 'openid demo_api' })
    service.advance(8 * 86_400)
    assert.ok(locationOf(await browser.get(path)).searchParams.get('code'))
    service.advance(8 * 86_400)
    assert.ok(locationOf(await browser.get(path)).searchParams.get('code'), 'renewed past its half')
    service.advance(15 * 86_400)
    assert.equal(locationOf(await browser.get(path)).pathname, '/Account/Login')
  })
})
