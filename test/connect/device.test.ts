/** The device authorization grant (RFC 8628): the device's side, and the answer of the user. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { hashSecret } from '../../src/secrets/opaque.ts'
import type { Attribute } from '../../src/users/attributes.ts'
import { Browser, claimsOf, postToken, refreshFields, type TokenAnswer } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addUser, serviceForFile, startService, testClient, testScope } from '../support/service.ts'
import { textAttribute } from '../support/text-attribute.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const tv = testClient({
  id: 'tv',
  name: 'Television',
  grantTypes: [grantType, 'refresh_token'],
  redirectUris: [],
  postLogoutRedirectUris: [],
})

const service = await serviceForFile()
const { clients } = service.storage
await clients.create(tv)
await clients.create({ ...tv, id: 'other-tv' })
await clients.create({ ...tv, id: 'own-tv', consent: 'implicit' })
await clients.create({ ...tv, id: 'closed-tv', authentication: bySecret(hashSecret('right')) })
await addUser(service, 'bob')
const browser = await Browser.signedIn(service)
// The budget for wrong codes is that of a minute.
beforeEach(() => service.advance(60))

type Codes = {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

const begin = (change: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> =>
  postToken(service, { client_id: 'tv', scope: 'openid offline_access demo_api', ...change }, {}, 'connect/device')
const codes = async (change: Readonly<Record<string, string>> = {}): Promise<Codes> => (await begin(change)).body
const poll = (deviceCode: string, change: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> =>
  postToken(service, { grant_type: grantType, client_id: 'tv', device_code: deviceCode, ...change })
const answer = (userCode: string, button: 'Accept' | 'Deny' = 'Accept', by = browser): Promise<Response> =>
  by.submit('/Account/Device', { user_code: userCode, [`submit.${button}`]: 'Yes' })
const context = async (userCode: string, by = browser) => {
  const response = await by.get(`/Account/DeviceContext?${new URLSearchParams({ user_code: userCode })}`)
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the service under test can hold anything
  return { status: response.status, body: (await response.json()) as any }
}
const locationOf = (response: Response): string => response.headers.get('location') ?? ''

function assertRefused(answered: TokenAnswer, error: string, id: string, status = 400): void {
  assert.deepEqual([answered.status, answered.body.error], [status, error])
  assert.match(answered.body.error_uri, new RegExp(`#${id}$`))
}

describe('POST /connect/device (RFC 8628 §3.1)', () => {
  it('gives both codes, and where the user enters one (§3.2)', async () => {
    const { status, headers, body } = await begin()
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { device_code, user_code, ...others } = body
    assert.match(device_code, /^[A-Za-z0-9_-]{64}$/)
    assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.deepEqual(others, {
      verification_uri: `${service.issuer}Account/Device`,
      verification_uri_complete: `${service.issuer}Account/Device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('gives every request its own codes, and stores neither as it is', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => codes()))
    assert.equal(new Set(many.map(({ user_code }) => user_code)).size, 20)
    assert.equal(new Set(many.map(({ device_code }) => device_code)).size, 20)
  })

  it('authenticates the client as it is registered', async () => {
    assertRefused(await begin({ client_id: 'closed-tv' }), 'invalid_client', 'ID2198', 401)
    assertRefused(await begin({ client_id: 'closed-tv', client_secret: 'wrong' }), 'invalid_client', 'ID2055', 401)
    assert.equal((await begin({ client_id: 'closed-tv', client_secret: 'right' })).status, 200)
    assertRefused(await begin({ client_id: 'nobody' }), 'invalid_client', 'ID2052', 401)
    assertRefused(await begin({ client_id: '' }), 'invalid_client', 'ID2029', 401)
  })

  it('refuses a client that is not registered for the grant type, and scopes that the client may not request', async () => {
    assertRefused(await begin({ client_id: 'demo' }), 'unauthorized_client', 'ID2056')
    assertRefused(await begin({ scope: 'nothing' }), 'invalid_scope', 'ID2052')
  })

  it('bounds the requests of an address', async () => {
    await using own = await startService()
    await own.storage.clients.create(tv)
    const fields = { client_id: 'tv' }
    let last: TokenAnswer | undefined
    for (let at = 0; at < 301; at += 1) last = await postToken(own, fields, {}, 'connect/device')
    assert.equal(last?.status, 429)
    assert.ok(Number(last?.headers.get('retry-after')) > 0)
    own.advance(60)
    assert.equal((await postToken(own, fields, {}, 'connect/device')).status, 200)
  })
})

describe('polling (RFC 8628 §3.4, §3.5)', () => {
  it('waits for the fields that an operator requires of the user, which are asked for before the device gets tokens', async () => {
    const change = (after: Attribute | undefined) =>
      service.storage.attributes.change(() => ({ changes: [{ name: 'team', after }] }))
    await change(textAttribute('team', { required: true }))
    const { device_code, user_code } = await codes()
    const page = `/Account/Device?user_code=${user_code}`
    assert.equal(locationOf(await answer(user_code)), `/Account/Complete?${new URLSearchParams({ ReturnUrl: page })}`)
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
    assert.equal((await browser.self('PATCH', '', { attributes: { team: 'blue' } })).status, 200)
    assert.equal(locationOf(await answer(user_code)), '/Account/Device?outcome=allowed')
    service.advance(60)
    assert.equal((await poll(device_code)).status, 200)
    await change(undefined)
  })

  it('waits for the user, then gives the tokens of a normal grant', async () => {
    const { device_code, user_code } = await codes()
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
    assert.equal(locationOf(await answer(user_code)), '/Account/Device?outcome=allowed')
    const { status, body } = await poll(device_code)
    assert.equal(status, 200)
    assert.equal(body.scope, 'openid offline_access demo_api')
    const alice = await service.storage.users.findByName('alice')
    const access = claimsOf(body.access_token)
    assert.deepEqual([access.sub, access.client_id, claimsOf(body.id_token).aud], [alice?.id, 'tv', 'tv'])
    assert.equal('nonce' in claimsOf(body.id_token), false)
    const refreshed = await postToken(service, { ...refreshFields(body.refresh_token), client_id: 'tv' })
    assert.equal(refreshed.status, 200)
    const { grant } = await service.storage.grants.findForRefresh(access.grant_id, 'tv')
    assert.ok(grant?.sessionId)
    assert.ok(grant.authorizationId, 'the consent is stored')
  })

  it('tells a device that polls too often to slow down, by five seconds each time', async () => {
    const { device_code } = await codes()
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
    assertRefused(await poll(device_code), 'slow_down', 'ID9221')
    service.advance(5)
    assertRefused(await poll(device_code), 'slow_down', 'ID9221')
    service.advance(15)
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
    service.advance(14)
    assertRefused(await poll(device_code), 'slow_down', 'ID9221')
  })

  it('costs one read, and writes nothing while the user has not answered', async () => {
    const { device_code } = await codes()
    const { deviceCodes } = service.storage
    const before = await deviceCodes.findForPoll(device_code, 'tv')
    for (let at = 0; at < 5; at += 1) await poll(device_code)
    assert.deepEqual(await deviceCodes.findForPoll(device_code, 'tv'), before)
  })

  it('says that the user denied, and that the codes have expired', async () => {
    const denied = await codes()
    assert.equal(locationOf(await answer(denied.user_code, 'Deny')), '/Account/Device?outcome=denied')
    assertRefused(await poll(denied.device_code), 'access_denied', 'ID2015')
    const late = await codes()
    const approved = await codes()
    await answer(approved.user_code)
    service.advance(600)
    assertRefused(await poll(late.device_code), 'expired_token', 'ID2017')
    assertRefused(await poll(approved.device_code), 'expired_token', 'ID2017')
    assert.equal(locationOf(await answer(late.user_code)), '/Account/Device?error=code_unknown')
  })

  it('gives tokens once, however many polls race', async () => {
    const { device_code, user_code } = await codes()
    await answer(user_code)
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(device_code)))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const one of answers.filter((each) => each !== won[0])) assertRefused(one, 'invalid_grant', 'ID2011')
    const headers = { authorization: `Bearer ${won[0]?.body.access_token}` }
    assert.equal((await fetch(new URL('connect/userinfo', service.issuer), { headers })).status, 200)
    assertRefused(await poll(device_code), 'invalid_grant', 'ID2011')
  })

  it('refuses a device code of another client, a changed one, a user code and an authorization code', async () => {
    const { device_code, user_code } = await codes()
    await answer(user_code)
    assertRefused(await poll(device_code, { client_id: 'other-tv' }), 'invalid_grant', 'ID2070')
    const changed = `${device_code.slice(0, -1)}${device_code.endsWith('A') ? 'E' : 'A'}`
    for (const wrong of [changed, user_code, 'x', device_code.slice(0, 32), `${device_code}A`]) {
      assertRefused(await poll(wrong), 'invalid_grant', 'ID2002')
    }
    assertRefused(await poll(''), 'invalid_request', 'ID2058')
    assert.equal((await poll(device_code)).status, 200, 'nobody else used it up')
  })

  it('gives nothing when the account was locked, or the consent withdrawn, after the answer', async () => {
    const { users, authorizations } = service.storage
    const bob = await users.findByName('bob')
    assert.ok(bob)
    const byBob = await Browser.signedIn(service, { username: 'bob' })
    const first = await codes()
    await answer(first.user_code, 'Accept', byBob)
    for (const { id } of await authorizations.list(bob.id)) await authorizations.revoke(id)
    assertRefused(await poll(first.device_code), 'invalid_grant', 'ID2020')
    const second = await codes()
    await answer(second.user_code, 'Accept', byBob)
    await users.update(bob.id, (user) => ({ ...user, disabled: true }))
    assertRefused(await poll(second.device_code), 'invalid_grant', 'ID2024')
    const third = await codes()
    assert.match(locationOf(await answer(third.user_code, 'Accept', byBob)), /^\/Account\/Login\?ReturnUrl=/)
    assertRefused(await poll(third.device_code), 'authorization_pending', 'ID2014')
  })

  it('ends with the client and with its permission', async () => {
    await service.storage.clients.create({ ...tv, id: 'brief-tv' })
    const { device_code, user_code } = await codes({ client_id: 'brief-tv' })
    await service.storage.clients.update('brief-tv', (client) => ({ ...client, grantTypes: ['refresh_token'] }))
    assert.equal((await context(user_code)).body.error, 'code_unknown')
    assertRefused(await poll(device_code, { client_id: 'brief-tv' }), 'unauthorized_client', 'ID2064')
    await service.storage.clients.delete('brief-tv')
    await service.storage.clients.create({ ...tv, id: 'brief-tv' })
    assertRefused(await poll(device_code, { client_id: 'brief-tv' }), 'invalid_grant', 'ID2002')
  })
})

describe('what a device may ask for besides scopes', () => {
  const [mail, files] = ['https://mail.example/', 'https://files.example/']

  it('are resources of its scopes, narrowed by the poll at most (RFC 8707 §2)', async () => {
    await service.storage.scopes.create(testScope('mail', { resources: [mail] }))
    await service.storage.scopes.create(testScope('files', { resources: [files] }))
    await service.storage.clients.create({ ...tv, id: 'api-tv', scopes: ['mail', 'files'] })
    const request = { client_id: 'api-tv', scope: 'mail files' }
    assertRefused(await begin({ ...request, resource: 'https://other.example/' }), 'invalid_target', 'ID2190')
    const narrow = await codes({ ...request, resource: mail })
    await answer(narrow.user_code)
    const wider = { client_id: 'api-tv', resource: files }
    assertRefused(await poll(narrow.device_code, wider), 'invalid_target', 'ID2190')
    const { body } = await poll(narrow.device_code, { client_id: 'api-tv' })
    assert.equal(claimsOf(body.access_token).aud, mail)
    const both = await codes(request)
    await answer(both.user_code)
    const one = await poll(both.device_code, wider)
    assert.equal(claimsOf(one.body.access_token).aud, files)
  })

  it('is a token that is bound to its key, with a refresh token that is, too (RFC 9449 §5)', async () => {
    const key = new DpopKey()
    const proof = () => ({ DPoP: key.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() }) })
    const { device_code, user_code } = await codes()
    await answer(user_code)
    const fields = { grant_type: grantType, client_id: 'tv', device_code }
    const { body } = await postToken(service, fields, proof())
    assert.deepEqual([body.token_type, claimsOf(body.access_token).cnf], ['DPoP', { jkt: key.thumbprint }])
    const refresh = { ...refreshFields(body.refresh_token), client_id: 'tv' }
    assert.equal((await postToken(service, refresh)).status, 400)
    assert.equal((await postToken(service, refresh, proof())).status, 200)
  })
})

describe('the answer of the user (RFC 8628 §3.3)', () => {
  it('is asked for with client, scopes and code, however the code is typed', async () => {
    const { user_code } = await codes()
    const letters = user_code.replace('-', '')
    for (const typed of [user_code, letters, letters.toLowerCase(), ` ${letters.slice(0, 2)}-${letters.slice(2)} `]) {
      const { status, body } = await context(typed)
      assert.equal(status, 200)
      assert.deepEqual(body.request.client, { id: 'tv', name: 'Television' })
      assert.deepEqual([body.request.code, body.user, body.error], [user_code, { name: 'alice' }, null])
      const names = body.request.scopes.map(({ name }: { name: string }) => name)
      assert.deepEqual(names, ['openid', 'offline_access', 'demo_api'])
    }
  })

  it('needs a session: without one nothing is told about a code', async () => {
    const { user_code } = await codes()
    const stranger = new Browser(service)
    assert.equal((await context(user_code, stranger)).status, 401)
    assert.match(locationOf(await answer(user_code, 'Accept', stranger)), /^\/Account\/Login\?ReturnUrl=/)
  })

  it('is asked for even where a consent is stored, or the client never asks for one', async () => {
    for (const client_id of ['tv', 'own-tv']) {
      const { device_code, user_code } = await codes({ client_id })
      assertRefused(await poll(device_code, { client_id }), 'authorization_pending', 'ID2014')
      await answer(user_code)
      assert.equal((await poll(device_code, { client_id })).status, 200)
    }
  })

  it('is taken once: a code that was answered is unknown from then on', async () => {
    const { device_code, user_code } = await codes()
    await answer(user_code, 'Deny')
    assert.equal(locationOf(await answer(user_code)), '/Account/Device?error=code_unknown')
    assert.equal((await context(user_code)).body.error, 'code_unknown')
    assertRefused(await poll(device_code), 'access_denied', 'ID2015')
  })

  it('is not taken from a forged form, or from one that presses both buttons or none', async () => {
    const { device_code, user_code } = await codes()
    const forged = { user_code, 'submit.Accept': 'Yes' }
    const response = await browser.post('/Account/Device', { ...forged, __RequestVerificationToken: 'forged' })
    assert.deepEqual([response.status, await response.text()], [400, ''])
    const without = await browser.post('/Account/Device', forged)
    assert.equal(without.status, 400)
    const both = await browser.submit('/Account/Device', { ...forged, 'submit.Deny': 'No' })
    assert.equal(both.status, 400)
    const none = await browser.submit('/Account/Device', { user_code })
    assert.equal(locationOf(none), `/Account/Device?user_code=${user_code}`)
    const byLink = await browser.get(`/Account/Device?${new URLSearchParams(forged)}`)
    assert.equal(byLink.status, 200)
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
  })

  it('is not to be guessed: after ten wrong codes in a minute an address gets no further answers (§5.1)', async () => {
    const { device_code, user_code } = await codes()
    let tries = 0
    while ((await context(`BCDF-${'BCDFGHJKLM'[tries % 10]}ZZZ`)).body.error !== 'too_many_tries') {
      tries += 1
      assert.ok(tries <= 10)
    }
    assert.equal(tries, 10)
    assert.equal((await context(user_code)).body.error, 'too_many_tries', 'the right code as well')
    const refused = await answer(user_code)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assertRefused(await poll(device_code), 'authorization_pending', 'ID2014')
    service.advance(60)
    assert.equal((await context(user_code)).body.request.code, user_code)
  })

  it('is not to be guessed by many requests at once either', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => context(`BCDFGHJ${'KLMNPQ'[at % 6]}`)))
    const looked = answers.filter(({ body }) => body.error === 'code_unknown')
    assert.ok(looked.length <= 10, `${looked.length} were looked up`)
  })

  it('leaves entries in the audit trail', async () => {
    const { user_code } = await codes()
    await answer(user_code)
    const kinds = ['device_started', 'device_approved']
    for (const kind of kinds) {
      const [entry] = await service.storage.audit.newest({ kind, clientId: 'tv' }, 1)
      assert.equal(entry?.clientId, 'tv', kind)
      assert.equal(JSON.stringify(entry).includes(user_code), false)
    }
  })
})

describe('a client with default_acr_values', () => {
  it('has acr in its tokens, as for an authorization request that names no class', async () => {
    const metadata = { ...tv.metadata, default_acr_values: ['mfa', '1'] }
    await clients.create({ ...tv, id: 'classed-tv', consent: 'implicit', metadata })
    for (const [scope, isNamed] of [
      ['openid demo_api', true],
      ['demo_api', false],
    ] as const) {
      const { device_code, user_code } = await codes({ client_id: 'classed-tv', scope })
      await answer(user_code)
      const { body } = await poll(device_code, { client_id: 'classed-tv' })
      assert.equal(claimsOf(body.access_token).acr, '1', scope)
      assert.equal(body.id_token === undefined ? undefined : claimsOf(body.id_token).acr, isNamed ? '1' : undefined)
    }
    const { device_code, user_code } = await codes()
    await answer(user_code)
    assert.equal(claimsOf((await poll(device_code)).body.access_token).acr, undefined)
  })
})

describe('the device flow with oauth4webapi', () => {
  it('works from the metadata to the tokens', async () => {
    const issuer = new URL(service.issuer)
    const insecure = { [oauth.allowInsecureRequests]: true } as const
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    assert.ok(server.grant_types_supported?.includes(grantType))
    const client: oauth.Client = { client_id: 'tv' }
    const parameters = new URLSearchParams({ scope: 'openid offline_access' })
    const started = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), parameters, insecure)
    const { device_code, user_code } = await oauth.processDeviceAuthorizationResponse(server, client, started)
    const ask = async () =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device_code, insecure),
      )
    await assert.rejects(ask(), (error: oauth.ResponseBodyError) => error.error === 'authorization_pending')
    await answer(user_code)
    const result = await ask()
    assert.ok(result.refresh_token)
    assert.equal(oauth.getValidatedIdTokenClaims(result)?.aud, 'tv')
  })
})

describe('a client that registered itself, and may use the grant by an operator', () => {
  it('counts as used once a user has allowed it', async () => {
    const { registrations } = service.storage
    const client = { ...tv, id: 'self-tv', metadata: { ...tv.metadata, registration: 'open' as const } }
    const times = { createdAtMs: service.now(), unusedUntilMs: service.now() + 60_000 }
    const registration = { id: 'registration', clientId: client.id, secretHash: hashSecret('any'), ...times }
    await registrations.register(() => client, registration, null, service.now())
    const { user_code } = await codes({ client_id: client.id })
    assert.equal((await registrations.find('registration'))?.registration.unusedUntilMs, times.unusedUntilMs)
    await answer(user_code)
    assert.equal((await registrations.find('registration'))?.registration.unusedUntilMs, null)
  })
})
