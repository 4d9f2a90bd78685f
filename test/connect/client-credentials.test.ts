/** The client credentials grant: an access token of a client for itself (RFC 6749 §4.4). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import type { Client } from '../../src/protocol/client/client.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { claimsOf, fetchWithToken, headerOf, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { serviceForFile, testClient, testScope } from '../support/service.ts'

const secret = 'machine-secret'
const machine = (change: Partial<Client> = {}): Client =>
  testClient({
    id: 'machine',
    authentication: bySecret(hashSecret(secret)),
    grantTypes: ['client_credentials'],
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes: ['demo_api', 'reports', 'offline_access'],
    ...change,
  })

const service = await serviceForFile()
const { clients, scopes } = service.storage
await scopes.create(testScope('reports', { resources: ['https://reports.example/'] }))
await scopes.create(testScope('secrets'))
await clients.create(machine())

const request = (change: Readonly<Record<string, string>> = {}) =>
  postToken(service, { grant_type: 'client_credentials', client_id: 'machine', client_secret: secret, ...change })
const weather = async (accessToken: string): Promise<number> =>
  (await fetchWithToken(service, 'weatherforecast', accessToken)).status

describe('the client credentials grant (RFC 6749 §4.4)', () => {
  it('gives an access token alone: no id token, no refresh token (§4.4.3)', async () => {
    const { status, headers, body } = await request({ scope: 'demo_api' })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
    assert.equal(body.scope, 'demo_api')
  })

  it('names the client as subject, and no user (RFC 9068 §2.2)', async () => {
    const { body } = await request({ scope: 'reports demo_api' })
    assert.equal(headerOf(body.access_token).typ, 'at+jwt')
    const { iss, sub, aud, client_id, scope, ...others } = claimsOf(body.access_token)
    const expected = [service.issuer, 'machine', 'https://reports.example/', 'machine', ['reports', 'demo_api']]
    assert.deepEqual([iss, sub, aud, client_id, scope], expected)
    assert.deepEqual(Object.keys(others).sort(), ['exp', 'iat', 'jti'])
  })

  it('is for the issuer and without a scope when none was requested', async () => {
    const { status, body } = await request()
    assert.equal(status, 200)
    assert.equal('scope' in body, false)
    const { aud, scope } = claimsOf(body.access_token)
    assert.deepEqual([aud, scope], [service.issuer, []])
  })

  it('refuses scopes that need a user, are not the client’s or do not exist (§5.2)', async () => {
    for (const [scope, error, id] of [
      ['openid', 'invalid_scope', 'ID9220'],
      ['demo_api offline_access', 'invalid_scope', 'ID9220'],
      ['secrets', 'invalid_request', 'ID2051'],
      ['nothing', 'invalid_scope', 'ID2052'],
    ] as const) {
      const { status, body } = await request({ scope })
      assert.deepEqual([status, body.error], [400, error], scope)
      assert.match(body.error_uri, new RegExp(`#${id}$`))
    }
  })

  it('leaves out openid, offline_access and unknown scopes for a client with unknown_scopes=ignore', async () => {
    const { metadata } = machine()
    await clients.create(machine({ id: 'lenient', metadata: { ...metadata, unknown_scopes: 'ignore' } }))
    const asked = { client_id: 'lenient', scope: 'openid demo_api offline_access nothing secrets' }
    const { status, body } = await request(asked)
    assert.deepEqual([status, body.scope], [200, 'demo_api'])
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
    assert.deepEqual(claimsOf(body.access_token).scope, ['demo_api'])
    const none = await request({ client_id: 'lenient', scope: 'openid' })
    assert.deepEqual([none.status, 'scope' in none.body], [200, false])
  })

  it('is for clients that authenticate: a public one may not use it, whatever it is registered for (§4.4)', async () => {
    await service.storage.clients.create(machine({ id: 'open', authentication: { method: 'none' } }))
    for (const client_id of ['open', 'demo']) {
      const { status, body } = await postToken(service, { grant_type: 'client_credentials', client_id })
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
      assert.match(body.error_uri, /#ID2057$/)
    }
    const { status, body } = await request({ client_secret: 'wrong' })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    const nobody = await postToken(service, { grant_type: 'client_credentials' })
    assert.deepEqual([nobody.status, nobody.body.error], [401, 'invalid_client'])
  })

  it('is for clients that are registered for it (§5.2)', async () => {
    await service.storage.clients.create(machine({ id: 'web', grantTypes: ['authorization_code'] }))
    const { status, body } = await request({ client_id: 'web' })
    assert.deepEqual([status, body.error], [400, 'unauthorized_client'])
    assert.match(body.error_uri, /#ID2064$/)
  })

  it('gives tokens that end at once when they are revoked (RFC 7009 §2.1)', async () => {
    const { access_token } = (await request()).body
    assert.equal(await weather(access_token), 200)
    const fields = { token: access_token, client_id: 'machine', client_secret: secret }
    assert.equal((await postToken(service, fields, {}, 'connect/revocation')).status, 200)
    assert.equal(await weather(access_token), 401)
    assert.equal(await weather((await request()).body.access_token), 200)
  })

  it('gives tokens that end with the client, also when its id is registered again', async () => {
    await service.storage.clients.create(machine({ id: 'brief', createdAtMs: service.now() }))
    const { access_token } = (await request({ client_id: 'brief' })).body
    assert.equal(await weather(access_token), 200)
    await service.storage.clients.delete('brief')
    assert.equal(await weather(access_token), 401)
    service.advance(1)
    await service.storage.clients.create(machine({ id: 'brief', createdAtMs: service.now() }))
    assert.equal(await weather(access_token), 401)
    assert.equal(await weather((await request({ client_id: 'brief' })).body.access_token), 200)
  })

  it('dates tokens no earlier than their client, whose clock may be ahead', async () => {
    await service.storage.clients.create(machine({ id: 'ahead', createdAtMs: service.now() + 5000 }))
    assert.equal(await weather((await request({ client_id: 'ahead' })).body.access_token), 200)
  })

  it('gives the scopes that the client has unasked where it asks for none, or for openid (RFC 6749 §3.3)', async () => {
    const metadata = { default_scopes: ['reports', 'offline_access', 'gone'], unknown_scopes: 'ignore' } as const
    const client = machine({ id: 'defaulted', scopes: ['demo_api', 'reports', 'offline_access', 'gone'] })
    await clients.create({ ...client, metadata: { ...client.metadata, ...metadata } })
    const given = async (change: Readonly<Record<string, string>>) => {
      const { body } = await request({ client_id: 'defaulted', ...change })
      return [body.scope, claimsOf(body.access_token).aud]
    }
    const reports = 'https://reports.example/'
    assert.deepEqual(await given({}), ['reports', reports])
    assert.deepEqual(await given({ scope: 'openid' }), ['reports', reports])
    assert.deepEqual(await given({ scope: 'demo_api openid' }), ['demo_api reports', reports])
    assert.deepEqual(await given({ scope: 'demo_api' }), ['demo_api', service.issuer])
    assert.equal((await request({ scope: '' })).body.scope, undefined)
  })

  it('gives tokens that userinfo refuses: there is no user', async () => {
    const { access_token } = (await request({ scope: 'demo_api' })).body
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await fetch(new URL('connect/userinfo', service.issuer), { headers })
    assert.equal(answer.status, 403)
  })

  it('leaves an entry in the audit trail, with the client and without a user', async () => {
    const { access_token } = (await request({ scope: 'demo_api' })).body
    const { jti } = claimsOf(access_token)
    const entries = await service.storage.audit.newest({ kind: 'tokens_issued', clientId: 'machine' }, 100)
    const found = entries.find(({ details }) => details.jti === jti)
    assert.equal(found?.userId, null)
    assert.deepEqual(found?.details, { type: 'client_credentials', jti, scopes: ['demo_api'] })
  })

  it('is understood by oauth4webapi', async () => {
    const issuer = new URL(service.issuer)
    const insecure = { [oauth.allowInsecureRequests]: true } as const
    const discovered = await oauth.discoveryRequest(issuer, insecure)
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    assert.ok(server.grant_types_supported?.includes('client_credentials'))
    const client: oauth.Client = { client_id: 'machine' }
    const parameters = new URLSearchParams({ scope: 'demo_api' })
    const authentication = oauth.ClientSecretBasic(secret)
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, insecure)
    const result = await oauth.processClientCredentialsResponse(server, client, response)
    assert.equal(await weather(result.access_token), 200)
  })
})
