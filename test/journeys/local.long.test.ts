/** The whole local journey with a client library that is not ours, on every database. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { authorizeParameters, Browser, locationOf } from '../support/browser.ts'
import { postgresServer } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const client: oauth.Client = { client_id: 'demo' }
const insecure = { [oauth.allowInsecureRequests]: true } as const
const redirectUri = 'http://localhost:5081/callback'

/** Signs in, consents, exchanges, calls the API, refreshes, revokes and signs out; every answer is validated by the library. */
async function journey(service: TestService): Promise<void> {
  const issuer = new URL(service.issuer)
  const discovered = await oauth.discoveryRequest(issuer, insecure)
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const verifier = oauth.generateRandomCodeVerifier()
  const nonce = oauth.generateRandomNonce()
  const state = oauth.generateRandomState()
  const parameters = authorizeParameters({
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    nonce,
    state,
  })

  // A browser without a session: login page, sign-in, consent page, accept.
  const browser = new Browser(service)
  const authorizationUrl = new URL(server.authorization_endpoint ?? '')
  authorizationUrl.search = new URLSearchParams(parameters).toString()
  const login = locationOf(await browser.fetch(authorizationUrl.href))
  assert.equal(login.pathname, '/Account/Login')
  const signedIn = await browser.signIn({ ReturnUrl: login.searchParams.get('ReturnUrl') ?? '' })
  const consent = locationOf(await browser.fetch(locationOf(signedIn).href))
  assert.equal(consent.pathname, '/Account/Consent')
  const context = await (await browser.get(`/Account/ConsentContext${consent.search}`)).json()
  assert.deepEqual(context, {
    client: { id: 'demo', name: 'Demo client' },
    scopes: [
      { name: 'openid', displayName: null, description: null },
      { name: 'offline_access', displayName: null, description: null },
      { name: 'demo_api', displayName: 'Demo API', description: null },
    ],
    user: { name: 'alice' },
  })
  const fields = [...consent.searchParams.entries(), ['submit.Accept', 'Yes'] as const]
  const callback = locationOf(await browser.submit('/connect/authorize', fields))

  const answer = oauth.validateAuthResponse(server, client, callback, state)
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    redirectUri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, exchanged, insecure)
  assert.equal(oauth.getValidatedIdTokenClaims(tokens)?.sub, (await service.storage.users.findByName('alice'))?.id)

  const api = new URL('weatherforecast', service.issuer)
  const forecast = await oauth.protectedResourceRequest(tokens.access_token, 'GET', api, undefined, null, insecure)
  assert.equal(((await forecast.json()) as unknown[]).length, 5)

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', insecure),
  )
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token)

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? '', insecure),
  )
  await assert.rejects(
    async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshed.refresh_token ?? '', insecure),
      ),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
  )

  const endSession = new URL(server.end_session_endpoint ?? '')
  endSession.search = new URLSearchParams({
    client_id: 'demo',
    post_logout_redirect_uri: 'http://localhost:5081/',
  }).toString()
  const logoutPage = locationOf(await browser.fetch(endSession.href))
  assert.equal(logoutPage.pathname, '/Account/Logout')
  const loggedOut = await browser.submit('/connect/logout', [
    ...logoutPage.searchParams.entries(),
    ['Confirm', 'Yes'] as const,
  ])
  assert.equal(loggedOut.headers.get('location'), 'http://localhost:5081/')
  assert.equal(locationOf(await browser.fetch(authorizationUrl.href)).pathname, '/Account/Login')
}

describe('from a sign-in to a sign-out with oauth4webapi', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-journey-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const run = async (databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await using service = await startService({ Database__Url: databaseUrl, ...env })
    await journey(service)
  }

  it('works on SQLite in memory [S1.1, S5.3.1, S5.7.6, C3.18, C4.32]', () => run('sqlite::memory:'))

  it('works on an SQLite file [C3.18]', () => run(`sqlite:${join(folder, 'latchkey.db')}`))

  it('works on PostgreSQL [C3.18]', async () => {
    const postgres = await postgresServer()
    try {
      await run(await postgres.createEmptyDatabase(), { Keys__MasterKey: Buffer.alloc(32, 1).toString('base64') })
    } finally {
      await postgres.stop()
    }
  })

  for (const algorithm of ['PS256', 'EdDSA']) {
    it(`works with ${algorithm} for both tokens [C3.15]`, () =>
      run('sqlite::memory:', { OAuth__AccessTokenAlgorithm: algorithm, OAuth__IdentityTokenAlgorithm: algorithm }))
  }
})
