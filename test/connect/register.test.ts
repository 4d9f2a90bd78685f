/** Dynamic registration with an initial access token (RFC 7591), and its management (RFC 7592). */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { initialAccessToken, register, sendMetadata } from '../support/registration.ts'
import { serviceForFile, startService, testScope } from '../support/service.ts'

const redirect_uris = ['http://localhost:5081/callback']

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'token',
  OAuth__DynamicRegistrationScopes: 'demo_api',
})

const clientCount = async () => (await service.storage.clients.list()).length

/** Registers a client and returns its information response. */
async function registered(document: Record<string, unknown> = {}) {
  const answer = await register(service, { redirect_uris, ...document }, await initialAccessToken(service))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

describe('/connect/register (RFC 7591 §3)', () => {
  it('registers a client and answers its metadata, secret and registration access token (§3.2.1)', async () => {
    const token = await initialAccessToken(service)
    const document = { redirect_uris, client_name: 'Notes', 'client_name#de': 'Notizen', scope: 'openid demo_api' }
    const { status, headers, body } = await register(service, document, token)
    assert.equal(status, 201)
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.deepEqual(body.redirect_uris, redirect_uris)
    assert.deepEqual([body.client_name, body['client_name#de'], body.scope], ['Notes', 'Notizen', 'openid demo_api'])
    assert.equal(body.token_endpoint_auth_method, 'client_secret_basic')
    assert.equal(body.client_secret_expires_at, 0)
    assert.equal(body.registration, 'token')
    assert.equal(body.consent, 'explicit')
    assert.equal(body.registration_client_uri, `${service.issuer}connect/register/${body.client_id}`)
    const stored = await service.storage.clients.find(body.client_id)
    assert.ok(!JSON.stringify(stored).includes(body.client_secret))
    const [event] = await service.storage.audit.list({ clientId: body.client_id, kind: 'client_added' }, undefined, 9)
    assert.equal(event?.details.registration, 'token')
    assert.ok(!JSON.stringify(event).includes(body.client_secret))
  })

  it('registers a client that works: code, token, refresh', async () => {
    const { client_id, client_secret } = await registered({ scope: 'openid offline_access demo_api' })
    const code = await obtainCode(new Browser(service), { client_id })
    const { status, body } = await postToken(service, codeFields(code, { client_id, client_secret }))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(typeof body.refresh_token, 'string')
  })

  it('takes every member of client metadata, and ignores unknown ones (§2)', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const body = await registered({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key] },
      dpop_bound_access_tokens: true,
      id_token_claims: 'requested',
      default_max_age: null,
      colour: 'red',
      client_id: 'demo',
      client_secret: 'mine',
      software_id: 'x',
    })
    assert.deepEqual([body.token_endpoint_auth_method, body.dpop_bound_access_tokens], ['private_key_jwt', true])
    assert.ok(!('colour' in body) && !('client_secret' in body) && !('default_max_age' in body))
    assert.notEqual(body.client_id, 'demo')
  })

  it('gives a registration without scope those of OAuth:DynamicRegistrationScopes', async () => {
    assert.equal((await registered()).scope, 'openid demo_api')
  })

  it('names what is wrong, stores nothing, and uses no token up (§3.2.2)', async () => {
    const token = await initialAccessToken(service)
    const before = await clientCount()
    for (const [document, error, why] of [
      [{ redirect_uris: ['http://app.example.com/'] }, 'invalid_redirect_uri', /must start with https/],
      [{ redirect_uris: [] }, 'invalid_redirect_uri', /needs at least one redirect URI/],
      [{ redirect_uris: 'x' }, 'invalid_redirect_uri', /redirect_uris must be an array/],
      [{}, 'invalid_redirect_uri', /needs at least one/],
      [{ redirect_uris, grant_types: ['implicit'] }, 'invalid_client_metadata', /implicit is not supported/],
      [{ redirect_uris, response_types: ['token'] }, 'invalid_client_metadata', /response_types must be/],
      [{ redirect_uris, scope: 'unknown' }, 'invalid_client_metadata', /unknown is not registered/],
      // Half of a surrogate pair, which PostgreSQL cannot compare with anything.
      [{ redirect_uris, scope: 'openid \ud800' }, 'invalid_client_metadata', /scope/],
      [{ redirect_uris, jwks_uri: 'http://app.example.com' }, 'invalid_client_metadata', /jwks_uri must start/],
      [{ redirect_uris, token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata', /needs jwks/],
      [{ redirect_uris, client_name: 'quote" back\\ ünï\n' }, 'invalid_client_metadata', /name must not/],
      [[], 'invalid_client_metadata', /JSON object/],
      ['{', 'invalid_client_metadata', /JSON object/],
      ['"x"', 'invalid_client_metadata', /JSON object/],
      [{ redirect_uris, colour: 'x'.repeat(40_000) }, 'invalid_client_metadata', /32 KiB/],
    ] as const) {
      const { status, body, headers } = await register(service, document, token)
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(body))
      assert.match(body.error_description, /^ID91\d\d: /)
      assert.match(body.error_description, why)
      // RFC 6749 §5.2: no quotes, no backslashes, printable ASCII.
      assert.match(body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      assert.match(headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
    }
    const asForm = await register(service, 'redirect_uris=x', token, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    assert.equal(asForm.status, 400)
    assert.equal(await clientCount(), before)
    assert.equal((await register(service, { redirect_uris }, token)).status, 201)
    assert.equal((await register(service, { redirect_uris }, token)).status, 401)
  })

  it('refuses a token that is missing, wrong, expired or used up (§3)', async () => {
    const before = await clientCount()
    const expired = await initialAccessToken(service, { expiresSeconds: 0 })
    const token = await initialAccessToken(service)
    const flipped = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`
    for (const one of [undefined, 'x', expired, flipped, token.slice(1)]) {
      const { status, headers, body } = await register(service, { redirect_uris }, one)
      assert.deepEqual([status, body.error], [401, 'invalid_token'])
      const challenge = headers.get('www-authenticate') ?? ''
      assert.ok(one === undefined ? challenge === 'Bearer' : challenge.startsWith('Bearer error="invalid_token"'))
    }
    assert.equal(await clientCount(), before)
  })

  it('registers as many clients as a token has uses, however many come at once', async () => {
    const token = await initialAccessToken(service, { uses: 3 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(service, { redirect_uris }, token)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    assert.equal(answers.filter(({ status }) => status === 401).length, 9)
  })

  it('is listed in discovery (RFC 8414 §2), and answers other methods with 400', async () => {
    const document = await (await fetch(new URL('.well-known/openid-configuration', service.issuer))).json()
    const { registration_endpoint } = document as Record<string, unknown>
    assert.equal(registration_endpoint, `${service.issuer}connect/register`)
    assert.equal((await fetch(String(registration_endpoint))).status, 400)
  })
})

describe('/connect/register/{client_id} (RFC 7592 §2)', () => {
  it('shows the client to the holder of its token, which stays (§2.1)', async () => {
    const made = await registered()
    const read = () => sendMetadata(made.registration_client_uri, 'GET', undefined, made.registration_access_token)
    const { client_secret: _secret, client_secret_expires_at: _end, ...shown } = made
    assert.deepEqual((await read()).body, shown)
    assert.equal((await read()).status, 200)
  })

  it('replaces the whole client and its token; the secret stays (§2.2)', async () => {
    const made = await registered({ client_name: 'Notes', default_max_age: 60 })
    const { client_id, client_secret, registration_client_uri: address, registration_access_token: token } = made
    const document = {
      client_id,
      client_secret,
      redirect_uris: ['https://new.example.com/cb'],
      contacts: ['a@b.example'],
    }
    const updated = await sendMetadata(address, 'PUT', document, token)
    assert.equal(updated.status, 200, JSON.stringify(updated.body))
    assert.deepEqual(updated.body.redirect_uris, ['https://new.example.com/cb'])
    assert.deepEqual([updated.body.client_name, updated.body.contacts], [client_id, ['a@b.example']])
    assert.ok(!('default_max_age' in updated.body) && !('client_secret' in updated.body))
    assert.notEqual(updated.body.registration_access_token, token)
    assert.equal((await sendMetadata(address, 'GET', undefined, token)).status, 401)
    assert.equal((await sendMetadata(address, 'PUT', document, token)).status, 401)
    const next = updated.body.registration_access_token
    assert.equal((await sendMetadata(address, 'GET', undefined, next)).status, 200)
    const post = await sendMetadata(address, 'PUT', { ...document, token_endpoint_auth_method: 'none' }, next)
    assert.equal(post.body.token_endpoint_auth_method, 'none')
    const { client_secret: _ended, ...without } = document
    const back = await sendMetadata(address, 'PUT', without, post.body.registration_access_token)
    assert.match(back.body.client_secret, /^[\w-]{43}$/)
  })

  it('refuses an update that names another client or a wrong secret, and keeps the token', async () => {
    const made = await registered()
    const { client_id, registration_client_uri: address, registration_access_token: token } = made
    for (const document of [
      { redirect_uris },
      { client_id: 'demo', redirect_uris },
      { client_id, client_secret: 'wrong', redirect_uris },
      { client_id, redirect_uris: [] },
      { client_id, redirect_uris, consent: 'implicit' },
    ]) {
      assert.equal((await sendMetadata(address, 'PUT', document, token)).status, 400)
    }
    assert.equal((await sendMetadata(address, 'GET', undefined, token)).status, 200)
  })

  it('keeps what an operator set', async () => {
    const made = await registered()
    const { client_id, registration_client_uri: address, registration_access_token: token } = made
    await service.storage.clients.update(client_id, (client) => ({
      ...client,
      consent: 'implicit',
      metadata: { ...client.metadata, may_exchange: ['demo'] },
    }))
    const { status, body } = await sendMetadata(address, 'PUT', { client_id, redirect_uris }, token)
    assert.deepEqual([status, body.consent, body.may_exchange], [200, 'implicit', ['demo']])
  })

  it('deletes the client with its tokens (§2.3)', async () => {
    const made = await registered({ scope: 'openid offline_access demo_api' })
    const { client_id, client_secret, registration_client_uri: address, registration_access_token: token } = made
    const code = await obtainCode(new Browser(service), { client_id })
    const { body } = await postToken(service, codeFields(code, { client_id, client_secret }))
    const deleted = await sendMetadata(address, 'DELETE', undefined, token)
    assert.deepEqual([deleted.status, deleted.body], [204, undefined])
    assert.equal((await sendMetadata(address, 'GET', undefined, token)).status, 401)
    assert.equal((await sendMetadata(address, 'DELETE', undefined, token)).status, 401)
    const fields = { grant_type: 'refresh_token', client_id, client_secret, refresh_token: body.refresh_token }
    assert.equal((await postToken(service, fields)).status, 401)
  })

  it('deletes the client with the roles that belong to it: they would be in the tokens of all others (§2.3)', async () => {
    const made = await registered({ scope: 'openid' })
    const { client_id, registration_client_uri: address, registration_access_token: token } = made
    const { roles, audit } = service.storage
    const name = `${client_id}:clerk`
    const role = { name, description: null, createdAtMs: 1 }
    await roles.change(() => ({ changes: [role] }), [], client_id)
    assert.equal((await sendMetadata(address, 'DELETE', undefined, token)).status, 204)
    assert.equal(await roles.find(name), undefined)
    const entries = await audit.list({ clientId: client_id, kind: 'role_deleted' }, undefined, 10)
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ name }],
    )
  })
})

describe('OAuth:DynamicRegistration off, the default', () => {
  it('has neither endpoint nor a line in discovery', async () => {
    await using closed = await startService()
    const token = await initialAccessToken(closed)
    assert.equal((await register(closed, { redirect_uris }, token)).status, 404)
    const address = new URL('connect/register/demo', closed.issuer)
    for (const method of ['GET', 'PUT', 'DELETE']) assert.equal((await fetch(address, { method })).status, 404)
    const document = await (await fetch(new URL('.well-known/openid-configuration', closed.issuer))).json()
    assert.ok(!('registration_endpoint' in (document as object)))
  })
})

describe('rules of claims at a registration (claims and groups, section 3)', () => {
  it('are judged together: those of scopes and of the resources that other scopes lead to', async () => {
    await using own = await startService({
      OAuth__DynamicRegistration: 'token',
      OAuth__DynamicRegistrationScopes: 'told,leading',
    })
    const { storage } = own
    const api = 'https://ruled.example/'
    const rule = (from: string) => ({ claim: 'x', from, in: ['access_token'] as const, as: 'auto' as const })
    await storage.scopes.create(testScope('told', { claims: [rule('id')] }))
    await storage.scopes.create(testScope('leading', { resources: [api] }))
    const resource = { identifier: api, claims: [rule('username')], version: 1 }
    await storage.resources.change(() => ({ changes: [{ identifier: api, after: resource }] }))
    const both = { redirect_uris, scope: 'told leading' }
    const refused = await register(own, both, await initialAccessToken(own))
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_client_metadata'])
    assert.match(refused.body.error_description, /x of the scope told and x of the resource https:\/\/ruled\.example\//)
    const { body: one } = await register(own, { redirect_uris, scope: 'told' }, await initialAccessToken(own))
    const changed = await sendMetadata(
      one.registration_client_uri,
      'PUT',
      { client_id: one.client_id, ...both },
      one.registration_access_token,
    )
    assert.equal(changed.status, 400)
    assert.deepEqual((await storage.clients.find(one.client_id))?.scopes, ['told'])
  })
})
