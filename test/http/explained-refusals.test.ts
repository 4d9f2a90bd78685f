/** Every refusal: its trace id stands in the answer and in the log, and the log says which rule failed and on what. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalsInTrail } from '../../src/audit/refusals.ts'
import { grantTypes } from '../../src/protocol/grant/grant-types.ts'
import { explain } from '../../src/protocol/refusals/explanation.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  codeFields,
  codeVerifier,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { githubForFile } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import { rawRequest } from '../support/raw-request.ts'
import { password, serviceForFile, testClient } from '../support/service.ts'

type Logged = Readonly<Record<string, unknown>>

/** What must be in no line of the log. */
const secrets = new Set([password, codeVerifier, 'hunter2-secret'])

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '3' })
await service.storage.clients.create(testClient({ id: 'backend', authentication: bySecret(hashSecret('right')) }))
await service.storage.clients.create(
  testClient({ id: 'bare', scopes: [], redirectUris: ['https://a.test/cb', 'https://b.test/cb'] }),
)

/** The refusal in the log that belongs to an answer. */
function loggedFor(headers: Headers | string, log = service.log): Logged {
  const traceId = typeof headers === 'string' ? headers : headers.get('x-trace-id')
  assert.match(traceId ?? 'none', /^[0-9a-f]{32}$/)
  const lines = log.filter((line) => line.traceId === traceId && line.msg === 'refused')
  assert.equal(lines.length, 1, `${lines.length} lines of the log have the trace id ${traceId}`)
  return lines[0]?.refusal as Logged
}

function assertLogged(headers: Headers, expected: Logged): void {
  const logged = loggedFor(headers)
  const picked = Object.fromEntries(Object.keys(expected).map((name) => [name, logged[name]]))
  assert.deepEqual(picked, expected)
}

async function grant(): Promise<{ code: string; body: Record<string, string> }> {
  const code = await obtainCode(new Browser(service))
  const { body } = await postToken(service, codeFields(code))
  for (const secret of [code, body.access_token, body.id_token, body.refresh_token]) secrets.add(secret)
  return { code, body }
}

describe('an authorization request that is refused', () => {
  const callback = 'http://localhost:5081/callback'
  const direct = [
    ['an unknown client', { client_id: 'dmeo' }, { reason: 'client_unknown', received: 'dmeo' }],
    [
      'a trailing slash',
      { redirect_uri: `${callback}/` },
      {
        reason: 'redirect_uri_unregistered',
        client: 'demo',
        received: `${callback}/`,
        registered: [callback],
        difference: 'it has a trailing slash, which the registered one has not',
      },
    ],
    [
      'the nearest of several addresses, without what may be a secret',
      { client_id: 'bare', redirect_uri: 'http://me:hunter2-secret@b.test/cb?key=hunter2-secret' },
      {
        received: 'http://***@b.test/cb?key=***',
        registered: ['https://a.test/cb', 'https://b.test/cb'],
        nearest: 'https://b.test/cb',
        difference:
          'the scheme is http, registered is https (an application behind a proxy needs X-Forwarded-Proto); it has a user name or password in it, which the registered one ' +
          'has not; it has a query (?), which the registered one has not',
      },
    ],
    [
      'an address that is none',
      { redirect_uri: '/callback' },
      { rule: 'it begins with no scheme', received: '/callback' },
    ],
    ['a missing address', { redirect_uri: '' }, { reason: 'parameter_missing', parameter: 'redirect_uri' }],
    ['a long value', { client_id: 'x'.repeat(2049) }, { reason: 'parameter_too_long', length: 2049, limit: 2048 }],
  ] as const
  for (const [what, change, expected] of direct) {
    it(`directly: ${what}`, async () => {
      const response = await new Browser(service).get(authorizePath(change))
      assert.equal(response.status, 400)
      assertLogged(response.headers, expected)
    })
  }

  const told = [
    [
      'a scope that nobody registered',
      { scope: 'openid demo_apu' },
      {
        requested: ['openid', 'demo_apu'],
        unregistered: ['demo_apu'],
        permitted: ['openid', 'offline_access', 'demo_api'],
      },
    ],
    [
      'offline_access',
      { client_id: 'bare', scope: 'offline_access' },
      { reason: 'offline_access_not_permitted', permitted: ['openid'] },
    ],
    [
      'a scope that the client may not have',
      { client_id: 'bare', scope: 'demo_api' },
      { reason: 'scope_not_permitted', requested: ['demo_api'], notPermitted: ['demo_api'], permitted: ['openid'] },
    ],
    [
      'PKCE',
      { code_challenge: '', code_challenge_method: '' },
      {
        reason: 'code_challenge_missing',
        client: 'demo',
        remedy: 'switch PKCE with S256 on in the library; a public client cannot do without',
      },
    ],
    ['a plain challenge', { code_challenge_method: 'plain' }, { received: 'plain', supported: 'S256' }],
    ['a prompt', { prompt: 'none login' }, { reason: 'prompt_contradictory', received: ['none', 'login'] }],
    ['a max_age', { max_age: '-1' }, { reason: 'parameter_malformed', received: '-1' }],
    [
      'prompt=none without a sign-in',
      { prompt: 'none' },
      { reason: 'login_required', rule: 'prompt=none, and no user is signed in at this browser' },
    ],
  ] as const
  for (const [what, change, expected] of told) {
    it(`told to the client by a redirect: ${what}`, async () => {
      const home = 'client_id' in change ? { redirect_uri: 'https://a.test/cb' } : {}
      const response = await new Browser(service).get(authorizePath({ ...home, ...change }))
      assert.equal(response.status, 302)
      assert.ok(locationOf(response).searchParams.has('error'))
      assertLogged(response.headers, expected)
    })
  }

  it('names both ways out where PKCE is missing: the setting of the library, and that of a confidential client (ID2054)', async () => {
    for (const [client_id, remedy] of [
      ['backend', /^switch PKCE with S256 on in the library, or .*: latchkey client set backend require_pkce=false$/],
      ['demo', /^switch PKCE with S256 on in the library; a public client cannot do without$/],
    ] as const) {
      const path = authorizePath({ client_id, code_challenge: '', code_challenge_method: '' })
      const response = await new Browser(service).get(path)
      assert.match(locationOf(response).searchParams.get('error_uri') ?? '', /#ID2054$/)
      await service.storage.audit.flush()
      const [recorded] = await refusalsInTrail(service.storage, response.headers.get('x-trace-id') ?? '')
      assert.match(String(recorded?.detail.remedy), remedy)
      const { fix } = explain('code_challenge_missing') ?? {}
      assert.match(fix ?? '', /Switch PKCE with S256 on .*latchkey client set ID require_pkce=false/)
    }
  })

  it('says how old the sign-in was when max_age asked for less', async () => {
    const browser = new Browser(service)
    await browser.signIn()
    service.advance(100)
    const response = await browser.get(authorizePath({ prompt: 'none', max_age: '60' }))
    assertLogged(response.headers, { reason: 'login_required', maxAgeSeconds: 60, signedInSecondsAgo: 100 })
  })

  it('says which scopes no consent is stored for', async () => {
    const browser = new Browser(service)
    await browser.signIn()
    const response = await browser.get(authorizePath({ prompt: 'none', scope: 'openid' }))
    assertLogged(response.headers, { reason: 'consent_required', requested: ['openid'] })
  })
})

describe('a token request that is refused', () => {
  const refusedWith = async (fields: Readonly<Record<string, string>>, expected: Logged, headers = {}) => {
    const answer = await postToken(service, fields, headers)
    assert.deepEqual(Object.keys(answer.body), ['error', 'error_description', 'error_uri'])
    assertLogged(answer.headers, expected)
  }

  it('for a code: expired, of another client, another address, another verifier, redeemed before', async () => {
    const code = await obtainCode(new Browser(service))
    secrets.add(code)
    const client_id = 'bare'
    await refusedWith(codeFields(code, { client_id }), { reason: 'code_foreign', client: 'bare', issuedTo: 'demo' })
    await refusedWith(codeFields(code, { redirect_uri: 'http://localhost:5081/callback/' }), {
      reason: 'redirect_uri_mismatch',
      expected: 'http://localhost:5081/callback',
      difference: 'it has a trailing slash, which the registered one has not',
    })
    const wrong = 'w'.repeat(50)
    secrets.add(wrong)
    await refusedWith(codeFields(code, { code_verifier: wrong }), {
      reason: 'code_verifier_mismatch',
      method: 'S256',
      receivedLength: 50,
      rule: 'another verifier belongs to the challenge',
    })
    const { code_challenge = '' } = authorizeParameters()
    await refusedWith(codeFields(code, { code_verifier: code_challenge }), { rule: 'the challenge itself was sent' })
    await refusedWith(codeFields(code, { code_verifier: 'short' }), { receivedLength: 5 })
    await refusedWith(codeFields(`${code}x`), { reason: 'code_invalid', receivedLength: code.length + 1 })
    const { body } = await postToken(service, codeFields(code))
    for (const secret of [body.access_token, body.id_token, body.refresh_token]) secrets.add(secret)
    await refusedWith(codeFields(code), { reason: 'code_redeemed', revokedBefore: false })
    await refusedWith(codeFields(code), { reason: 'code_redeemed', revokedBefore: true })
    const late = await obtainCode(new Browser(service))
    secrets.add(late)
    service.advance(135)
    await refusedWith(codeFields(late), { reason: 'code_expired', expiredSecondsAgo: 75, lifetimeSeconds: 60 })
  })

  it('for a refresh token: replaced, of a revoked chain, expired, of another client, of nobody', async () => {
    const { body } = await grant()
    const first = body.refresh_token ?? ''
    await refusedWith(refreshFields(first, { client_id: 'bare' }), {
      reason: 'refresh_token_foreign',
      issuedTo: 'demo',
    })
    const { body: second } = await postToken(service, refreshFields(first))
    secrets.add(second.refresh_token).add(second.access_token)
    service.advance(45)
    await refusedWith(refreshFields(first), {
      reason: 'refresh_token_reused',
      replacedSecondsAgo: 45,
      leewaySeconds: 30,
      rotationsSince: 1,
    })
    service.advance(5)
    await refusedWith(refreshFields(second.refresh_token), {
      reason: 'refresh_token_expired',
      rule: 'its chain was revoked',
      revokedSecondsAgo: 5,
    })
    await refusedWith(refreshFields('nonsense'), { rule: 'no grant of this service belongs to it' })
    const invented = `${first.slice(0, first.lastIndexOf('.'))}.${'A'.repeat(43)}`
    await refusedWith(refreshFields(invented), { rule: 'its grant exists, but never had a token with this secret' })
    const { body: third } = await grant()
    await refusedWith(refreshFields(third.refresh_token ?? '', { scope: 'openid other' }), {
      reason: 'scope_unknown',
      unregistered: ['other'],
    })
    service.advance(1_209_600 + 10)
    await refusedWith(refreshFields(third.refresh_token ?? ''), {
      reason: 'refresh_token_expired',
      expiredSecondsAgo: 10,
      lifetimeSeconds: 1_209_600,
    })
  })

  it('for a person who may not sign in any more: why', async () => {
    const { body } = await grant()
    const alice = await service.storage.users.findByName('alice')
    assert.ok(alice)
    await service.storage.users.update(alice.id, (user) => ({ ...user, disabled: true }))
    const rule = 'an operator locked the account'
    await refusedWith(refreshFields(body.refresh_token ?? ''), { reason: 'user_not_allowed', rule })
    const nowMs = service.now()
    await service.storage.users.update(alice.id, (user) => ({ ...user, disabled: false, grantsEndedAtMs: nowMs }))
    await refusedWith(refreshFields(body.refresh_token ?? ''), {
      rule: 'the account was locked after this sign-in; locking ends all grants',
    })
    // Later than the lock, for the tests that follow.
    service.advance(1)
  })

  it('for the grant type, and for the way in which the client says who it is', async () => {
    await refusedWith(
      { grant_type: 'password', username: 'alice', password },
      { reason: 'grant_type_unsupported', received: 'password', supported: [...grantTypes] },
    )
    const fields = codeFields('x')
    const wrong = { ...fields, client_id: 'backend', client_secret: 'hunter2-secret' }
    const client = { client: 'backend', registeredAs: 'confidential' }
    await refusedWith(wrong, { reason: 'client_secret_wrong', ...client, method: 'client_secret_post' })
    await refusedWith(
      { ...fields, client_id: 'backend' },
      { reason: 'client_secret_missing', ...client, method: 'none' },
    )
    await refusedWith(
      { ...fields, client_secret: 'hunter2-secret' },
      { registeredAs: 'public', method: 'client_secret_post' },
    )
    const authorization = `Basic ${Buffer.from('backend:hunter2-secret').toString('base64')}`
    secrets.add(authorization.slice(6))
    const { client_id: _inHeader, ...withoutClient } = fields
    await refusedWith(
      withoutClient,
      { reason: 'client_secret_wrong', method: 'client_secret_basic' },
      { authorization },
    )
    await refusedWith(fields, { rule: 'header and body name different clients' }, { authorization })
    await refusedWith(
      fields,
      { reason: 'credentials_malformed', scheme: 'Basic' },
      { authorization: 'Basic hunter2-secret' },
    )
    const raw = `Basic ${Buffer.from('backend:hunter2+secret').toString('base64')}`
    secrets.add(raw.slice(6))
    await refusedWith(
      withoutClient,
      {
        reason: 'client_secret_wrong',
        rule: 'the secret in the header was compared form-decoded, and as it was sent',
      },
      { authorization: raw },
    )
    const unencoded = `Basic ${Buffer.from('backend:hunter2%secret').toString('base64')}`
    secrets.add(unencoded.slice(6))
    await refusedWith(
      withoutClient,
      {
        reason: 'client_secret_wrong',
        rule: 'the secret in the header is not form-encoded, and was compared as it was sent',
      },
      { authorization: unencoded },
    )
    await refusedWith({ ...fields, client_id: 'nobody' }, { reason: 'client_unknown_at_token', received: 'nobody' })
  })

  it('in values that are bounded and printable', async () => {
    const grant_type = `\u202e\n${'x'.repeat(1000)}`
    const answer = await postToken(service, { grant_type })
    const { received } = loggedFor(answer.headers)
    assert.equal(received, `\\u{202e}\\u{a}${'x'.repeat(243)}... (1002 characters)`)
  })
})

describe('whatever else is refused', () => {
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    new Browser(service).post(path, fields, headers)

  async function throughGithubAs(behaviour: typeof github.behaviour): Promise<Response> {
    github.behaviour = behaviour
    const browser = new Browser(service)
    const start = locationOf(await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' }))
    const callback = locationOf(await fetch(start, { redirect: 'manual' }))
    secrets.add(callback.searchParams.get('code') ?? '').add(callback.searchParams.get('state') ?? '')
    return browser.get(callback.pathname + callback.search)
  }

  const answers: readonly (readonly [string, number, () => Promise<Response>, Logged])[] = [
    [
      'a form without an anti-forgery token',
      400,
      () => post('/Account/Login', { username: 'alice', password }),
      { reason: 'antiforgery_failed', rule: 'the token is missing, or was sent more than once' },
    ],
    [
      'a form without the anti-forgery cookie',
      400,
      () => post('/connect/logout', { __RequestVerificationToken: 'x', Confirm: 'Yes' }),
      { rule: 'the anti-forgery cookie is missing' },
    ],
    [
      'a form with the token of another browser',
      400,
      async () => {
        const token = await new Browser(service).antiforgeryToken()
        const browser = new Browser(service)
        await browser.antiforgeryToken()
        return browser.post('/Account/ExternalLogin', { provider: 'GitHub', __RequestVerificationToken: token })
      },
      { rule: 'the token belongs to another browser, or to another person or none' },
    ],
    [
      'a form with a token that is too old',
      400,
      async () => {
        const browser = new Browser(service)
        const __RequestVerificationToken = await browser.antiforgeryToken()
        service.advance(12 * 3600 + 5)
        return browser.post('/Account/ExternalLoginRegister', { email: 'a@b.test', __RequestVerificationToken })
      },
      { rule: 'the token is too old', ageSeconds: 43_205, limitSeconds: 43_200 },
    ],
    [
      'a form that is none',
      400,
      () => fetch(new URL('/Account/Login', service.issuer), { method: 'POST' }),
      { id: 'ID2081' },
    ],
    [
      'a path with nothing behind it',
      404,
      () => new Browser(service).get('/connect/x?secret=hunter2-secret'),
      { path: '/connect/x' },
    ],
    [
      'a file with a very long name',
      404,
      () => new Browser(service).get(`/assets/${'a'.repeat(300)}`),
      { id: 'ID9404' },
    ],
    [
      'a provider that nobody configured',
      404,
      () => new Browser(service).submit('/Account/ExternalLogin', { provider: 'x' }),
      { reason: 'provider_unknown', configured: ['GitHub'] },
    ],
    [
      'another method',
      400,
      () => new Browser(service).fetch('/connect/token', { method: 'PUT' }),
      { reason: 'method_not_accepted', received: 'PUT', supported: ['POST'] },
    ],
    ['a large body', 413, () => post('/connect/token', { code: 'x'.repeat(70_000) }), { reason: 'body_too_large' }],
    [
      'broken percent-encoding in the path',
      400,
      () => new Browser(service).get('/%zz'),
      { reason: 'encoding_malformed' },
    ],
    [
      'too many parameters',
      400,
      () => new Browser(service).get(`/connect/logout?${'a&'.repeat(300)}`),
      { rule: 'too many parameters', limit: 256 },
    ],
    [
      'a return address that is not local',
      500,
      () => new Browser(service).signIn({ ReturnUrl: 'https://evil.test/' }),
      { id: 'ID9500', rule: 'the return address is not local' },
    ],
    [
      'an answer of a provider that nobody waits for',
      400,
      () => new Browser(service).get('/callback/login/GitHub?state=x&code=y'),
      { reason: 'external_state_invalid', provider: 'GitHub' },
    ],
    [
      'a token that is none at the API',
      401,
      () => new Browser(service).get('/weatherforecast', { authorization: 'Bearer hunter2-secret' }),
      { reason: 'access_token_invalid' },
    ],
    ['a provider that fails', 502, () => throughGithubAs('nonsense'), { reason: 'provider_failed' }],
    [
      'an answer of a provider that cannot be trusted',
      502,
      () => throughGithubAs('no_user'),
      { reason: 'provider_untrusted', provider: 'GitHub', check: 'id' },
    ],
    [
      'a provider that refuses at its token endpoint',
      502,
      () => throughGithubAs('wrong_code'),
      { reason: 'provider_refused', provider: 'GitHub', providerError: 'bad_verification_code' },
    ],
    [
      'the fourth failed sign-in of an address',
      429,
      async () => {
        for (let failure = 0; failure < 3; failure += 1)
          await new Browser(service).signIn({ username: `nobody${failure}` })
        return new Browser(service).signIn()
      },
      { reason: 'too_many_requests', failuresPerMinute: 3, address: '127.0.0.1' },
    ],
  ]
  for (const [what, status, send, expected] of answers) {
    it(`has a trace id that leads to the rule: ${what}`, async () => {
      const response = await send()
      assert.equal(response.status, status)
      assertLogged(response.headers, expected)
    })
  }

  const broken = [
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, { reason: 'request_malformed', rule: 'HPE_INVALID_METHOD' }],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, { rule: 'the Host header is missing' }],
    [
      'a head over 64 KiB',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
      431,
      { reason: 'head_too_large' },
    ],
  ] as const
  for (const [what, request, status, expected] of broken) {
    it(`has one too when it is no request yet: ${what}`, async () => {
      const answer = await rawRequest(service.issuer, request)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      const headers = new Headers({ 'x-trace-id': /^x-trace-id: (\w+)/im.exec(answer)?.[1] ?? '' })
      assertLogged(headers, expected)
      const { error, error_uri } = JSON.parse(answer.slice(answer.indexOf('{')))
      assert.deepEqual([error, new URL(error_uri).pathname], ['invalid_request', '/errors'])
    })
  }
})

describe('who may read the detail', () => {
  const page = { accept: 'text/html' }
  const change = { redirect_uri: 'http://localhost:5081/callback/marked' }

  it('a developer on a loopback issuer, on the page; never the JSON', async () => {
    const html = await (await new Browser(service).get(authorizePath(change), page)).text()
    const problem = JSON.parse(/<script type="application\/json" id="problem">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
    assert.equal(problem.explanation.rule, 'redirect_uri_unregistered')
    assert.deepEqual(
      new Map(problem.explanation.facts).get('difference'),
      'the path is /callback/marked, registered is /callback',
    )
    const json = await (await new Browser(service).get(authorizePath(change))).json()
    assert.deepEqual(Object.keys(json as object), ['error', 'error_description', 'error_uri'])
  })

  for (const issuer of [
    'https://id.example.com/',
    'https://localhost.example.com/',
    'https://127.0.0.1.example.com/',
  ]) {
    it(`nobody on ${issuer}: neither page nor JSON has it, the log has`, async (t) => {
      const remote = await serviceFor(t, { OAuth__Issuer: issuer })
      const browser = new Browser({ issuer: remote.address })
      for (const headers of [page, {}]) {
        const response = await browser.get(authorizePath(change), headers)
        assert.equal(response.status, 400)
        const text = await response.text()
        assert.doesNotMatch(text, /marked|explanation|5081/)
        assert.match(text, /ID2043/)
        assert.match(String(loggedFor(response.headers, remote.log).difference), /^the path is \/callback\/marked/)
      }
    })
  }
})

describe('the log of all this', () => {
  it('holds no code, verifier, token, secret or password', () => {
    const lines = service.log.map((line) => JSON.stringify(line))
    assert.ok(lines.length >= 50, `only ${lines.length} lines`)
    assert.ok(secrets.size >= 15, `only ${secrets.size} secrets`)
    for (const secret of secrets) {
      assert.equal(
        lines.find((line) => line.includes(secret) || line.includes(encodeURIComponent(secret))),
        undefined,
      )
    }
  })
})
