import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClaimRule } from '../../src/protocol/claims/claim-rules.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import { metadataFor } from '../../src/protocol/discovery/metadata.ts'
import { adminScopes } from '../../src/protocol/scope/admin-scopes.ts'
import { Browser } from '../support/browser.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { addClient, serviceForFile, startService, testScope } from '../support/service.ts'

const service = await serviceForFile({ Cors__Origins__0: 'http://localhost:5081' })

const at = (path: string) => new URL(path, service.issuer)

describe('lists of methods and algorithms in discovery', () => {
  it('name the strongest first, and none last', () => {
    const oauth = { issuer: 'https://id.example/', postQuantum: true, mtls: { clientCertificateHeader: 'client-cert' } }
    const everyAlgorithm = ['ML-DSA-65', 'Ed25519', 'EdDSA', 'ES256', 'PS256', 'RS256', 'HS512', 'HS384', 'HS256']
    const everyMethod = [
      'tls_client_auth',
      'self_signed_tls_client_auth',
      'private_key_jwt',
      'client_secret_jwt',
      'client_secret_basic',
      'client_secret_post',
      'none',
    ]
    const lists = Object.entries(metadataFor(oauth, [], ['ML-DSA-65', 'EdDSA'])).filter(([name]) =>
      /_(?:auth_methods|alg_values)_supported$/.test(name),
    )
    assert.equal(lists.length, 12)
    for (const [name, list] of lists) {
      const strength = name.includes('auth_methods') ? everyMethod : everyAlgorithm
      const known = strength.filter((one) => (list as readonly string[]).includes(one))
      assert.deepEqual(list, known, name)
    }
    const { acr_values_supported, prompt_values_supported } = metadataFor(oauth)
    assert.deepEqual(acr_values_supported, ['phrh', 'phr', 'mfa', '1'])
    assert.equal((prompt_values_supported as readonly string[]).at(-1), 'none')
  })
})

describe('discovery (OpenID Connect Discovery §4, RFC 8414)', () => {
  for (const path of ['.well-known/openid-configuration', '.well-known/oauth-authorization-server']) {
    it(`publishes the metadata at /${path} [S5.3.1, C4.1]`, async () => {
      const response = await fetch(at(path))
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const metadata = (await response.json()) as Record<string, unknown>
      assert.equal(metadata.issuer, service.issuer)
      for (const [member, endpoint] of [
        ['authorization_endpoint', 'connect/authorize'],
        ['token_endpoint', 'connect/token'],
        ['revocation_endpoint', 'connect/revocation'],
        ['end_session_endpoint', 'connect/logout'],
        ['jwks_uri', '.well-known/jwks'],
      ] as const) {
        assert.equal(metadata[member], service.issuer + endpoint)
      }
      assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
      assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['ES256', 'PS256', 'RS256'])
      assert.equal(metadata.request_uri_parameter_supported, false)
    })
  }

  it('lists the registered scopes, as of now (RFC 8414 §2)', async () => {
    const listed = async () => {
      service.advance(1)
      const response = await fetch(at('.well-known/openid-configuration'))
      return ((await response.json()) as { scopes_supported: string[] }).scopes_supported
    }
    const builtIn = ['openid', 'offline_access', ...adminScopes]
    assert.deepEqual(await listed(), [...builtIn, 'demo_api'])
    await service.storage.scopes.create(testScope('another'))
    assert.deepEqual(await listed(), [...builtIn, 'another', 'demo_api'])
    await service.storage.scopes.delete('another')
    assert.deepEqual(await listed(), [...builtIn, 'demo_api'])
  })

  it('goes through the rules of clients once for each version of the catalogue, not at every reading', async (t) => {
    const stored = await countedStorage({ reads: 0, commits: 0 })
    let taken = 0
    const counted = (rule: ClaimRule): ClaimRule => {
      const { in: places } = rule
      const get = () => {
        taken += 1
        return places
      }
      return Object.defineProperty({ ...rule }, 'in', { get })
    }
    const countedIn = ({ metadata, ...client }: Client): Client => ({
      ...client,
      metadata: { ...metadata, claims: metadata.claims.map(counted) },
    })
    const ruled = async () => (await stored.clients.ruled()).map(countedIn)
    const fresh = await startService({}, { storage: { ...stored, clients: { ...stored.clients, ruled } } })
    t.after(() => fresh.stop())
    const claims = [{ claim: 'tenant', from: 'constant:7', in: ['userinfo'], as: 'auto' }] as const
    await addClient(fresh, { id: 'ruled', metadata: { claims } })
    const supported = async (): Promise<readonly string[]> => {
      fresh.advance(1)
      const response = await fetch(new URL('.well-known/openid-configuration', fresh.issuer))
      return ((await response.json()) as { claims_supported: string[] }).claims_supported
    }
    assert.ok((await supported()).includes('tenant'))
    const once = taken
    await fresh.storage.scopes.create(testScope('more'))
    assert.ok((await supported()).includes('tenant'))
    assert.ok((await supported()).includes('tenant'))
    assert.ok(once > 0)
    assert.equal(taken, once)
  })

  it('publishes public keys only, each with its own kid [C4.1]', async () => {
    const { keys } = (await (await fetch(at('.well-known/jwks'))).json()) as { keys: Record<string, string>[] }
    assert.deepEqual(keys.map(({ alg }) => alg).sort(), ['ES256', 'RS256'])
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
    for (const key of keys) {
      assert.equal(key.use, 'sig')
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.ok(!(member in key), member)
    }
  })
})

describe('paths (specification 4.9, framework rules)', () => {
  it('takes endpoint paths in any case and with a trailing slash', async () => {
    for (const path of ['CONNECT/Token/', 'connect/token/', 'Connect/TOKEN']) {
      const response = await fetch(at(path), { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) })
      assert.equal(((await response.json()) as { error: string }).error, 'unsupported_grant_type', path)
    }
    assert.equal((await new Browser(service).get('/ACCOUNT/antiforgery/')).status, 200)
  })

  for (const path of [
    '/',
    '/Account/Login',
    '/Account/Consent',
    '/Account/Logout',
    '/anything/else',
    '/connections',
    '/apis',
    '/callbacks/x',
    '/assets',
    '/robots.txt',
    '/folder/',
  ]) {
    it(`serves the page shell at ${path} [S1.9, S4.9.12, S4.9.15, C4.28]`, async () => {
      const response = await new Browser(service).get(path)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(await response.text(), /<div id="app"|<main|id="root"/)
    })
  }

  for (const path of [
    '/api',
    '/api/x',
    '/connect',
    '/connect/x',
    '/connect/x.js',
    '/callback',
    '/callback/GitHub',
    '/CALLBACK/x',
    '/assets/none.js',

    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  ]) {
    it(`answers a true 404 at ${path} [S4.9.13, S7.18, C4.28]`, async () => {
      const raw = await new Browser(service).get(path)
      assert.equal(raw.status, 404)
      assert.doesNotMatch(await raw.text(), /"dependencies"/)
    })
  }

  it('answers 404 to other methods than GET and HEAD where there is no endpoint', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      assert.equal((await fetch(at('anything'), { method })).status, 404)
    }
  })

  it('serves hashed assets for ever and the shell never from a cache, both compressed [S4.9.14]', async () => {
    const shell = await new Browser(service).get('/Account/Login', { 'accept-encoding': 'br' })
    assert.equal(shell.headers.get('cache-control'), 'no-store')
    const script = /\/assets\/[^"]+\.js/.exec(await shell.text())?.[0] ?? ''
    const asset = await new Browser(service).get(script, { 'accept-encoding': 'gzip, br' })
    assert.equal(asset.status, 200)
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(asset.headers.get('content-encoding'), 'br')
    assert.match(asset.headers.get('content-type') ?? '', /^text\/javascript/)
  })
})

describe('headers of every answer', () => {
  it('forbids framing, sniffing, foreign scripts and referrers', async () => {
    for (const path of ['/Account/Login', '/connect/authorize', '/.well-known/jwks', '/connect/x']) {
      const { headers } = await new Browser(service).get(path)
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
  })
})

describe('cross-origin clients (specification 5.8)', () => {
  const origin = 'http://localhost:5081'

  it('allows a configured origin with credentials, and only that one [S5.8.1, C3.28]', async () => {
    for (const path of ['.well-known/openid-configuration', '.well-known/jwks', 'weatherforecast']) {
      const allowed = await fetch(at(path), { headers: { origin } })
      assert.equal(allowed.headers.get('access-control-allow-origin'), origin, path)
      assert.equal(allowed.headers.get('access-control-allow-credentials'), 'true')
      const other = await fetch(at(path), { headers: { origin: 'http://evil.test' } })
      assert.equal(other.headers.get('access-control-allow-origin'), null)
    }
  })

  it('answers the preflight of the token endpoint and of the API [S5.8.1, C3.28]', async () => {
    for (const [path, method] of [
      ['connect/token', 'POST'],
      ['connect/revocation', 'POST'],
      ['weatherforecast', 'GET'],
    ] as const) {
      const headers = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      }
      const response = await fetch(at(path), { method: 'OPTIONS', headers })
      assert.equal(response.status, 204)
      assert.equal(response.headers.get('access-control-allow-origin'), origin)
    }
  })

  it('answers the preflight of an allowed origin with the headers that were asked for (Cors:Headers=*)', async () => {
    const preflight = async (asked: string, from = origin) => {
      const headers = { origin: from, 'access-control-request-headers': asked, 'access-control-request-method': 'POST' }
      const answer = await fetch(at('connect/token'), { method: 'OPTIONS', headers })
      assert.equal(answer.status, 204)
      assert.match(answer.headers.get('vary') ?? '', /Access-Control-Request-Headers/)
      return (answer.headers.get('access-control-allow-headers') ?? '').split(', ')
    }
    const own = ['authorization', 'content-type', 'dpop']
    const telemetry = ['x-requested-with', 'traceparent', 'request-id', 'cache-control', 'x-correlation-id']
    assert.deepEqual(await preflight('X-Requested-With,traceparent, request-id,cache-control,x-correlation-id,dpop'), [
      ...own,
      ...telemetry,
    ])
    for (const odd of [
      '',
      'two words',
      'a,,b',
      'x'.repeat(2049),
      Array.from({ length: 65 }, (_, at) => `x${at}`).join(),
    ]) {
      assert.deepEqual(await preflight(odd), own, odd.slice(0, 20))
    }
    assert.deepEqual(await preflight('traceparent', 'http://evil.test'), own)
  })

  it('answers preflights with the headers of a list alone (Cors:Headers)', async (t) => {
    const listed = await startService({ Cors__Origins__0: origin, Cors__Headers: 'Traceparent, x-requested-with' })
    t.after(() => listed[Symbol.asyncDispose]())
    const headers = { origin, 'access-control-request-headers': 'x-other', 'access-control-request-method': 'POST' }
    const answer = await fetch(new URL('connect/token', listed.issuer), { method: 'OPTIONS', headers })
    const allowed = 'authorization, content-type, dpop, traceparent, x-requested-with'
    assert.equal(answer.headers.get('access-control-allow-headers'), allowed)
  })

  it('carries the header on errors too, so that scripts can read them', async () => {
    const response = await fetch(at('connect/token'), {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { origin },
    })
    assert.equal(response.status, 400)
    assert.equal(response.headers.get('access-control-allow-origin'), origin)
  })

  it('gives the page-backing endpoints no CORS [S5.8.3]', async () => {
    const asked = [
      'Antiforgery',
      'Session',
      'ConsentContext',
      'LogoutContext',
      'ExternalProviders',
      'ExternalLoginPending',
    ]
    const backing = asked.map((name) => `Account/${name}`)
    for (const path of [...backing, 'Account/Login', 'connect/authorize', 'anything']) {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const preflight = await fetch(at(path), { method: 'OPTIONS', headers })
      assert.equal(preflight.headers.get('access-control-allow-origin'), null, path)
    }
    for (const path of backing) {
      const { headers } = await fetch(at(path), { headers: { origin } })
      assert.equal(headers.get('access-control-allow-origin'), null, path)
      assert.equal(headers.get('access-control-allow-credentials'), null, path)
      assert.match(headers.get('content-type') ?? '', /^application\/json/, `${path} is an endpoint`)
    }
  })
})

describe('GET /errors', () => {
  it('is where every error_uri leads: one entry for each ID code [C4.11]', async () => {
    const refused = await fetch(at('connect/token'), { method: 'POST', body: new URLSearchParams() })
    const { error_uri } = (await refused.json()) as { error_uri: string }
    const page = await fetch(error_uri)
    assert.equal(page.status, 200)
    assert.match(await page.text(), new RegExp(`<section id="${new URL(error_uri).hash.slice(1)}">`))
  })
})

describe('paths below /.well-known/ (RFC 8615)', () => {
  it('are 404 wherever they are and nothing is there, never a page', async () => {
    for (const path of [
      '.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
      '.well-known/',
      '.well-known',
      '.Well-Known/unknown',
      '%2ewell-known/unknown',
      'realms/shop/.well-known/openid-configuration',
      'connect/token/.well-known/openid-configuration',
      'Account/Login/.well-known/openid-configuration',
      'admin/.well-known/openid-configuration',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = await fetch(at(path), { method, headers: { accept: 'application/json' } })
        assert.equal(answer.status, 404, `${method} ${path}`)
        assert.doesNotMatch(await answer.text(), /<!doctype/i, path)
      }
    }
    const change = await fetch(at('.well-known/change-password'), { redirect: 'manual' })
    assert.equal(change.status, 302)
    for (const page of ['well-known', 'a.well-known/x', '.well-knowns/x']) {
      assert.equal((await fetch(at(page))).status, 200, page)
    }
  })
})
