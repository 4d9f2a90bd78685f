/** No request writes into the head of an answer, gives the service another name, or has it read or framed from elsewhere. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseOpaque } from '../../src/secrets/opaque.ts'
import { authorizeParameters, authorizePath, Browser, locationOf } from '../support/browser.ts'
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts'
import { addClient, password, startService, type TestService } from '../support/service.ts'
import { exchange, request, type WireAnswer } from './wire.ts'

const https = 'https://id.example/'

let github: FakeGithub
let service: TestService
let trusting: TestService
let behindTls: TestService
before(async () => {
  github = await startFakeGithub()
  // Where other machines can reach a service, proxies and probes may call it by any name.
  const open = { Server__Host: '0.0.0.0' }
  service = await startService({ ...open, ...github.env, Cors__Origins__0: 'https://app.example' })
  trusting = await startService({ ...open, Server__TrustProxy: 'true', RateLimit__LoginPerMinute: '3' })
  behindTls = await startService({ ...open, OAuth__Issuer: https, Server__TrustProxy: '127.0.0.1' })
  await addClient(service, { id: 'first-party', consent: 'implicit' })
})
after(async () => {
  await Promise.all([service.stop(), trusting.stop(), behindTls.stop()])
  await github.stop()
})

const injections = [
  'x\r\nX-Evil: 1',
  'x\nX-Evil: 1',
  'x\rX-Evil: 1',
  'x\r\n\r\n<script>alert(1)</script>',
  'x%0d%0aX-Evil: 1',
  'x\u560d\u560aX-Evil: 1',
  'x\u0085X-Evil: 1',
  'x\u2028X-Evil: 1',
  '\r\nSet-Cookie: latchkey.session=evil',
]

function assertUntouched(response: Response, what: string): void {
  assert.ok(response.status < 500, `${what}: ${response.status}`)
  assert.equal(response.headers.get('x-evil'), null, what)
  assert.ok(!response.headers.getSetCookie().some((line) => line.includes('evil')), what)
  for (const [name, value] of response.headers) {
    assert.match(value, /^[\t\x20-\x7e]*$/, `${what}: ${name}`)
  }
}

describe('header injection', () => {
  it('writes no line break into a header from anything that comes back in an address', async () => {
    const browser = await Browser.signedIn(service)
    let tried = 0
    for (const value of injections) {
      for (const [what, answer] of [
        ['state to the client', browser.get(authorizePath({ state: value, client_id: 'first-party' }))],
        ['state of a refusal', browser.get(authorizePath({ state: value, scope: 'nothing' }))],
        [
          'state as a fragment',
          browser.get(authorizePath({ state: value, response_mode: 'fragment', prompt: 'none' })),
        ],
        ['the consent page', browser.get(authorizePath({ nonce: value, ui_locales: value }))],
        ['a name of a parameter', browser.get(authorizePath({ [value]: 'x' }))],
        ['the login page', new Browser(service).get(authorizePath({ login_hint: value, [value]: value }))],
        ['the logout page', browser.get(`/connect/logout?${new URLSearchParams({ [value]: value })}`)],
        [
          'the name that failed',
          new Browser(service).submit('/Account/Login', { username: value, rememberMe: value, ReturnUrl: value }),
        ],
        ['the provider', browser.submit('/Account/ExternalLogin', { provider: value })],
        [
          'the confirm page',
          browser.submit('/Account/ExternalLoginRegister', { email: value.replaceAll('@', ''), ReturnUrl: value }),
        ],
        [
          'the provider’s error',
          browser.get(`/Account/ExternalLoginCallback?${new URLSearchParams({ error: value })}`),
        ],
      ] as const) {
        assertUntouched(await answer, `${what} ${JSON.stringify(value)}`)
        tried += 1
      }
      service.advance(61)
    }
    assert.equal(tried, injections.length * 11)
  })

  it('writes no line break into a header from the provider’s own error, behind a state that is right', async () => {
    for (const error of injections) {
      const browser = new Browser(service)
      const started = await browser.submit('/Account/ExternalLogin', { provider: 'GitHub' })
      const state = locationOf(started).searchParams.get('state') ?? ''
      assertUntouched(await browser.get(`/callback/login/GitHub?${new URLSearchParams({ state, error })}`), error)
    }
  })

  it('writes no line break into the authentication challenge, which quotes the reason', async () => {
    for (const client_id of injections) {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id })
      const answer = await fetch(new URL('connect/token', service.issuer), { method: 'POST', body })
      assert.equal(answer.status, 401)
      assertUntouched(answer, client_id)
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /evil/i)
    }
  })
})

describe('the name of the host', () => {
  /** What an answer says about where things are. */
  const says = (answer: WireAnswer | undefined): string => `${answer?.head}\n${answer?.body}`

  const liars = [
    ['Host: evil.test'],
    ['Host: evil.test:80', 'X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: https'],
    ['Host: x', 'X-Forwarded-Host: evil.test, x', 'X-Forwarded-Port: 1', 'Forwarded: host=evil.test;proto=https'],
    ['Host: x', 'X-Original-Host: evil.test', 'X-Host: evil.test', 'X-HTTP-Host-Override: evil.test'],
    ['Host: x', 'X-Original-URL: /evil.test', 'X-Rewrite-URL: /evil.test', 'X-HTTP-Method-Override: DELETE'],
    ['Host: evil.test"><script>'],
  ]
  const targets = [
    '/.well-known/openid-configuration',
    '/connect/authorize?client_id=nobody',
    authorizePath(),
    authorizePath({ prompt: 'none' }),
    '/Account/Login',
    '/Account/ExternalLogin',
    '/nothing/here',
    '/connect/nothing',
    '/errors',
  ]

  for (const [who, of] of [
    ['a service that trusts no proxy', () => service],
    ['a service that trusts every proxy', () => trusting],
    ['a service behind TLS', () => behindTls],
  ] as const) {
    it(`keeps the name of ${who} whatever headers say [C3.7b]`, async () => {
      const target = of()
      let tried = 0
      for (const headers of liars) {
        for (const path of targets) {
          const lines = [`GET ${path} HTTP/1.1`, ...headers, 'Accept: text/html', 'Connection: close']
          const [answer] = await exchange({ issuer: target.address }, request(lines))
          assert.ok(answer !== undefined && answer.status < 500, `${path} ${headers}`)
          assert.doesNotMatch(says(answer), /evil/, `${path} ${headers}`)
          tried += 1
        }
      }
      assert.equal(tried, liars.length * targets.length)
    })
  }

  it('refuses an unknown name for its loopback address (DNS rebinding)', async () => {
    await using local = await startService({ OAuth__Issuer: 'https://id.example/' })
    for (const path of [...targets, '/assets/x.js', '/healthz', '/connect/token', '/Account/Antiforgery']) {
      for (const name of ['evil.test', 'evil.test:5080', '127.0.0.1.evil.test', 'localhost.evil.test', '']) {
        const lines = [`GET ${path} HTTP/1.1`, `Host: ${name}`, 'Accept: text/html', 'Connection: close']
        const [answer] = await exchange({ issuer: local.address }, request(lines))
        assert.equal(answer?.status, 421, `${path} ${name}`)
        assert.doesNotMatch(says(answer), /evil|<script|set-cookie/i, `${path} ${name}`)
      }
    }
  })

  it('keeps its name when the request line holds a whole address', async () => {
    for (const path of targets) {
      const lines = [`GET http://evil.test${path} HTTP/1.1`, 'Host: evil.test', 'Connection: close']
      const [answer] = await exchange(service, request(lines))
      assert.ok(answer !== undefined && answer.status < 500, path)
      assert.doesNotMatch(says(answer), /evil/, path)
    }
  })

  it('refuses two hosts, an empty one, and none', async () => {
    for (const hosts of [['Host: x', 'Host: evil.test'], [], ['Host:'], ['Host: a b'], ['Host: x/../evil.test']]) {
      const [answer] = await exchange(
        service,
        request(['GET /connect/nothing HTTP/1.1', ...hosts, 'Connection: close']),
      )
      assert.ok(answer === undefined || (answer.status >= 400 && answer.status < 500), String(hosts))
      assert.doesNotMatch(says(answer), /evil/)
    }
  })

  it('keeps Secure and __Host- when a header says that the connection is plain', async () => {
    for (const proto of ['http', 'https', 'http, https', '']) {
      const answer = await fetch(new URL('Account/Antiforgery', behindTls.address), {
        headers: { 'x-forwarded-proto': proto, 'x-forwarded-host': 'plain.example' },
      })
      assert.match(
        answer.headers.getSetCookie()[0] ?? '',
        /^__Host-latchkey\.antiforgery=.*; Path=\/; HttpOnly; Secure;/,
      )
      assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age=\d{8}/)
    }
  })

  it('counts guesses together whatever address a client claims to come from', async () => {
    await using careful = await startService({ RateLimit__LoginPerMinute: '3' })
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess += 1) {
      const browser = new Browser(careful)
      const fields = { username: 'nobody', __RequestVerificationToken: await browser.antiforgeryToken() }
      const headers = {
        'x-forwarded-for': `203.0.113.${guess}`,
        'x-real-ip': `203.0.113.${guess}`,
        forwarded: `for=${guess}`,
      }
      statuses.push((await browser.post('/Account/Login', fields, headers)).status)
    }
    assert.deepEqual(statuses, [302, 302, 302, 429, 429, 429])
  })
})

describe('an address behind a proxy that believes everything', () => {
  it('stores a client address of at most 256 printable characters', async () => {
    for (const claimed of [
      'x'.repeat(40_000),
      "'; DROP TABLE sessions; --",
      '1:'.repeat(20_000),
      '::1%x',
      ', , ,',
      '\t',
    ]) {
      const browser = new Browser(trusting)
      const fields = { username: 'alice', password, __RequestVerificationToken: await browser.antiforgeryToken() }
      const answer = await browser.post('/Account/Login', fields, { 'x-forwarded-for': claimed })
      assert.equal(answer.headers.get('location'), '/')
      const id = parseOpaque(browser.cookies.get('latchkey.session') ?? '')?.id ?? ''
      const stored = await trusting.storage.sessions.find(id)
      assert.match(stored?.session.clientAddress ?? '', /^[\x20-\x7e]{0,256}$/)
      assert.ok(stored)
    }
  })
})

describe('being read from another origin (CORS)', () => {
  it('shares nothing with origins that are almost the one that is allowed', async () => {
    for (const origin of [
      'null',
      'https://app.example.evil.test',
      'https://evil-app.example',
      'https://sub.app.example',
      'http://app.example',
      'https://app.example:443',
      'https://app.example:8443',
      'https://APP.example',
      'HTTPS://app.example',
      'https://app.example.',
      'https://app.example/',
      'https://app.example@evil.test',
      'https://app.example%60.evil.test',
      'https://app.example, https://evil.test',
      'https://appXexample',
      'file://',
      '*',
      '',
    ]) {
      for (const path of ['connect/token', 'weatherforecast', '.well-known/jwks', 'connect/revocation']) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const preflight = await fetch(new URL(path, service.issuer), { method: 'OPTIONS', headers })
        const plain = await fetch(new URL(path, service.issuer), { headers: { origin } })
        for (const answer of [preflight, plain]) {
          assert.equal(answer.headers.get('access-control-allow-origin'), null, `${path} ${origin}`)
        }
      }
    }
  })

  it('says that an answer for one origin depends on the origin, for shared caches', async () => {
    for (const origin of ['https://app.example', 'https://evil.test']) {
      const answer = await fetch(new URL('.well-known/jwks', service.issuer), { headers: { origin } })
      assert.match(answer.headers.get('vary') ?? '', /\borigin\b/i)
    }
  })

  it('shares the pages’ endpoints with no origin, whatever the spelling of the path', async () => {
    for (const path of [
      '/Account/Antiforgery?/connect/token',
      '/connect/token/../../Account/Antiforgery',
      '/connect/token/..%2f..%2fAccount/Antiforgery',
      '//connect/token',
      '/Account/Antiforgery;/connect/token',
      '/connect/authorize',
      '/Account/Session#/weatherforecast',
    ]) {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Origin: https://app.example', 'Connection: close']
      const [answer] = await exchange(service, request(lines))
      assert.equal(answer?.headers.get('access-control-allow-origin'), undefined, path)
    }
  })
})

describe('being framed (RFC 9700 §4.16)', () => {
  it('refuses to be framed with every page, error page and answer', async () => {
    const browser = await Browser.signedIn(service)
    const html = { accept: 'text/html' }
    const formPost = authorizePath({ client_id: 'first-party', response_mode: 'form_post' })
    const pages = [
      '/',
      '/Account/Login',
      '/Account/Consent',
      '/Account/Logout',
      '/Account/ExternalLoginConfirm',
      '/errors',
      '/anything',
      '/connect/nothing',
      '/connect/authorize?client_id=nobody',
      '/connect/token',
      '/weatherforecast',
      '/.well-known/jwks',
      '/assets/nothing.js',
      '/%zz',
      formPost,
    ]
    for (const path of pages) {
      const { headers } = await browser.get(path, html)
      assert.equal(headers.get('x-frame-options'), 'DENY', path)
      assert.match(headers.get('content-security-policy') ?? '', /(?:^|; )frame-ancestors 'none'(?:;|$)/, path)
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none'; script-src '(?:self|sha256-)/,
        path,
      )
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|\*|data:|https?:/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
    const refused = await browser.post('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' }, html)
    assert.equal(refused.status, 400)
    assert.equal(refused.headers.get('x-frame-options'), 'DENY')
  })
})
