/** `OAuth:EndpointAliases:Preset=keycloak`: the paths and pages of that system below the issuer, and `kc_idp_hint`. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sidOfSession } from '../../src/protocol/logout/logout-claims.ts'
import { authorizeParameters, Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { addClient, freePort, serviceForFile, startService } from '../support/service.ts'

const port = await freePort()
const host = `http://127.0.0.1:${port}`
const issuer = `${host}/realms/acme`
const below = `${issuer}/protocol/openid-connect`
const service = await serviceForFile({
  Server__Port: String(port),
  OAuth__Issuer: issuer,
  OAuth__EndpointAliases__Preset: 'keycloak',
  OAuth__DynamicRegistration: 'open',
  OAuth__External__GitHub__ClientId: 'client-at-github',
  OAuth__External__GitHub__ClientSecret: 'secret',
})
await addClient(service, {
  id: 'spa',
  redirectUris: ['http://localhost:3000/app', 'com.example.app:/cb'],
  metadata: { claim_shape: 'keycloak', web_origins: ['+'], allowed_origins: ['http://localhost:3000'] },
})
const app = 'http://localhost:3000'
const frame = `${below}/login-status-iframe.html`

describe('the preset keycloak', () => {
  it('is what discovery names', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: metadata are checked by the test
    const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as any
    assert.deepEqual(
      {
        authorization: metadata.authorization_endpoint,
        token: metadata.token_endpoint,
        userinfo: metadata.userinfo_endpoint,
        logout: metadata.end_session_endpoint,
        certs: metadata.jwks_uri,
        introspect: metadata.introspection_endpoint,
        revoke: metadata.revocation_endpoint,
        device: metadata.device_authorization_endpoint,
        par: metadata.pushed_authorization_request_endpoint,
        registration: metadata.registration_endpoint,
        frame: metadata.check_session_iframe,
      },
      {
        authorization: `${below}/auth`,
        token: `${below}/token`,
        userinfo: `${below}/userinfo`,
        logout: `${below}/logout`,
        certs: `${below}/certs`,
        introspect: `${below}/token/introspect`,
        revoke: `${below}/revoke`,
        device: `${below}/auth/device`,
        par: `${below}/ext/par/request`,
        registration: `${issuer}/clients-registrations/openid-connect`,
        frame,
      },
    )
  })

  it('answers there as at the endpoints of the service', async () => {
    const posts = ['token', 'token/introspect', 'revoke', 'auth/device', 'ext/par/request'].map(
      (path) => `${below}/${path}`,
    )
    for (const address of posts) {
      const answer = await fetch(address, { method: 'POST', body: new URLSearchParams() })
      assert.ok([400, 401].includes(answer.status), `${address} ${answer.status}`)
      assert.match(((await answer.json()) as { error_description: string }).error_description, /^ID\d/)
    }
    assert.equal((await fetch(`${below}/userinfo`)).status, 401)
    assert.equal((await fetch(`${below}/certs`)).status, 200)
    assert.equal((await fetch(`${below}/logout`, { redirect: 'manual' })).status, 302)
    const account = await fetch(`${issuer}/account?referrer=spa`, { redirect: 'manual' })
    assert.deepEqual([account.status, account.headers.get('location')], [302, '/account'])
    const browser = await Browser.signedIn(service)
    const code = await browser.allowedCode()
    const { body } = await postToken(service, codeFields(code), {}, `${below}/token`)
    assert.equal(claimsOf(body.id_token).iss, issuer)
  })

  it('is none unless it is set', async (t) => {
    const plain = await startService({})
    t.after(() => plain.stop())
    const base = plain.issuer.slice(0, -1)
    for (const path of ['auth', 'token', 'certs', 'login-status-iframe.html', '3p-cookies/step1.html']) {
      assert.equal((await fetch(`${base}/protocol/openid-connect/${path}`)).status, 404, path)
    }
    const browser = await Browser.signedIn(plain)
    assert.equal(locationOf(await browser.allow()).searchParams.get('session_state'), null)
    const asked = await new Browser(plain).get(
      `/connect/authorize?${new URLSearchParams(authorizeParameters({ kc_idp_hint: 'GitHub' }))}`,
    )
    assert.equal(locationOf(asked).pathname, '/Account/Login')
  })
})

describe('kc_idp_hint', () => {
  const hinted = (hint: string) => `${below}/auth?${new URLSearchParams(authorizeParameters({ kc_idp_hint: hint }))}`

  it('leads to the external provider that it names, and back to the request', async () => {
    const browser = new Browser(service)
    const chosen = locationOf(await browser.get(hinted('github')))
    assert.equal(chosen.pathname, '/Account/ExternalLogin')
    const provider = locationOf(await browser.get(chosen.href))
    assert.equal(provider.origin, 'https://github.com')
    assert.equal(provider.searchParams.get('redirect_uri'), `${host}/callback/login/GitHub`)
    const back = await browser.get(
      `/callback/login/GitHub?error=access_denied&state=${provider.searchParams.get('state')}`,
    )
    const returned = locationOf(back).searchParams.get('returnUrl') ?? ''
    assert.match(returned, /^\/connect\/authorize\?.*kc_idp_hint=github/)
  })

  it('leads to the login page where it names none, and is nothing for somebody who is signed in', async () => {
    assert.equal(locationOf(await new Browser(service).get(hinted('unknown'))).pathname, '/Account/Login')
    const browser = await Browser.signedIn(service)
    assert.equal(locationOf(await browser.get(hinted('GitHub'))).pathname, '/callback')
    const silent = await new Browser(service).get(`${hinted('GitHub')}&prompt=none`)
    assert.equal(locationOf(silent).searchParams.get('error'), 'login_required')
  })

  it('sends nobody to a provider whom no good authorization request of ours sent', async () => {
    for (const returnUrl of [
      '/',
      'https://evil.example/connect/authorize?kc_idp_hint=GitHub',
      '/account?kc_idp_hint=GitHub',
      `/connect/authorize?${new URLSearchParams(authorizeParameters({ kc_idp_hint: 'GitHub', client_id: 'unknown' }))}`,
      `/connect/authorize?${new URLSearchParams(authorizeParameters({}))}`,
    ]) {
      const answer = await new Browser(service).get(
        `/Account/ExternalLogin?${new URLSearchParams({ ReturnUrl: returnUrl, provider: 'GitHub' })}`,
      )
      assert.equal(locationOf(answer).pathname, '/Account/Login', returnUrl)
    }
  })
})

describe('the frames of the preset keycloak', () => {
  const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
  const pages = [`${below}/3p-cookies/step2.html`, frame]

  it('can be framed by origins of clients alone, and run their own script alone (CSP Level 3)', async () => {
    for (const address of pages) {
      const framed = await fetch(address, { headers: { referer: `${app}/` } })
      const policy = policyOf(framed)
      assert.match(policy, /frame-ancestors http:\/\/localhost:3000(?:;|$)/)
      const script = /<script>([\s\S]*)<\/script>/.exec(await framed.text())?.[1] ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      assert.ok(policy.includes(`script-src 'sha256-${hash}'`))
      assert.ok(policy.includes("default-src 'none'"))
      assert.equal(framed.headers.get('cache-control'), 'no-store')
      const silent = policyOf(await fetch(address))
      assert.match(silent, /frame-ancestors [^;]*http:\/\/localhost:3000/)
      const foreign = policyOf(await fetch(address, { headers: { referer: 'https://evil.example/' } }))
      assert.doesNotMatch(foreign, /evil/)
    }
    assert.match(policyOf(await fetch(`${host}/Account/Login`)), /frame-ancestors 'none'/)
    assert.match(policyOf(await fetch(`${host}/connect/authorize`)), /frame-ancestors 'none'/)
  })

  it('say whether cookies come back', async () => {
    const browser = new Browser(service)
    const first = await browser.get(`${below}/3p-cookies/step1.html`)
    assert.equal(locationOf(first).href, `${below}/3p-cookies/step2.html`)
    assert.match(browser.setCookies.join(), /latchkey\.framed=1; .*HttpOnly/i)
    assert.match(await (await browser.get(locationOf(first).href)).text(), /'supported'/)
    assert.match(await (await fetch(locationOf(first).href)).text(), /'unsupported'/)
  })

  it('say whether the session is still that of session_state (OpenID Connect Session Management 1.0 §3)', async () => {
    const browser = await Browser.signedIn(service)
    const parameters = { client_id: 'spa', redirect_uri: `${app}/app` }
    const response = locationOf(await browser.allow(parameters))
    const state = response.searchParams.get('session_state') ?? ''
    const { body } = await postToken(service, codeFields(response.searchParams.get('code') ?? '', parameters))
    assert.equal(claimsOf(body.access_token).sid, state)
    const ask = async (of: Browser, change: Record<string, string> = {}, headers = {}) => {
      const query = new URLSearchParams({ client_id: 'spa', origin: app, session_state: state, ...change })
      return (await of.get(`${frame}/status?${query}`, headers)).text()
    }
    assert.equal(await ask(browser), 'error', 'before the frame was loaded')
    await browser.get(frame)
    assert.equal(await ask(browser), 'unchanged')
    assert.equal(await ask(browser, { session_state: '' }), 'changed')
    assert.equal(await ask(browser, { session_state: sidOfSession({ sessionId: 'another' }) ?? '' }), 'changed')
    for (const change of [
      { origin: 'https://evil.example' },
      { origin: '' },
      { client_id: 'unknown' },
      { client_id: 'demo' },
    ]) {
      assert.equal(await ask(browser, change), 'error', JSON.stringify(change))
    }
    assert.equal(await ask(browser, {}, { 'sec-fetch-site': 'cross-site' }), 'error')
    const stranger = new Browser(service)
    await stranger.get(frame)
    assert.deepEqual([await ask(stranger), await ask(stranger, { session_state: '' })], ['changed', 'unchanged'])
    await browser.submit('/connect/logout', { Confirm: 'Yes' })
    assert.equal(await ask(browser), 'changed')
  })
})
