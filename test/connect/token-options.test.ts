/** What a client registers about its tokens: their form, content and lifetimes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { changeClient } from '../../src/protocol/client/client-registration.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, serviceForFile, testScope } from '../support/service.ts'

const service = await serviceForFile({ OAuth__RefreshTokenLifetime: '1000' })
await service.storage.scopes.create(testScope('profile'))

let made = 0
async function clientWith(metadata: Partial<ClientMetadata>, change: Partial<Client> = {}): Promise<string> {
  made += 1
  const id = `client-${made}`
  const scopes = ['offline_access', 'demo_api']
  const client = { id, consent: 'implicit', scopes, metadata: { ...defaultClientMetadata, ...metadata } } as const
  await addClient(service, { ...client, ...change })
  return id
}
async function tokensOf(client_id: string, change: Readonly<Record<string, string>> = {}) {
  const code = await obtainCode(new Browser(service), { client_id, ...change })
  return (await postToken(service, codeFields(code, { client_id }))).body
}
const refresh = (client_id: string, token: string) => postToken(service, refreshFields(token, { client_id }))
const callApi = async (token: string) => (await fetchWithToken(service, 'weatherforecast', token)).status

describe('what a client registers about its access tokens', () => {
  it('scopes as one text, as RFC 9068 §2.2.3 has them, accepted by the resources of this service', async () => {
    const { access_token, scope } = await tokensOf(await clientWith({ access_token_scope: 'string' }))
    assert.equal(claimsOf(access_token).scope, 'openid offline_access demo_api')
    assert.equal(scope, 'openid offline_access demo_api')
    assert.equal(await callApi(access_token), 200)
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await fetch(new URL('connect/userinfo', service.issuer), { headers })).status, 200)
  })

  it('an array, so that a text in its place is refused', async () => {
    const id = await clientWith({ access_token_scope: 'string' })
    const { access_token } = await tokensOf(id)
    await service.storage.clients.update(id, (client) => ({ ...client, metadata: defaultClientMetadata }))
    assert.equal(await callApi(access_token), 401)
  })

  it('minimal content: neither name nor e-mail address nor roles', async () => {
    const { access_token } = await tokensOf(await clientWith({ access_token_claims: 'minimal' }))
    const registered = ['aud', 'auth_time', 'client_id', 'exp', 'grant_id', 'iat', 'iss', 'jti', 'scope', 'sub']
    assert.deepEqual(Object.keys(claimsOf(access_token)).sort(), registered)
    assert.ok(Array.isArray(claimsOf(access_token).scope))
  })

  it('a lifetime of its own, stated in expires_in (RFC 6749 §5.1)', async () => {
    const { access_token, expires_in } = await tokensOf(await clientWith({ access_token_lifetime: 30 }))
    const { iat, exp } = claimsOf(access_token)
    assert.deepEqual([expires_in, exp - iat], [30, 30])
    service.advance(31)
    assert.equal(await callApi(access_token), 401)
  })
})

describe('what a client registers about its refresh tokens', () => {
  it('a lifetime of its own', async () => {
    const id = await clientWith({ refresh_token_lifetime: 100 })
    const { refresh_token } = await tokensOf(id)
    service.advance(101)
    assert.equal((await refresh(id, refresh_token)).body.error, 'invalid_grant')
  })

  it('no rotation: the token stays, also for a second use after the leeway, and nothing counts as stolen', async () => {
    const id = await clientWith({ refresh_token_rotation: false })
    const { refresh_token } = await tokensOf(id)
    for (let use = 0; use < 3; use += 1) {
      const { status, body } = await refresh(id, refresh_token)
      assert.deepEqual([status, body.refresh_token], [200, refresh_token])
      assert.equal(await callApi(body.access_token), 200)
      service.advance(60)
    }
    const both = await Promise.all([refresh(id, refresh_token), refresh(id, refresh_token)])
    assert.deepEqual(
      both.map(({ body }) => body.refresh_token),
      [refresh_token, refresh_token],
    )
  })

  it('no rotation: use extends the lifetime once less than half remains, and disuse ends it', async () => {
    const id = await clientWith({ refresh_token_rotation: false, access_token_lifetime: 10 })
    const { refresh_token } = await tokensOf(id)
    for (const seconds of [400, 300, 700, 900]) {
      service.advance(seconds)
      const { status, body } = await refresh(id, refresh_token)
      assert.equal(status, 200, `after ${seconds} s`)
      assert.equal(await callApi(body.access_token), 200)
    }
    service.advance(1001)
    assert.equal((await refresh(id, refresh_token)).body.error, 'invalid_grant')
  })

  it('no rotation: an access token outlives its refresh token', async () => {
    const id = await clientWith({
      refresh_token_rotation: false,
      access_token_lifetime: 600,
      refresh_token_lifetime: 100,
    })
    const { refresh_token } = await tokensOf(id)
    service.advance(40)
    const { body } = await refresh(id, refresh_token)
    service.advance(595)
    await service.storage.sweep(service.now(), 1000)
    assert.equal(await callApi(body.access_token), 200)
  })

  it('no rotation: a refresh for one resource gives a token for that one alone (RFC 8707 §2.2)', async () => {
    const resources = ['https://a.example/', 'https://b.example/']
    await service.storage.scopes.create(testScope('two_apis', { resources }))
    const change = { scopes: ['offline_access', 'two_apis'] }
    const id = await clientWith({ refresh_token_rotation: false }, change)
    const { access_token, refresh_token } = await tokensOf(id, { scope: 'openid offline_access two_apis' })
    assert.deepEqual(claimsOf(access_token).aud, resources)
    const fields = refreshFields(refresh_token, { client_id: id, resource: 'https://b.example/' })
    assert.equal(claimsOf((await postToken(service, fields)).body.access_token).aud, 'https://b.example/')
  })

  it('no client authentication any more: a chain from before ends, and a new one is bound (RFC 9700 §2.2.2)', async () => {
    const id = await clientWith(
      { refresh_token_rotation: false, dpop_bound_access_tokens: true },
      { authentication: bySecret(hashSecret('s3cret')) },
    )
    const [owner, thief] = [new DpopKey(), new DpopKey()]
    const proof = (key: DpopKey) => ({
      DPoP: key.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() }),
    })
    const signIn = async (secret: Readonly<Record<string, string>>) => {
      const code = await obtainCode(new Browser(service), { client_id: id })
      return (await postToken(service, codeFields(code, { client_id: id, ...secret }), proof(owner))).body.refresh_token
    }
    const use = (token: string, key: DpopKey, secret: Readonly<Record<string, string>> = {}) =>
      postToken(service, refreshFields(token, { client_id: id, ...secret }), proof(key))
    const secret = { client_secret: 's3cret' }
    const old = await signIn(secret)
    assert.equal((await use(old, owner, secret)).status, 200)
    assert.equal((await use(old, thief)).body.error, 'invalid_client', 'useless without the secret')
    const context = {
      registeredScopes: [],
      newSecretHash: '',
      isLoopbackIssuer: true,
      isPostQuantum: false,
      accessTokenScope: 'array',
      nowMs: service.now(),
    } as const
    const change = { member: 'token_endpoint_auth_method', operation: 'set', value: 'none' } as const
    await service.storage.clients.update(id, (client) => changeClient(client, [change], context) as Client)
    for (const key of [thief, owner]) {
      const { status, body } = await use(old, key)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
    service.advance(2)
    const fresh = await signIn({})
    assert.equal((await use(fresh, thief)).body.error, 'invalid_grant')
    assert.equal((await use(fresh, owner)).status, 200)
  })

  it('no rotation: revocation and an invented token end or get nothing', async () => {
    const id = await clientWith({ refresh_token_rotation: false })
    const { refresh_token } = await tokensOf(id)
    const invented = `${refresh_token.slice(0, -1)}${refresh_token.endsWith('A') ? 'E' : 'A'}`
    assert.equal((await refresh(id, invented)).body.error, 'invalid_grant')
    assert.equal((await refresh(id, refresh_token)).status, 200)
    await postToken(service, { token: refresh_token, client_id: id }, {}, 'connect/revocation')
    assert.equal((await refresh(id, refresh_token)).body.error, 'invalid_grant')
  })
})

describe('scopes that a client may not request', () => {
  it('are left out for a client with unknown_scopes=ignore, and the answer says which were granted (RFC 6749 §3.3)', async () => {
    const id = await clientWith({ unknown_scopes: 'ignore' }, { consent: 'explicit' })
    const asked = { scope: 'openid groups profile demo_api' }
    const { scope, access_token } = await tokensOf(id, asked)
    assert.equal(scope, 'openid demo_api')
    assert.deepEqual(claimsOf(access_token).scope, ['openid', 'demo_api'])
    const user = await service.storage.users.findByName('alice')
    const consents = await service.storage.authorizations.list(user?.id ?? '')
    assert.deepEqual(consents.find(({ clientId }) => clientId === id)?.scopes, ['demo_api', 'openid'])
    const browser = await Browser.signedIn(service)
    const silent = { client_id: id, prompt: 'none', ...asked }
    assert.match(await obtainLocation(browser, silent), /[?&]code=/)
  })

  it('are left out of its requests for itself and for devices, too, and fail those of other clients', async () => {
    const secret = 'a secret of the client'
    const grantTypes: Client['grantTypes'] = ['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']
    const change = { grantTypes, authentication: bySecret(hashSecret(secret)) }
    for (const unknown_scopes of ['ignore', 'refuse'] as const) {
      const client_id = await clientWith({ unknown_scopes }, change)
      const fields = { client_id, client_secret: secret, scope: 'groups profile demo_api' }
      const own = await postToken(service, { grant_type: 'client_credentials', ...fields })
      const device = await postToken(service, fields, {}, 'connect/device')
      const expected = unknown_scopes === 'ignore' ? [200, 200, 'demo_api'] : [400, 400, undefined]
      assert.deepEqual([own.status, device.status, own.body.scope], expected)
    }
  })
})

async function obtainLocation(browser: Browser, change: Readonly<Record<string, string>>): Promise<string> {
  return (await browser.get(authorizePath(change))).headers.get('location') ?? ''
}
