import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { refusalsInTrail } from '../../src/audit/refusals.ts'
import { acrOf } from '../../src/protocol/claims/authentication-methods.ts'
import type { Client } from '../../src/protocol/client/client.ts'
import type { ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  headerOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { serviceForFile, testClient, testScope } from '../support/service.ts'

const secret = 'api-secret'
const reports = 'https://reports.example/'
const confidential = (id: string, metadata: Partial<ClientMetadata> = {}, change: Partial<Client> = {}): Client =>
  testClient({
    id,
    authentication: bySecret(hashSecret(secret)),
    consent: 'implicit',
    scopes: ['offline_access', 'demo_api', 'reports'],
    metadata: { ...metadata },
    ...change,
  })

const service = await serviceForFile()
const { clients, scopes } = service.storage
await scopes.create(testScope('reports', { resources: [reports] }))
const machine = { grantTypes: ['client_credentials'], redirectUris: [], postLogoutRedirectUris: [] } as const
for (const client of [
  confidential('app'),
  confidential('opaque-app', { access_token_format: 'opaque' }),
  testClient({ id: 'public-app', consent: 'implicit', scopes: ['offline_access', 'reports'] }),
  confidential('machine', { access_token_format: 'opaque' }, machine),
  // The resource servers: one has the identifier as its id, one registered it, the others did not.
  confidential(reports, {}, machine),
  confidential('api', { resources: ['https://other.example/', reports] }, machine),
  confidential('signed-api', { resources: [reports], introspection_signed_response_alg: 'ES256' }, machine),
  confidential('stranger', { resources: [`${reports}x`, 'https://reports.example'] }, machine),
]) {
  assert.ok(await clients.create(client))
}

const basic = (id: string, password = secret) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${password}`).toString('base64')}`,
})
const introspect = (id: string, token: string, fields: Record<string, string> = {}, headers = {}) =>
  postToken(service, { token, ...fields }, { ...basic(id), ...headers }, 'connect/introspect')
const scope = 'openid offline_access reports'
const tokensOf = async (id: string) => {
  const code = await obtainCode(new Browser(service), { client_id: id, scope })
  const credentials = id === 'public-app' ? {} : { client_secret: secret }
  return (await postToken(service, codeFields(code, { client_id: id, ...credentials }))).body
}
const inactive = { active: false }
/** Of a sign-in with a password. */
const acr = acrOf(['pwd'])

describe('POST /connect/introspect (RFC 7662)', () => {
  for (const app of ['app', 'opaque-app', 'public-app']) {
    it(`tells a resource server about an access token of ${app} for it`, async () => {
      const { access_token } = await tokensOf(app)
      const alice = await service.storage.users.findByName('alice')
      for (const id of ['api', reports]) {
        const { status, headers, body } = await introspect(id, access_token, { token_type_hint: 'access_token' })
        assert.equal(status, 200)
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(headers.get('cache-control'), 'no-store')
        const { iat, exp, jti, auth_time, ...others } = body
        assert.deepEqual(others, {
          active: true,
          iss: service.issuer,
          client_id: app,
          sub: alice?.id,
          username: 'alice',
          scope,
          aud: reports,
          token_type: 'Bearer',
          acr,
          role: 'admin',
        })
        assert.equal(exp - iat, 3600)
        assert.ok(Math.abs(iat - service.now() / 1000) < 60 && auth_time <= iat && jti.length > 30)
      }
    })
  }

  it('tells a client about its own access token and refresh token, whatever the hint says (§2.1)', async () => {
    const { access_token, refresh_token } = await tokensOf('app')
    for (const hint of ['access_token', 'refresh_token', 'something']) {
      const access = (await introspect('app', access_token, { token_type_hint: hint })).body
      const refresh = (await introspect('app', refresh_token, { token_type_hint: hint })).body
      assert.deepEqual([access.active, access.jti], [true, claimsOf(access_token).jti])
      const { iat, exp, auth_time, sub, ...others } = refresh
      const expected = {
        active: true,
        iss: service.issuer,
        client_id: 'app',
        username: 'alice',
        scope,
        aud: service.issuer,
        acr,
      }
      assert.deepEqual(others, expected)
      assert.equal(sub, access.sub)
      assert.ok(exp - iat > 1_000_000 && auth_time <= iat)
    }
  })

  it('tells the roles of the person as access tokens show them, opaque or not', async () => {
    await service.storage.scopes.create(testScope('roles'))
    const scopes = ['offline_access', 'reports', 'roles']
    await clients.create(confidential('minimal', { access_token_claims: 'minimal' }))
    await clients.create(confidential('own', { registration: 'token' }, { scopes }))
    await clients.create(
      confidential('own-opaque', { registration: 'token', access_token_format: 'opaque' }, { scopes }),
    )
    const roleOf = async (id: string, asked: string) => {
      const browser = new Browser(service)
      await browser.signIn()
      const code = await browser.allowedCode({ client_id: id, scope: asked })
      const { access_token } = (await postToken(service, codeFields(code, { client_id: id, client_secret: secret })))
        .body
      return (await introspect('api', access_token)).body.role
    }
    assert.equal(await roleOf('minimal', 'openid reports'), undefined)
    assert.equal(await roleOf('own', 'openid reports'), undefined)
    assert.equal(await roleOf('own', 'openid reports roles'), 'admin')
    assert.equal(await roleOf('own-opaque', 'openid reports roles'), 'admin')
    const alice = await service.storage.users.findByName('alice')
    const change = (roles: readonly string[]) =>
      service.storage.users.update(alice?.id ?? '', (user) => ({ ...user, roles }))
    const { access_token } = await tokensOf('opaque-app')
    await change(['editor', 'writer'])
    assert.deepEqual((await introspect('api', access_token)).body.role, ['editor', 'writer'])
    await change([])
    assert.equal('role' in (await introspect('api', access_token)).body, false)
    await change(alice?.roles ?? [])
  })

  it('records why a client learns nothing about the token of others, and shows nobody that it did (§4)', async () => {
    await clients.create(confidential('without-resources', {}, machine))
    const { access_token } = await tokensOf('opaque-app')
    const answer = await introspect('without-resources', access_token)
    assert.deepEqual(answer.body, inactive)
    const traceId = answer.headers.get('x-trace-id')
    await service.storage.audit.flush()
    const [recorded] = await refusalsInTrail(service.storage, traceId ?? '')
    assert.equal(recorded?.reason, 'introspection_of_others')
    assert.deepEqual([recorded?.detail.issuedTo, recorded?.detail.audience], ['opaque-app', [reports]])
    assert.ok(!JSON.stringify(recorded).includes(access_token))
    const unknown = await introspect('without-resources', `${access_token.slice(0, -4)}AAAA`)
    assert.deepEqual(unknown.body, inactive)
    assert.deepEqual([...unknown.headers.keys()], [...answer.headers.keys()])
    assert.equal((await introspect('api', access_token)).headers.get('x-trace-id'), null)
  })

  it('tells about the token of a client for itself, without a user', async () => {
    const fields = { grant_type: 'client_credentials', client_id: 'machine', client_secret: secret, scope: 'reports' }
    const { access_token } = (await postToken(service, fields)).body
    const { iat, exp, jti, ...others } = (await introspect('api', access_token)).body
    assert.deepEqual(others, {
      active: true,
      iss: service.issuer,
      client_id: 'machine',
      sub: 'machine',
      scope: 'reports',
      aud: reports,
      token_type: 'Bearer',
    })
    const revoked = { token: access_token, client_id: 'machine', client_secret: secret }
    await postToken(service, revoked, {}, 'connect/revocation')
    assert.deepEqual((await introspect('api', access_token)).body, inactive)
  })

  it('says the same of every token that is of no use or none of its business (§2.2, §4)', async () => {
    const { access_token, refresh_token, id_token } = await tokensOf('app')
    const own = await tokensOf('opaque-app')
    const code = await obtainCode(new Browser(service), { client_id: 'app', scope })
    for (const [id, token] of [
      ['stranger', access_token],
      ['stranger', own.access_token],
      ['stranger', refresh_token],
      // A resource server is told about access tokens alone.
      ['api', refresh_token],
      ['app', own.refresh_token],
      ['app', id_token],
      ['app', code],
      ['app', 'unknown'],
      ['app', `${access_token}x`],
      ['app', access_token.replace(/\.[^.]*$/, '.')],
      ['api', `${own.access_token.slice(0, -4)}AAAA`],
      ['api', own.access_token.replace(/^[^.]*/, service.keys.secret('code').id)],
      ['api', own.access_token.replace(/^[^.]*/, crypto.randomUUID())],
      ['api', `${own.access_token}.`],
      ['app', `${refresh_token.slice(0, -2)}AA`],
    ] as const) {
      const { status, body } = await introspect(id, token)
      assert.equal(status, 200, token)
      assert.deepEqual(body, inactive, `${id}: ${token}`)
    }
  })

  for (const app of ['app', 'opaque-app']) {
    it(`says at once that a token of ${app} was revoked, alone or with its chain or by a replayed code`, async () => {
      const authentication = { client_id: app, client_secret: secret }
      const alone = await tokensOf(app)
      await postToken(service, { token: alone.access_token, ...authentication }, {}, 'connect/revocation')
      assert.deepEqual((await introspect('api', alone.access_token)).body, inactive)
      assert.equal((await introspect(app, alone.refresh_token)).body.active, true)
      await postToken(service, { token: alone.refresh_token, ...authentication }, {}, 'connect/revocation')
      assert.deepEqual((await introspect(app, alone.refresh_token)).body, inactive)
      const code = await obtainCode(new Browser(service), { client_id: app, scope })
      const { access_token, refresh_token } = (await postToken(service, codeFields(code, authentication))).body
      assert.equal((await introspect('api', access_token)).body.active, true)
      await postToken(service, codeFields(code, authentication))
      assert.deepEqual((await introspect('api', access_token)).body, inactive)
      assert.deepEqual((await introspect(app, refresh_token)).body, inactive)
    })
  }

  it('tells about the current refresh token alone, not about those that it replaced', async () => {
    const { refresh_token } = await tokensOf('app')
    const next = (await postToken(service, refreshFields(refresh_token, { client_id: 'app', client_secret: secret })))
      .body
    assert.deepEqual((await introspect('app', refresh_token)).body, inactive)
    assert.equal((await introspect('app', next.refresh_token)).body.active, true)
    const app = confidential('app', {}, { grantTypes: ['authorization_code'], version: 2 })
    await service.storage.clients.update('app', () => app)
    assert.deepEqual((await introspect('app', next.refresh_token)).body, inactive)
    await service.storage.clients.update('app', () => confidential('app'))
  })

  it('says that tokens of a locked, unlocked and deleted user, and of ended grants, are inactive', async () => {
    const { access_token, refresh_token } = await tokensOf('opaque-app')
    const user = await service.storage.users.findByName('alice')
    assert.ok(user)
    const both = async () => [
      (await introspect('api', access_token)).body.active,
      (await introspect('opaque-app', refresh_token)).body.active,
    ]
    assert.deepEqual(await both(), [true, true])
    await service.storage.users.update(user.id, (now) => ({ ...now, disabled: true }))
    assert.deepEqual(await both(), [false, false])
    await service.storage.users.update(user.id, (now) => ({ ...now, disabled: false, grantsEndedAtMs: service.now() }))
    assert.deepEqual(await both(), [false, false])
    await service.storage.users.update(user.id, (now) => ({ ...now, grantsEndedAtMs: null }))
    assert.deepEqual(await both(), [true, true])
  })
})

describe('who may introspect (RFC 7662 §2.1, §2.3)', () => {
  it('refuses public clients, wrong and missing credentials as the token endpoint does: 401 invalid_client', async () => {
    const { access_token } = await tokensOf('public-app')
    for (const [fields, headers, id] of [
      [{ client_id: 'public-app' }, {}, 'ID9140'],
      [{}, basic('api', 'wrong'), 'ID2055'],
      [{ client_id: 'api' }, {}, 'ID2198'],
      [{}, {}, 'ID2029'],
      [{}, basic('nobody'), 'ID2052'],
    ] as const) {
      const answer = await postToken(service, { token: access_token, ...fields }, headers, 'connect/introspect')
      assert.equal(answer.status, 401, id)
      assert.equal(answer.body.error, 'invalid_client')
      assert.match(answer.body.error_uri, new RegExp(`#${id}$`))
    }
  })

  it('refuses a request without a token, with two, and by GET', async () => {
    const none = await postToken(service, {}, basic('api'), 'connect/introspect')
    const pairs = [
      ['token', 'a'],
      ['token', 'b'],
    ] as const
    const two = await postToken(service, pairs, basic('api'), 'connect/introspect')
    assert.deepEqual([none.status, two.status], [400, 400])
    assert.deepEqual([none.body.error, two.body.error], ['invalid_request', 'invalid_request'])
    const get = await fetch(new URL('connect/introspect?token=a', service.issuer), { headers: basic('api') })
    assert.equal(get.status, 400)
  })

  it('gives scripts of other origins nothing', async () => {
    const headers = { origin: 'http://localhost:5081', 'access-control-request-method': 'POST' }
    const preflight = await fetch(new URL('connect/introspect', service.issuer), { method: 'OPTIONS', headers })
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
  })
})

describe('signed answers (RFC 9701)', () => {
  const type = 'application/token-introspection+jwt'
  const signed = async (id: string, token: string, accept?: string) => {
    const response = await fetch(new URL('connect/introspect', service.issuer), {
      method: 'POST',
      body: new URLSearchParams({ token }),
      headers: { ...basic(id), ...(accept && { accept }) },
    })
    assert.equal(response.headers.get('content-type'), type)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const jwt = await response.text()
    const keySet = await (await fetch(new URL('.well-known/jwks', service.issuer))).json()
    const { payload } = await jwtVerify(jwt, createLocalJWKSet(keySet as never), {
      issuer: service.issuer,
      audience: id,
    })
    return { header: headerOf(jwt), payload }
  }

  it('come by the Accept header, with RS256 and the same members', async () => {
    const { access_token } = await tokensOf('app')
    const { header, payload } = await signed('api', access_token, `application/json;q=0.5, ${type}`)
    assert.deepEqual([header.alg, header.typ], ['RS256', 'token-introspection+jwt'])
    assert.deepEqual(Object.keys(payload).sort(), ['aud', 'iat', 'iss', 'token_introspection'])
    assert.deepEqual(payload.token_introspection, (await introspect('api', access_token)).body)
  })

  it('come with the registered algorithm, whatever the request accepts', async () => {
    const { access_token } = await tokensOf('app')
    for (const accept of [undefined, 'application/json', type]) {
      const { header, payload } = await signed('signed-api', access_token, accept)
      assert.equal(header.alg, 'ES256')
      assert.equal((payload.token_introspection as { active: boolean }).active, true)
    }
  })

  it('say of useless tokens no more than the others', async () => {
    assert.deepEqual((await signed('signed-api', 'unknown')).payload.token_introspection, inactive)
  })

  it('are never access tokens or id tokens', async () => {
    const { access_token } = await tokensOf('app')
    const answer = await postTokenText(access_token)
    const api = await fetchWithToken(service, 'weatherforecast', answer)
    assert.equal(api.status, 401)
    assert.deepEqual((await introspect('api', answer)).body, inactive)
  })

  async function postTokenText(token: string): Promise<string> {
    const body = new URLSearchParams({ token })
    const headers = basic('signed-api')
    return (await fetch(new URL('connect/introspect', service.issuer), { method: 'POST', body, headers })).text()
  }

  it('do not come to a request that does not want them (RFC 9110 §12.5.1)', async () => {
    for (const accept of [`${type};q=0`, 'application/jwt', '*/*', `${type}x`]) {
      const { headers } = await introspect('api', 'unknown', {}, { accept })
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
    }
  })
})

describe('discovery', () => {
  it('states the endpoint, how to authenticate there, and the algorithms of signed answers (RFC 8414 §2, RFC 9701 §7)', async () => {
    const metadata = (await (await fetch(new URL('.well-known/openid-configuration', service.issuer))).json()) as {
      [member: string]: unknown
    }
    assert.equal(metadata.introspection_endpoint, `${service.issuer}connect/introspect`)
    const methods = metadata.introspection_endpoint_auth_methods_supported as string[]
    assert.ok(methods.includes('client_secret_basic') && !methods.includes('none'))
    assert.deepEqual(metadata.introspection_signing_alg_values_supported, ['ES256', 'PS256', 'RS256'])
  })
})
