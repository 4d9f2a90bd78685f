import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mintClientSecret } from '../../src/secrets/opaque.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  type Fields,
  locationOf,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, serviceForFile, testScope } from '../support/service.ts'

const { secret, hash } = mintClientSecret()
const files = 'https://files.example/'
const mail = 'https://mail.example/api'

const service = await serviceForFile()
const { scopes } = service.storage
await scopes.create(testScope('files', { resources: [files] }))
await scopes.create(testScope('mail', { resources: [mail] }))
const common = { consent: 'implicit' as const, scopes: ['offline_access', 'files', 'mail', 'demo_api'] }
await addClient(service, { id: 'app', ...common })
const grantTypes = ['client_credentials' as const]
await addClient(service, { id: 'robot', ...common, grantTypes, authentication: bySecret(hash) })
const browser = await Browser.signedIn(service)

const sample = () => `${service.issuer}weatherforecast`
const asResources = (values: readonly string[]) => values.map((value) => ['resource', value] as const)

async function respond(resources: readonly string[], scope = 'openid offline_access files mail'): Promise<URL> {
  const query = new URLSearchParams(authorizeParameters({ client_id: 'app', scope }))
  for (const resource of resources) query.append('resource', resource)
  return locationOf(await browser.get(`/connect/authorize?${query}`))
}

async function redeem(resources: readonly string[], atToken: readonly string[] = [], scope?: string) {
  const code = (await respond(resources, scope)).searchParams.get('code') ?? ''
  const fields: Fields = [...Object.entries(codeFields(code, { client_id: 'app' })), ...asResources(atToken)]
  return postToken(service, fields)
}

async function weatherWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(new URL('weatherforecast', service.issuer), { headers })).status
}

describe('resource indicators (RFC 8707)', () => {
  it('without the parameter, a token is meant for all resources of its scopes', async () => {
    const { body } = await redeem([])
    assert.deepEqual(claimsOf(body.access_token).aud, [files, mail])
  })

  it('at the authorization endpoint they choose the audience, repeated or not (§2.1)', async () => {
    assert.equal(claimsOf((await redeem([mail])).body.access_token).aud, mail)
    assert.deepEqual(claimsOf((await redeem([mail, files])).body.access_token).aud, [files, mail])
    assert.equal(claimsOf((await redeem([mail, mail])).body.access_token).aud, mail)
  })

  it('at the token endpoint they narrow it for one token, and the grant stays as it was (§2.2)', async () => {
    const { body } = await redeem([], [files])
    assert.equal(claimsOf(body.access_token).aud, files)
    const fields = refreshFields(body.refresh_token, { client_id: 'app' })
    const narrowed = await postToken(service, { ...fields, resource: mail })
    assert.equal(claimsOf(narrowed.body.access_token).aud, mail)
    const again = refreshFields(narrowed.body.refresh_token, { client_id: 'app' })
    assert.deepEqual(claimsOf((await postToken(service, again)).body.access_token).aud, [files, mail])
  })

  it('any client may ask for the sample API, which takes tokens that name it', async () => {
    const { body } = await redeem([sample()])
    assert.equal(claimsOf(body.access_token).aud, sample())
    assert.equal(await weatherWith(body.access_token), 200)
    const both = (await redeem([sample(), files])).body.access_token
    assert.deepEqual(claimsOf(both).aud, [files, sample()].sort())
    assert.equal(await weatherWith(both), 200)
    assert.equal(await weatherWith((await redeem([files])).body.access_token), 401)
    const plain = (await redeem([], [], 'openid demo_api')).body.access_token
    assert.equal(claimsOf(plain).aud, service.issuer)
    assert.equal(await weatherWith(plain), 200)
  })

  const unknown = [
    'https://unknown.example/',
    'https://files.example',
    'files',
    `${files}#fragment`,
    'HTTPS://FILES.EXAMPLE/',
  ]
  for (const resource of unknown) {
    it(`refuses ${resource} with invalid_target at both endpoints (§2)`, async () => {
      const { searchParams } = await respond([files, resource])
      assert.equal(searchParams.get('error'), 'invalid_target')
      assert.equal(searchParams.get('state'), 'state-1')
      assert.equal(searchParams.get('code'), null)
      const { status, body } = await redeem([], [resource])
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_target')
    })
  }

  it('refuses a resource that the request did not ask for, and does not use up the code or refresh token', async () => {
    const code = (await respond([files])).searchParams.get('code') ?? ''
    const fields = codeFields(code, { client_id: 'app' })
    assert.equal((await postToken(service, { ...fields, resource: mail })).body.error, 'invalid_target')
    const { body } = await postToken(service, fields)
    const refresh = refreshFields(body.refresh_token, { client_id: 'app' })
    assert.equal((await postToken(service, { ...refresh, resource: mail })).body.error, 'invalid_target')
    const refreshed = await postToken(service, refresh)
    assert.equal(claimsOf(refreshed.body.access_token).aud, files)
  })

  it('refuses a resource whose scope was not requested, however permitted the scope is', async () => {
    const { searchParams } = await respond([mail], 'openid files')
    assert.equal(searchParams.get('error'), 'invalid_target')
  })

  it('bounds how many there are and how long', async () => {
    const many = await respond(Array.from({ length: 21 }, () => files))
    assert.equal(many.searchParams.get('error'), 'invalid_request')
    const long = await respond([`${files}${'x'.repeat(3000)}`])
    assert.equal(long.searchParams.get('error'), 'invalid_request')
    assert.ok((await respond(['', files])).searchParams.get('code'))
  })

  it('applies to client credentials', async () => {
    const fields = { grant_type: 'client_credentials', client_id: 'robot', client_secret: secret, scope: 'files mail' }
    const { body } = await postToken(service, { ...fields, resource: mail })
    assert.equal(claimsOf(body.access_token).aud, mail)
    const refused = await postToken(service, { ...fields, resource: 'https://unknown.example/' })
    assert.equal(refused.body.error, 'invalid_target')
  })

  it('survives pushing the request, repeated values included (RFC 9126)', async () => {
    const pushed: Fields = [
      ...Object.entries(authorizeParameters({ client_id: 'app', scope: 'openid files mail' })),
      ...asResources([files, mail]),
    ]
    const { body } = await postToken(service, pushed, {}, 'connect/par')
    const query = new URLSearchParams({ client_id: 'app', request_uri: body.request_uri, resource: sample() })
    const code = locationOf(await browser.get(`/connect/authorize?${query}`)).searchParams.get('code') ?? ''
    const tokens = await postToken(service, codeFields(code, { client_id: 'app' }))
    assert.deepEqual(claimsOf(tokens.body.access_token).aud, [files, mail])
    const refused = await postToken(service, [...pushed, ['resource', 'https://unknown.example/']], {}, 'connect/par')
    assert.equal(refused.body.error, 'invalid_target')
  })
})

describe('authorization_details (RFC 9396)', () => {
  const details = JSON.stringify([{ type: 'payment_initiation', actions: ['initiate'] }])

  it('is refused with invalid_authorization_details at every endpoint: no type is supported (§5)', async () => {
    const parameters = authorizeParameters({ client_id: 'app', scope: 'openid', authorization_details: details })
    const { searchParams } = locationOf(await browser.get(`/connect/authorize?${new URLSearchParams(parameters)}`))
    assert.equal(searchParams.get('error'), 'invalid_authorization_details')
    assert.equal(searchParams.get('state'), 'state-1')
    const pushed = await postToken(service, parameters, {}, 'connect/par')
    assert.equal(pushed.body.error, 'invalid_authorization_details')
    const code = (await respond([])).searchParams.get('code') ?? ''
    const fields = codeFields(code, { client_id: 'app', authorization_details: details })
    assert.equal((await postToken(service, fields)).body.error, 'invalid_authorization_details')
  })
})
