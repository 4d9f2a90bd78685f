/** What an OpenID Connect provider says is believed only when it proves it (OpenID Connect Core §3.1.3.7, Discovery §4.3). */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import type { JWTPayload } from 'jose'
import { explain } from '../../src/protocol/refusals/explanation.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { openidForFile, signed, signerFor, throughProvider } from '../support/fake-openid.ts'
import { serviceForFile, startService } from '../support/service.ts'

const provider = await openidForFile()
const env = provider.env('Contoso', { DisplayName: 'Contoso Ltd' })
const service = await serviceForFile(env)
const foreign = await signerFor('RS256', provider.signer.jwk.kid)
afterEach(() => provider.reset())

const arrive = (browser = new Browser(service)) => throughProvider(browser, 'Contoso')
const seconds = () => Math.floor(Date.now() / 1000)
const { does } = provider

async function tamper(claims: JWTPayload): Promise<string> {
  const [header, , signature] = (await signed(claims, provider.signer)).split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'the administrator' })).toString('base64url')
  return `${header}.${payload}.${signature}`
}

async function unsigned(claims: JWTPayload): Promise<string> {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}

const claim = (change: Record<string, unknown>) => () => {
  does.claims = (claims) => ({ ...claims, ...change }) as JWTPayload
}

/** What is wrong, how the provider is made to do it, the check that fails, and whether it is in what the service keeps. */
const wrong: readonly (readonly [what: string, make: () => void, check: string, isKept?: true])[] = [
  ['an id token by a foreign key', () => (does.idToken = (claims) => signed(claims, foreign)), 'signature'],
  ['an id token that was changed after it was signed', () => (does.idToken = tamper), 'signature'],
  ['an id token without a signature', () => (does.idToken = unsigned), 'signature'],
  ['an id token that is none', () => (does.idToken = async () => 'a.b.c'), 'signature'],
  [
    'an id token by an algorithm that it does not announce',
    () => (does.metadata = { id_token_signing_alg_values_supported: ['ES256'] }),
    'signature',
    true,
  ],
  ['a key set that is none', () => (does.keys = () => ({ nothing: true })), 'signature', true],
  ['no id token', () => (does.token = ({ id_token: _left, ...body }) => ({ body })), 'id_token'],
  ['no access token', () => (does.token = ({ access_token: _left, ...body }) => ({ body })), 'access_token'],
  [
    'an access token of another type',
    () => (does.token = (body) => ({ body: { ...body, token_type: 'mac' } })),
    'token_type',
  ],
  ['the id token of another issuer', claim({ iss: 'https://evil.test' }), 'iss'],
  ['an id token without an issuer', claim({ iss: undefined }), 'iss'],
  ['the id token of another client', claim({ aud: 'somebody-else' }), 'aud'],
  ['an id token without an audience', claim({ aud: undefined }), 'aud'],
  ['an id token for several, that names none', claim({ aud: ['latchkey-here', 'somebody-else'] }), 'azp'],
  ['an id token that was made for another client', claim({ azp: 'somebody-else' }), 'azp'],
  ['another nonce', claim({ nonce: 'of another sign-in' }), 'nonce'],
  ['no nonce', claim({ nonce: undefined }), 'nonce'],
  ['an id token that has expired', claim({ exp: seconds() - 60 }), 'exp'],
  ['an id token without an end', claim({ exp: undefined }), 'exp'],
  ['an id token without its time', claim({ iat: undefined }), 'iat'],
  ['an id token of more than a minute ahead', claim({ iat: seconds() + 120 }), 'iat'],
  ['an id token that is not valid yet', claim({ nbf: seconds() + 120 }), 'nbf'],
  ['the hash of another access token', claim({ at_hash: 'LDktKdoQak3Pk0cnXxCltA' }), 'at_hash'],
  ['no subject', claim({ sub: undefined }), 'sub'],
  ['an empty subject', claim({ sub: '' }), 'sub'],
  [
    'another person at userinfo',
    () => (does.userInfo = (body) => ({ body: { ...body, sub: 'the administrator' } })),
    'sub of userinfo',
  ],
  ['nobody at userinfo', () => (does.userInfo = ({ sub: _left, ...body }) => ({ body })), 'sub of userinfo'],
  [
    'an authorization response of another issuer',
    () => (does.response = (parameters) => ({ ...parameters, iss: 'https://evil.test' })),
    'iss of the authorization response',
  ],
  ['a response without a code', () => (does.response = ({ state }) => ({ state })), 'code'],
  [
    'an error of another issuer',
    () => (does.response = ({ state }) => ({ state, error: 'access_denied', iss: 'https://evil.test' })),
    'iss of the authorization response',
  ],
]

describe('an answer of a provider that fails a check', () => {
  it('is one of these', () => assert.equal(wrong.length, 30))

  for (const [what, make, check, isKept] of wrong) {
    it(`is 502 with ID9504, names the check in the log, and signs nobody in: ${what}`, async () => {
      await using fresh = isKept ? await startService(env) : null
      const own = fresh ?? service
      make()
      const browser = new Browser(own)
      const response = await arrive(browser)
      assert.equal(response.status, 502)
      const body = await response.text()
      assert.match(body, /ID9504/)
      const traceId = response.headers.get('x-trace-id')
      const line = own.log.find((one) => one.traceId === traceId && 'refusal' in one) as {
        refusal: Record<string, string>
      }
      assert.equal(line?.refusal.reason, 'provider_untrusted')
      assert.equal(line?.refusal.check, check)
      assert.equal(line?.refusal.provider, 'Contoso')
      const facts = explain('provider_untrusted', line.refusal)?.facts ?? []
      assert.ok(facts.some(([label, value]) => label === 'check' && value === check))
      assert.doesNotMatch(JSON.stringify(own.log), /provider-access-token/)
      assert.equal((await browser.get('/Account/ExternalLoginPending')).status, 404)
    })
  }

  it('has a page with the title "The answer of Contoso Ltd could not be trusted", without scripts too', async () => {
    does.claims = (claims) => ({ ...claims, nonce: 'another' })
    const browser = new Browser(service)
    const start = await browser.submit('/Account/ExternalLogin', { provider: 'Contoso' })
    const back = locationOf(await fetch(locationOf(start), { redirect: 'manual' }))
    const response = await browser.get(back.pathname + back.search, { accept: 'text/html' })
    assert.equal(response.status, 502)
    const html = await response.text()
    assert.match(html, /<noscript>.*<h1>The answer of Contoso Ltd could not be trusted<\/h1>/s)
    assert.match(html, /"provider":"Contoso Ltd"/)
  })
})

describe('an answer of a provider that passes every check', () => {
  const accepted: readonly (readonly [what: string, make: () => void])[] = [
    ['as it is', () => {}],
    ['of a minute ahead', claim({ iat: seconds() + 50 })],
    ['for us among others, made for us', claim({ aud: ['somebody-else', 'latchkey-here'], azp: 'latchkey-here' })],
    ['for us as a list', claim({ aud: ['latchkey-here'] })],
    [
      'with the hash of its access token',
      claim({
        at_hash: createHash('sha256').update('provider-access-token').digest().subarray(0, 16).toString('base64url'),
      }),
    ],
    [
      'with a token that is longer than what is kept, and of one character',
      () => (does.token = (body) => ({ body: { ...body, refresh_token: 'x'.repeat(300_000) } })),
    ],
    ['with its issuer', () => (does.response = (parameters) => ({ ...parameters, iss: provider.origin }))],
    ['without userinfo, where that fails', () => (does.userInfo = () => ({ status: 503, body: '' }))],
    ['without userinfo, where that is no JSON', () => (does.userInfo = () => ({ body: '<html>' }))],
  ]
  for (const [what, make] of accepted) {
    it(`signs in: ${what}`, async () => {
      make()
      const browser = new Browser(service)
      assert.equal(locationOf(await arrive(browser)).pathname, '/Account/ExternalLoginCallback')
      assert.equal((await browser.get('/Account/ExternalLoginPending')).status, 200)
    })
  }

  it('may be signed at userinfo, and fails the check of a foreign signature, issuer or audience there (Core §5.3.2)', async () => {
    await using own = await startService(env)
    const by = (key: typeof foreign) => async (body: Record<string, unknown>) => {
      return { type: 'application/jwt', body: await signed(body, key) }
    }
    does.userInfo = by(provider.signer)
    const browser = new Browser(own)
    assert.equal((await arrive(browser)).status, 302)
    const pending = (await (await browser.get('/Account/ExternalLoginPending')).json()) as Record<string, string>
    assert.equal(pending.email, 'somebody@example.com')
    for (const [change, status] of [
      [{ iss: provider.origin, aud: 'latchkey-here' }, 302],
      [{ aud: ['somebody-else', 'latchkey-here'] }, 302],
      [{ aud: 'somebody-else' }, 502],
      [{ iss: 'https://other.example' }, 502],
    ] as const) {
      does.userInfo = (body) => by(provider.signer)({ ...body, ...change })
      assert.equal((await arrive(new Browser(own))).status, status, JSON.stringify(change))
    }
    does.userInfo = by(foreign)
    assert.equal((await arrive(new Browser(own))).status, 502)
  })
})

describe('an OAuth error of the token endpoint (RFC 6749 §5.2)', () => {
  for (const [what, status] of [
    ['the status 400', 400],
    ['the status 401', 401],
    ['the status 200, as GitHub does', 200],
  ] as const) {
    it(`with ${what} is 502 with ID9505 and the error in the log`, async () => {
      does.token = () => ({ status, body: { error: 'invalid_client', error_description: 'Who are you?' } })
      const response = await arrive()
      assert.equal(response.status, 502)
      assert.match(await response.text(), /ID9505/)
      const traceId = response.headers.get('x-trace-id')
      const line = service.log.find((one) => one.traceId === traceId && 'refusal' in one)
      assert.deepEqual(line?.refusal, {
        reason: 'provider_refused',
        error: 'bad_gateway',
        id: 'ID9505',
        provider: 'Contoso',
        providerError: 'invalid_client',
        description: 'Who are you?',
      })
    })
  }

  it('has a page with the title "Contoso Ltd refused the sign-in"', async () => {
    does.token = () => ({ status: 400, body: { error: 'invalid_grant' } })
    const browser = new Browser(service)
    const start = await browser.submit('/Account/ExternalLogin', { provider: 'Contoso' })
    const back = locationOf(await fetch(locationOf(start), { redirect: 'manual' }))
    const response = await browser.get(back.pathname + back.search, { accept: 'text/html' })
    assert.match(await response.text(), /<h1>Contoso Ltd refused the sign-in<\/h1>/)
  })
})

describe('no answer of a provider', () => {
  const silent: readonly (readonly [what: string, make: () => void])[] = [
    [
      'a server error, with an OAuth error in it',
      () => (does.token = () => ({ status: 500, body: { error: 'server_error' } })),
    ],
    ['no JSON', () => (does.token = () => ({ type: 'text/html', body: '<html>' }))],
    ['a refusal without JSON', () => (does.token = () => ({ status: 403, body: 'go away' }))],
    ['a redirect', () => (does.token = () => ({ status: 302, body: {} }))],
    ['a key set with a server error', () => (does.keys = () => 'no JSON')],
  ]
  for (const [what, make] of silent) {
    it(`stays 502 with ID9502: ${what}`, async () => {
      await using own = await startService(env)
      make()
      const response = await arrive(new Browser(own))
      assert.equal(response.status, 502)
      assert.match(await response.text(), /ID9502/)
    })
  }
})

describe('the key set of a provider', () => {
  const reads = () => provider.requests.filter(({ path }) => path === '/keys').length

  it('is read again at once for a key that it lacks, at most once in five seconds', async () => {
    await using own = await startService(env)
    const next = await signerFor()
    assert.equal((await arrive(new Browser(own))).status, 302)
    assert.equal((await arrive(new Browser(own))).status, 302)
    assert.equal(reads(), 1)
    does.idToken = (claims) => signed(claims, next)
    does.keys = () => ({ keys: [provider.signer.jwk, next.jwk] })
    assert.equal((await arrive(new Browser(own))).status, 302, 'the provider has a new key')
    assert.equal(reads(), 2)
    const unknown = await signerFor()
    does.idToken = (claims) => signed(claims, unknown)
    for (let round = 0; round < 3; round += 1) assert.equal((await arrive(new Browser(own))).status, 502)
    assert.equal(reads(), 2, 'five seconds have not passed')
    own.advance(6)
    assert.equal((await arrive(new Browser(own))).status, 502)
    assert.equal((await arrive(new Browser(own))).status, 502)
    assert.equal(reads(), 3)
  })

  it('is read once for sign-ins at the same time', async () => {
    await using own = await startService(env)
    const arrived = await Promise.all([1, 2, 3, 4].map(() => arrive(new Browser(own))))
    assert.ok(arrived.every(({ status }) => status === 302))
    assert.equal(reads(), 1)
  })

  it('is tried key by key for a token that names none, ten of the right type at most', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => signerFor()))
    const curve = await Promise.all(Array.from({ length: 12 }, () => signerFor('ES256')))
    const bare = [...curve, ...others].map(({ jwk: { alg: _alg, ...jwk } }) => jwk)
    does.idToken = (claims) => signed(claims, provider.signer, null)
    for (const [before, status] of [
      [0, 302],
      [9, 302],
      [10, 502],
    ] as const) {
      await using own = await startService(env)
      does.keys = () => ({ keys: [...bare.slice(0, 12 + before), provider.signer.jwk] })
      assert.equal((await arrive(new Browser(own))).status, status, `${before} keys of its type come first`)
    }
  })

  it('is read again for a token that names no key, where none fits', async () => {
    await using own = await startService(env)
    does.idToken = (claims) => signed(claims, provider.signer, null)
    assert.equal((await arrive(new Browser(own))).status, 302)
    const next = await signerFor('RS256', undefined)
    does.idToken = (claims) => signed(claims, next, null)
    does.keys = () => ({ keys: [next.jwk] })
    assert.equal((await arrive(new Browser(own))).status, 302)
  })
})

describe('the metadata of a provider', () => {
  it('is refused when it names another issuer than the settings (Discovery §4.3)', async () => {
    await using own = await startService(env)
    does.metadata = { issuer: 'https://evil.test' }
    const response = await arrive(new Browser(own))
    assert.equal(response.status, 502)
    assert.match(await response.text(), /ID9504/)
    const refused = own.log.find((line) => 'refusal' in line)?.refusal as Record<string, string> | undefined
    assert.equal(refused?.check, 'issuer of the metadata')
  })

  it('has a response without iss refused where it announces one (RFC 9207 §2.4)', async () => {
    await using own = await startService(env)
    does.metadata = { authorization_response_iss_parameter_supported: true }
    assert.equal((await arrive(new Browser(own))).status, 502)
    does.response = (parameters) => ({ ...parameters, iss: provider.origin })
    assert.equal((await arrive(new Browser(own))).status, 302)
  })
})
