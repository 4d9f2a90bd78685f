/** What an operator set on a client that registered itself, against the updates of that client. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import type { MemberChange } from '../../src/protocol/client/client-members.ts'
import { changeClient } from '../../src/protocol/client/client-registration.ts'
import { isRefusal } from '../../src/refusal.ts'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { initialAccessToken, register, sendMetadata } from '../support/registration.ts'
import { serviceForFile, testScope } from '../support/service.ts'

const redirect_uris = ['http://localhost:5081/callback']
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api, offline_access',
  Server__TrustProxy: 'true',
})
await service.storage.scopes.create(testScope('ledger', { resources: ['https://ledger.example/'] }))

type Registered = {
  readonly client_id: string
  readonly client_secret?: string
  readonly registration_client_uri: string
  registration_access_token: string
}
let nextAddress = 0
async function registered(document: Record<string, unknown> = {}, token?: string): Promise<Registered> {
  nextAddress += 1
  const from = { 'x-forwarded-for': `198.51.100.${nextAddress}` }
  const { status, body } = await register(service, { redirect_uris, ...document }, token, from)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
/** Updates the client, whose next token takes the place of the one that was used. */
async function put(client: Registered, document: Record<string, unknown>) {
  const { client_id, registration_client_uri: address, registration_access_token: token } = client
  const answer = await sendMetadata(address, 'PUT', { client_id, redirect_uris, ...document }, token)
  if (answer.status === 200) client.registration_access_token = answer.body.registration_access_token
  return answer
}
/** Changes the client as `latchkey client set` does. */
async function set(id: string, members: Record<string, unknown>): Promise<void> {
  const changes = Object.entries(members).map(([member, value]): MemberChange => ({ member, operation: 'set', value }))
  const context = {
    registeredScopes: ['demo_api', 'ledger'],
    newSecretHash: 'x',
    isLoopbackIssuer: true,
    isPostQuantum: false,
    accessTokenScope: 'array',
    nowMs: service.now(),
  } as const
  const stored = await service.storage.clients.update(id, (client) => {
    const changed = changeClient(client, changes, context)
    assert.ok(!isRefusal(changed), JSON.stringify(changed))
    return changed
  })
  assert.ok(stored)
}
const found = async (id: string): Promise<Client> => {
  const client = await service.storage.clients.find(id)
  assert.ok(client)
  return client
}

describe('an update of the client itself (RFC 7592 §2.2)', () => {
  it('stays within the grant types, scopes and lifetimes that an operator set, asked for or left out', async () => {
    for (const token of [undefined, await initialAccessToken(service)]) {
      const client = await registered({ scope: 'openid demo_api offline_access' }, token)
      await set(client.client_id, {
        grant_types: ['authorization_code'],
        scope: 'openid',
        access_token_lifetime: 300,
        refresh_token_lifetime: 600,
      })
      for (const [member, value] of [
        ['grant_types', ['authorization_code', 'refresh_token']],
        ['grant_types', ['refresh_token']],
        ['scope', 'openid demo_api'],
        ['scope', ['offline_access']],
        ['access_token_lifetime', 301],
        ['refresh_token_lifetime', 3600],
      ] as const) {
        const { status, body } = await put(client, { [member]: value })
        assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'], `${member} ${value}`)
        assert.match(body.error_description, new RegExp(`${member}.* operator`))
      }
      const { status, body } = await put(client, { client_name: 'Renamed', access_token_lifetime: 60 })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(
        [body.grant_types, body.scope, body.access_token_lifetime, body.refresh_token_lifetime, body.client_name],
        [['authorization_code'], 'openid', 60, 600, 'Renamed'],
      )
      // It may come back to the ceiling.
      assert.equal((await put(client, { access_token_lifetime: 300, scope: 'openid' })).status, 200)
    }
  })

  it('leaves every other member that an operator set, and each demand', async () => {
    const client = await registered()
    await set(client.client_id, {
      client_name: 'Not the bank',
      'client_name#de': 'Nicht die Bank',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
      session_lifetime_max: 900,
      access_token_format: 'opaque',
      redirect_uris: [...redirect_uris, 'https://app.example.com/cb'],
    })
    for (const change of [
      { client_name: 'The bank' },
      { 'client_name#de': 'Die Bank' },
      { 'client_name#DE': 'Die Bank' },
      { dpop_bound_access_tokens: false },
      { require_pushed_authorization_requests: false },
      { session_lifetime_max: 901 },
      { access_token_format: 'jwt' },
      { redirect_uris: ['https://evil.example/cb'] },
    ]) {
      assert.equal((await put(client, change)).status, 400, JSON.stringify(change))
    }
    const { status } = await put(client, { session_lifetime_max: 60 })
    assert.equal(status, 200)
    const { name, metadata, redirectUris } = await found(client.client_id)
    assert.deepEqual(
      [name, metadata.localized, redirectUris],
      ['Not the bank', { 'client_name#de': 'Nicht die Bank' }, redirect_uris],
    )
    assert.deepEqual(
      [metadata.dpop_bound_access_tokens, metadata.require_pushed_authorization_requests, metadata.access_token_format],
      [true, true, 'opaque'],
    )
    assert.equal(metadata.session_lifetime_max, 60)
  })

  it('may have what an operator gave beyond that, and again what an operator gave back', async () => {
    const client = await registered({}, await initialAccessToken(service))
    await set(client.client_id, {
      scope: 'openid ledger',
      access_token_lifetime: 86_400,
      grant_types: ['client_credentials', 'authorization_code'],
    })
    const same = await put(client, {
      scope: 'openid ledger',
      grant_types: ['client_credentials'],
      access_token_lifetime: 80_000,
    })
    assert.equal(same.status, 200, JSON.stringify(same.body))
    const silent = await put(client, {})
    assert.deepEqual([silent.body.scope, silent.body.access_token_lifetime], ['openid ledger', 86_400])
    await set(client.client_id, { scope: null, access_token_lifetime: null, grant_types: null })
    assert.deepEqual((await found(client.client_id)).metadata.set_by_operator, {})
    assert.equal((await put(client, { scope: 'openid demo_api' })).status, 200)
    assert.equal((await put(client, { access_token_lifetime: 86_400 })).status, 400)
    assert.equal((await put(client, { scope: 'openid ledger' })).status, 400)
  })

  it('never changes what is noted of the operator, nor its consent', async () => {
    const client = await registered()
    await set(client.client_id, { scope: 'openid', consent: 'implicit' })
    const sent = { set_by_operator: { scope: ['demo_api'] }, registration: 'operator', consent: 'implicit' }
    assert.equal((await put(client, sent)).status, 400)
    const { body } = await put(client, { set_by_operator: {}, registration: 'operator' })
    assert.deepEqual([body.scope, body.consent, body.registration], ['openid', 'implicit', 'open'])
    assert.deepEqual(body.set_by_operator, { scope: [] })
    const next = await put(client, { scope: 'openid demo_api' })
    assert.equal(next.status, 400)
  })
})

describe('an initial access token (RFC 7591 §3)', () => {
  it('makes no machine, and gives no scope beyond the listed ones, unless an operator said so', async () => {
    const token = await initialAccessToken(service, { uses: 9 })
    const refused = async (document: Record<string, unknown>, member: RegExp) => {
      const { status, body } = await register(service, { redirect_uris, ...document }, token)
      assert.equal(status, 400, JSON.stringify(document))
      assert.match(body.error_description, member)
    }
    await refused({ grant_types: ['client_credentials'] }, /client_credentials needs an operator/)
    await refused({ grant_types: ['authorization_code', 'client_credentials'] }, /client_credentials/)
    await refused({ grant_types: [tokenExchange] }, /token-exchange/)
    await refused({ scope: 'openid ledger' }, /ledger/)
    const client = await registered({ scope: 'openid offline_access' }, token)
    assert.equal((await put(client, { grant_types: ['client_credentials'] })).status, 400)
    assert.equal((await put(client, { scope: 'ledger' })).status, 400)
    const asked = {
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret ?? '',
    }
    assert.equal((await postToken(service, { ...asked, scope: 'ledger' })).body.error, 'unauthorized_client')
    const code = await obtainCode(new Browser(service), { client_id: client.client_id, scope: 'openid' })
    assert.equal(
      (await postToken(service, codeFields(code, { client_id: asked.client_id, client_secret: asked.client_secret })))
        .status,
      200,
    )
  })

  it('gives the scopes and grant types that an operator made it with, and no others', async () => {
    const permits = { scopes: ['ledger'], grantTypes: ['client_credentials'] }
    const token = await initialAccessToken(service, { uses: 2, permits })
    const machine = { grant_types: ['client_credentials'], scope: 'ledger', redirect_uris: [] }
    const { client_id, client_secret = '' } = await registered(machine, token)
    const asked = { grant_type: 'client_credentials', client_id, client_secret, scope: 'ledger' }
    assert.equal((await postToken(service, asked)).status, 200)
    const other = await register(service, { ...machine, grant_types: [tokenExchange] }, token)
    assert.equal(other.status, 400)
  })
})
