/** Resources that are named by no URI, as other systems have them: in `aud` as they are, and never asked for by `resource`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { adminProgram } from '../support/admin.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  exchangeGrant,
  fetchWithToken,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, type ClientChange, serviceForFile, testScope } from '../support/service.ts'

const client_secret = 'a-secret-of-a-program'
const mail = 'https://mail.example/'

const service = await serviceForFile()
await service.storage.scopes.create(testScope('orders', { resources: ['orders_api'] }))
await service.storage.scopes.create(testScope('mixed', { resources: ['mixed_api', mail] }))
const scopes = ['offline_access', 'orders', 'mixed']
const program: ClientChange = {
  authentication: bySecret(hashSecret(client_secret)),
  grantTypes: ['client_credentials', exchangeGrant],
  redirectUris: [],
}
await addClient(service, { id: 'app', consent: 'implicit', scopes })
await addClient(service, { ...program, id: 'robot', scopes, metadata: { may_exchange: ['app'] } })
await addClient(service, { ...program, id: 'orders-api', scopes: [], metadata: { resources: ['orders_api'] } })
await addClient(service, { ...program, id: 'other-api', scopes: [], metadata: { resources: ['other_api'] } })
const browser = await Browser.signedIn(service)

const tokens = async (scope: string) =>
  (await postToken(service, codeFields(await obtainCode(browser, { client_id: 'app', scope }), { client_id: 'app' })))
    .body
const asked = async (resource: string) => {
  const at = await browser.get(authorizePath({ client_id: 'app', scope: 'openid mixed', resource }))
  return locationOf(at).searchParams
}
const own = (fields: Readonly<Record<string, string>>) =>
  postToken(service, { grant_type: 'client_credentials', client_id: 'robot', client_secret, ...fields })
const introspect = async (client_id: string, token: string) =>
  (await postToken(service, { token, client_id, client_secret }, {}, 'connect/introspect')).body
const exchange = (subject_token: string, fields: Readonly<Record<string, string>>) =>
  postToken(service, {
    grant_type: exchangeGrant,
    client_id: 'robot',
    client_secret,
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    ...fields,
  })

describe('resources that are names', () => {
  it('are in aud as they are: of people, refreshed, and of a client for itself', async () => {
    const { access_token, refresh_token } = await tokens('openid offline_access orders')
    assert.equal(claimsOf(access_token).aud, 'orders_api')
    const next = await postToken(service, refreshFields(refresh_token, { client_id: 'app' }))
    assert.equal(claimsOf(next.body.access_token).aud, 'orders_api')
    const { body } = await own({ scope: 'orders mixed' })
    assert.deepEqual(claimsOf(body.access_token).aud, [mail, 'mixed_api', 'orders_api'])
  })

  it('are never asked for by resource, at either endpoint (RFC 8707 §2)', async () => {
    assert.equal((await asked('mixed_api')).get('error'), 'invalid_target')
    for (const fields of [{ resource: 'orders_api', scope: 'orders' }]) {
      const { status, body } = await own(fields)
      assert.deepEqual([status, body.error], [400, 'invalid_target'])
    }
    const { refresh_token } = await tokens('openid offline_access orders')
    const refused = await postToken(service, refreshFields(refresh_token, { client_id: 'app', resource: 'orders_api' }))
    assert.equal(refused.body.error, 'invalid_target')
    // The token is for what was asked for, and for nothing else.
    const code = (await asked(mail)).get('code') ?? ''
    const { body } = await postToken(service, codeFields(code, { client_id: 'app' }))
    assert.equal(claimsOf(body.access_token).aud, mail)
  })

  it('let a client introspect that has the name among its resources, and no other one', async () => {
    const { access_token } = await tokens('openid orders')
    const told = await introspect('orders-api', access_token)
    assert.deepEqual([told.active, told.aud, told.username], [true, 'orders_api', 'alice'])
    assert.deepEqual(await introspect('other-api', access_token), { active: false })
    assert.equal((await fetchWithToken(service, 'connect/userinfo', access_token)).status, 200)
    assert.equal((await fetchWithToken(service, 'weatherforecast', access_token)).status, 401)
  })

  it('are targets of an exchange by audience, not by resource (RFC 8693 §2.1)', async () => {
    const { access_token } = await tokens('openid orders mixed')
    const { body } = await exchange(access_token, { audience: 'orders_api' })
    assert.equal(claimsOf(body.access_token).aud, 'orders_api')
    assert.equal((await exchange(access_token, { resource: 'orders_api' })).body.error, 'invalid_target')
    assert.equal((await exchange(access_token, { audience: 'other_api' })).body.error, 'invalid_target')
    assert.deepEqual(claimsOf((await exchange(access_token, {})).body.access_token).aud, [
      mail,
      'mixed_api',
      'orders_api',
    ])
  })

  it('have rules of claims of their own', async () => {
    const admin = await adminProgram(service)
    const rules = [{ claim: 'team', from: 'constant:"sales"', in: ['access_token'], as: 'auto' }]
    const set = await admin.patch('/resources/orders_api', { claims: rules })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    assert.equal(claimsOf((await tokens('openid orders')).access_token).team, 'sales')
    assert.equal(claimsOf((await tokens('openid mixed')).access_token).team, undefined)
  })

  it('are told from addresses with a slip: those are refused', async () => {
    const admin = await adminProgram(service)
    const slips = ['https//api.example/', 'api.example/orders', '/orders', 'a b', '', 'api#x', 'ä', 'https://']
    for (const resource of slips) {
      const { status } = await admin.post('/scopes', { name: 'slipped', resources: [resource] })
      assert.equal(status, 400, resource)
      const client = await admin.patch('/clients/orders-api', { resources: [resource] })
      assert.equal(client.status, 400, resource)
    }
    const made = await admin.post('/scopes', { name: 'named', resources: ['demo_api', 'api.example'] })
    assert.deepEqual([made.status, made.body.resources], [201, ['demo_api', 'api.example']])
  })
})
