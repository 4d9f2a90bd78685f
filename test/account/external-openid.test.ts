/** What an OpenID Connect provider says is believed only when it proves it (OpenID Connect Core §3.1.3.7, Discovery §4.3). */

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Browser, locationOf } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { startService, type TestService } from '../support/service.ts'

const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }

let server: Server
let origin: string
let service: TestService
/** What the provider does: the issuer that it names in its metadata, and how it makes the id token. */
let namedIssuer: string
let idToken: (claims: JWTPayload) => Promise<string>
let nonce = ''

const sign = (claims: JWTPayload, key = own.privateKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(key)

before(async () => {
  server = createServer(async (request, response) => {
    const seconds = Math.floor(Date.now() / 1000)
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer: namedIssuer,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/keys': () => ({ keys: [jwk] }),
      '/token': async () => ({
        access_token: 'provider-access-token',
        token_type: 'Bearer',
        id_token: await idToken({
          iss: origin,
          sub: 'somebody',
          aud: 'latchkey-here',
          nonce,
          iat: seconds,
          exp: seconds + 300,
          email: 'somebody@example.com',
        }),
      }),
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(await answers[request.url ?? '']?.()))
  })
  origin = await listen(server)
})
beforeEach(async () => {
  namedIssuer = origin
  idToken = (claims) => sign(claims)
  // What is known of a provider is kept for a while, so each test has a service of its own.
  service = await startService({
    OAuth__External__Contoso__ClientId: 'latchkey-here',
    OAuth__External__Contoso__Issuer: origin,
  })
})
afterEach(() => service.stop())
after(() => {
  server.closeAllConnections()
  server.close()
})

/** Through the provider and back; the answer of our callback. */
async function arrive(browser = new Browser(service)): Promise<Response> {
  const started = await browser.submit('/Account/ExternalLogin', { provider: 'Contoso' })
  if (started.status !== 302) return started
  const request = locationOf(started).searchParams
  nonce = request.get('nonce') ?? ''
  assert.ok(nonce.length >= 32)
  const answer = new URLSearchParams({ code: 'a-code', state: request.get('state') ?? '' })
  return browser.get(`/callback/login/Contoso?${answer}`)
}

describe('the id token of a provider', () => {
  it('is believed when it is signed by a key of the provider and made for us', async () => {
    const browser = new Browser(service)
    assert.equal(locationOf(await arrive(browser)).pathname, '/Account/ExternalLoginCallback')
    assert.equal((await browser.get('/Account/ExternalLoginPending')).status, 200)
  })

  for (const [what, make] of [
    ['signed by a foreign key', (claims: JWTPayload) => sign(claims, foreign.privateKey)],
    ['with a claim that was changed after it was signed', tamper],
    ['without a signature', unsigned],
    ['for another client', (claims: JWTPayload) => sign({ ...claims, aud: 'somebody-else' })],
    ['of another issuer', (claims: JWTPayload) => sign({ ...claims, iss: 'https://evil.test' })],
    ['with another nonce', (claims: JWTPayload) => sign({ ...claims, nonce: 'of another sign-in' })],
    ['without a nonce', ({ nonce: _left, ...claims }: JWTPayload) => sign(claims)],
    ['that has expired', (claims: JWTPayload) => sign({ ...claims, exp: 1_700_000_000 })],
  ] as const) {
    it(`is refused when it comes ${what}, and nobody is signed in`, async () => {
      idToken = make
      const browser = new Browser(service)
      assert.equal((await arrive(browser)).status, 502)
      assert.equal((await browser.get('/Account/ExternalLoginPending')).status, 404)
    })
  }
})

describe('the metadata of a provider', () => {
  it('is refused when it names another issuer than the settings (Discovery §4.3)', async () => {
    namedIssuer = 'https://evil.test'
    assert.equal((await arrive()).status, 502)
  })
})

async function tamper(claims: JWTPayload): Promise<string> {
  const [header, , signature] = (await sign(claims)).split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'the administrator' })).toString('base64url')
  return `${header}.${payload}.${signature}`
}

async function unsigned(claims: JWTPayload): Promise<string> {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}
