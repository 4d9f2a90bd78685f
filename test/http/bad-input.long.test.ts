/** Whatever comes, the answer is the specified one or a clear 4xx: never a 5xx, a stack trace or a foreign address. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorizePath, Browser, codeFields } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'
import { serviceForFile } from '../support/service.ts'

const service = await serviceForFile()

const posts = ['connect/authorize', 'connect/token', 'connect/revocation', 'connect/logout', 'Account/Login'] as const
const gets = [
  'connect/authorize',
  'connect/logout',
  'Account/Antiforgery',
  'Account/Session',
  'Account/ClientLogo',
  'Account/ConsentContext',
  'Account/LogoutContext',
  'Account/ExternalProviders',
  'weatherforecast',
  '.well-known/jwks',
  'errors',
] as const

async function assertClear(response: Response, what: string): Promise<string> {
  const text = await response.text()
  assert.ok(response.status < 500, `${what}: ${response.status}`)
  assert.doesNotMatch(text, /\.ts:\d|node_modules|at async/, what)
  const location = response.headers.get('location')
  if (location !== null) {
    const { origin } = new URL(location, service.issuer)
    assert.ok([new URL(service.issuer).origin, 'http://localhost:5081'].includes(origin), `${what}: ${location}`)
  }
  return text
}

const raw = (request: string | Buffer) => rawRequest(service.issuer, request)

describe('bodies that are no form', () => {
  for (const path of posts) {
    it(`POST /${path} refuses other content types, none, and a body that is not UTF-8 [S4.6.1]`, async () => {
      const url = new URL(path, service.issuer)
      for (const [what, body, contentType] of [
        ['JSON', '{"client_id":"demo"}', 'application/json'],
        ['multipart', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
        ['text', 'client_id=demo', 'text/plain'],
        ['a look-alike', 'client_id=demo', 'application/x-www-form-urlencodedx'],
        ['bytes that are not UTF-8', Buffer.from([0x61, 0x3d, 0xff, 0xfe]), 'application/x-www-form-urlencoded'],
        ['broken percent-encoding', 'client_id=%zz', 'application/x-www-form-urlencoded'],
        ['NUL', 'client_id=%00&username=%00', 'application/x-www-form-urlencoded; charset=utf-8'],
      ] as const) {
        const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } })
        assert.equal(response.status, 400, what)
        await assertClear(response, what)
      }
      const none = await raw(`POST /${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b`)
      assert.match(none, /^HTTP\/1\.1 400 /)
    })

    it(`POST /${path} takes a form without a length and without chunks for an empty one (RFC 9112 §6.3)`, async () => {
      const type = 'Content-Type: application/x-www-form-urlencoded'
      const answer = await raw(`POST /${path} HTTP/1.1\r\nHost: x\r\n${type}\r\nConnection: close\r\n\r\n`)
      // Without a form, the end-session endpoint leads to the page that asks (RP-Initiated Logout §2).
      assert.match(answer, path === 'connect/logout' ? /^HTTP\/1\.1 302 / : /^HTTP\/1\.1 400 /)
    })

    it(`POST /${path} refuses more than 64 KiB with 413 [S8.7, C4.13]`, async () => {
      const body = new URLSearchParams({ client_id: 'x'.repeat(65_536) })
      const response = await fetch(new URL(path, service.issuer), { method: 'POST', body })
      assert.equal(response.status, 413)
      assert.match(await assertClear(response, path), /64 KiB/)
    })
  }
})

describe('parameters and headers of the wrong kind', () => {
  const strange = [
    '',
    'a'.repeat(3000),
    '\u202e\u0007\u001b[31m',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template for engines that would run it
    '${7*7}',
    '😀'.repeat(100),
    '-1',
    '1e999',
    'null',
    '[object Object]',
    '__proto__',
    '%0d%0aSet-Cookie: x=y',
    '\r\nSet-Cookie: x=y',
  ]

  it('answers every strange value of every parameter clearly', async () => {
    const authorize = [
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'nonce',
      'prompt',
      'max_age',
      'response_type',
      'response_mode',
      'code_challenge',
      'code_challenge_method',
      'id_token_hint',
      'login_hint',
    ]
    const token = [
      'grant_type',
      'client_id',
      'client_secret',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'scope',
    ]
    let checked = 0
    for (const value of strange) {
      for (const name of authorize) {
        const response = await new Browser(service).get(authorizePath({ [name]: value }))
        await assertClear(response, `authorize ${name}=${JSON.stringify(value.slice(0, 30))}`)
        assert.equal(response.headers.get('set-cookie')?.includes('x=y') ?? false, false)
        checked += 1
      }
      for (const name of token) {
        const fields = codeFields('code', { [name]: value })
        const response = await new Browser(service).post('/connect/token', fields)
        await assertClear(response, `token ${name}=${JSON.stringify(value.slice(0, 30))}`)
        checked += 1
      }
      const login = await new Browser(service).submit('/Account/Login', { username: value, password: 'x' })
      await assertClear(login, `login ${JSON.stringify(value.slice(0, 30))}`)
    }
    assert.ok(checked > 300)
  })

  it('answers strange headers clearly', async () => {
    for (const path of gets) {
      for (const headers of [
        { cookie: 'latchkey.session=x' },
        { cookie: `latchkey.session=${'A'.repeat(64)}; latchkey.antiforgery=%00` },
        { cookie: '=;;;=a; latchkey.session' },
        { cookie: `latchkey.session=${encodeURIComponent('"><script>')}` },
        { accept: '*/*;q=nonsense, text/html;;;' },
        { authorization: 'Bearer \u00ff' },
        { authorization: `Bearer ${'a.'.repeat(2000)}` },
        { 'content-type': 'application/json' },
        { 'x-forwarded-for': '1.2.3.4, evil' },
        { 'accept-encoding': 'br;q=0, gzip;q=0' },
      ]) {
        await assertClear(
          await new Browser(service).get(`/${path}`, headers as Record<string, string>),
          `${path} ${JSON.stringify(headers).slice(0, 60)}`,
        )
      }
    }
  })

  it('answers broken request lines, headers and sizes with 4xx or by closing', async () => {
    for (const [what, request] of [
      ['broken percent-encoding in the path', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      [
        'broken percent-encoding in the query',
        'GET /connect/authorize?client_id=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ],
      ['a path with NUL', 'GET /a%00b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['an absolute form', 'GET http://evil.test/connect/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['no host', 'GET /connect/x HTTP/1.1\r\nConnection: close\r\n\r\n'],
      ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['two lengths', 'POST /connect/token HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\na=b'],
      [
        'length and chunks (request smuggling)',
        'POST /connect/token HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ] as const) {
      const answer = await raw(request)
      assert.match(answer, /^HTTP\/1\.1 [24]\d\d |^$/, what)
      assert.doesNotMatch(answer, /\.ts:\d|node_modules/, what)
    }
  })

  it('stays well after 2,000 random requests from a seeded generator', async () => {
    let seed = 20260301
    const next = (bound: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return seed % bound
    }
    const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T
    const names = [
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'prompt',
      'ReturnUrl',
      'username',
      'token',
      'grant_type',
      'code',
      'refresh_token',
      '__RequestVerificationToken',
      'submit.Accept',
      'id_token_hint',
      'x',
    ]
    const values = [
      ...strange,
      'demo',
      'openid',
      'code',
      'http://localhost:5081/callback',
      'authorization_code',
      'refresh_token',
      'S256',
      'none',
      'login',
    ]
    for (let round = 0; round < 2000; round += 1) {
      const pairs = Array.from({ length: next(8) }, () => [pick(names), pick(values)] as const)
      const posting = next(2) === 0
      const path = `/${posting ? pick(posts) : pick(gets)}`
      const response = posting
        ? await new Browser(service).post(path, pairs)
        : await new Browser(service).get(`${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`)
      await assertClear(response, `${round}: ${path} ${JSON.stringify(pairs).slice(0, 200)}`)
    }
    assert.equal((await new Browser(service).get('/.well-known/openid-configuration')).status, 200)
    assert.equal((await new Browser(service).signIn({ ReturnUrl: '/ok' })).headers.get('location'), '/ok')
  })
})
