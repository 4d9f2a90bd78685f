/** A request that says two things at once is refused; values that mean something to a database, an object or a template mean nothing. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { githubForFile } from '../support/fake-github.ts'
import { addClient, addUser, password, serviceForFile } from '../support/service.ts'
import { arriveFromProvider, whoIs } from './attacker.ts'

const github = await githubForFile()
const service = await serviceForFile({ ...github.env, RateLimit__LoginPerMinute: '1000' })
await addClient(service, { id: 'other', redirectUris: ['https://other.example/'] })
await addUser(service, 'mallory')

const pairsOf = (fields: Readonly<Record<string, string>>) => Object.entries(fields)

describe('one parameter, two values', () => {
  it('refuses every protocol parameter given twice in one authorization request, and sends nobody anywhere else', async () => {
    const browser = await Browser.signedIn(service)
    for (const [name, value] of pairsOf({
      ...authorizeParameters(),
      prompt: 'none',
      max_age: '1',
      nonce: 'n',
      response_mode: 'query',
    })) {
      const query = new URLSearchParams([...pairsOf(authorizeParameters({ [name]: value })), [name, value]])
      const answer = await browser.get(`/connect/authorize?${query}`)
      const location = answer.headers.get('location') ?? ''
      assert.doesNotMatch(location, /[?&]code=/, name)
      const told = answer.status === 400 ? ((await answer.json()) as { error: string }).error : location
      assert.match(told, /invalid_request/, name)
    }
  })

  it('reads client and address of a consent post from the form alone', async () => {
    const browser = await Browser.signedIn(service)
    const query = new URLSearchParams({ client_id: 'other', redirect_uri: 'https://other.example/', state: 'evil' })
    const fields = { ...authorizeParameters({ scope: 'openid' }), 'submit.Accept': 'Yes' }
    const accepted = locationOf(await browser.submit(`/connect/authorize?${query}`, fields))
    assert.equal(accepted.origin, 'http://localhost:5081')
    assert.equal(accepted.searchParams.get('state'), 'state-1')
    const tokens = await postToken(service, codeFields(accepted.searchParams.get('code') ?? ''))
    assert.equal(claimsOf(tokens.body.id_token).aud, 'demo')
  })

  it('takes no answer of the consent page from the query', async () => {
    const browser = await Browser.signedIn(service)
    const token = await browser.antiforgeryToken()
    const query = new URLSearchParams({ 'submit.Accept': 'Yes', __RequestVerificationToken: token })
    for (const answer of [
      await browser.get(`${authorizePath({ scope: 'openid demo_api' })}&${query}`),
      await browser.post(`/connect/authorize?${query}`, authorizeParameters({ scope: 'openid demo_api' })),
    ]) {
      assert.equal(locationOf(answer).pathname, '/Account/Consent')
    }
  })

  it('knows one spelling of a protocol parameter, its own case (RFC 6749 §3.1)', async () => {
    const browser = await Browser.signedIn(service)
    for (const name of ['CLIENT_ID', 'Redirect_Uri', 'SCOPE', 'State']) {
      const value = name === 'Redirect_Uri' ? 'https://evil.test/' : 'evil'
      const answer = locationOf(await browser.get(`${authorizePath({ prompt: 'none' })}&${name}=${value}`))
      assert.equal(answer.origin, 'http://localhost:5081', name)
      assert.equal(answer.searchParams.get('state'), 'state-1', name)
    }
    const code = await obtainCode(browser)
    const only = await postToken(service, { ...codeFields(code, { client_id: '' }), CLIENT_ID: 'demo' })
    assert.equal(only.body.error, 'invalid_request')
    assert.equal((await postToken(service, codeFields(code))).status, 200)
  })

  it('takes no parameter by the names of arrays and objects', async () => {
    const browser = await Browser.signedIn(service)
    for (const name of ['redirect_uri[]', 'redirect_uri[0]', 'redirect_uri.x', 'redirect_uri%00', 'redirect_uri ']) {
      const query = new URLSearchParams([
        ...pairsOf(authorizeParameters({ prompt: 'none' })),
        [name, 'https://evil.test/'],
      ])
      const answer = await browser.get(`/connect/authorize?${query}`)
      assert.equal(locationOf(answer).origin, 'http://localhost:5081', name)
    }
  })

  it('refuses fields of the sign-in given twice, in two cases, and reads none from the query', async () => {
    for (const twice of ['username', 'password', 'ReturnUrl']) {
      const browser = new Browser(service)
      const fields = [...pairsOf({ username: 'mallory', password }), [twice, 'x'], [twice.toUpperCase(), 'y']] as const
      const answer = await browser.submit('/Account/Login', fields)
      assert.equal(answer.status, 400, twice)
      assert.equal(await whoIs(browser), undefined)
    }
    const browser = new Browser(service)
    await browser.submit('/Account/Login?username=alice', { username: 'mallory', password })
    assert.equal(await whoIs(browser), 'mallory')
  })

  it('refuses the parameters of a token request in its query, and twice in its body', async () => {
    const code = await obtainCode(new Browser(service))
    const fields = codeFields(code)
    const query = new URLSearchParams(fields)
    const inQuery = await fetch(new URL(`connect/token?${query}`, service.issuer), {
      method: 'POST',
      body: new URLSearchParams(),
    })
    assert.equal(inQuery.status, 400)
    for (const [name, value] of pairsOf(fields)) {
      const twice = await postToken(service, [...pairsOf(fields), [name, value]])
      assert.equal(twice.status, 400, name)
      assert.equal(twice.body.error, 'invalid_request', name)
    }
    assert.equal((await postToken(service, fields)).status, 200, 'and the code is not used up by any of them')
  })

  it('refuses a good anti-forgery token beside a bad one, in the header or in the field', async () => {
    const browser = new Browser(service)
    const good = await browser.antiforgeryToken()
    const bad = await new Browser(service).antiforgeryToken()
    const post = (field: string, header: string) =>
      browser.post(
        '/Account/Login',
        { username: 'alice', password: 'wrong', __RequestVerificationToken: field },
        { RequestVerificationToken: header },
      )
    assert.equal((await post(good, bad)).status, 400, 'a bad header is not saved by a good field')
    assert.equal((await post(good, `${good}, ${good}`)).status, 400)
    assert.equal((await post('', good)).status, 302)
    const query = `/Account/Login?__RequestVerificationToken=${good}`
    assert.equal((await browser.post(query, { username: 'alice', password })).status, 400)
    const otherCase = { username: 'alice', password, __requestverificationtoken: good }
    assert.equal((await browser.post('/Account/Login', otherCase)).status, 400)
    assert.equal(await whoIs(browser), undefined)
  })
})

/** What means something to SQL, JSON, JavaScript, shells, templates, LDAP, XML and log readers. */
const metacharacters = [
  `' OR '1'='1`,
  `'; DROP TABLE users; --`,
  `" OR ""="`,
  `alice'--`,
  `alice' /*`,
  `%' OR name LIKE '%`,
  `_____`,
  `\\'; SELECT 1; --`,
  `$1`,
  `?1`,
  `:name`,
  `{"$ne":null}`,
  `{"$gt":""}`,
  `["demo"]`,
  `","client_id":"other`,
  `\\u0022`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template for engines that would run it
  '${7*7}{{7*7}}<%=7*7%>#{7*7}',
  `*)(uid=*))(|(uid=*`,
  `<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>`,
  `$(id)\`id\`|id;id&&id`,
  `\n{"level":30,"msg":"signed in"}`,
  `\u0000`,
  `\ud7ff\ue000\uffff\u{10ffff}`,
]

describe('values that mean something elsewhere', () => {
  it('let no one in, lose nothing and fail nothing in any field of any form', async () => {
    const before = await service.storage.users.list()
    const browser = await Browser.signedIn(service)
    let tried = 0
    for (const value of metacharacters) {
      const attempts: Promise<Response>[] = [
        ...[
          'client_id',
          'redirect_uri',
          'scope',
          'state',
          'nonce',
          'prompt',
          'max_age',
          'id_token_hint',
          'login_hint',
        ].map((name) => browser.get(authorizePath({ [name]: value }))),
        ...['client_id', 'post_logout_redirect_uri', 'id_token_hint', 'state'].map((name) =>
          browser.get(`/connect/logout?${new URLSearchParams({ [name]: value })}`),
        ),
        ...['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'client_secret', 'refresh_token'].map(
          (name) => browser.post('/connect/token', codeFields('code', { [name]: value })),
        ),
        ...['refresh_token', 'scope', 'client_id'].map((name) =>
          browser.post('/connect/token', refreshFields('x', { [name]: value })),
        ),
        ...['token', 'token_type_hint', 'client_id'].map((name) =>
          browser.post('/connect/revocation', { token: 'x', client_id: 'demo', [name]: value }),
        ),
        new Browser(service).submit('/Account/Login', { username: value, password: value }),
        browser.submit('/Account/ExternalLogin', { provider: value }),
        new Browser(service).get('/Account/Session', { cookie: `latchkey.session=${encodeURIComponent(value)}` }),
        browser.get('/weatherforecast', { authorization: `Bearer ${Buffer.from(value).toString('base64url')}` }),
        browser.post(
          '/connect/token',
          { grant_type: 'refresh_token', refresh_token: 'x' },
          {
            authorization: `Basic ${Buffer.from(`${encodeURIComponent(value)}:${encodeURIComponent(value)}`).toString('base64')}`,
          },
        ),
      ]
      for (const answer of await Promise.all(attempts)) {
        const text = await answer.text()
        // An unknown token is as good as revoked, and a spoilt cookie is nobody's.
        const nothing = answer.status === 200 && ['{}', '{"user":null}'].includes(text)
        const refused = answer.status >= 300 && answer.status < 500
        assert.ok(nothing || refused, `${JSON.stringify(value)}: ${answer.status} ${answer.url}`)
        assert.doesNotMatch(text, /SQLITE|syntax error|SqliteError|\b49\b.*\b49\b/)
        tried += 1
      }
    }
    assert.equal(tried, metacharacters.length * 31)
    assert.equal(await whoIs(browser), 'alice')
    assert.deepEqual(
      (await service.storage.users.list()).map(({ name }) => name),
      before.map(({ name }) => name),
    )
  })

  it('write no line of their own into the log', async () => {
    const lines = service.log.length
    await new Browser(service).get(authorizePath({ client_id: 'x"}\n{"level":30,"msg":"signed in","user":"root"}' }))
    const written = service.log.slice(lines)
    assert.deepEqual(
      written.map(({ msg }) => msg),
      ['refused'],
    )
  })
})

describe('names that every object has', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then']

  it('change nothing as names and values of parameters, cookies, headers, assets and keys', async () => {
    const browser = await Browser.signedIn(service)
    for (const name of names) {
      for (const [what, answer] of [
        [
          'a parameter',
          await browser.get(`${authorizePath()}&${name}=polluted&${name}[polluted]=1&${name}.polluted=1`),
        ],
        ['a client', await browser.get(authorizePath({ client_id: name }))],
        ['a prompt', await browser.get(authorizePath({ prompt: name }))],
        ['a response mode', await browser.get(authorizePath({ response_mode: name }))],
        ['a scope', await browser.get(authorizePath({ scope: name }))],
        ['a provider', await browser.submit('/Account/ExternalLogin', { provider: name })],
        ['an asset', await browser.get(`/assets/${name}`)],
        ['a grant', await browser.post('/connect/token', { grant_type: name, [name]: 'polluted' })],
        ['a code', await browser.post('/connect/token', codeFields(`${name}.${'A'.repeat(80)}`))],
        [
          'a cookie',
          await new Browser(service).get('/Account/Session', { cookie: `${name}=polluted; latchkey.${name}=x` }),
        ],
        [
          'an anti-forgery secret',
          await browser.post('/Account/Login', { __RequestVerificationToken: `${name}.a.b.c` }),
        ],
        ['a field', await browser.submit('/Account/Login', { [name]: 'polluted', username: name })],
      ] as const) {
        assert.ok(answer.status < 500, `${what} ${name}: ${answer.status}`)
      }
    }
    const probe: Record<string, unknown> = {}
    assert.equal(probe.polluted, undefined)
    assert.deepEqual(Object.keys(Object.prototype), [])
  })

  it('change nothing in the JSON of a provider', async () => {
    const user = JSON.parse(
      '{"__proto__":{"id":1,"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":4711,"login":"l"}',
    )
    const honest = github.user
    github.user = user
    try {
      const browser = new Browser(service)
      const back = await arriveFromProvider(browser)
      assert.equal(locationOf(back).pathname, '/Account/ExternalLoginCallback')
      const registered = await browser.submit('/Account/ExternalLoginRegister', { email: 'proto@example.com' })
      assert.equal(registered.headers.get('location'), '/')
      assert.ok(await service.storage.users.findByExternalLogin('github', '4711'))
      const probe: Record<string, unknown> = {}
      assert.equal(probe.polluted, undefined)
    } finally {
      github.user = honest
    }
  })
})
