/**
 * The applications of a realm of Keycloak after `latchkey import keycloak`, at the issuer and the endpoints of before: each does over HTTP what
 * its record of the export says that it did there, or a finding of the import names what it does not (connections, section 7).
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { expected, isThere } from '../cli/keycloak-data.ts'
import { Browser, claimsOf, deviceGrant, exchangeGrant, headerOf, locationOf, postToken } from '../support/browser.ts'
import { thisFile } from '../support/lifetime.ts'
import { senderOf } from '../support/relying-party.ts'
import { Application, certificateHeader, certificateOf, issuedOf } from './keycloak-applications.ts'
import { added, expectedHere, isOwnRole, keyOf } from './keycloak-differences.ts'
import { clientOf, comparable, type Json, originsOf, tokensThere } from './keycloak-tokens.ts'
import { movedWorld } from './keycloak-world.ts'

const skip = isThere ? false : 'not on this machine: ../shared/data'
const own = /^(?:account|account-console|admin-cli|broker|realm-management|security-admin-console)$/

describe('applications of Keycloak, walked over HTTP', { skip }, async () => {
  if (!isThere) return
  const world = await movedWorld(thisFile)
  const { realm, issuer, service, findings } = world
  const known = expected()
  const named = new Set(findings.map(keyOf))
  /** Findings whose difference was seen. */
  const seen = new Set<string>()
  const notes = (severity: string, kind: string, source: string, member: string): boolean => {
    const key = `${severity} ${kind} ${source} ${member}`
    if (named.has(key)) seen.add(key)
    return named.has(key)
  }
  const clients: Json[] = realm.clients.filter((one: Json) => !own.test(one.clientId))
  const registered = new Set((await service.storage.clients.list()).map(({ id }) => id))
  const applications = clients
    .filter(({ clientId }) => registered.has(clientId))
    .map((one) => new Application(world, one))
  const named_ = (id: string) => applications.find((one) => one.id === id) ?? assert.fail(id)
  /** Those that sign people in. */
  const signingIn = applications.filter(({ client }) => client.standardFlowEnabled && client.redirectUris.length > 0)
  const signedIn = async (username: string) => {
    const person = known.people.find((one) => one.username === username) ?? assert.fail(username)
    const browser = new Browser({ issuer: service.address })
    const answer = await browser.signIn({ username, password: person.password ?? '' })
    assert.equal(answer.status, 302, username)
    assert.equal(await browser.userName(), username)
    return browser
  }
  const alice = await signedIn('alice')

  it('says of that system what its recorded tokens say', () => {
    const { tokens = {} } = known.people.find(({ username }) => username === 'alice') ?? assert.fail()
    for (const [id, recorded] of Object.entries(tokens)) {
      const there = tokensThere(realm, known.issuer, id, 'alice', String(recorded.access_token.scope).split(' '))
      assert.deepEqual(comparable(there.access), comparable(recorded.access_token), id)
      assert.deepEqual(comparable(there.id), comparable(recorded.id_token), id)
    }
    const { access } = tokensThere(realm, known.issuer, 'batch', 'service-account-batch', [], true)
    assert.deepEqual(comparable(access), comparable(known.batch))
    assert.equal(Object.keys(tokens).length, 3)
  })

  it('find the issuer and the endpoints where they were', async () => {
    const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Json
    assert.equal(metadata.issuer, issuer)
    const below = `${issuer}/protocol/openid-connect`
    const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri, end_session_endpoint } = metadata
    assert.deepEqual(
      [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri, end_session_endpoint],
      ['auth', 'token', 'userinfo', 'certs', 'logout'].map((path) => `${below}/${path}`),
    )
    for (const [name, path] of [
      ['introspection', 'token/introspect'],
      ['revocation', 'revoke'],
      ['device_authorization', 'auth/device'],
      ['pushed_authorization_request', 'ext/par/request'],
    ]) {
      assert.equal(metadata[`${name}_endpoint`], `${below}/${path}`)
    }
    // Named for the application that had it.
    assert.equal(metadata.backchannel_authentication_endpoint, undefined)
    assert.equal((await fetch(`${below}/ext/ciba/auth`, { method: 'POST' })).status, 404)
    assert.ok(notes('lost', 'client', 'exchange', 'attributes.oidc.ciba.grant.enabled'))
  })

  it('are there, or are named with the reason', async () => {
    const missing = clients.filter(({ clientId }) => !registered.has(clientId))
    const reasons: Record<string, readonly string[]> = {
      'Buchhaltung München': ['clientId'],
      'https://wiki.acme.example/saml': ['protocol'],
      'legacy-dag': ['standardFlowEnabled', 'directAccessGrantsEnabled'],
      'legacy-implicit': ['standardFlowEnabled', 'implicitFlowEnabled'],
      // There it could do nothing either.
      'switched-off': ['enabled'],
    }
    assert.deepEqual(missing.map(({ clientId }) => clientId).sort(), Object.keys(reasons).sort())
    for (const one of missing) {
      const id = one.clientId
      for (const member of reasons[id] ?? []) assert.ok(notes('lost', 'client', id, member), `${id} ${member}`)
      const app = new Application(world, one)
      const asked = await app.authorize(
        alice,
        app.request({ redirect_uri: app.redirects[0] ?? 'https://x.example/' }).fields,
      )
      assert.equal(asked.status, 400, id)
      const fields = { username: 'bob', password: "bob's password at Keycloak" }
      const proof = one.publicClient ? { fields: { client_id: id }, headers: {} } : await app.proof('post')
      assert.notEqual((await app.token({ grant_type: 'password', ...fields }, proof)).status, 200, id)
    }
    assert.equal(applications.length, 28)
    assert.equal(signingIn.length, 24)
  })

  for (const app of signingIn) {
    it(`get the tokens of before: ${app.id}`, async () => {
      const isShop = app.id === 'shop'
      const scope = isShop ? 'openid offline_access orders:read' : 'openid'
      const issued = await app.tokens(alice, { scope })
      const info = await app.userinfo(issued.access)
      assert.equal(info.status, 200)
      assert.equal(info.type, app.says('user.info.response.signature.alg') ? 'application/jwt' : 'application/json')
      assert.equal(headerOf(issued.access).typ, 'JWT')
      assert.equal(headerOf(issued.id).alg, app.says('id.token.signed.response.alg') ?? 'RS256')
      const there = tokensThere(realm, issuer, app.id, 'alice', scope.split(' '))
      const found = { id: claimsOf(issued.id), access: claimsOf(issued.access), userinfo: info.claims }
      for (const place of ['id', 'access', 'userinfo'] as const) {
        const here = expectedHere(place, there[place], { client: app.client, realm, issuer }, named)
        for (const key of here.seen) seen.add(key)
        const [is, was] = [comparable(found[place]), comparable(here.claims)]
        for (const [claim, value] of Object.entries(was))
          assert.deepEqual(is[claim], value, `${app.id} ${place} ${claim}`)
        const more = Object.keys(is).filter((claim) => !Object.hasOwn(was, claim) && !added[place].includes(claim))
        assert.deepEqual(more, [], `${app.id} ${place}`)
      }
      const seconds = Number(app.says('access.token.lifespan') ?? realm.accessTokenLifespan)
      for (const { exp, iat, sid, auth_time } of [found.id, found.access]) {
        assert.deepEqual([exp - iat, sid, auth_time], [seconds, found.id.sid, found.id.auth_time])
        assert.equal(typeof sid, 'string')
      }
      assert.deepEqual([issued.body.expires_in, found.id.nonce], [seconds, 'nonce-1'])
      assert.equal(issued.body.token_type, app.dpop === undefined ? 'Bearer' : 'DPoP')
      assert.deepEqual(found.access.cnf?.jkt, app.dpop?.thumbprint)
      const isBound = app.says('tls.client.certificate.bound.access.tokens') === 'true'
      assert.equal(typeof found.access.cnf?.['x5t#S256'], isBound ? 'string' : 'undefined')
    })
  }

  it('may send people where they did, and nowhere else', async () => {
    for (const app of signingIn) {
      for (const redirect_uri of app.redirects) {
        const { location, status } = await app.code(alice, { redirect_uri })
        assert.ok(location.searchParams.has('code'), `${app.id} ${status} ${location.href}`)
        assert.ok(
          location.href.startsWith(redirect_uri.replace('app:/', 'app:')) || location.href.startsWith(redirect_uri),
          location.href,
        )
        assert.deepEqual([location.searchParams.get('state'), location.searchParams.get('iss')], ['state-1', issuer])
        assert.ok(location.searchParams.has('session_state'), app.id)
      }
      for (const redirect_uri of [`${app.redirect}/more`, `${app.redirect}?x=1`, 'https://evil.example/callback']) {
        const { fields } = app.request({ redirect_uri })
        const asked = await (app.pushes
          ? app.token(fields, undefined, 'ext/par/request')
          : app.authorize(alice, fields))
        assert.equal(asked.status, 400, `${app.id} ${redirect_uri}`)
      }
    }
    const mobile = named_('mobile')
    for (const redirect_uri of ['http://127.0.0.1:51234/callback', 'http://localhost:51234/callback']) {
      assert.ok((await mobile.code(alice, { redirect_uri })).location.searchParams.has('code'), redirect_uri)
    }
    const other = await named_('web').authorize(
      alice,
      named_('web').request({ redirect_uri: 'http://127.0.0.1:7299/callback' }).fields,
    )
    assert.equal(other.status, 400)
    // The wildcard became addresses of the operator's list.
    const { fields } = named_('spa-wild').request({ redirect_uri: 'http://127.0.0.1:7201/other' })
    assert.equal((await named_('spa-wild').authorize(alice, fields)).status, 400)
    assert.ok(notes('changed', 'client', 'spa-wild', 'redirectUris'))
  })

  it('have to keep what they had to keep there: PKCE, pushed requests, proofs of a key, no implicit grant', async () => {
    for (const app of signingIn) {
      const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }
      const demands = app.says('pkce.code.challenge.method') === 'S256'
      if (app.pushes) {
        const plain = await app.authorize(alice, app.request().fields, false)
        assert.equal(locationOf(plain).searchParams.get('error') ?? plain.status, 'invalid_request', app.id)
        const pushed = await app.token(app.request(withoutPkce).fields, undefined, 'ext/par/request')
        assert.deepEqual([pushed.status, pushed.body.error], [400, 'invalid_request'], app.id)
      } else {
        const { location } = await app.code(alice, withoutPkce)
        assert.equal(
          location.searchParams.get('error'),
          demands ? 'invalid_request' : null,
          `${app.id} ${location.href}`,
        )
        if (!demands) await app.tokens(alice, withoutPkce)
        for (const response_type of ['token', 'id_token token', 'code id_token']) {
          const implicit = await app.authorize(alice, app.request({ response_type }).fields)
          const { searchParams, hash } = locationOf(implicit)
          const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
          assert.equal(error, 'unsupported_response_type', `${app.id} ${response_type} ${locationOf(implicit).href}`)
        }
      }
      // A challenge that was sent holds.
      const { location, fields } = await app.code(alice)
      const code = location.searchParams.get('code') ?? ''
      const wrong = { grant_type: 'authorization_code', code, redirect_uri: fields.redirect_uri ?? '' }
      const answer = await app.token({ ...wrong, code_verifier: 'x'.repeat(43) })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'], app.id)
    }
    const strict = named_('strict')
    const { location, verifier, fields } = await strict.code(alice)
    const { fields: shown, headers } = await strict.proof()
    const without = await postToken(
      service,
      {
        ...{ grant_type: 'authorization_code', code: location.searchParams.get('code') ?? '', code_verifier: verifier },
        ...{ redirect_uri: fields.redirect_uri ?? '', ...shown },
      },
      headers,
      strict.at('token'),
    )
    assert.deepEqual([without.status, without.body.error], [400, 'invalid_dpop_proof'])
  })

  it('get no scope that they may not request; there the request failed, which is named', async () => {
    for (const app of signingIn) {
      const { access } = await app.tokens(alice, { scope: 'openid not-a-scope admin:write Reports orders:read' })
      const scopes = String(claimsOf(access).scope).split(' ')
      const may = [...app.client.defaultClientScopes, ...app.client.optionalClientScopes]
      assert.deepEqual(
        [
          scopes.includes('not-a-scope'),
          scopes.includes('admin:write'),
          scopes.includes('orders:read'),
          scopes.includes('Reports'),
        ],
        [false, false, may.includes('orders:read'), may.includes('Reports')],
        app.id,
      )
    }
    assert.ok(notes('changed', 'realm', 'acme', 'clientScopes'))
    const asked = await named_('web').tokens(alice, { scope: 'openid microprofile-jwt organization' })
    const { upn, groups, organization } = claimsOf(asked.access)
    assert.deepEqual([upn, groups, organization], [undefined, undefined, undefined])
    assert.ok(notes('lost', 'scope', 'microprofile-jwt', 'protocolMappers'))
    assert.ok(notes('lost', 'organization', 'customer1', ''))
  })

  it('prove who they are as they did there, and in no weaker way', async () => {
    const confidential = applications.filter(({ client }) => !client.publicClient)
    const grant = { grant_type: 'refresh_token', refresh_token: 'none' }
    /** What the token endpoint says of the client: it is, or is not, who it says. */
    const isKnown = async (app: Application, ...proof: Parameters<Application['proof']>): Promise<boolean> => {
      const { status, body } = await app.token(grant, await app.proof(...proof))
      assert.ok([400, 401].includes(status), `${app.id} ${status}`)
      return body.error !== 'invalid_client'
    }
    for (const app of confidential) {
      assert.ok(await isKnown(app), app.id)
      const isBySecret = app.method === 'client-secret'
      assert.deepEqual(
        [await isKnown(app, 'client-secret'), await isKnown(app, 'post')],
        [isBySecret, isBySecret],
        app.id,
      )
      if (isBySecret) assert.ok(!(await isKnown(app, 'post', 'wrong')), app.id)
      if (app.method === 'client-secret-jwt')
        assert.ok(!(await isKnown(app, 'client-secret-jwt', `${world.secretOf(app.id)}x`)))
      assert.ok(!(await isKnown(app, 'none')), app.id)
      if (app.method !== 'client-jwt') assert.ok(!(await isKnown(app, 'client-jwt')), app.id)
    }
    assert.equal(confidential.length, 23)
    const rotated = named_('web-rotated')
    assert.ok(await isKnown(rotated, 'post', known.clients['web-rotated']?.before))
    const mtls = named_('web-mtls')
    const fake = await mtls.token(grant, {
      fields: { client_id: 'web-mtls' },
      headers: { [certificateHeader]: certificateOf('web-mtls', 'Evil', service.now()) },
    })
    assert.equal(fake.body.error, 'invalid_client')
    for (const { id, client } of applications.filter((one) => one.client.publicClient)) {
      const secret = { fields: { client_id: id, client_secret: 'guessed' }, headers: {} }
      assert.equal((await new Application(world, client).token(grant, secret)).body.error, 'invalid_client', id)
    }
  })

  it('get refresh tokens where they did, and new ones of their own where that is named', async () => {
    for (const app of signingIn) {
      const { refresh, id } = await app.tokens(alice, { scope: 'openid' })
      const gives = app.says('use.refresh.tokens') !== 'false'
      assert.equal(refresh !== undefined, gives, app.id)
      if (!gives) continue
      const again = await app.refresh(refresh)
      assert.equal(again.status, 200, `${app.id} ${JSON.stringify(again.body)}`)
      const next = issuedOf(again)
      const there = claimsOf(id)
      const { sub, sid, aud, exp, iat } = claimsOf(next.id)
      assert.deepEqual([sub, sid, aud, exp - iat], [there.sub, there.sid, there.aud, there.exp - there.iat], app.id)
      const rotates = next.refresh !== undefined && next.refresh !== refresh
      const isNamed = named.has(`changed client ${app.id} publicClient`)
      assert.equal(rotates, isNamed, app.id)
      if (rotates) notes('changed', 'client', app.id, 'publicClient')
      else assert.equal((await app.refresh(refresh)).status, 200, app.id)
      // RFC 7009: what is revoked is over.
      const last = next.refresh ?? refresh ?? ''
      assert.equal((await app.token({ token: last }, undefined, 'revoke')).status, 200, app.id)
      assert.equal((await app.refresh(last)).body.error, 'invalid_grant', app.id)
    }
  })

  it('ask what tokens are, as clients and as an API', async () => {
    for (const app of signingIn.filter(({ client }) => !client.publicClient)) {
      const { access } = await app.tokens(alice)
      const told = await app.token({ token: access }, undefined, 'token/introspect')
      assert.deepEqual([told.status, told.body.active, told.body.sub], [200, true, claimsOf(access).sub], app.id)
      assert.equal(told.body.client_id, app.id)
    }
    const api = new Application(world, clientOf(realm, 'api-bearer'))
    const { access } = await named_('shop').tokens(alice)
    const asked = await api.token({ token: access }, undefined, 'token/introspect')
    assert.deepEqual([asked.body.active, asked.body.username ?? asked.body.preferred_username], [true, 'alice'])
    const other = await api.token({ token: (await named_('web').tokens(alice)).access }, undefined, 'token/introspect')
    assert.equal(other.body.active, false)
    assert.ok(notes('changed', 'realm', 'acme', 'clients'))
    assert.equal((await api.token({ grant_type: 'client_credentials' })).status, 200)
    assert.ok(notes('changed', 'client', 'api-bearer', 'bearerOnly'))
  })

  it('let scripts of their own origins read answers, and no others', async () => {
    for (const app of applications) {
      const origins = originsOf(app.client)
      for (const [origin, isOwn] of [
        ...origins.map((one) => [one, true] as const),
        ['https://evil.example', false] as const,
      ]) {
        const asked = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        }
        const preflight = await fetch(app.at('token'), { method: 'OPTIONS', headers: asked })
        assert.equal(preflight.headers.get('access-control-allow-origin') === origin, isOwn, `${app.id} ${origin}`)
        const { fields, headers } = await app.proof()
        const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none', ...fields })
        const answer = await fetch(app.at('token'), { method: 'POST', headers: { ...headers, origin }, body })
        assert.equal(answer.headers.get('access-control-allow-origin'), isOwn ? origin : null, `${app.id} ${origin}`)
      }
    }
    // Of another application.
    const { fields, headers } = await named_('web').proof()
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none', ...fields })
    const answer = await fetch(named_('web').at('token'), {
      method: 'POST',
      headers: { ...headers, origin: 'http://127.0.0.1:7201' },
      body,
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })

  it('act for themselves where they did, and have no password grant', async () => {
    const acting: string[] = []
    for (const app of applications) {
      const { status, body } = await app.token({ grant_type: 'client_credentials' })
      const may = app.client.serviceAccountsEnabled || app.client.bearerOnly
      assert.equal(status === 200, may, `${app.id} ${JSON.stringify(body)}`)
      if (!may) assert.equal(body.error, app.client.publicClient ? 'invalid_request' : 'unauthorized_client', app.id)
      else if (app.client.serviceAccountsEnabled) {
        acting.push(app.id)
        const claims = claimsOf(body.access_token)
        const account = realm.users.find((one: Json) => one.serviceAccountClientId === app.id)
        const there = tokensThere(realm, issuer, app.id, account.username, [], true).access as Json
        const isHeld = notes('lost', 'client', app.id, 'serviceAccountsEnabled')
        assert.equal(claims.sub, isHeld ? app.id : there.sub, app.id)
        assert.deepEqual([claims.iss, claims.typ, claims.azp, claims.client_id], [issuer, 'Bearer', app.id, app.id])
        assert.equal(claims.exp - claims.iat, 300)
        const roles = there.realm_access.roles.filter((role: string) => !isOwnRole(role))
        const scopes = (text: string) => text.split(' ').sort()
        const here = app.id === 'shop' ? `${there.scope} shop-audience` : there.scope
        assert.deepEqual(scopes(claims.scope), scopes(here), app.id)
        if (app.id === 'shop') assert.deepEqual([claims.aud].flat(), ['api-bearer'])
        assert.deepEqual(claims.realm_access?.roles, isHeld || roles.length === 0 ? undefined : roles, app.id)
        assert.deepEqual(
          [claims.clientHost, claims.clientAddress, claims.preferred_username],
          [undefined, undefined, undefined],
        )
        assert.ok(notes('changed', 'client', app.id, 'serviceAccountsEnabled'), app.id)
      }
      const asked = { grant_type: 'password', username: 'alice', password: "alice's password at Keycloak" }
      assert.equal((await app.token(asked)).body.error, 'unsupported_grant_type', app.id)
    }
    assert.deepEqual(acting, ['batch', 'shop', 'web-box-ticked'])
    assert.ok(notes('lost', 'scope', 'service_account', 'protocolMappers'))
    assert.ok(notes('lost', 'client', 'web-box-ticked', 'directAccessGrantsEnabled'))
    assert.ok(notes('changed', 'client', 'web-box-ticked', 'standardFlowEnabled'))
    assert.equal(
      claimsOf((await named_('batch').token({ grant_type: 'client_credentials' })).body.access_token).sub ===
        known.batchServiceAccount,
      !named.has('lost client batch serviceAccountsEnabled'),
    )
  })

  it('sign devices in, and exchange tokens, where they did', async () => {
    for (const app of applications) {
      const { status, body } = await app.token({ scope: 'openid' }, undefined, 'auth/device')
      const may = app.says('oauth2.device.authorization.grant.enabled') === 'true'
      assert.equal(status === 200, may, `${app.id} ${JSON.stringify(body)}`)
      if (!may) continue
      assert.deepEqual(
        [body.expires_in, body.interval],
        [realm.oauth2DeviceCodeLifespan, realm.oauth2DevicePollingInterval],
      )
      const answered = await alice.submit('/Account/Device', { user_code: body.user_code, 'submit.Accept': 'Yes' })
      assert.equal(answered.status, 303)
      const issued = await app.token({ grant_type: deviceGrant, device_code: body.device_code })
      assert.equal(issued.status, 200, JSON.stringify(issued.body))
      const there = tokensThere(realm, issuer, app.id, 'alice', ['openid'])
      const here = expectedHere('access', there.access, { client: app.client, realm, issuer }, named)
      for (const key of here.seen) seen.add(key)
      const is = comparable(claimsOf(issued.body.access_token))
      for (const [claim, value] of Object.entries(comparable(here.claims))) assert.deepEqual(is[claim], value, claim)
      const again = await app.refresh(issued.body.refresh_token)
      assert.equal(again.status, 200)
      assert.notEqual(again.body.refresh_token, issued.body.refresh_token)
      assert.ok(notes('changed', 'client', app.id, 'publicClient'))
    }
    const { access } = await named_('web').tokens(alice)
    for (const app of applications.filter(({ client }) => !client.publicClient)) {
      const asked = { subject_token: access, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
      const { status, body } = await app.token({ grant_type: exchangeGrant, ...asked })
      const may = app.says('standard.token.exchange.enabled') === 'true'
      assert.notEqual(status, 200, app.id)
      if (!may) assert.equal(body.error, 'unauthorized_client', app.id)
    }
    assert.ok(notes('changed', 'client', 'exchange', 'attributes.standard.token.exchange.enabled'))
  })

  it('ask for a consent where they did, and not for one that was given there', async () => {
    for (const app of signingIn) {
      const browser = app.client.consentRequired ? await signedIn('bob') : alice
      const { hasAsked } = await app.code(browser)
      assert.equal(hasAsked, app.client.consentRequired, app.id)
      assert.equal((await app.code(browser)).hasAsked, false, app.id)
    }
    const before = await signedIn('consents')
    assert.equal((await named_('partner').code(before)).hasAsked, false)
  })

  /** Where a sign-out with these fields leads, and whether the person is still signed in. */
  async function signOut(app: Application, browser: Browser, fields: Readonly<Record<string, string>>) {
    const answer = await browser.get(`${app.at('logout')}?${new URLSearchParams(fields)}`)
    return { location: locationOf(answer), isIn: (await browser.userName()) !== undefined }
  }

  it('sign people out without asking, and lead back to the addresses that they had', async () => {
    let addresses = 0
    for (const app of signingIn) {
      for (const address of app.logoutAddresses) {
        addresses += 1
        const browser = await signedIn('alice')
        const { id, refresh } = await app.tokens(browser)
        const { refresh: offline } = await app.tokens(browser, { scope: 'openid offline_access' })
        const fields = { id_token_hint: id, post_logout_redirect_uri: address, state: 's-1' }
        const { location, isIn } = await signOut(app, browser, fields)
        const back = new URL(address)
        back.searchParams.set('state', 's-1')
        assert.deepEqual([location.href, isIn], [back.href, false], `${app.id} ${address}`)
        // The session is over, and the refresh tokens with it that are for its time alone.
        assert.equal((await app.refresh(refresh)).body.error, 'invalid_grant', app.id)
        assert.equal((await app.refresh(offline)).status, 200, app.id)
      }
      const { id } = await app.tokens(alice)
      for (const address of ['https://evil.example/', 'http://127.0.0.1:7299/']) {
        const { location, isIn } = await signOut(app, alice, { id_token_hint: id, post_logout_redirect_uri: address })
        assert.ok(!location.href.startsWith(address), `${app.id} ${location.href}`)
        assert.ok(isIn, app.id)
      }
      const unasked = await signOut(app, alice, { client_id: app.id })
      assert.deepEqual([unasked.location.pathname, unasked.isIn], ['/Account/Logout', true], app.id)
    }
    assert.equal(addresses, 8)
    assert.ok(notes('changed', 'client', 'web-logout-wild', 'attributes.post.logout.redirect.uris'))
  })

  it('hear of a sign-out where they did: by a logout token, or in a frame', async (t) => {
    const web = named_('web')
    const heard: Json[] = []
    const listener = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      heard.push({ path: request.url, token: new URLSearchParams(text).get('logout_token') })
      response.end()
    })
    const { hostname, port, pathname } = new URL(web.says('backchannel.logout.url') ?? '')
    await new Promise<void>((listening) => listener.listen(Number(port), hostname, listening))
    t.after(() => listener.close())
    const browser = await signedIn('alice')
    const [{ id }, front] = [await web.tokens(browser), await named_('front').tokens(browser)]
    const page = await browser.get(`${web.at('logout')}?${new URLSearchParams({ id_token_hint: id })}`)
    assert.equal(await browser.userName(), undefined)
    const frames = [...(await page.text()).matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(
      ([, src = '']) => new URL(src.replaceAll('&amp;', '&')),
    )
    assert.deepEqual(
      frames.map(({ origin, pathname, searchParams }) => [
        origin + pathname,
        searchParams.get('iss'),
        searchParams.get('sid'),
      ]),
      [[named_('front').says('frontchannel.logout.url'), issuer, claimsOf(front.id).sid]],
    )
    await senderOf(service).drain()
    const { sub: whom, sid: session } = claimsOf(id)
    const tokens = heard.filter(({ path }) => path === pathname).map(({ token }) => claimsOf(token))
    const told = tokens.filter((one) => one.sid === session)
    assert.equal(told.length, 1)
    const { iss, aud, sub, sid, events } = told[0]
    assert.deepEqual([iss, [aud].flat(), sub, sid], [issuer, ['web'], whom, session])
    assert.ok('http://schemas.openid.net/event/backchannel-logout' in events)
    assert.equal(claimsOf(front.id).sid, session)
  })

  it('keep people signed in for as long as they did', async () => {
    const held: { readonly app: Application; refresh: string; readonly isOffline: boolean }[] = []
    for (const app of signingIn) {
      for (const scope of ['openid', 'openid offline_access']) {
        const { refresh } = await app.tokens(await signedIn('alice'), { scope, prompt: undefined })
        if (refresh !== undefined) held.push({ app, refresh, isOffline: scope.includes('offline') })
      }
    }
    const idle = realm.ssoSessionIdleTimeout
    const refreshAll = async (isGood: (one: (typeof held)[number]) => boolean) => {
      for (const one of held) {
        const answer = await one.app.refresh(one.refresh)
        assert.equal(
          answer.status === 200,
          isGood(one),
          `${one.app.id} ${one.isOffline} ${JSON.stringify(answer.body)}`,
        )
        if (answer.status === 200) one.refresh = answer.body.refresh_token ?? one.refresh
      }
    }
    service.advance(idle - 60)
    await refreshAll(() => true)
    service.advance(idle - 60)
    const lasts = Number(named_('lifespan').says('client.session.max.lifespan'))
    assert.ok(2 * (idle - 60) < lasts)
    await refreshAll(() => true)
    service.advance(idle + 60)
    // There those with offline_access lived on, which is named.
    await refreshAll(() => false)
    assert.ok(notes('changed', 'realm', 'acme', 'offlineSessionIdleTimeout'))
    assert.ok(notes('changed', 'client', 'lifespan', 'attributes.client.offline.session.idle.timeout'))
    assert.equal(held.length, 46)
    const days = Number(named_('web-rotated').says('client.secret.rotated.expiration.time')) - service.now() / 1000
    service.advance(days + 1)
    const proof = await named_('web-rotated').proof('post', known.clients['web-rotated']?.before)
    assert.equal(
      (await named_('web-rotated').token({ grant_type: 'refresh_token', refresh_token: 'none' }, proof)).body.error,
      'invalid_client',
    )
  })

  it('differ in nothing that the report does not name, and in all that it names', () => {
    const kinds = ['client', 'mapper', 'scope', 'organization']
    /** What no request shows. */
    const unseen = [
      'lost client no-optional name',
      // Levels are the names of this installation, and no client asks for one.
      'lost client strict attributes.acr.loa.map',
    ]
    const said = findings.filter(({ kind, severity }) => kinds.includes(kind) && ['lost', 'changed'].includes(severity))
    const silent = said.map(keyOf).filter((key) => !seen.has(key) && !unseen.includes(key))
    assert.deepEqual(silent, [])
    for (const member of ['defaultRole', 'clientScopes', 'clients', 'offlineSessionIdleTimeout']) {
      assert.ok(seen.has(`changed realm acme ${member}`), member)
    }
  })
})
