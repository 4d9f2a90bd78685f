import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requestUriPrefix } from '../../src/protocol/authorization-request/pushed-request.ts'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { mintClientSecret } from '../../src/secrets/opaque.ts'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  postToken,
  type TokenAnswer,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, serviceForFile, startService } from '../support/service.ts'

const { secret, hash } = mintClientSecret()
const confidential = { authentication: bySecret(hash), requirePkce: false }

const service = await serviceForFile()
await addClient(service, { id: 'web', ...confidential })
await addClient(service, { id: 'first-party', consent: 'implicit' })
const metadata = { ...defaultClientMetadata, require_pushed_authorization_requests: true }
await addClient(service, { id: 'must-push', consent: 'implicit', metadata })
const strict = { ...defaultClientMetadata, profile: 'fapi2' as const }
await addClient(service, { id: 'strict', consent: 'implicit', requirePkce: false, metadata: strict })
await addClient(service, { id: 'refreshing', grantTypes: ['refresh_token'] })

const basic = (id: string, key: string) => ({ authorization: `Basic ${btoa(`${id}:${key}`)}` })

function push(change: Readonly<Record<string, string>> = {}, headers = {}): Promise<TokenAnswer> {
  return postToken(service, authorizeParameters(change), headers, 'connect/par')
}

/** The request_uri of a good request. */
async function pushed(change: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await push(change)
  assert.equal(status, 201, JSON.stringify(body))
  return body.request_uri
}

const pathOf = (requestUri: string, clientId = 'demo', more = {}) =>
  `/connect/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri, ...more })}`

async function errorOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: string }).error
}

const html = { accept: 'text/html' }

const signedIn = () => Browser.signedIn(service)

describe('POST /connect/par (RFC 9126 §2)', () => {
  it('answers 201 with a request_uri of 256 random bits and its lifetime, not to be cached (§2.2)', async () => {
    const [first, second] = [await push(), await push()]
    assert.equal(first.status, 201)
    assert.deepEqual(Object.keys(first.body).sort(), ['expires_in', 'request_uri'])
    assert.equal(first.body.expires_in, 60)
    assert.match(first.body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{64}$/)
    assert.notEqual(first.body.request_uri.slice(-43), second.body.request_uri.slice(-43))
    assert.equal(first.headers.get('cache-control'), 'no-store')
    assert.match(first.headers.get('content-type') ?? '', /^application\/json/)
  })

  it('authenticates a confidential client as the token endpoint does (§2)', async () => {
    assert.equal((await push({ client_id: 'web' }, basic('web', secret))).status, 201)
    assert.equal((await push({ client_id: 'web', client_secret: secret })).status, 201)
    for (const answer of [
      await push({ client_id: 'web' }),
      await push({ client_id: 'web' }, basic('web', 'wrong')),
      await push({ client_id: 'web', client_secret: 'wrong' }),
      await push({ client_id: 'nobody' }),
      await push({ client_id: '' }),
    ]) {
      assert.equal(answer.status, 401)
      assert.equal(answer.body.error, 'invalid_client')
    }
    const other = await push({ client_id: 'demo' }, basic('web', secret))
    assert.equal(other.status >= 400 && other.status < 500, true)
  })

  it('says nothing about a request before the client is authenticated', async () => {
    for (const change of [
      { scope: 'unheard-of' },
      { redirect_uri: 'https://attacker.example/' },
      { request_uri: 'x' },
    ]) {
      const answer = await push({ client_id: 'web', ...change })
      assert.equal(answer.body.error, 'invalid_client', JSON.stringify(change))
    }
  })

  const refused: readonly [Readonly<Record<string, string>>, string][] = [
    [{ redirect_uri: 'https://attacker.example/' }, 'invalid_request'],
    [{ redirect_uri: 'not absolute' }, 'invalid_request'],
    [{ redirect_uri: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'invalid_request'],
    [{ scope: 'openid unheard-of' }, 'invalid_scope'],
    [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ request_uri: 'https://client.example/request' }, 'invalid_request'],
    [{ request_uri: `${requestUriPrefix}${'A'.repeat(64)}` }, 'invalid_request'],
    [{ client_id: 'refreshing' }, 'unauthorized_client'],
    [{ state: 's'.repeat(16_385) }, 'invalid_request'],
  ]
  for (const [change, error] of refused) {
    it(`refuses what the authorization endpoint would refuse: ${JSON.stringify(change).slice(0, 70)} (§2.3)`, async () => {
      const { status, body } = await push(change)
      assert.equal(status, 400)
      assert.equal(body.error, error, JSON.stringify(body))
      assert.match(body.error_description, /^ID\d{4}: /)
    })
  }

  it('refuses a repeated parameter, a request without a form and one that is too large', async () => {
    const fields = [...Object.entries(authorizeParameters()), ['state', 'again']] as [string, string][]
    assert.equal((await postToken(service, fields, {}, 'connect/par')).body.error, 'invalid_request')
    const many = Array.from({ length: 200 }, (_, at) => [`p${at}`, 'x'.repeat(200)] as [string, string])
    const large = await postToken(service, [...Object.entries(authorizeParameters()), ...many], {}, 'connect/par')
    assert.equal(large.body.error, 'invalid_request')
    assert.match(large.body.error_description, /too large/)
    const json = await fetch(new URL('connect/par', service.issuer), { method: 'POST', body: '{}' })
    assert.equal(json.status, 400)
  })

  it('stores less of a public client, in whose name anybody pushes', async () => {
    const filling = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`filling${at}`, 'x'.repeat(900)]))
    const refused = await push(filling)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error_description, /^ID9205: /)
    const { status } = await push({ ...filling, client_id: 'web' }, basic('web', secret))
    assert.equal(status, 201)
  })

  it('takes POST alone (§2.1)', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(new URL('connect/par', service.issuer), { method })
      assert.equal(response.status, 400)
      assert.equal(await errorOf(response), 'invalid_request')
    }
  })

  it('stores neither the secret of the client nor the request_uri itself', async () => {
    const requestUri: string = (await push({ client_id: 'web', client_secret: secret })).body.request_uri
    const { parseOpaque } = await import('../../src/secrets/opaque.ts')
    const value = requestUri.slice(requestUriPrefix.length)
    const stored = JSON.stringify(await service.storage.pushedRequests.find(parseOpaque(value)?.id ?? ''))
    assert.match(stored, /"state","state-1"/)
    assert.ok(!stored.includes(secret))
    assert.ok(!stored.includes(value.slice(-43)))
  })
})

describe('a pushed request at /connect/authorize (RFC 9126 §4)', () => {
  it('leads through login and consent to the code, with client_id and request_uri alone in every address', async () => {
    const requestUri = await pushed({ nonce: 'nonce-1' })
    const browser = new Browser(service)
    const sent = { client_id: 'demo', request_uri: requestUri }
    const toLogin = locationOf(await browser.get(pathOf(requestUri)))
    assert.equal(toLogin.pathname, '/Account/Login')
    const returnUrl = new URL(toLogin.searchParams.get('ReturnUrl') ?? '', service.issuer)
    assert.deepEqual(Object.fromEntries(returnUrl.searchParams), sent)
    await browser.signIn()
    const toConsent = locationOf(await browser.get(returnUrl.href))
    assert.equal(toConsent.pathname, '/Account/Consent')
    assert.deepEqual(Object.fromEntries(toConsent.searchParams), sent)
    const shown = await browser.get(`/Account/ConsentContext${toConsent.search}`)
    const context = (await shown.json()) as Record<string, unknown>
    assert.deepEqual(context.client, { id: 'demo', name: 'Demo client' })
    assert.equal(context.redirectUri, 'http://localhost:5081/callback')
    const accepted = locationOf(await browser.submit('/connect/authorize', { ...sent, 'submit.Accept': 'Yes' }))
    assert.equal(accepted.origin, 'http://localhost:5081')
    assert.equal(accepted.searchParams.get('state'), 'state-1')
    assert.equal(accepted.searchParams.get('iss'), service.issuer)
    const tokens = await postToken(service, codeFields(accepted.searchParams.get('code') ?? ''))
    assert.equal(tokens.status, 200)
    assert.equal(claimsOf(tokens.body.id_token).nonce, 'nonce-1')
    assert.deepEqual(
      [...browser.cookies.keys()].filter((name) => name.includes('opened.')),
      [],
    )
  })

  it('hands what only the pushed request says on to the sign-in page: the name to fill in, and the languages', async () => {
    const requestUri = await pushed({ login_hint: 'alice', ui_locales: 'de fr' })
    const { searchParams } = locationOf(await new Browser(service).get(pathOf(requestUri)))
    assert.deepEqual([searchParams.get('username'), searchParams.get('ui_locales')], ['alice', 'de fr'])
    // What the address says itself reaches the page once, with the way back.
    const plain = authorizePath({ ui_locales: 'de' })
    assert.equal(locationOf(await new Browser(service).get(plain)).searchParams.get('ui_locales'), null)
  })

  it('can be opened again until it is completed, and never after', async () => {
    const requestUri = await pushed({ prompt: 'consent' })
    const browser = await signedIn()
    for (let visit = 0; visit < 3; visit += 1) {
      assert.equal(locationOf(await browser.get(pathOf(requestUri))).pathname, '/Account/Consent')
    }
    const fields = { client_id: 'demo', request_uri: requestUri, 'submit.Accept': 'Yes' }
    assert.ok(locationOf(await browser.submit('/connect/authorize', fields)).searchParams.get('code'))
    for (const again of [
      await browser.get(pathOf(requestUri), html),
      await browser.submit('/connect/authorize', fields),
      await new Browser(service).get(pathOf(requestUri)),
    ]) {
      assert.equal(again.status, 400)
      assert.match(await again.text(), /ID9203/)
      assert.equal(again.headers.get('location'), null)
    }
  })

  it('is completed by a denial, too', async () => {
    const requestUri = await pushed()
    const browser = await signedIn()
    const fields = { client_id: 'demo', request_uri: requestUri }
    const denied = locationOf(await browser.submit('/connect/authorize', { ...fields, 'submit.Deny': 'No' }))
    assert.equal(denied.searchParams.get('error'), 'access_denied')
    assert.equal(denied.searchParams.get('state'), 'state-1')
    assert.equal(denied.searchParams.get('iss'), service.issuer)
    const accepted = await browser.submit('/connect/authorize', { ...fields, 'submit.Accept': 'Yes' })
    assert.equal(accepted.status, 400)
    assert.match(await accepted.text(), /invalid_request_uri/)
  })

  it('gives one code to twenty answers at once', async () => {
    const requestUri = await pushed()
    const browser = await signedIn()
    const token = await browser.antiforgeryToken()
    const fields = { client_id: 'demo', request_uri: requestUri, __RequestVerificationToken: token }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        browser.post('/connect/authorize', { ...fields, [at % 5 === 0 ? 'submit.Deny' : 'submit.Accept']: 'x' }),
      ),
    )
    assert.equal(answers.filter((answer) => answer.status === 302).length, 1)
    assert.equal(answers.filter((answer) => answer.status === 400).length, 19)
  })

  it('is not completed by prompt=none without a session, nor by opening it', async () => {
    const requestUri = await pushed({ client_id: 'first-party', prompt: 'none' })
    const stranger = locationOf(await new Browser(service).get(pathOf(requestUri, 'first-party')))
    assert.equal(stranger.searchParams.get('error'), 'login_required')
    const browser = await signedIn()
    assert.ok(locationOf(await browser.get(pathOf(requestUri, 'first-party'))).searchParams.get('code'))
  })

  it('ignores every parameter beside it but client_id (RFC 9101 §5)', async () => {
    const requestUri = await pushed({ client_id: 'first-party', nonce: 'pushed' })
    const smuggled = {
      ...{ state: 'evil', nonce: 'evil', scope: 'openid', prompt: 'none', response_mode: 'fragment' },
      ...{ redirect_uri: 'https://attacker.example/', code_challenge: 'x', response_type: 'token' },
    }
    const browser = await signedIn()
    const answered = locationOf(await browser.get(pathOf(requestUri, 'first-party', smuggled)))
    assert.equal(answered.origin, 'http://localhost:5081')
    assert.equal(answered.searchParams.get('state'), 'state-1')
    const fields = codeFields(answered.searchParams.get('code') ?? '', { client_id: 'first-party' })
    const { body } = await postToken(service, fields)
    assert.equal(claimsOf(body.id_token).nonce, 'pushed')
    assert.match(body.scope, /demo_api/)
  })

  it('is refused with a request object beside it, and goes nowhere (RFC 9101 §5)', async () => {
    const requestUri = await pushed({ client_id: 'first-party' })
    const browser = await signedIn()
    const response = await browser.get(pathOf(requestUri, 'first-party', { request: 'x.y.z' }))
    assert.deepEqual([response.status, response.headers.get('location')], [400, null])
    assert.match(await response.text(), /"error":"invalid_request".*ID9188/)
    const alone = locationOf(await browser.get(pathOf(requestUri, 'first-party', { request: '' })))
    assert.ok(alone.searchParams.has('code'), 'the request was not used up')
  })

  it('belongs to its client', async () => {
    const requestUri = await pushed()
    const browser = await signedIn()
    for (const clientId of ['first-party', 'nobody', '']) {
      const response = await browser.get(pathOf(requestUri, clientId))
      assert.equal(response.status, 400, clientId)
      assert.equal(response.headers.get('location'), null)
    }
    const foreign = await browser.get(pathOf(requestUri, 'first-party'))
    assert.equal(await errorOf(foreign), 'invalid_request_uri')
    const twice = await browser.get(`${pathOf(requestUri)}&client_id=first-party`)
    assert.equal(twice.status, 400)
  })

  it('is found by its whole value only: not by its id, another secret or another spelling', async () => {
    const requestUri = await pushed()
    const flipped = `${requestUri.slice(0, -1)}${requestUri.endsWith('A') ? 'E' : 'A'}`
    const other = `${requestUri.slice(0, -43)}${(await pushed()).slice(-43)}`
    for (const wrong of [
      flipped,
      other,
      requestUriPrefix,
      `${requestUri}=`,
      `${requestUri}x`,
      `${requestUriPrefix}' or 1=1 --`,
    ]) {
      const response = await new Browser(service).get(pathOf(wrong))
      assert.equal(response.status, 400, wrong)
      assert.equal(await errorOf(response), 'invalid_request_uri')
    }
    const repeated = await new Browser(service).get(
      `${pathOf(requestUri)}&request_uri=${encodeURIComponent(requestUri)}`,
    )
    assert.equal(repeated.status, 400)
    assert.equal((await new Browser(service).get(pathOf(requestUri))).status, 302)
  })

  it('expires after a minute, for browsers that did not open it before', async () => {
    const requestUri = await pushed({ prompt: 'consent' })
    const browser = new Browser(service)
    assert.equal((await browser.get(pathOf(requestUri))).status, 302)
    service.advance(61)
    const late = await new Browser(service).get(pathOf(requestUri))
    assert.equal(late.status, 400)
    assert.equal(await errorOf(late), 'invalid_request_uri')
    assert.match(await (await new Browser(service).get(pathOf(requestUri), html)).text(), /ID9202/)
    // The browser that was at the login page meanwhile goes on.
    await browser.signIn()
    assert.equal(locationOf(await browser.get(pathOf(requestUri))).pathname, '/Account/Consent')
    service.advance(3600)
    assert.equal((await browser.get(pathOf(requestUri))).status, 400)
  })

  it('is not kept open by the mark of another request, or a forged one', async () => {
    const [mine, other] = [await pushed(), await pushed()]
    const browser = new Browser(service)
    await browser.get(pathOf(mine))
    const [name = '', value = ''] = [...browser.cookies].find(([cookie]) => cookie.includes('opened.')) ?? []
    assert.ok(name)
    const stranger = new Browser(service)
    await stranger.get(pathOf(other))
    const [otherName = ''] = [...stranger.cookies.keys()].filter((cookie) => cookie.includes('opened.'))
    stranger.cookies.set(otherName, value)
    service.advance(61)
    assert.equal((await stranger.get(pathOf(other))).status, 400)
    assert.equal((await browser.get(pathOf(mine))).status, 302)
  })

  it('asks for a fresh sign-in once with prompt=login', async () => {
    const requestUri = await pushed({ client_id: 'first-party', prompt: 'login' })
    const browser = await signedIn()
    service.advance(2)
    assert.equal(locationOf(await browser.get(pathOf(requestUri, 'first-party'))).pathname, '/Account/Login')
    assert.equal(locationOf(await browser.get(pathOf(requestUri, 'first-party'))).pathname, '/Account/Login')
    service.advance(2)
    await browser.signIn()
    assert.ok(locationOf(await browser.get(pathOf(requestUri, 'first-party'))).searchParams.get('code'))
  })

  it('is judged again when it is opened: a client that was changed meanwhile gets no code', async () => {
    const { clients } = service.storage
    await addClient(service, { id: 'passing', consent: 'implicit' })
    const requestUri = await pushed({ client_id: 'passing' })
    await clients.delete('passing')
    const browser = await signedIn()
    assert.equal((await browser.get(pathOf(requestUri, 'passing'))).status, 400)
  })

  it('works posted to the authorization endpoint, from another site as well', async () => {
    const requestUri = await pushed()
    const fields = { client_id: 'demo', request_uri: requestUri }
    const posted = await new Browser(service).post('/connect/authorize', fields)
    assert.equal(locationOf(posted).pathname, '/Account/Login')
    const crossSite = await new Browser(service).post('/connect/authorize', fields, { 'sec-fetch-site': 'cross-site' })
    assert.equal(crossSite.status, 303)
    assert.deepEqual(Object.fromEntries(locationOf(crossSite).searchParams), fields)
  })
})

it('public clients of one address push 300 requests a minute; confidential clients as many as they need', async () => {
  await using own = await startService()
  await addClient(own, { id: 'web', ...confidential })
  const pushAt = (fields: Record<string, string>) =>
    postToken(own, authorizeParameters({ scope: 'openid', ...fields }), {}, 'connect/par')
  const first = await Promise.all(Array.from({ length: 300 }, () => pushAt({})))
  assert.ok(first.every(({ status }) => status === 201))
  const beyond = await pushAt({})
  assert.equal(beyond.status, 429)
  assert.match(beyond.body.error_description, /^ID9215/)
  assert.ok(Number(beyond.headers.get('retry-after')) > 0)
  assert.equal((await pushAt({ client_id: 'web', client_secret: secret })).status, 201)
  own.advance(61)
  assert.equal((await pushAt({})).status, 201)
})

describe('clients that must push (RFC 9126 §6)', () => {
  for (const clientId of ['must-push', 'strict']) {
    it(`${clientId} is refused with parameters in the address, and gets a code by pushing`, async () => {
      const browser = await signedIn()
      const plain = authorizeParameters({ client_id: clientId })
      const refused = locationOf(await browser.get(`/connect/authorize?${new URLSearchParams(plain)}`))
      assert.equal(refused.searchParams.get('error'), 'invalid_request')
      assert.match(refused.searchParams.get('error_description') ?? '', /^ID9206/)
      const requestUri = await pushed({ client_id: clientId })
      const answered = locationOf(await browser.get(pathOf(requestUri, clientId)))
      assert.ok(answered.searchParams.get('code'))
    })
  }

  it('profile fapi2 demands PKCE with S256 and redirect_uri (FAPI 2.0 Security Profile §5.3.2.2)', async () => {
    const common = { client_id: 'strict', scope: 'demo_api' }
    for (const change of [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge_method: 'plain' },
      { redirect_uri: '' },
    ]) {
      const { status, body } = await push({ ...common, ...change })
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_request')
    }
    assert.equal((await push(common)).status, 201)
  })
})

it('pushed requests survive a restart', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const folder = mkdtempSync('/tmp/latchkey-par-')
  const env = { Database__Url: `sqlite:${folder}/latchkey.db` }
  const first = await startService(env)
  try {
    const fields = authorizeParameters()
    const { body } = await postToken(first, fields, {}, 'connect/par')
    await first.stop()
    await using second = await startService(env, { after: first })
    const opened = await new Browser(second).get(pathOf(body.request_uri))
    assert.equal(locationOf(opened).pathname, '/Account/Login')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
