import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  parseAuthorizationRequest,
  resolveTarget,
} from '../../src/protocol/authorization-request/authorization-request.ts'
import type { Parameters } from '../../src/protocol/parameters.ts'
import { isRefusal } from '../../src/refusal.ts'
import { appendixB, sampleClient, sampleScope } from './samples.ts'

const good: Readonly<Record<string, string>> = {
  client_id: 'demo',
  redirect_uri: 'http://localhost:5081/callback',
  response_type: 'code',
  scope: 'openid demo_api',
  code_challenge: appendixB.challenge,
  code_challenge_method: 'S256',
}

function parametersWith(change: Readonly<Record<string, string | undefined>> = {}): Parameters {
  return Object.entries({ ...good, ...change }).filter((pair): pair is [string, string] => pair[1] !== undefined)
}

function parse(change: Readonly<Record<string, string | undefined>> = {}): AuthorizationRequest {
  const parsed = parseAuthorizationRequest(parametersWith(change))
  assert.ok(!isRefusal(parsed), 'the request names a usable client and address')
  return parsed
}

describe('parsing an authorization request (RFC 6749 §4.1.1)', () => {
  it('reads every parameter of a good request [S4.1.2]', () => {
    const request = parse({ state: 's', nonce: 'n', max_age: '10', prompt: 'login consent', login_hint: 'alice' })
    assert.equal(request.fault, undefined)
    assert.deepEqual(request.scopes, ['openid', 'demo_api'])
    assert.deepEqual([...request.prompt], ['login', 'consent'])
    assert.equal(request.maxAgeSeconds, 10)
    assert.equal(request.responseMode, 'query')
    assert.deepEqual([request.state, request.nonce, request.loginHint], ['s', 'n', 'alice'])
  })

  const faults: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>, string]> = [
    ['a request object (OpenID Connect Core §6)', { request: 'x' }, 'ID2028'],
    ['a request_uri (OpenID Connect Core §6)', { request_uri: 'urn:x' }, 'ID2028'],
    ['no response_type', { response_type: undefined }, 'ID2029'],
    ['an empty response_type', { response_type: '' }, 'ID2029'],
    ['response_type=token', { response_type: 'token' }, 'ID2032'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'ID2032'],
    ['an unknown prompt', { prompt: 'create' }, 'ID2032'],
    ['prompt=none with another value', { prompt: 'none login' }, 'ID2052'],
    ['a max_age that is no number', { max_age: 'soon' }, 'ID2052'],
    ['a negative max_age', { max_age: '-1' }, 'ID2052'],
    ['a method without a challenge (RFC 7636 §4.3)', { code_challenge: undefined }, 'ID2037'],
    ['a challenge without a method, which would be plain', { code_challenge_method: undefined }, 'ID2029'],
    ['code_challenge_method=plain (RFC 9700 §2.1.1)', { code_challenge_method: 'plain' }, 'ID2032'],
    ['a challenge of 42 characters (RFC 7636 §4.2)', { code_challenge: 'a'.repeat(42) }, 'ID2052'],
    ['a state of 16,385 characters', { state: 's'.repeat(16_385) }, 'ID9002'],
  ]
  for (const [what, change, id] of faults) {
    it(`keeps the fault ${id} for ${what} [C4.12]`, () => {
      assert.equal(parse(change).fault?.id, id)
    })
  }

  const refused: ReadonlyArray<readonly [string, Readonly<Record<string, string | undefined>>, string]> = [
    ['no client_id', { client_id: undefined }, 'ID2029'],
    ['no redirect_uri with openid (OpenID Connect Core §3.1.2.1)', { redirect_uri: undefined }, 'ID2029'],
    ['a relative redirect_uri', { redirect_uri: '/callback' }, 'ID2030'],
    ['a redirect_uri with a space', { redirect_uri: 'http://localhost:5081/call back' }, 'ID2030'],
    ['a redirect_uri with a newline', { redirect_uri: 'http://localhost:5081/callback\n' }, 'ID2030'],
    ['a redirect_uri that no host can have', { redirect_uri: 'http://127.0.0.1:49152.evil.test/cb' }, 'ID2030'],
    ['a redirect_uri with a fragment', { redirect_uri: 'http://localhost:5081/callback#x' }, 'ID2031'],
    ['a redirect_uri with an iss of its own (RFC 9207)', { redirect_uri: 'http://localhost/?ISS=x' }, 'ID2135'],
  ]
  for (const [what, change, id] of refused) {
    it(`refuses ${what} without an address to answer to (${id})`, () => {
      const parsed = parseAuthorizationRequest(parametersWith(change))
      assert.ok(isRefusal(parsed))
      assert.equal(parsed.id, id)
    })
  }

  for (const name of ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'prompt']) {
    it(`refuses a repeated ${name} (§3.1)`, () => {
      const parsed = parseAuthorizationRequest([...parametersWith({ state: 's', prompt: 'login' }), [name, 'again']])
      const refusal = isRefusal(parsed) ? parsed : parsed.fault
      assert.equal(refusal?.id, 'ID9001')
    })
  }

  it('ignores unknown parameters, repeated or not (§3.1)', () => {
    const parsed = parseAuthorizationRequest([...parametersWith(), ['x', '1'], ['x', '2']])
    assert.ok(!isRefusal(parsed))
    assert.equal(parsed.fault, undefined)
  })
})

describe('where an authorization response may go (RFC 6749 §3.1.2, RFC 9700 §4.1.3)', () => {
  const target = (redirectUri: string, registered: readonly string[]) =>
    resolveTarget(parse({ redirect_uri: redirectUri }), sampleClient({ redirectUris: registered }))

  it('accepts exactly the registered address [S2.4.7]', () => {
    const found = target('https://app.example/cb', ['https://app.example/cb'])
    assert.ok(!isRefusal(found))
    assert.equal(found.redirectUri, 'https://app.example/cb')
  })

  for (const received of [
    'https://app.example/cb/',
    'https://app.example/CB',
    'https://APP.example/cb',
    'https://app.example/cb?x=1',
    'https://app.example:443/cb',
    'https://app.example/%63b',
    'https://user@app.example/cb',
    'https://app.example/x/../cb',
    'http://app.example/cb',
    'https://app.example.evil.test/cb',
  ]) {
    it(`refuses ${received}, which differs from the registration [S2.4.7]`, () => {
      const found = target(received, ['https://app.example/cb'])
      assert.ok(isRefusal(found))
      assert.equal(found.id, 'ID2043')
    })
  }

  it('lets the port of a loopback address differ (RFC 8252 §7.3), and nothing else', () => {
    const registered = ['http://127.0.0.1/cb', 'http://[::1]/cb']
    assert.ok(!isRefusal(target('http://127.0.0.1:49152/cb', registered)))
    assert.ok(!isRefusal(target('http://[::1]:49152/cb', registered)))
    for (const received of [
      'http://localhost:49152/cb',
      'http://127.0.0.1:49152/other',
      'https://127.0.0.1:49152/cb',
      'http://127.0.0.1:49152@evil.test/cb',
    ]) {
      assert.ok(isRefusal(target(received, registered)), received)
    }
  })

  it('takes the only registered address when none is sent without openid (§3.1.2.3), never one of two', () => {
    const request = parse({ redirect_uri: undefined, scope: 'demo_api' })
    const single = resolveTarget(request, sampleClient())
    assert.ok(!isRefusal(single))
    assert.equal(single.redirectUri, 'http://localhost:5081/callback')
    const two = resolveTarget(request, sampleClient({ redirectUris: ['http://a.test/', 'http://b.test/'] }))
    assert.ok(isRefusal(two))
    assert.equal(two.id, 'ID2029')
  })

  it('refuses an unknown client with ID2052', () => {
    const found = resolveTarget(parse(), undefined)
    assert.ok(isRefusal(found))
    assert.equal(found.id, 'ID2052')
  })
})

describe('what a client may ask for', () => {
  const check = (
    change: Record<string, string | undefined>,
    client = sampleClient(),
    scopes = [sampleScope('demo_api')],
  ) => checkAuthorizationRequest(parse(change), client, scopes, undefined)?.id

  it('lets every client ask for openid [S2.4.4, S5.2.3]', () => {
    assert.equal(check({ scope: 'openid' }, sampleClient({ scopes: [] })), undefined)
  })

  it('refuses a scope that is not registered (RFC 6749 §3.3) [S5.2.3]', () => {
    assert.equal(check({ scope: 'openid nothing' }), 'ID2052')
  })

  it('refuses profile unless it is registered as a scope and permitted (specification 2.4) [S2.4.6]', () => {
    assert.equal(check({ scope: 'openid profile' }), 'ID2052')
    const registered = [sampleScope('profile')]
    assert.equal(check({ scope: 'openid profile' }, sampleClient(), registered), 'ID2051')
    assert.equal(check({ scope: 'openid profile' }, sampleClient({ scopes: ['profile'] }), registered), undefined)
  })

  it('refuses offline_access for a client without it [S2.4.5, S5.2.2, C4.27]', () => {
    assert.equal(check({ scope: 'openid offline_access' }, sampleClient({ scopes: [] })), 'ID2065')
  })

  it('refuses a request without PKCE with ID2054, after every other fault [S1.1, S2.4.2, S4.1.14, S5.2.1]', () => {
    const without = { code_challenge: undefined, code_challenge_method: undefined }
    assert.equal(check(without), 'ID2054')
    assert.equal(check({ ...without, scope: 'nothing' }), 'ID2052')
    assert.equal(check(without, sampleClient({ requirePkce: false })), undefined)
  })

  it('refuses an id token hint of another client (ID2141)', () => {
    const hint = { subject: 's', audience: 'other' }
    const refusal = checkAuthorizationRequest(parse(), sampleClient(), [sampleScope('demo_api')], hint)
    assert.equal(refusal?.id, 'ID2141')
  })
})
