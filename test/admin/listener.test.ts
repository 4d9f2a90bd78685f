/** Where the admin API is: with the service, at a port of its own, or nowhere; and what sign-in it demands. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { AdminCaller, adminPerson, adminProgram } from '../support/admin.ts'
import { Browser, claimsOf } from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import { freePort, startService } from '../support/service.ts'

const port = await freePort()
const apart = await startService({ Admin__Port: String(port), Admin__RequiredAcr: 'mfa' })
const off = await startService({ Admin__Enabled: 'false' })
after(async () => {
  await apart.stop()
  await off.stop()
})
const own = { issuer: `http://localhost:${port}/` }

describe('Admin:Port', () => {
  it('moves the API to a listener of its own, with the audience below the issuer', async () => {
    const { token } = await adminProgram(apart)
    assert.equal(claimsOf(token).aud, `${apart.issuer}admin/api`)
    const caller = new AdminCaller(own, token)
    assert.equal((await caller.get('/scopes')).status, 200)
    const { headers } = await caller.post('/scopes', { name: 'made' })
    assert.equal(headers.get('location'), `${own.issuer}admin/api/v1/scopes/made`)
    const document = (await (await fetch(new URL('admin/api/openapi.json', own.issuer))).json()) as { servers: unknown }
    assert.deepEqual(document.servers, [{ url: `${own.issuer}admin/api/v1` }])
    assert.equal((await fetch(new URL('admin/api/v1/scopes', apart.issuer))).status, 404)
    for (const path of ['', 'Account/Login', 'connect/token', '.well-known/openid-configuration', 'weatherforecast']) {
      assert.equal((await fetch(new URL(path, own.issuer), { headers: { accept: 'text/html' } })).status, 404, path)
    }
    assert.equal((await fetch(new URL('healthz', own.issuer))).status, 200)
    const console = await fetch(new URL('admin/', own.issuer), { headers: { accept: 'text/html' } })
    assert.equal(console.status, 200)
    const origin = new URL(apart.issuer).origin
    assert.ok(console.headers.get('content-security-policy')?.includes(`connect-src 'self' ${origin};`))
    assert.equal((await fetch(new URL('admin/', apart.issuer), { headers: { accept: 'text/html' } })).status, 404)
    const called = { headers: { origin: new URL(own.issuer).origin } }
    const discovered = await fetch(new URL('.well-known/openid-configuration', apart.issuer), called)
    assert.equal(discovered.headers.get('access-control-allow-origin'), new URL(own.issuer).origin)
  })

  it('is where the client of the console is registered, and registered anew when it has moved', async () => {
    const open = () => fetch(new URL('admin/', own.issuer), { headers: { accept: 'text/html' } })
    await open()
    const { clients, audit } = apart.storage
    const here = [`${own.issuer}admin/`, `${own.issuer}admin/signed-in`]
    assert.deepEqual((await clients.find('latchkey-console'))?.redirectUris, here)
    const moved = ['http://localhost:1/admin/']
    await clients.update('latchkey-console', (client) => ({ ...client, redirectUris: moved }))
    await open()
    assert.deepEqual((await clients.find('latchkey-console'))?.redirectUris, here)
    const [entry] = await audit.newest({ kind: 'client_changed', clientId: 'latchkey-console' }, 1)
    assert.deepEqual(entry?.details, { change: 'set', members: ['redirect_uris'], actor: 'service' })
  })

  it('is the address that DPoP proofs are for', async () => {
    const key = new DpopKey()
    const url = `${apart.issuer}connect/token`
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'program-admin:write',
      client_secret: 'machine-secret',
      scope: 'admin:write',
    })
    const response = await fetch(url, {
      method: 'POST',
      body: form,
      headers: { dpop: key.proof({ url, nowMs: apart.now() }) },
    })
    const { access_token: accessToken } = (await response.json()) as { access_token: string }
    const caller = new AdminCaller(own, accessToken)
    const proof = (base: string) => ({
      authorization: `DPoP ${accessToken}`,
      dpop: key.proof({ method: 'GET', url: `${base}admin/api/v1/scopes`, accessToken, nowMs: apart.now() }),
    })
    assert.equal((await caller.get('/scopes', proof(own.issuer))).status, 200)
    assert.equal((await caller.get('/scopes', proof(apart.issuer))).status, 401)
  })
})

describe('Admin:RequiredAcr', () => {
  it('refuses people whose sign-in is weaker, and names the class (RFC 9470)', async () => {
    const { caller } = await adminPerson(apart, ['latchkey-admin'])
    const refused = await new AdminCaller(own, caller.token).get('/scopes')
    assert.equal(refused.status, 401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_user_authentication".*acr_values="mfa"/)
  })
})

describe('Admin:Enabled false', () => {
  it('leaves a true 404 below /admin, and no scope in discovery', async () => {
    const { token } = await adminProgram(off)
    const browser = await Browser.signedIn(off)
    for (const path of ['admin', 'admin/', 'admin/api', 'admin/api/openapi.json', 'admin/api/v1/scopes', 'ADMIN/x']) {
      for (const accept of ['text/html', 'application/json']) {
        const headers = { accept, authorization: `Bearer ${token}` }
        const response = await browser.fetch(path, { headers })
        assert.equal(response.status, 404, path)
        assert.ok(!(await response.text()).includes('<script'), path)
      }
    }
    const metadata = (await (await fetch(new URL('.well-known/openid-configuration', off.issuer))).json()) as {
      scopes_supported: string[]
    }
    assert.ok(metadata.scopes_supported.every((scope) => !scope.startsWith('admin:')))
  })
})
