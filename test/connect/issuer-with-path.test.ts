/** An issuer with a path: what carries it, where it is found, and what stays at the root of its host. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { assertionClaims, clientKey, keyClient } from '../support/assertions.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  codeVerifier,
  fetchWithToken,
  locationOf,
  obtainCode,
  postToken,
} from '../support/browser.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, freePort, serviceForFile, testClient } from '../support/service.ts'

const port = await freePort()
const host = `http://127.0.0.1:${port}`
const path = '/realms/acme'
const issuer = `${host}${path}`
const service = await serviceForFile({
  Server__Port: String(port),
  OAuth__Issuer: issuer,
  OAuth__Mtls__Address: `http://localhost:${port}/`,
  OAuth__Mtls__ClientCertificateHeader: 'client-cert',
  Server__TrustProxy: '10.0.0.1',
  OAuth__EndpointAliases__token: '/oauth/token',
  OAuth__EndpointAliases__introspection: 'introspect',
  OAuth__DynamicRegistration: 'open',
  OAuth__External__GitHub__ClientId: 'client-at-github',
  OAuth__External__GitHub__ClientSecret: 'secret',
})
const at = (below: string) => `${host}${below}`
// biome-ignore lint/suspicious/noExplicitAny: metadata are checked by the test
const jsonOf = async (address: string): Promise<any> => (await fetch(address)).json()
const documents = [
  `${path}/.well-known/openid-configuration`,
  `/.well-known/openid-configuration${path}`,
  `/.well-known/oauth-authorization-server${path}`,
]

describe('discovery of an issuer with a path', () => {
  it('is below the issuer, and behind the well-known path of its host (OpenID Connect Discovery §4, RFC 8414 §3.1)', async () => {
    for (const document of [...documents, `${path}//.well-known/openid-configuration`]) {
      const answer = await fetch(at(document))
      assert.equal(answer.status, 200, document)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(((await answer.json()) as { issuer: string }).issuer, issuer)
    }
  })

  it('names endpoints at the root of the host, and the alias where there is one', async () => {
    const metadata = await jsonOf(at(documents[0] ?? ''))
    assert.equal(metadata.authorization_endpoint, `${host}/connect/authorize`)
    assert.equal(metadata.token_endpoint, `${host}/oauth/token`)
    assert.equal(metadata.introspection_endpoint, `${issuer}/introspect`)
    assert.equal(metadata.jwks_uri, `${host}/.well-known/jwks`)
    assert.equal(metadata.registration_endpoint, `${host}/connect/register`)
    assert.equal(metadata.mtls_endpoint_aliases.token_endpoint, `http://localhost:${port}/oauth/token`)
    assert.equal(metadata.mtls_endpoint_aliases.userinfo_endpoint, `http://localhost:${port}/connect/userinfo`)
  })

  for (const algorithm of ['oidc', 'oauth2'] as const) {
    it(`is found by openid-client and oauth4webapi, by ${algorithm}`, async () => {
      const options = { algorithm, execute: [openid.allowInsecureRequests] }
      const found = await openid.discovery(new URL(issuer), 'demo', undefined, undefined, options)
      assert.equal(found.serverMetadata().issuer, issuer)
      const answer = await oauth.discoveryRequest(new URL(issuer), { algorithm, [oauth.allowInsecureRequests]: true })
      assert.equal((await oauth.processDiscoveryResponse(new URL(issuer), answer)).issuer, issuer)
    })
  }

  it('is not at the root, nor below any other path: 404 as JSON, for browsers too', async () => {
    for (const below of [
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '//.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource/weatherforecast',
      '/.well-known/openid-configuration/realms/other',
      '/realms/other/.well-known/openid-configuration',
      '/realms/other',
      '/realms/other/protocol/openid-connect/certs',
      '/other/realm/protocol/openid-connect/auth?client_id=a',
      `${path}/connect/unknown`,
      `${path}/protocol/openid-connect/token`,
      `${path}/Account/Login`,
      `${path}/admin/api/users`,
      path,
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(at(below), { method, headers: { accept: 'text/html' } })
        assert.equal(answer.status, 404, `${method} ${below}`)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, below)
        const { error, error_uri: uri } = (await answer.json()) as { error: string; error_uri: string }
        assert.equal(error, 'not_found')
        assert.ok(uri.startsWith(`${host}/errors#`))
      }
    }
    assert.equal((await fetch(at('/errors'))).status, 200)
    assert.equal((await fetch(at('/realmsx'), { headers: { accept: 'text/html' } })).status, 200)
  })
})

describe('what an issuer with a path signs and names', () => {
  it('has it in iss of the response and of tokens, and in aud without a resource (RFC 9207 §2, RFC 9068 §3)', async () => {
    const browser = await Browser.signedIn(service)
    const response = locationOf(await browser.allow({ scope: 'openid offline_access' }))
    assert.equal(response.searchParams.get('iss'), issuer)
    const { body } = await postToken(service, codeFields(response.searchParams.get('code') ?? ''), {}, '/oauth/token')
    const access = claimsOf(body.access_token)
    assert.deepEqual([access.iss, access.aud, claimsOf(body.id_token).iss], [issuer, issuer, issuer])
  })

  it('makes the identifiers of resources with one slash between (RFC 8707 §2, RFC 9728 §3.1)', async () => {
    const resource = `${issuer}/weatherforecast`
    const metadata = await jsonOf(at(`/.well-known/oauth-protected-resource${path}/weatherforecast`))
    assert.deepEqual([metadata.resource, metadata.authorization_servers], [resource, [issuer]])
    const code = await obtainCode(new Browser(service), { resource })
    const { body } = await postToken(service, codeFields(code))
    assert.equal(claimsOf(body.access_token).aud, resource)
    for (const below of ['/weatherforecast', `${path}/weatherforecast`]) {
      assert.equal((await fetchWithToken(service, below, body.access_token)).status, 200, below)
    }
    const refused = await fetch(resource)
    const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1]
    assert.equal(named, `${host}/.well-known/oauth-protected-resource${path}/weatherforecast`)
  })

  it('gives the admin API the audience below the issuer, while the API stays at the root of the host', async () => {
    const client = testClient({ id: 'ops', grantTypes: ['client_credentials'], scopes: ['admin:keys:read'] })
    const key = await clientKey()
    await service.storage.clients.create({ ...keyClient('ops', [key]), scopes: client.scopes })
    const assertion = await key.sign(assertionClaims('ops', issuer, service.now()))
    const { body } = await postToken(service, credentials(assertion, { scope: 'admin:keys:read' }))
    assert.equal(claimsOf(body.access_token).aud, `${issuer}/admin/api`)
    assert.equal((await fetchWithToken(service, '/admin/api/v1/keys', body.access_token)).status, 200)
  })

  it('keeps addresses of pages, of providers and of registered clients at the root of the host', async () => {
    const device = await fetch(at(`${path}/connect/device`), {
      method: 'POST',
      body: form({ client_id: 'tv', scope: 'openid' }),
    })
    assert.equal(device.status, 401)
    await addClient(service, { id: 'tv2', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'], scopes: [] })
    const started = await fetch(at('/connect/device'), {
      method: 'POST',
      body: form({ client_id: 'tv2', scope: 'openid' }),
    })
    const { verification_uri: uri } = (await started.json()) as { verification_uri: string }
    assert.equal(uri, `${host}/Account/Device`)

    const browser = new Browser(service)
    const chosen = await browser.submit('/Account/ExternalLogin', { provider: 'GitHub', returnUrl: '/account' })
    assert.equal(locationOf(chosen).searchParams.get('redirect_uri'), `${host}/callback/login/GitHub`)

    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'none' })
    const registered = await fetch(at(`${path}/connect/register`), { method: 'POST', headers, body })
    const client = (await registered.json()) as {
      client_id: string
      registration_client_uri: string
      registration_access_token: string
    }
    assert.equal(client.registration_client_uri, `${host}/connect/register/${client.client_id}`)
    const authorization = `Bearer ${client.registration_access_token}`
    const again = await fetch(`${issuer}/connect/register/${client.client_id}`, { headers: { authorization } })
    assert.equal(again.status, 200)
  })

  it('sends the browser to pages on its host, and back to the endpoint', async () => {
    const asked = await fetch(`${issuer}/connect/authorize?${new URLSearchParams(authorizeParameters())}`, {
      redirect: 'manual',
    })
    const login = locationOf(asked)
    assert.equal(login.origin + login.pathname, `${host}/Account/Login`)
    assert.match(login.searchParams.get('ReturnUrl') ?? '', /^\/connect\/authorize\?/)
    assert.ok(asked.headers.getSetCookie().every((line) => /; Path=\/(?:;|$)/i.test(line)))
  })
})

describe('endpoints below the issuer and at aliases', () => {
  const tokenPaths = ['/connect/token', `${path}/connect/token`, '/oauth/token', '/OAuth/Token/']

  it('answer as the endpoint does, other methods and preflights included', async () => {
    for (const below of tokenPaths) {
      const refused = await fetch(at(below))
      assert.equal(refused.status, 400, below)
      assert.match(((await refused.json()) as { error_description: string }).error_description, /ID2084/)
      assert.equal((await fetch(at(below), { method: 'OPTIONS' })).status, 204, below)
      const code = await obtainCode(new Browser(service))
      assert.equal((await postToken(service, codeFields(code), {}, below)).status, 200, below)
    }
    assert.deepEqual(await jsonOf(at(`${path}/.well-known/jwks`)), await jsonOf(at('/.well-known/jwks')))
  })

  it('take assertions whose aud is the address that the client used, or the token endpoint (RFC 7523 §3)', async () => {
    const key = await clientKey()
    await service.storage.clients.create(keyClient('signer', [key]))
    const send = async (below: string, aud: string) => {
      const assertion = await key.sign(assertionClaims('signer', issuer, service.now(), { aud }))
      return (await postToken(service, credentials(assertion, { scope: 'demo_api' }), {}, below)).body
    }
    for (const below of tokenPaths.slice(0, 3)) {
      for (const aud of [at(below), issuer, at('/oauth/token'), `http://localhost:${port}/oauth/token`]) {
        assert.ok((await send(below, aud)).access_token, `${below} ${aud}`)
      }
    }
    for (const aud of [
      `${host}/`,
      `${issuer}/`,
      `${host}/realms/other/connect/token`,
      'https://evil.example/oauth/token',
    ]) {
      assert.equal((await send('/oauth/token', aud)).error, 'invalid_client', aud)
    }
  })

  it('take proofs whose htu is any address of the endpoint, and no other (RFC 9449 §4.3)', async () => {
    const key = new DpopKey()
    const browser = await Browser.signedIn(service)
    const send = async (below: string, url: string) => {
      const code = await browser.allowedCode()
      return postToken(service, codeFields(code), { dpop: key.proof({ url }) }, below)
    }
    for (const below of tokenPaths.slice(0, 3)) {
      const { body } = await send(below, at(below))
      assert.equal(body.token_type, 'DPoP', below)
      for (const info of ['/connect/userinfo', `${path}/connect/userinfo`]) {
        const dpop = key.proof({ method: 'GET', url: at(info), accessToken: body.access_token })
        const headers = { authorization: `DPoP ${body.access_token}`, dpop }
        assert.equal((await fetch(at(info), { headers })).status, 200, info)
      }
    }
    for (const url of [`${issuer}/oauth/token`, at('/connect/userinfo'), 'https://evil.example/oauth/token']) {
      assert.equal((await send('/oauth/token', url)).body.error, 'invalid_dpop_proof', url)
    }
  })

  it('complete a sign-in with a library that knows the issuer alone', async () => {
    const config = await openid.discovery(new URL(issuer), 'demo', undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    })
    const browser = await Browser.signedIn(service)
    const back = locationOf(await browser.allow())
    const checks = { pkceCodeVerifier: codeVerifier, expectedState: 'state-1' }
    const tokens = await openid.authorizationCodeGrant(config, back, checks)
    assert.equal(tokens.claims()?.iss, issuer)
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.equal(claimsOf(refreshed.access_token).iss, issuer)
  })
})

function form(fields: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams(fields)
}

function credentials(assertion: string, more: Readonly<Record<string, string>>) {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  return { grant_type: 'client_credentials', client_assertion_type: type, client_assertion: assertion, ...more }
}
