/** The headers of every kind of answer, over the wire: security headers, caching, trace ids; by http and by https. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { propagationMs } from '../../src/keys/lifecycle.ts'
import { answerOfProvider } from '../attacks/attacker.ts'
import { authorizeParameters, authorizePath, Browser, codeFields, obtainCode } from '../support/browser.ts'
import { startFakeGithub } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import { rawRequest } from '../support/raw-request.ts'
import { impatient, startService, type TestService } from '../support/service.ts'

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }
type Context = { readonly service: TestService; readonly browser: Browser }
type Kind = readonly [
  what: string,
  status: number,
  caching: RegExp,
  send: (context: Context) => Promise<Response | Answer>,
]

/** Personal, a token, or an answer to one request alone. */
const never = /^no-store$/
/** Kept, but asked about before each use. */
const asked = /^no-cache$/
const forEver = /^public, max-age=31536000, immutable$/

const page = { accept: 'text/html,application/xhtml+xml' }
const get =
  (path: string, headers = {}) =>
  (context: Context) =>
    context.browser.get(path, headers)

/** Writes bytes as they are, and reads the answer to its end. With `isAll` the connection is closed on this side then. */
function raw(request: string, isAll = true) {
  return async ({ service }: Pick<Context, 'service'>): Promise<Answer> => {
    const [head = '', body = ''] = (await rawRequest(service.address, request, isAll)).split('\r\n\r\n', 2)
    const [line = '', ...fields] = head.split('\r\n')
    const headers = new Headers(
      fields.map((field): [string, string] => {
        const [name = '', ...value] = field.split(': ')
        return [name, value.join(': ')]
      }),
    )
    return { status: Number(line.split(' ')[1]), headers, body }
  }
}

/** At a service with the same issuer that waits a moment for the rest, instead of half a minute. */
async function stalled(context: Context): Promise<Answer> {
  const service = await startService({ OAuth__Issuer: context.service.issuer }, { patience: impatient })
  try {
    return await raw('POST /connect/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n', false)({ service })
  } finally {
    await service.stop()
  }
}

/** A browser comes back from a provider that does not know the code. */
async function withUnknownCode({ browser }: Context): Promise<Response> {
  const answer = await answerOfProvider(browser)
  answer.searchParams.set('code', 'unknown')
  return browser.get(answer.pathname + answer.search, page)
}

async function asset({ browser }: Context): Promise<string> {
  const shell = await (await browser.get('/Account/Login')).text()
  return /\/assets\/[\w.-]+\.js/.exec(shell)?.[0] ?? 'no asset in the shell'
}

async function atClient(context: Context, change = {}): Promise<Response> {
  await context.browser.signIn()
  return context.browser.submit('/connect/authorize', { ...authorizeParameters(change), 'submit.Accept': 'Yes' })
}

const kinds: readonly Kind[] = [
  ['the root', 200, never, get('/')],
  ['a page', 200, never, get('/Account/Login')],
  ['a page, compressed', 200, never, get('/Account/Consent', { 'accept-encoding': 'br' })],
  ['a path that is no page', 200, never, get('/nothing/here')],
  ['an asset', 200, forEver, async (context) => context.browser.get(await asset(context))],
  ['a missing asset', 404, never, get('/assets/nothing.js')],
  ['the catalogue of errors', 200, asked, get('/errors')],
  ['discovery', 200, /^public, max-age=300$/, get('/.well-known/openid-configuration')],
  ['the key set', 200, /^public, max-age=120$/, get('/.well-known/jwks')],
  [
    'a preflight',
    204,
    /^$/,
    ({ browser }) =>
      browser.fetch('/connect/token', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
      }),
  ],
  ['liveness', 200, never, get('/healthz')],
  ['readiness', 503, never, get('/readyz')],
  ['an anti-forgery token', 200, never, get('/Account/Antiforgery')],
  ['who is signed in', 200, never, get('/Account/Session')],
  ['the providers', 200, never, get('/Account/ExternalProviders')],
  ['a pending identity that is none', 404, never, get('/Account/ExternalLoginPending')],
  ['what a consent is about, refused', 401, never, get(`/Account/ConsentContext${authorizePath().slice(18)}`)],
  ['a logo that is none', 404, never, get('/Account/ClientLogo?client_id=x')],
  ['what a sign-out is about', 200, never, get('/Account/LogoutContext')],
  ['the way to the login page', 302, never, get(authorizePath())],
  [
    'a request that another site posted',
    303,
    never,
    ({ browser }) => browser.post('/connect/authorize', authorizeParameters(), { 'sec-fetch-site': 'cross-site' }),
  ],
  ['a sign-in', 302, never, ({ browser }) => browser.signIn()],
  ['a sign-in that failed', 302, never, ({ browser }) => browser.signIn({ username: 'nobody' })],
  ['a code', 302, never, (context) => atClient(context)],
  ['a code by a form', 200, never, (context) => atClient(context, { response_mode: 'form_post' })],
  ['an error told to the client', 302, never, get(authorizePath({ prompt: 'none' }))],
  ['tokens', 200, never, async ({ browser }) => browser.post('/connect/token', codeFields(await obtainCode(browser)))],
  ['a refused token request', 400, never, ({ browser }) => browser.post('/connect/token', codeFields('x'))],
  [
    'an unknown client',
    401,
    never,
    ({ browser }) => browser.post('/connect/token', codeFields('x', { client_id: 'x' })),
  ],
  ['a revocation', 200, never, ({ browser }) => browser.post('/connect/revocation', { token: 'x', client_id: 'demo' })],
  ['the way to sign out', 302, never, get('/connect/logout')],
  ['a sign-out', 302, never, ({ browser }) => browser.submit('/connect/logout', { Confirm: 'Yes' })],
  ['the API without a token', 401, never, get('/weatherforecast')],
  ['the API with a token that is none', 401, never, get('/weatherforecast', { authorization: 'Bearer x' })],
  [
    'the way to a provider',
    302,
    never,
    ({ browser }) => browser.submit('/Account/ExternalLogin', { provider: 'GitHub' }),
  ],
  ['an unknown provider', 404, never, ({ browser }) => browser.submit('/Account/ExternalLogin', { provider: 'x' })],
  ['an answer of a provider that nobody waits for', 400, never, get('/callback/login/GitHub?state=x&code=y')],
  ['a provider that fails', 502, never, withUnknownCode],
  ['a form without a token', 400, never, ({ browser }) => browser.post('/Account/Login', {})],
  ['a refusal as JSON', 400, never, get(authorizePath({ client_id: 'x' }))],
  ['a refusal as a page', 400, never, get(authorizePath({ client_id: 'x' }), page)],
  ['nothing, as JSON', 404, never, get('/connect/nothing')],
  ['nothing, as a page', 404, never, get('/api/nothing', page)],
  ['a name longer than any', 404, never, get(`/assets/${'x'.repeat(200)}`)],
  ['another method', 400, never, ({ browser }) => browser.fetch('/connect/token')],
  ['a method of no endpoint', 404, never, ({ browser }) => browser.fetch('/Account/Login', { method: 'DELETE' })],
  ['HEAD of a page', 200, never, ({ browser }) => browser.fetch('/Account/Login', { method: 'HEAD' })],
  ['a large body', 413, never, ({ browser }) => browser.post('/connect/token', { code: 'x'.repeat(70_000) })],
  ['a broken path', 400, never, get('/%zz')],
  ['a broken path, as a page', 400, never, get('/%zz', page)],
  ['a return address that is not local', 500, never, ({ browser }) => browser.signIn({ ReturnUrl: '//evil.test' })],
  [
    'too many failed sign-ins',
    429,
    never,
    async (context) => {
      let response = await context.browser.signIn({ username: 'nobody' })
      for (let again = 0; again < 9 && response.status !== 429; again += 1) {
        response = await context.browser.signIn({ username: `nobody-${again}` })
      }
      return response
    },
  ],
  ['no host', 400, never, raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')],
  [
    'an expectation that nobody knows',
    200,
    never,
    raw('GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n'),
  ],
  ['TRACE', 404, never, raw('TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')],
  ['no HTTP at all', 400, never, raw('nonsense\r\n\r\n')],
  ['a head that never ends', 408, never, stalled],
  ['two lengths', 400, never, raw('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')],
  ['a head over 64 KiB', 431, never, raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`)],
]

for (const [scheme, env] of [
  ['http', {}],
  ['https', { OAuth__Issuer: 'https://id.example.com/' }],
] as const) {
  describe(`the headers of every answer, ${scheme} issuer`, () => {
    let service: TestService
    let github: Awaited<ReturnType<typeof startFakeGithub>>
    before(async () => {
      github = await startFakeGithub()
      const settings = {
        ...github.env,
        ...env,
        RateLimit__LoginPerMinute: '9',
        Cors__Origins__0: 'https://app.example.com',
      }
      service = await startService(settings, { lifecycle: { isStopping: true } })
    })
    after(async () => {
      await service.stop()
      await github.stop()
    })

    for (const [what, status, caching, send] of kinds) {
      it(`${what}: ${status}`, async () => {
        const answer = await send({ service, browser: new Browser({ issuer: service.address }) })
        assert.equal(answer.status, status)
        const value = (name: string) => answer.headers.get(name) ?? ''
        const policy = new Map(
          value('content-security-policy')
            .split('; ')
            .map((directive) => {
              const [name = '', ...sources] = directive.split(' ')
              return [name, sources.join(' ')]
            }),
        )
        for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
          assert.equal(policy.get(name), "'none'", name)
        assert.match(policy.get('script-src') ?? '', /^'self'$|^'sha256-[A-Za-z0-9+/]{43}='$/)
        assert.equal(policy.get('style-src'), "'self'")
        assert.doesNotMatch(value('content-security-policy'), /unsafe|\*|data:|http/)
        assert.equal(value('x-content-type-options'), 'nosniff')
        assert.equal(value('x-frame-options'), 'DENY')
        assert.equal(value('referrer-policy'), 'no-referrer')
        assert.match(value('permissions-policy'), /camera=\(\).*geolocation=\(\).*microphone=\(\)/)
        assert.equal(
          value('strict-transport-security'),
          scheme === 'https' ? 'max-age=31536000; includeSubDomains' : '',
        )
        assert.match(value('cache-control'), caching)
        assert.equal(value('server') + value('x-powered-by'), '', 'what runs here is told to nobody')
        const body = typeof answer.body === 'string' ? answer.body : await (answer as Response).text()
        if (body !== '')
          assert.match(value('content-type'), /^(?:text\/(?:html|javascript); charset=utf-8|application\/json)/)
        const refused = status >= 400 && what !== 'readiness' && !/pending identity|API without/.test(what)
        if (refused) assert.match(value('x-trace-id'), /^[0-9a-f]{32}$/)
      })
    }
  })
}

describe('caching of the key set', () => {
  it('ends long before a new key signs for the first time', async (t) => {
    const service = await serviceFor(t)
    const response = await fetch(new URL('.well-known/jwks', service.issuer))
    const [, seconds] = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '') ?? []
    assert.ok(Number(seconds) > 0)
    assert.ok(Number(seconds) * 1000 <= propagationMs / 2, `${seconds} s`)
  })

  it('is apart for each origin that may read it', async (t) => {
    const service = await serviceFor(t, { Cors__Origins__0: 'https://app.example.com' })
    const origin = 'https://app.example.com'
    const response = await fetch(new URL('.well-known/jwks', service.issuer), { headers: { origin } })
    assert.equal(response.headers.get('access-control-allow-origin'), origin)
    assert.match(response.headers.get('vary') ?? '', /\borigin\b/i)
    const without = await fetch(new URL('.well-known/jwks', service.issuer))
    assert.match(without.headers.get('vary') ?? '', /\borigin\b/i)
  })
})

describe('the kinds of answers', () => {
  it('are as many as there are', () => {
    assert.ok(kinds.length >= 50, `only ${kinds.length}`)
    const statuses = new Set(kinds.map(([, status]) => status))
    assert.deepEqual([...statuses].sort(), [200, 204, 302, 303, 400, 401, 404, 408, 413, 429, 431, 500, 502, 503])
  })
})
