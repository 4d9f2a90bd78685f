/** `access_token_type` of clients and scopes: the header `typ` of access tokens (RFC 9068 §2.1, RFC 8725 §3.11). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { signJwt } from '../../src/tokens/sign.ts'
import { adminProgram } from '../support/admin.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, type ClientChange, serviceForFile, testScope } from '../support/service.ts'

const [orders, files, mail] = ['https://orders.example/', 'https://files.example/', 'https://mail.example/']
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const secret = 'a-secret-of-a-program'
const jwt = { access_token_type: 'JWT' as const }
const scopes = ['offline_access', 'orders', 'files', 'mail', 'demo_api']

const service = await serviceForFile()
await service.storage.scopes.create(testScope('orders', { resources: [orders], accessTokenType: 'JWT' }))
await service.storage.scopes.create(testScope('files', { resources: [files], accessTokenType: 'at+jwt' }))
await service.storage.scopes.create(testScope('mail', { resources: [mail] }))
const program: ClientChange = {
  authentication: bySecret(hashSecret(secret)),
  grantTypes: ['client_credentials', exchange],
  redirectUris: [],
  scopes,
}
await addClient(service, { id: 'app', consent: 'implicit', scopes })
await addClient(service, { id: 'jwt-app', consent: 'implicit', scopes, metadata: jwt })
await addClient(service, { ...program, id: 'robot' })
await addClient(service, {
  ...program,
  id: 'jwt-robot',
  metadata: { ...jwt, may_exchange: ['app', 'jwt-app'], resources: [orders] },
})
const browser = await Browser.signedIn(service)

const typeOf = (token: string): unknown => headerOf(token).typ
const tokens = async (id: string, scope = 'openid') =>
  (await postToken(service, codeFields(await obtainCode(browser, { client_id: id, scope }), { client_id: id }))).body
const ownToken = async (id: string, scope: string): Promise<string> => {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope }
  return (await postToken(service, fields)).body.access_token
}
const introspect = async (token: string) =>
  (await postToken(service, { token, client_id: 'jwt-robot', client_secret: secret }, {}, 'connect/introspect')).body
const statuses = (token: string): Promise<number[]> =>
  Promise.all(
    ['connect/userinfo', 'weatherforecast', 'admin/api/v1/scopes'].map(
      async (path) => (await fetchWithToken(service, path, token)).status,
    ),
  )

describe('the type of access tokens (access_token_type)', () => {
  it('is at+jwt unless the client or the scope says otherwise, and id tokens keep theirs (RFC 9068 §2.1)', async () => {
    const own = await tokens('app', 'openid mail')
    assert.deepEqual([typeOf(own.access_token), typeOf(own.id_token)], ['at+jwt', 'JWT'])
    assert.equal(typeOf((await tokens('jwt-app', 'openid mail')).access_token), 'JWT')
    assert.equal(typeOf((await tokens('jwt-app')).access_token), 'JWT')
  })

  it('of a scope counts for its resources and wins over that of the client', async () => {
    assert.equal(typeOf((await tokens('app', 'openid orders')).access_token), 'JWT')
    assert.equal(typeOf((await tokens('jwt-app', 'openid files')).access_token), 'at+jwt')
  })

  it('is JWT for several resources only if that is the type of each', async () => {
    for (const [id, scope, expected] of [
      ['app', 'orders mail', 'at+jwt'],
      ['app', 'orders files', 'at+jwt'],
      ['jwt-app', 'orders mail', 'JWT'],
      ['jwt-app', 'orders files', 'at+jwt'],
    ] as const) {
      assert.equal(typeOf((await tokens(id, `openid ${scope}`)).access_token), expected, `${id} ${scope}`)
    }
  })

  it('follows the resources of each token of a grant (RFC 8707 §2.2)', async () => {
    const { refresh_token } = await tokens('app', 'openid offline_access orders mail')
    const fields = refreshFields(refresh_token, { client_id: 'app' })
    const { body } = await postToken(service, { ...fields, resource: orders })
    assert.deepEqual([claimsOf(body.access_token).aud, typeOf(body.access_token)], [orders, 'JWT'])
  })

  it('holds for what a client gets for itself and by exchange', async () => {
    assert.equal(typeOf(await ownToken('robot', 'orders')), 'JWT')
    assert.equal(typeOf(await ownToken('robot', 'orders mail')), 'at+jwt')
    assert.equal(typeOf(await ownToken('jwt-robot', 'mail')), 'JWT')
    const { access_token } = await tokens('app', 'openid orders mail')
    for (const [scope, expected] of [
      ['orders', 'JWT'],
      ['mail', 'JWT'],
    ] as const) {
      const fields = {
        grant_type: exchange,
        client_id: 'jwt-robot',
        client_secret: secret,
        subject_token: access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope,
      }
      assert.equal(typeOf((await postToken(service, fields)).body.access_token), expected, scope)
    }
  })

  it('changes with the scope, from the next token on', async () => {
    await service.storage.scopes.create(testScope('changing', { resources: ['https://changing.example/'] }))
    await addClient(service, { id: 'changing', consent: 'implicit', scopes: ['changing'] })
    const type = async () => typeOf((await tokens('changing', 'openid changing')).access_token)
    const change = (accessTokenType: 'JWT' | null) =>
      service.storage.scopes.update('changing', (scope) => ({ ...scope, accessTokenType }))
    assert.equal(await type(), 'at+jwt')
    await change('JWT')
    assert.equal(await type(), 'JWT')
    await change(null)
    assert.equal(await type(), 'at+jwt')
  })
})

describe('an access token of the type JWT', () => {
  it('is accepted wherever the service takes access tokens', async () => {
    const { access_token } = await tokens('jwt-app', 'openid demo_api')
    assert.deepEqual((await statuses(access_token)).slice(0, 2), [200, 200])
    const caller = await adminProgram(service, ['admin:read'], {
      id: 'jwt-admin',
      metadata: (await service.storage.clients.find('jwt-app'))?.metadata as never,
    })
    assert.equal(typeOf(caller.token), 'JWT')
    assert.equal((await caller.get('/scopes')).status, 200)
    const forOrders = (await tokens('app', 'openid orders')).access_token
    assert.equal((await introspect(forOrders)).active, true)
    const fields = {
      grant_type: exchange,
      client_id: 'jwt-robot',
      client_secret: secret,
      subject_token: forOrders,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    assert.equal((await postToken(service, fields)).status, 200)
    await postToken(service, { token: access_token, client_id: 'jwt-app' }, {}, 'connect/revocation')
    assert.deepEqual((await statuses(access_token)).slice(0, 2), [401, 401])
  })

  it('is no id token: it is refused as id_token_hint', async () => {
    const { access_token, id_token } = await tokens('jwt-app')
    for (const [hint, expected] of [
      [id_token, null],
      [access_token, 'login_required'],
    ] as const) {
      const path = authorizePath({ client_id: 'jwt-app', scope: 'openid', prompt: 'none', id_token_hint: hint })
      assert.equal(locationOf(await browser.get(path)).searchParams.get('error'), expected)
    }
  })

  it('is nothing that any other JWT of the service is taken for (RFC 9068 §4, RFC 8725 §3.11)', async () => {
    const { access_token, id_token } = await tokens('jwt-app', 'openid demo_api')
    const { grant_id, ...claims } = claimsOf(access_token)
    const key = service.keys.signer('ES256')
    const { client_id: _, ...withoutClient } = claims
    const { jti: __, ...withoutId } = claims
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const others = {
      'an id token': id_token,
      'an id token signed with the key of access tokens': await signJwt(key, 'JWT', claimsOf(id_token)),
      'an id token with a client': await signJwt(key, 'JWT', { ...claims, grant_id, at_hash: 'x' }),
      'a logout token': await signJwt(key, 'logout+jwt', { ...claims, grant_id }),
      'a logout token of the type JWT': await signJwt(key, 'JWT', { ...claims, grant_id, events }),
      'a token without client_id': await signJwt(key, 'JWT', { ...withoutClient, grant_id }),
      'a token without jti': await signJwt(key, 'JWT', { ...withoutId, grant_id }),
    }
    assert.equal(Object.keys(others).length, 7)
    for (const [name, token] of Object.entries(others)) {
      assert.deepEqual(await statuses(token), [401, 401, 401], name)
      assert.deepEqual(await introspect(token), { active: false }, name)
      const fields = {
        grant_type: exchange,
        client_id: 'jwt-robot',
        client_secret: secret,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }
      assert.equal((await postToken(service, fields)).body.error, 'invalid_request', name)
    }
    assert.deepEqual((await statuses(access_token)).slice(0, 2), [200, 200], 'the access token stands')
  })
})

describe('access_token_type in the interfaces', () => {
  it('is a member of scopes and clients in the admin API, and refuses other values', async () => {
    const admin = await adminProgram(service, ['admin:write'], { id: 'admin' })
    const made = await admin.post('/scopes', { name: 'typed', access_token_type: 'JWT' })
    assert.deepEqual([made.status, made.body.access_token_type], [201, 'JWT'])
    const reset = await admin.patch('/scopes/typed', { access_token_type: null })
    assert.deepEqual([reset.status, reset.body.access_token_type], [200, null])
    const refused = await admin.patch('/scopes/typed', { access_token_type: 'jwt' })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /access_token_type must be one of at\+jwt, JWT/)
    const client = await admin.patch('/clients/app', { access_token_type: 'at' })
    assert.equal(client.status, 400)
    assert.match(JSON.stringify(client.body), /must be at\+jwt or JWT|one of at\+jwt, JWT/)
  })
})
