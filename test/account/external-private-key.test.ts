/** `private_key_jwt` at external providers (RFC 7523, OpenID Connect Core §9), and the keys for it. */
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { rotateKeys, rotateWhenDue } from '../../src/keys/rotate.ts'
import { Browser } from '../support/browser.ts'
import { openidForFile, throughProvider } from '../support/fake-openid.ts'
import { startService, type TestService } from '../support/service.ts'

const provider = await openidForFile()
afterEach(() => provider.reset())

/** What else opens the ring needs it. */
const masterKey = { Keys__MasterKey: Buffer.alloc(32, 5).toString('base64') }
const announced = { token_endpoint_auth_methods_supported: ['private_key_jwt'] }
const keysAt = async (service: TestService, path = '/connect/rp-jwks') =>
  (await (await new Browser(service).get(path)).json()) as JSONWebKeySet
const kidsAt = async (service: TestService) => (await keysAt(service)).keys.map(({ kid }) => kid)
const assertionKeys = async ({ storage }: TestService) =>
  (await storage.keys.list()).filter(({ use }) => use === 'assertion')

/** Signs in; the assertion that the provider was sent, verified with the published keys. */
async function assertionOf(service: TestService, name = 'Acme') {
  provider.requests.length = 0
  assert.equal((await throughProvider(new Browser(service), name)).status, 302)
  const request = provider.requests.find(({ path }) => path === '/token')
  const jwt = request?.form.get('client_assertion') ?? ''
  const set = createLocalJWKSet(await keysAt(service))
  const verified = await jwtVerify(jwt, set, { currentDate: new Date(service.now()) })
  return { ...verified, form: request?.form }
}

describe('an assertion for a provider', () => {
  it('is by a published key, for the issuer alone, and new each time', async () => {
    provider.does.metadata = announced
    await using service = await startService(provider.env('Acme'))
    const { payload, protectedHeader, form } = await assertionOf(service)
    assert.equal(form?.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    assert.equal(form?.get('client_id'), 'latchkey-here')
    assert.equal(form?.get('client_secret'), null)
    const { jti, iat = 0, exp = 0, ...claims } = payload
    assert.deepEqual(claims, { iss: 'latchkey-here', sub: 'latchkey-here', aud: provider.origin })
    assert.equal(exp - iat, 60)
    assert.ok(Math.abs(iat - service.now() / 1000) < 5)
    assert.equal(protectedHeader.alg, 'RS256')
    assert.notEqual((await assertionOf(service)).payload.jti, jti)
  })

  const algorithms = [
    [undefined, 'RS256'],
    [['ES256', 'RS256'], 'RS256'],
    [['ES256', 'PS256'], 'PS256'],
    [['ES256'], 'ES256'],
    [['EdDSA'], 'EdDSA'],
    [['HS256'], 'RS256'],
  ] as const
  for (const [names, algorithm] of algorithms) {
    it(`is signed with ${algorithm} where the provider announces ${names ?? 'no algorithms'}`, async () => {
      provider.does.metadata = { ...announced, token_endpoint_auth_signing_alg_values_supported: names }
      await using service = await startService(provider.env('Acme'))
      assert.equal((await assertionOf(service)).protectedHeader.alg, algorithm)
    })
  }

  it('authenticates pushed requests too', async () => {
    const endpoint = `${provider.origin}/par`
    provider.does.metadata = { ...announced, pushed_authorization_request_endpoint: endpoint }
    await using service = await startService(provider.env('Acme', { PushedRequests: 'always' }))
    const { payload } = await assertionOf(service)
    const pushed = provider.requests.find(({ path }) => path === '/par')?.form.get('client_assertion') ?? ''
    const verified = await jwtVerify(pushed, createLocalJWKSet(await keysAt(service)), { audience: provider.origin })
    assert.notEqual(verified.payload.jti, payload.jti)
  })
})

describe('the keys for assertions', () => {
  it('are not made where no provider needs them', async () => {
    await using service = await startService(provider.env('Acme'))
    assert.equal((await throughProvider(new Browser(service), 'Acme')).status, 302)
    assert.deepEqual(await keysAt(service), { keys: [] })
    assert.deepEqual(await assertionKeys(service), [])
  })

  it('are made for the first answer of /connect/rp-jwks where the settings name the method, once', async () => {
    await using service = await startService(provider.env('Acme', { TokenEndpointAuthMethod: 'private_key_jwt' }))
    assert.deepEqual(await assertionKeys(service), [], 'not at the start')
    const sets = await Promise.all([keysAt(service), keysAt(service), keysAt(service)])
    const [key] = sets[0]?.keys ?? []
    assert.deepEqual(
      sets.map(({ keys }) => keys.length),
      [1, 1, 1],
    )
    assert.deepEqual(Object.keys(key ?? {}).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
    assert.equal(key?.use, 'sig')
    assert.equal((await assertionOf(service)).protectedHeader.kid, key?.kid)
  })

  it('are apart from those that sign tokens', async () => {
    provider.does.metadata = announced
    await using service = await startService(provider.env('Acme'))
    const { protectedHeader } = await assertionOf(service)
    const ofTokens = await keysAt(service, '/.well-known/jwks')
    assert.ok(ofTokens.keys.length > 0)
    assert.ok(ofTokens.keys.every(({ kid }) => kid !== protectedHeader.kid))
    assert.equal(service.keys.verificationKey(protectedHeader.kid ?? ''), undefined)
    assert.equal(await service.keys.issuedKey(protectedHeader.kid ?? ''), undefined)
    assert.deepEqual(await kidsAt(service), [protectedHeader.kid])
  })

  it('are rotated: a new one is published five minutes before it signs, and the old one leaves later', async () => {
    provider.does.metadata = announced
    await using service = await startService({ ...provider.env('Acme'), ...masterKey })
    const context = { storage: service.storage, settings: service.settings, clock: service.now }
    const first = (await assertionOf(service)).protectedHeader.kid
    const added = await rotateKeys(context)
    const second = added.find(({ use }) => use === 'assertion')
    assert.equal(second?.activeAtMs, (second?.createdAtMs ?? 0) + 300_000)
    service.advance(2)
    assert.deepEqual(new Set(await kidsAt(service)), new Set([first, second?.id]))
    assert.equal((await assertionOf(service)).protectedHeader.kid, first)
    service.advance(290)
    assert.equal((await assertionOf(service)).protectedHeader.kid, first)
    service.advance(10)
    assert.equal((await assertionOf(service)).protectedHeader.kid, second?.id)
    service.advance(3700)
    assert.deepEqual(await kidsAt(service), [second?.id])
  })

  it('are rotated by the schedule', async () => {
    provider.does.metadata = announced
    await using service = await startService({ ...provider.env('Acme'), ...masterKey, Keys__RotateEvery: '86400' })
    const context = { storage: service.storage, settings: service.settings, clock: service.now }
    const first = (await assertionOf(service)).protectedHeader.kid
    service.advance(86_400)
    const added = await rotateWhenDue(context)
    const second = added?.find(({ use }) => use === 'assertion')
    assert.notEqual(second, undefined)
    assert.ok((second?.activeAtMs ?? 0) - (second?.createdAtMs ?? 0) >= 300_000)
    service.advance(2)
    assert.deepEqual(new Set(await kidsAt(service)), new Set([first, second?.id]))
  })
})
