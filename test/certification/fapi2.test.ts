/**
 * Modules of the plans 'FAPI 2.0 Security Profile' and 'FAPI 2.0 Message Signing' about pushed requests, request objects
 * and responses; and both plans as a whole with a client library that is not ours.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import type { Client } from '../../src/protocol/client/client.ts'
import type { ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { assertionClaims, assertionFields, type ClientKey, clientKey, keyClient } from '../support/assertions.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  headerOf,
  locationOf,
  postToken,
} from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import { serviceForFile } from '../support/service.ts'

const redirectUri = 'http://localhost:5081/callback'
const insecure = { [oauth.allowInsecureRequests]: true } as const

function fapiClient(id: string, keys: readonly ClientKey[], metadata: Partial<ClientMetadata> = {}): Client {
  const profile = { profile: 'fapi2', id_token_signed_response_alg: 'PS256', refresh_token_rotation: false } as const
  const client = keyClient(id, keys, { ...profile, dpop_bound_access_tokens: true, ...metadata })
  const grantTypes = ['authorization_code', 'refresh_token'] as const
  return {
    ...client,
    grantTypes,
    consent: 'implicit',
    redirectUris: [redirectUri],
    scopes: ['offline_access', 'demo_api'],
  }
}

// Longer than the profile allows.
const service = await serviceForFile({ OAuth__AuthorizationCodeLifetime: '600' })
const key = await clientKey('PS256')
const otherKey = await clientKey('PS256')
const { clients } = service.storage
await clients.create(fapiClient('first', [key]))
await clients.create(fapiClient('second', [otherKey]))
await clients.create({ ...fapiClient('asking', [key]), consent: 'explicit' })
await clients.create(fapiClient('signing', [key], { require_signed_request_object: true }))
const browser = await Browser.signedIn(service)

const parametersOf = (client: string, change: Readonly<Record<string, string>> = {}) =>
  authorizeParameters({ client_id: client, nonce: randomBytes(48).toString('base64url'), ...change })

async function assertion(client: string, signer = key): Promise<Readonly<Record<string, string>>> {
  return assertionFields(await signer.sign(assertionClaims(client, service.issuer, service.now())))
}

async function push(client: string, change: Readonly<Record<string, string>> = {}, signer = key) {
  const fields = { ...parametersOf(client, change), ...(await assertion(client, signer)) }
  return postToken(service, fields, {}, 'connect/par')
}

async function pushed(client = 'first', change: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await push(client, change)
  assert.equal(status, 201, JSON.stringify(body))
  return body.request_uri
}

const open = (requestUri: string, more: Readonly<Record<string, string>> = {}, at = browser, client = 'first') =>
  at.get(`/connect/authorize?${new URLSearchParams({ client_id: client, request_uri: requestUri, ...more })}`)

async function refused(answer: ReturnType<typeof push>, ...errors: string[]): Promise<void> {
  const { status, body } = await answer
  assert.equal(status, 400)
  assert.ok(errors.includes(body.error), JSON.stringify(body))
}

describe('pushed requests of the plan FAPI 2.0 Security Profile', () => {
  it('fapi2-…-happy-flow: 201 with expires_in and a request_uri of high entropy; code, state and iss come back', async () => {
    const { status, body } = await push('first')
    assert.equal(status, 201)
    assert.ok(body.expires_in >= 5 && body.expires_in < 600)
    assert.match(body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{64}$/)
    const { searchParams } = locationOf(await open(body.request_uri))
    assert.deepEqual([...searchParams.keys()].sort(), ['code', 'iss', 'state'])
    assert.equal(searchParams.get('iss'), service.issuer)
  })

  it('a missing code_verifier is invalid_grant, as a wrong one is, and uses no code up', async () => {
    const dpop = new DpopKey('ES256')
    const code = locationOf(await open(await pushed())).searchParams.get('code') ?? ''
    const redeem = async (code_verifier?: string) => {
      const proof = dpop.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() })
      const { code_verifier: right = '', ...fields } = codeFields(code, { client_id: 'first' })
      const sent = code_verifier === '' ? {} : { code_verifier: code_verifier ?? right }
      return postToken(service, { ...fields, ...sent, ...(await assertion('first')) }, { DPoP: proof })
    }
    await refused(redeem(''), 'invalid_grant')
    await refused(redeem('a'.repeat(43)), 'invalid_grant')
    assert.equal((await redeem()).status, 200)
  })

  it('codes end after 60 seconds, whatever the setting says (§5.3.2.1)', async () => {
    const dpop = new DpopKey('ES256')
    const redeem = async (code: string) => {
      const proof = dpop.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() })
      const fields = { ...codeFields(code, { client_id: 'first' }), ...(await assertion('first')) }
      return postToken(service, fields, { DPoP: proof })
    }
    const [late, early] = [await open(await pushed()), await open(await pushed())].map(
      (answer) => locationOf(answer).searchParams.get('code') ?? '',
    )
    service.advance(50)
    assert.equal((await redeem(early ?? '')).status, 200)
    service.advance(11)
    assert.equal((await redeem(late ?? '')).body.error, 'invalid_grant')
  })

  it('…-ensure-request-without-par-fails: an error, and no code', async () => {
    const query = new URLSearchParams(parametersOf('first'))
    const { searchParams } = locationOf(await browser.get(`/connect/authorize?${query}`))
    assert.equal(searchParams.get('error'), 'invalid_request')
    assert.equal(searchParams.get('iss'), service.issuer)
  })

  it('…-par-ensure-pkce-required, -par-ensure-plain-pkce-rejected', async () => {
    await refused(push('first', { code_challenge: '', code_challenge_method: '' }), 'invalid_request')
    await refused(push('first', { code_challenge_method: 'plain' }), 'invalid_request')
    await refused(push('first', { code_challenge_method: '' }), 'invalid_request')
  })

  it('…-par-authorization-request-containing-request_uri, -par-attempt-invalid-http-method', async () => {
    await refused(push('first', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }), 'invalid_request')
    for (const method of ['GET', 'PUT']) {
      const { status } = await fetch(new URL('connect/par', service.issuer), { method })
      assert.ok(status >= 400 && status < 500)
    }
  })

  it('…-par-without-redirect-uri, -ensure-unregistered-redirect-uri, -ensure-response-type-code', async () => {
    await refused(push('first', { redirect_uri: '', scope: 'demo_api' }), 'invalid_request')
    await refused(push('first', { redirect_uri: 'http://localhost:5081/callback/other' }), 'invalid_request')
    await refused(push('first', { response_type: 'code id_token' }), 'unsupported_response_type')
  })

  it('…-par-attempt-to-use-request_uri-for-different-client, -par-endpoint-wrong-client', async () => {
    const response = await open(await pushed(), {}, browser, 'second')
    assert.equal(response.status, 400)
    assert.equal(response.headers.get('location'), null)
    const foreign = await push('first', {}, otherKey)
    assert.ok([400, 401].includes(foreign.status))
    assert.equal(foreign.body.error, 'invalid_client')
  })

  it('…-par-attempt-to-use-expired-request_uri', async () => {
    const requestUri = await pushed()
    service.advance(60)
    const response = await open(requestUri)
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request_uri')
  })

  it('…-par-attempt-reuse-request_uri: usable twice before the sign-in, and not after the code', async () => {
    const requestUri = await pushed()
    const person = new Browser(service)
    for (let visit = 0; visit < 2; visit += 1) {
      assert.equal(locationOf(await open(requestUri, {}, person)).pathname, '/Account/Login')
    }
    await person.signIn()
    assert.ok(locationOf(await open(requestUri, {}, person)).searchParams.get('code'))
    const again = await open(requestUri, {}, person)
    assert.equal(again.status, 400)
    assert.equal(again.headers.get('location'), null)
  })

  it('…-state-only-outside-request-object-not-used, and duplicates of the parameters change nothing', async () => {
    const stateless = await pushed('first', { state: '' })
    assert.equal(locationOf(await open(stateless, { state: 'outside' })).searchParams.get('state'), null)
    const duplicated = parametersOf('first')
    const answered = locationOf(await open(await pushed('first', duplicated), duplicated)).searchParams
    assert.ok(answered.get('code'))
  })

  it('…-ensure-nonce-of-length-64, -384 and a long state come back', async () => {
    const change = { state: 's'.repeat(512), nonce: 'n'.repeat(384) }
    assert.equal(locationOf(await open(await pushed('first', change))).searchParams.get('state'), change.state)
  })

  it('…-user-rejects-authentication: access_denied with state and iss', async () => {
    const requestUri = await pushed('asking')
    const fields = { client_id: 'asking', request_uri: requestUri, 'submit.Deny': 'No' }
    const { searchParams } = locationOf(await browser.submit('/connect/authorize', fields))
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), 'state-1')
    assert.equal(searchParams.get('iss'), service.issuer)
  })

  it('…-discovery-end-point-verification: what the plans look for is stated', async () => {
    const response = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const document = (await response.json()) as Record<string, unknown>
    assert.equal(document.pushed_authorization_request_endpoint, `${service.issuer}connect/par`)
    assert.equal(document.authorization_response_iss_parameter_supported, true)
    assert.deepEqual(document.code_challenge_methods_supported, ['S256'])
    assert.equal(document.request_parameter_supported, true)
    assert.equal(document.request_uri_parameter_supported, false)
    for (const name of ['require_pushed_authorization_requests', 'require_signed_request_object']) {
      assert.equal(document[name], false)
    }
    for (const what of ['request_object', 'authorization', 'id_token', 'token_endpoint_auth', 'dpop']) {
      const member = what === 'authorization' || what === 'dpop' ? `${what}_signing_alg_values_supported` : ''
      const listed = document[member || `${what}_signing_alg_values_supported`] as string[]
      assert.ok(listed.includes('PS256') && !listed.includes('none'), what)
    }
    assert.ok((document.request_object_signing_alg_values_supported as string[]).includes('RS256'))
  })
})

describe('request objects and responses of the plan FAPI 2.0 Message Signing', () => {
  const claims = (change: Readonly<Record<string, unknown>> = {}): JWTPayload => {
    const now = Math.floor(service.now() / 1000)
    const own = { iss: 'signing', aud: service.issuer, nbf: now, exp: now + 300, response_mode: 'jwt' }
    const all = { ...parametersOf('signing'), ...own, ...change }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }
  const pushObject = async (object: string) => {
    const fields = { client_id: 'signing', request: object, ...(await assertion('signing')) }
    return postToken(service, fields, {}, 'connect/par')
  }
  const seconds = () => Math.floor(service.now() / 1000)

  it('…-happy-flow: a signed request is answered with a signed response', async () => {
    const { status, body } = await pushObject(await key.sign(claims()))
    assert.equal(status, 201, JSON.stringify(body))
    const { searchParams } = locationOf(await open(body.request_uri, {}, browser, 'signing'))
    assert.deepEqual([...searchParams.keys()], ['response'])
    const response = searchParams.get('response') ?? ''
    assert.equal(headerOf(response).alg, 'PS256')
    const jwks = await (await fetch(new URL('.well-known/jwks', service.issuer))).json()
    const options = { issuer: service.issuer, audience: 'signing', currentDate: new Date(service.now()) }
    const { payload } = await jwtVerify(response, createLocalJWKSet(jwks as never), options)
    assert.ok(payload.code && payload.exp)
    assert.equal(payload.state, 'state-1')
  })

  it('…-ensure-unsigned-request-at-par-endpoint-fails', async () => {
    await refused(push('signing'), 'invalid_request', 'invalid_request_object')
  })

  const faults: Record<string, () => Promise<string>> = {
    'ensure-request-object-without-exp-fails': () => key.sign(claims({ exp: undefined })),
    'ensure-request-object-without-nbf-fails': () => key.sign(claims({ nbf: undefined })),
    'ensure-expired-request-object-fails': () => key.sign(claims({ exp: seconds() - 1 })),
    'ensure-request-object-with-exp-over-60-fails': () => key.sign(claims({ exp: seconds() + 4200 })),
    'ensure-request-object-with-nbf-over-60-fails': () => key.sign(claims({ nbf: seconds() - 4200 })),
    'ensure-request-object-with-bad-aud-fails': () => key.sign(claims({ aud: 'https://www.other1.com/' })),
    'ensure-signed-request-object-with-RS256-fails': async () =>
      (await clientKey('RS256', String(key.publicJwk.kid))).sign(claims()),
    'ensure-request-object-signature-algorithm-is-not-none': async () => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${encode({ alg: 'none' })}.${encode(claims())}.`
    },
    'ensure-request-object-with-invalid-signature-fails': async () =>
      `${(await key.sign(claims())).slice(0, -8)}AAAAAAAA`,
    'ensure-matching-key-in-authorization-request': () => otherKey.sign(claims()),
    'ensure-client-id-in-request-object-matches': () => key.sign(claims({ client_id: 'first' })),
  }
  for (const [module, object] of Object.entries(faults)) {
    it(`…-${module}`, async () => {
      await refused(pushObject(await object()), 'invalid_request_object', 'invalid_request')
    })
  }

  it('…-ensure-request-object-with-multiple-aud-succeeds, and with nbf 8 seconds ahead', async () => {
    const aud = [service.issuer, 'https://other1.example.com']
    assert.equal((await pushObject(await key.sign(claims({ aud })))).status, 201)
    assert.equal((await pushObject(await key.sign(claims({ nbf: seconds() + 8 })))).status, 201)
  })
})

describe('both plans with an independent client library', () => {
  for (const signed of [false, true]) {
    it(`oauth4webapi: private_key_jwt, DPoP and PAR${signed ? ', a request object and a signed response' : ''}`, async () => {
      const { privateKey, publicKey } = await oauth.generateKeyPair('PS256', { extractable: true })
      const publicJwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'library' }
      const id = signed ? 'library-signing' : 'library'
      const metadata = { require_signed_request_object: signed }
      await service.storage.clients.create(fapiClient(id, [{ ...key, publicJwk: publicJwk as never }], metadata))
      const skew = Math.round((service.now() - Date.now()) / 1000)
      const client: oauth.Client = { client_id: id, [oauth.clockSkew]: skew, id_token_signed_response_alg: 'PS256' }
      const issuer = new URL(service.issuer)
      const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
      const authentication = oauth.PrivateKeyJwt({ key: privateKey, kid: 'library' })
      const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
      const options = { ...insecure, DPoP }
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const parameters = new URLSearchParams({
        ...{ client_id: id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid offline_access' },
        ...{
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        },
      })
      if (signed) parameters.set('response_mode', 'jwt')
      const sent = signed
        ? { request: await oauth.issueRequestObject(server, client, parameters, { key: privateKey, kid: 'library' }) }
        : parameters
      const answer = await oauth.pushedAuthorizationRequest(server, client, authentication, sent, options)
      const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, answer)
      const callback = locationOf(await open(request_uri, {}, browser, id))
      const response = signed
        ? await oauth.validateJwtAuthResponse(server, client, callback, state, insecure)
        : oauth.validateAuthResponse(server, client, callback, state)
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          response,
          redirectUri,
          verifier,
          options,
        ),
        { expectedNonce: nonce, requireIdToken: true },
      )
      assert.equal(tokens.token_type, 'dpop')
      assert.equal(headerOf(tokens.id_token ?? '').alg, 'PS256')
      assert.equal(claimsOf(tokens.access_token).cnf.jkt, await DPoP.calculateThumbprint())
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? '', options),
      )
      assert.ok(refreshed.access_token)
    })
  }
})
