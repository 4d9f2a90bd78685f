/** Attacks on dynamic registration: floods, more rights than anybody should get, other clients' tokens, races. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, obtainCode } from '../support/browser.ts'
import { initialAccessToken, register, sendMetadata } from '../support/registration.ts'
import { serviceForFile, testScope } from '../support/service.ts'

const redirect_uris = ['http://localhost:5081/callback']
const callback = redirect_uris[0] ?? ''

let nextAddress = 0
const env = {
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api, not_there',
  Server__TrustProxy: 'true',
}
const service = await serviceForFile(env)
await service.storage.scopes.create(testScope('not_there'))
await service.storage.scopes.create(testScope('admin_api'))

/** Registers from an address of its own, unless one is given. */
function fromAnywhere(document: unknown, address?: string, token?: string) {
  nextAddress += 1
  const forwarded = { 'x-forwarded-for': address ?? `198.51.${nextAddress >> 8}.${nextAddress & 255}` }
  return register(service, document, token, forwarded)
}

async function registered(document: Record<string, unknown> = {}) {
  const { status, body } = await fromAnywhere({ redirect_uris, ...document })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const ids = async () => (await service.storage.clients.list()).map(({ id }) => id)

describe('open registration gives nobody more than a public client that asks for consent', () => {
  it('registers a public client with explicit consent, PKCE and the listed scopes', async () => {
    const body = await registered()
    assert.deepEqual(
      [body.token_endpoint_auth_method, body.consent, body.require_pkce, body.scope, body.registration],
      ['none', 'explicit', true, 'openid demo_api not_there', 'open'],
    )
    assert.ok(!('client_secret' in body))
  })

  it('refuses every member with which a client would give itself rights', async () => {
    const before = await ids()
    for (const [member, value] of [
      ['consent', 'implicit'],
      ['consent', 'IMPLICIT'],
      ['require_pkce', false],
      ['token_endpoint_auth_method', 'client_secret_basic'],
      ['token_endpoint_auth_method', 'client_secret_post'],
      ['token_endpoint_auth_method', 'tls_client_auth'],
      ['may_exchange', ['demo']],
      ['role_clients', ['demo']],
      ['role_clients', ['*']],
      ['service_account_subject', 'somebody-else'],
      ['service_account_roles', ['manager']],
      ['resources', ['https://api.example.com/']],
      ['scope', 'openid admin_api'],
      ['scope', 'openid offline_access'],
      ['scope', 'admin_api demo_api'],
      ['scope', ['admin_api']],
      ['grant_types', ['client_credentials']],
      ['grant_types', ['authorization_code', 'client_credentials']],
      ['grant_types', ['urn:ietf:params:oauth:grant-type:token-exchange']],
      ['grant_types', ['urn:ietf:params:oauth:grant-type:device_code']],
      ['profile', 'fapi2'],
      ['refresh_token_rotation', false],
      ['refresh_token_scope', 'openid'],
      ['default_scopes', ['admin_api']],
      ['id_token_lifetime', 3601],
      ['access_token_lifetime', 3601],
      ['refresh_token_lifetime', 315_360_000],
      ['redirect_uris', Array.from({ length: 21 }, (_, at) => `https://app.example.com/${at}`)],
      ['redirect_uris', ['javascript:alert(1)']],
      ['redirect_uris', ['data:text/html,x']],
      ['jwks_uri', 'http://169.254.169.254/latest/meta-data'],
      ['logo_uri', 'javascript:alert(1)'],
      ['client_name', 'Bank\u202e'],
    ] as const) {
      const { status, body } = await fromAnywhere({ redirect_uris, [member]: value })
      assert.equal(status, 400, `${member} ${JSON.stringify(value)} ${JSON.stringify(body)}`)
      assert.match(body.error, /^invalid_(client_metadata|redirect_uri)$/)
    }
    assert.deepEqual(await ids(), before)
  })

  it('never takes the id, the secret or the marks of another client from the metadata', async () => {
    const body = await registered({
      client_id: 'demo',
      registration: 'operator',
      client_id_issued_at: 1,
      registration_access_token: 'mine',
      __proto__: { consent: 'implicit' },
      constructor: 'x',
    })
    assert.notEqual(body.client_id, 'demo')
    assert.equal(body.registration, 'open')
    assert.notEqual(body.registration_access_token, 'mine')
    const crafted = await fromAnywhere(
      `{"redirect_uris":["${callback}"],"__proto__":{"consent":"implicit"},"consent":"explicit"}`,
    )
    assert.equal(crafted.body.consent, 'explicit')
  })

  it('cannot be widened by an update, nor by a change of the settings in between', async () => {
    const made = await registered()
    const { client_id, registration_client_uri: address, registration_access_token: token } = made
    for (const change of [
      { token_endpoint_auth_method: 'client_secret_basic' },
      { scope: 'openid admin_api' },
      { consent: 'implicit' },
      { registration: 'operator', may_exchange: ['demo'] },
      { role_clients: ['*'] },
      { service_account_subject: 'somebody-else' },
      { service_account_roles: ['manager'] },
      { resources: ['https://api.example.com/'] },
      { grant_types: ['client_credentials'] },
    ]) {
      const { status } = await sendMetadata(address, 'PUT', { client_id, redirect_uris, ...change }, token)
      assert.equal(status, 400, JSON.stringify(change))
    }
    const same = await sendMetadata(address, 'PUT', { client_id, redirect_uris, registration: 'operator' }, token)
    assert.equal(same.body.registration, 'open')
  })

  it('asks for consent, whatever the client is called', async () => {
    const { client_id } = await registered({ client_name: 'Demo client' })
    const browser = await Browser.signedIn(service)
    const parameters = { client_id, redirect_uri: callback, response_type: 'code', scope: 'openid' }
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
    const answer = await browser.get(`/connect/authorize?${new URLSearchParams({ ...parameters, ...pkce })}`)
    assert.match(answer.headers.get('location') ?? '', /^\/Account\/Consent\?/)
    const bare = await browser.get(`/connect/authorize?${new URLSearchParams(parameters)}`)
    assert.deepEqual([bare.status, bare.headers.get('location')], [400, null])
  })

  it('never redirects to its address before the user decided (RFC 9700 §4.11.2)', async () => {
    const { client_id } = await registered({ redirect_uris: ['https://evil.example/cb'] })
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
    const valid = {
      client_id,
      redirect_uri: 'https://evil.example/cb',
      response_type: 'code',
      scope: 'openid',
      ...pkce,
    }
    const browser = new Browser(service)
    const pathWith = (change: Record<string, string>) =>
      `/connect/authorize?${new URLSearchParams({ ...valid, ...change })}`
    for (const change of [
      { response_type: 'token' },
      { scope: 'openid unknown' },
      { prompt: 'x' },
      { max_age: 'x' },
      { response_mode: 'x' },
      { code_challenge: 'short' },
      { request: 'x' },
    ]) {
      for (let signedIn = 0; signedIn < 2; signedIn += 1) {
        const answer = await (signedIn === 0 ? new Browser(service) : browser).get(pathWith(change))
        assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], JSON.stringify(change))
      }
    }
    await browser.signIn()
    const denied = await browser.submit('/connect/authorize', { ...valid, 'submit.Deny': 'No' })
    assert.match(denied.headers.get('location') ?? '', /^https:\/\/evil\.example\/cb\?error=access_denied/)
  })
})

describe('a flood of registrations', () => {
  it('is bounded each hour and address, in parallel as well, and stores nothing beyond (RFC 7591 §5)', async () => {
    const before = (await ids()).length
    const answers = await Promise.all(Array.from({ length: 40 }, () => fromAnywhere({ redirect_uris }, '203.0.113.7')))
    assert.equal(answers.filter(({ status }) => status === 201).length, 20)
    assert.equal((await ids()).length, before + 20)
    const { status, headers, body } = await fromAnywhere({ redirect_uris }, '203.0.113.7')
    assert.deepEqual([status, body.error], [429, 'too_many_requests'])
    const retryAfter = Number(headers.get('retry-after'))
    assert.ok(retryAfter > 0 && retryAfter <= 3600)
    assert.equal((await fromAnywhere({ redirect_uris }, '203.0.113.8')).status, 201)
    const token = await initialAccessToken(service)
    assert.equal((await fromAnywhere({ redirect_uris }, '203.0.113.7', token)).status, 201)
    assert.equal((await fromAnywhere({ redirect_uris }, '203.0.113.7', 'wrong')).status, 401)
    service.advance(retryAfter)
    assert.equal((await fromAnywhere({ redirect_uris }, '203.0.113.7')).status, 201)
  })

  it('is not helped by the many addresses of one IPv6 network', async () => {
    const address = (at: number) => `2001:db8:1:1::${at.toString(16)}`
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => fromAnywhere({ redirect_uris }, address(at + 1))),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 20)
  })

  it('counts no refused registration', async () => {
    for (let at = 0; at < 30; at += 1) await fromAnywhere({ redirect_uris: [] }, '203.0.113.99')
    assert.equal((await fromAnywhere({ redirect_uris }, '203.0.113.99')).status, 201)
  })

  it('leaves no clients for ever: unused ones are removed after 30 days, used ones stay', async () => {
    const [unused, used] = [await registered(), await registered()]
    await obtainCode(new Browser(service), { client_id: used.client_id, scope: 'openid' })
    const atMs = service.now()
    await service.storage.sweep(atMs + 29 * 86_400_000, 500)
    assert.ok((await ids()).includes(unused.client_id))
    await service.storage.sweep(atMs + 30 * 86_400_000 + 1, 500)
    const left = await ids()
    assert.ok(!left.includes(unused.client_id) && left.includes(used.client_id) && left.includes('demo'))
    const gone = await sendMetadata(unused.registration_client_uri, 'GET', undefined, unused.registration_access_token)
    assert.equal(gone.status, 401)
  })

  it('of oversized or deeply nested metadata is refused without a failure of the service', async () => {
    const nested = `${'['.repeat(15_000)}${']'.repeat(15_000)}`
    for (const body of [
      `{"redirect_uris":["${callback}"],"jwks":${nested}}`,
      `{"redirect_uris":["${callback}"],"client_name":"${'x'.repeat(31_000)}"}`,
      JSON.stringify({ redirect_uris: [`https://app.example.com/${'x'.repeat(3000)}`] }),
      JSON.stringify({ redirect_uris, contacts: Array.from({ length: 2000 }, (_, at) => `a@b${at}.example`) }),
      JSON.stringify({
        redirect_uris,
        ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`client_name#de-abc${at + 10}`, 'x'])),
      }),
      '\ud800',
      Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'),
    ]) {
      const { status } = await fromAnywhere(body)
      assert.equal(status, 400, body.slice(0, 60))
    }
    assert.equal((await fromAnywhere('x'.repeat(70_000))).status, 413)
  })
})

describe('the registration access token', () => {
  it('of one client opens no other, and no token of another kind opens any', async () => {
    const [mine, other] = [await registered(), await registered()]
    const initial = await initialAccessToken(service)
    const document = { client_id: other.client_id, redirect_uris: ['https://evil.example/cb'] }
    for (const token of [mine.registration_access_token, initial, 'x', undefined]) {
      for (const [method, body] of [['GET'], ['PUT', document], ['DELETE']] as const) {
        for (const address of [other.registration_client_uri, `${service.issuer}connect/register/demo`]) {
          const answer = await sendMetadata(address, method, body, token)
          assert.deepEqual([answer.status, answer.body?.error], [401, 'invalid_token'])
        }
      }
    }
    const found = await service.storage.clients.find(other.client_id)
    assert.deepEqual(found?.redirectUris, redirect_uris)
    // A management token registers no clients either.
    assert.equal((await fromAnywhere({ redirect_uris }, undefined, mine.registration_access_token)).status, 401)
  })

  it('answers an unknown client as a wrong token, so that ids cannot be tried out', async () => {
    const { registration_access_token: token } = await registered()
    const bodies = await Promise.all(
      ['demo', 'nobody', 'dyn-0', '..%2fregister', '%00'].map((id) =>
        sendMetadata(`${service.issuer}connect/register/${id}`, 'GET', undefined, token),
      ),
    )
    for (const { status, body } of bodies) assert.deepEqual([status, body], [401, bodies[0]?.body])
  })

  it('wins once in a race of updates and deletions, and the loser changes nothing (RFC 7592 §2.2)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await registered()
      const { client_id, registration_client_uri: address, registration_access_token: token } = made
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, (_, at) =>
          sendMetadata(address, 'PUT', { client_id, redirect_uris, client_name: `n${at}` }, token),
        ),
        sendMetadata(address, 'DELETE', undefined, token),
      ])
      const winners = answers.filter(({ status }) => status === 200 || status === 204)
      assert.equal(winners.length, 1)
      assert.equal(answers.filter(({ status }) => status === 401).length, 6)
      const found = await service.storage.clients.find(client_id)
      assert.equal(found?.name, winners[0]?.body?.client_name)
    }
  })

  it('stands in no log line and no audit entry', async () => {
    const made = await registered()
    await sendMetadata(`${made.registration_client_uri}x`, 'GET', undefined, made.registration_access_token)
    await service.storage.audit.flush()
    const entries = JSON.stringify(await service.storage.audit.list({}, undefined, 1000))
    const secret = made.registration_access_token
    assert.ok(!JSON.stringify(service.log).includes(secret) && !entries.includes(secret))
  })
})

describe('an address with a host that no name service has', () => {
  it('is refused: signs such as ; would begin another directive of a policy', async () => {
    for (const host of ['a;sandbox', 'a,b', '*', '*.example.com', "a'b"]) {
      const { status, body } = await fromAnywhere({ redirect_uris, frontchannel_logout_uri: `https://${host}/out` })
      assert.equal(status, 400, host)
      assert.match(body.error_description, /frontchannel_logout_uri/)
    }
    await registered({
      redirect_uris: ['https://app_1.example.com:8443/cb'],
      frontchannel_logout_uri: 'https://app_1.example.com:8443/out',
    })
  })
})

describe('a page for sign-outs of another party (OpenID Connect Front-Channel Logout 1.0 §2)', () => {
  const own = { redirect_uris: ['https://rp.example.com/cb', 'com.example.app:/cb'] }
  const elsewhere = [
    'https://other.example.com/out',
    'https://example.com/out',
    'https://rp.example.com:8443/out',
    'https://rp.example.com.evil.example/out',
  ]

  it('is refused at a registration and at its update, and the service loads no frame of it', async () => {
    for (const frontchannel_logout_uri of elsewhere) {
      const { status, body } = await fromAnywhere({ ...own, frontchannel_logout_uri })
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'], frontchannel_logout_uri)
      assert.match(body.error_description, /scheme, host and port of one of its redirect URIs/)
    }
    const made = await registered({ ...own, frontchannel_logout_uri: 'https://rp.example.com:443/out?a=1' })
    const { client_id, registration_client_uri: address, registration_access_token: token } = made
    const update = (document: object, by: string) => sendMetadata(address, 'PUT', { client_id, ...document }, by)
    for (const frontchannel_logout_uri of [...elsewhere.slice(0, 1), 'https://rp.example.com:443/out?a=1']) {
      const moved = { redirect_uris: ['https://new.example.com/cb'], frontchannel_logout_uri }
      assert.equal((await update(moved, token)).status, 400, frontchannel_logout_uri)
    }
    // What an operator registered for it may stay.
    const page = 'https://logout.example.com/out'
    await service.storage.clients.update(client_id, (client) => ({
      ...client,
      metadata: { ...client.metadata, frontchannel_logout_uri: page },
    }))
    const kept = await update({ ...own, frontchannel_logout_uri: page }, token)
    assert.deepEqual([kept.status, kept.body.frontchannel_logout_uri], [200, page])
    const without = await update(own, kept.body.registration_access_token)
    const again = { ...own, frontchannel_logout_uri: page }
    assert.equal((await update(again, without.body.registration_access_token)).status, 400)
  })
})
