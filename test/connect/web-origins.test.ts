/** `web_origins` of clients: which scripts may read which answers (Fetch §3.2), and `allowed-origins` in tokens. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adminProgram } from '../support/admin.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  fetchWithToken,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const configured = 'https://configured.example.com'
const service = await serviceForFile({ Cors__Origins__0: configured })
const admin = await adminProgram(service, ['admin:write'], { id: 'admin' })
const [originA, originB] = ['https://a.example.com', 'https://b.example.com']
const callback = 'http://localhost:5081/callback'

async function register(client_id: string, members: Record<string, unknown>) {
  const body = { client_id, redirect_uris: [callback], consent: 'implicit', scope: 'openid offline_access', ...members }
  const answer = await admin.post('/clients', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}
await register('a', { web_origins: [originA], claim_shape: 'keycloak' })
await register('b', { web_origins: [originB] })
await register('plus', {
  web_origins: ['+', 'https://more.example.com'],
  redirect_uris: ['https://spa.example.com/cb', callback, 'myapp://cb'],
})
service.advance(6)

const allowed = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin')
/** Nothing of an answer to the origin of a client lets a browser send or take cookies. */
function withoutCredentials({ headers }: { readonly headers: Headers }): void {
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.match(headers.get('vary') ?? '', /Origin/)
}
const preflight = (origin: string, path = 'connect/token') =>
  fetch(new URL(path, service.issuer), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-telemetry' },
  })
const browser = await Browser.signedIn(service)
const redeem = async (client_id: string, origin: string) =>
  postToken(
    service,
    codeFields(await obtainCode(browser, { client_id, scope: 'openid offline_access' }), { client_id }),
    { origin },
  )

describe('origins of a client (connections.md 5, web_origins)', () => {
  it('read the answers to its requests, without credentials', async () => {
    const answer = await redeem('a', originA)
    assert.deepEqual([answer.status, allowed(answer)], [200, originA])
    withoutCredentials(answer)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /dpop-nonce/)
    const refreshed = await postToken(service, refreshFields(answer.body.refresh_token, { client_id: 'a' }), {
      origin: originA,
    })
    assert.deepEqual([refreshed.status, allowed(refreshed)], [200, originA])
    const { access_token, refresh_token } = refreshed.body
    const asked = { headers: { authorization: `Bearer ${access_token}`, origin: originA } }
    const info = await fetch(new URL('connect/userinfo', service.issuer), asked)
    assert.deepEqual([info.status, allowed(info)], [200, originA])
    const [par, revoked, refused] = await Promise.all([
      postToken(service, authorizeParameters({ client_id: 'a', scope: 'openid' }), { origin: originA }, 'connect/par'),
      postToken(service, { token: refresh_token, client_id: 'a' }, { origin: originA }, 'connect/revocation'),
      postToken(service, codeFields('wrong', { client_id: 'a' }), { origin: originA }),
    ])
    assert.deepEqual([par.status, revoked.status, refused.status], [201, 200, 400])
    for (const one of [par, revoked, refused]) assert.equal(allowed(one), originA)
  })

  it('read no answer for another client, whatever its preflight said', async () => {
    assert.equal(allowed(await preflight(originB)), originB)
    const stolen = await redeem('a', originB)
    assert.deepEqual([stolen.status, allowed(stolen)], [200, null])
    const { access_token, refresh_token } = stolen.body
    const wrong = await postToken(service, codeFields('wrong', { client_id: 'a' }), { origin: originB })
    const refreshed = await postToken(service, refreshFields(refresh_token, { client_id: 'a' }), { origin: originB })
    const pushed = await postToken(
      service,
      { client_id: 'a', response_type: 'code' },
      { origin: originB },
      'connect/par',
    )
    const device = await postToken(service, { client_id: 'a' }, { origin: originB }, 'connect/device')
    const revoked = await postToken(service, { token: 'x', client_id: 'a' }, { origin: originB }, 'connect/revocation')
    for (const one of [wrong, refreshed, pushed, device, revoked]) assert.equal(allowed(one), null)
    for (const path of ['connect/userinfo', 'weatherforecast']) {
      const info = await fetch(new URL(path, service.issuer), {
        headers: { authorization: `Bearer ${access_token}`, origin: originB },
      })
      assert.equal(allowed(info), null, path)
    }
    const named = { ...codeFields('x', { client_id: 'b' }), client_secret: '' }
    const basic = { origin: originB, authorization: `Basic ${Buffer.from('a:x').toString('base64')}` }
    assert.equal(
      allowed(await postToken(service, named, basic)),
      originB,
      'two clients: refused for none, and tells nothing',
    )
    assert.equal((await postToken(service, named, basic)).status, 400)
  })

  it('read discovery, the key set and preflights, of whichever client they are, and nothing of the pages', async () => {
    for (const origin of [
      originA,
      originB,
      'https://spa.example.com',
      'http://localhost:5081',
      'https://more.example.com',
    ]) {
      for (const path of [
        '.well-known/openid-configuration',
        '.well-known/oauth-authorization-server',
        '.well-known/jwks',
      ]) {
        const answer = await fetch(new URL(path, service.issuer), { headers: { origin } })
        assert.deepEqual([answer.status, allowed(answer)], [200, origin], `${path} for ${origin}`)
        withoutCredentials(answer)
      }
      const answer = await preflight(origin)
      assert.deepEqual([answer.status, allowed(answer)], [204, origin])
      assert.match(answer.headers.get('access-control-allow-headers') ?? '', /x-telemetry/)
      withoutCredentials(answer)
      const page = await fetch(new URL('Account/Session', service.issuer), { headers: { origin } })
      assert.equal(allowed(page), null)
    }
  })

  it('are compared whole, and others read nothing', async () => {
    const others = [
      'https://a.example.com.evil.example',
      'https://a.example.com:8443',
      'http://a.example.com',
      'https://A.example.com',
      'null',
      'https://evil.example',
      'myapp://cb',
      'https://a.example.com/',
    ]
    for (const origin of others) {
      assert.equal(
        allowed(await fetch(new URL('.well-known/jwks', service.issuer), { headers: { origin } })),
        null,
        origin,
      )
      assert.equal(allowed(await preflight(origin)), null, origin)
      assert.equal(allowed(await postToken(service, { client_id: 'a' }, { origin })), null, origin)
    }
  })

  it('leave Cors:Origins as it is: every client, with credentials', async () => {
    const answer = await redeem('a', configured)
    assert.deepEqual([allowed(answer), answer.headers.get('access-control-allow-credentials')], [configured, 'true'])
  })

  it('count seconds after a change, and cost no read of the database for a request meanwhile', async () => {
    const { clients } = service.storage
    let reads = 0
    const read = clients.webOrigins.bind(clients)
    Object.assign(clients, {
      webOrigins: () => {
        reads += 1
        return read()
      },
    })
    service.advance(6)
    await Promise.all(Array.from({ length: 20 }, () => preflight(originA)))
    for (let round = 0; round < 5; round += 1) await preflight('https://unknown.example')
    assert.equal(reads, 1)
    const later = 'https://later.example.com'
    assert.equal((await admin.patch('/clients/b', { web_origins: [later] })).status, 200)
    service.advance(6)
    assert.deepEqual([allowed(await preflight(later)), allowed(await preflight(originB)), reads], [later, null, 2])
    await admin.patch('/clients/b', { web_origins: [originB] })
    service.advance(6)
  })

  it('go by what was known while the database is away', async () => {
    const { clients } = service.storage
    const read = clients.webOrigins
    Object.assign(clients, { webOrigins: () => Promise.reject(new Error('away')) })
    service.advance(6)
    assert.equal(allowed(await preflight(originA)), originA)
    assert.equal(allowed(await preflight('https://evil.example')), null)
    Object.assign(clients, { webOrigins: read })
  })

  it('are origins, set by an operator; + follows the redirect addresses', async () => {
    for (const wrong of [
      '*',
      'https://a.example.com/',
      'https://a.example.com/x',
      'a.example.com',
      'null',
      'https://*.example.com',
      'myapp://x',
      'https://u@a.example.com',
      'https://a.example.com:443',
      '',
    ]) {
      assert.equal((await admin.patch('/clients/a', { web_origins: [wrong] })).status, 400, wrong)
    }
    const shown = (await admin.get('/clients/plus')).body
    assert.deepEqual(shown.allowed_origins, [
      'https://spa.example.com',
      'http://localhost:5081',
      'https://more.example.com',
    ])
    const moved = await admin.patch('/clients/plus', { redirect_uris: ['https://moved.example.com/cb'] })
    assert.deepEqual(moved.body.allowed_origins, ['https://moved.example.com', 'https://more.example.com'])
    assert.equal((await admin.patch('/clients/plus', { allowed_origins: ['https://evil.example'] })).status, 400)
    assert.equal((await admin.patch('/clients/plus', { web_origins: [] })).body.allowed_origins, undefined)
  })
})

describe('the shape keycloak', () => {
  it('has them in access tokens as allowed-origins, and nowhere else', async () => {
    const { access_token, id_token } = (await redeem('a', originA)).body
    assert.deepEqual(claimsOf(access_token)['allowed-origins'], [originA])
    assert.equal(claimsOf(id_token)['allowed-origins'], undefined)
    const info = (await (await fetchWithToken(service, 'connect/userinfo', access_token)).json()) as Record<
      string,
      unknown
    >
    assert.equal(info['allowed-origins'], undefined)
    await addClient(service, { id: 'without', consent: 'implicit', metadata: { claim_shape: 'keycloak' } })
    assert.equal('allowed-origins' in claimsOf((await redeem('without', originA)).body.access_token), false)
  })
})
