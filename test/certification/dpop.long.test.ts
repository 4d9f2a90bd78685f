/** What the plan 'FAPI 2.0 Security Profile' demands of DPoP, with client libraries that are not ours. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { Browser, claimsOf, codeFields, locationOf, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, startService, type TestService, testClient } from '../support/service.ts'

const insecure = { [oauth.allowInsecureRequests]: true } as const
const redirectUri = 'http://localhost:5081/callback'
const secret = 'a secret of the plan'

async function scene(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const service = await startService(env)
  t.after(() => service.stop())
  const metadata = { ...defaultClientMetadata, dpop_bound_access_tokens: true }
  const { create } = service.storage.clients
  await create(testClient({ id: 'public', consent: 'implicit', metadata }))
  const authentication = bySecret(hashSecret(secret))
  await create(testClient({ id: 'confidential', consent: 'implicit', authentication, metadata }))
  return service
}

/** Follows an authorization request with a browser that is signed in; the address that it ends at. */
async function callback(service: TestService, address: URL): Promise<URL> {
  const browser = await Browser.signedIn(service)
  return locationOf(await browser.fetch(address.href))
}

for (const [nonces, env] of [
  ['without nonces', {}],
  ['with nonces', { OAuth__DPoP__Nonce: 'true' }],
] as const) {
  describe(`independent client libraries with DPoP, ${nonces}`, () => {
    it('oauth4webapi pushes, exchanges, refreshes and calls userinfo and an API, with each algorithm', async (t) => {
      const service = await scene(t, env)
      const issuer = new URL(service.issuer)
      const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
      assert.deepEqual(server.dpop_signing_alg_values_supported, ['Ed25519', 'EdDSA', 'ES256', 'PS256'])
      const client: oauth.Client = { client_id: 'public' }
      for (const algorithm of ['ES256', 'PS256', 'Ed25519']) {
        const DPoP = oauth.DPoP(client, await oauth.generateKeyPair(algorithm))
        const options = { ...insecure, DPoP }
        /** The libraries leave it to their caller to try again with the nonce. */
        const retried = async <T>(work: () => Promise<T>): Promise<T> => {
          try {
            return await work()
          } catch (error) {
            if (oauth.isDPoPNonceError(error)) return work()
            throw error
          }
        }
        const verifier = oauth.generateRandomCodeVerifier()
        const parameters = {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: 'openid offline_access demo_api',
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }
        const push = () => oauth.pushedAuthorizationRequest(server, client, oauth.None(), parameters, options)
        const pushed = await retried(async () => oauth.processPushedAuthorizationResponse(server, client, await push()))
        const address = new URL(server.authorization_endpoint ?? '')
        address.search = new URLSearchParams({ client_id: 'public', request_uri: pushed.request_uri }).toString()
        const response = oauth.validateAuthResponse(server, client, await callback(service, address))
        const tokens = await retried(async () =>
          oauth.processAuthorizationCodeResponse(
            server,
            client,
            await oauth.authorizationCodeGrantRequest(
              server,
              client,
              oauth.None(),
              response,
              redirectUri,
              verifier,
              options,
            ),
          ),
        )
        assert.equal(tokens.token_type, 'dpop')
        assert.equal(claimsOf(tokens.access_token).cnf.jkt, await DPoP.calculateThumbprint())
        const refreshed = await retried(async () =>
          oauth.processRefreshTokenResponse(
            server,
            client,
            await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? '', options),
          ),
        )
        const { sub } = oauth.getValidatedIdTokenClaims(refreshed) ?? {}
        const userinfo = await retried(async () =>
          oauth.processUserInfoResponse(
            server,
            client,
            sub ?? '',
            await oauth.userInfoRequest(server, client, refreshed.access_token, options),
          ),
        )
        assert.equal(userinfo.sub, sub)
        const api = new URL('weatherforecast', issuer)
        const call = () =>
          oauth.protectedResourceRequest(refreshed.access_token, 'GET', api, undefined, undefined, options)
        assert.equal((await retried(call)).status, 200)
      }
    })

    it('openid-client exchanges, refreshes and calls userinfo', async (t) => {
      const service = await scene(t, env)
      const config = await openid.discovery(
        new URL(service.issuer),
        'confidential',
        secret,
        openid.ClientSecretBasic(secret),
        { execute: [openid.allowInsecureRequests] },
      )
      const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid offline_access',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        dpop_jkt: await DPoP.calculateThumbprint(),
      })
      const answered = await callback(service, address)
      const tokens = await openid.authorizationCodeGrant(config, answered, { pkceCodeVerifier }, undefined, { DPoP })
      assert.equal(tokens.token_type, 'dpop')
      // A confidential client may change its key.
      const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('Ed25519'))
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP: other })
      assert.equal(claimsOf(refreshed.access_token).cnf.jkt, await other.calculateThumbprint())
      const sub = refreshed.claims()?.sub ?? ''
      const userinfo = await openid.fetchUserInfo(config, refreshed.access_token, sub, { DPoP: other })
      assert.equal(userinfo.sub, sub)
    })
  })
}

describe('two processes on one database', () => {
  it('accept a proof once between them, at the token endpoint and at resources (RFC 9449 §11.1)', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-dpop-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const env = { Database__Url: `sqlite:${join(folder, 'shared.db')}`, OAuth__Issuer: 'http://localhost:5080/' }
    await using one = await startService(env)
    await using other = await startService(env)
    await addClient(one, { id: 'app', consent: 'implicit' })
    const key = new DpopKey()
    const at = (service: TestService) => ({ issuer: service.address })
    const codeOf = () => obtainCode(new Browser(at(one)), { client_id: 'app', scope: 'openid offline_access' })
    const send = (service: TestService, fields: Readonly<Record<string, string>>, DPoP: string) =>
      postToken(at(service), fields, { DPoP })
    const proof = () => key.proof({ url: `${one.issuer}connect/token` })

    const once = proof()
    const first = await send(one, codeFields(await codeOf(), { client_id: 'app' }), once)
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const code = await codeOf()
    assert.equal((await send(other, codeFields(code, { client_id: 'app' }), once)).body.error, 'invalid_dpop_proof')
    assert.equal((await send(other, codeFields(code, { client_id: 'app' }), proof())).status, 200)

    const raced = proof()
    const codes = [await codeOf(), await codeOf(), await codeOf(), await codeOf()]
    const answers = await Promise.all(
      codes.map((next, index) => send(index % 2 === 0 ? one : other, codeFields(next, { client_id: 'app' }), raced)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])

    const { access_token, refresh_token } = first.body
    const DPoP = key.proof({ url: `${one.issuer}connect/userinfo`, method: 'GET', accessToken: access_token })
    const headers = { authorization: `DPoP ${access_token}`, DPoP }
    const called = await Promise.all(
      [one, other].map(({ address }) => fetch(`${address}connect/userinfo`, { headers })),
    )
    assert.deepEqual(called.map(({ status }) => status).sort(), [200, 401])
    assert.equal((await send(other, refreshFields(refresh_token, { client_id: 'app' }), proof())).status, 200)
  })
})
