/** Members of a client about scopes: which ones count as requested, and which one gives refresh tokens. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  deviceGrant,
  exchangeGrant,
  fetchWithToken,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, addUser, type ClientChange, serviceForFile, testScope } from '../support/service.ts'

const client_secret = 'a-secret-of-a-program'
const orders = 'https://orders.example/'

const service = await serviceForFile({ OAuth__RefreshTokenLifetime: '1000' })
await service.storage.scopes.create(testScope('profile'))
await service.storage.scopes.create(testScope('orders', { resources: [orders] }))
const scopes = ['offline_access', 'demo_api', 'profile', 'orders']
const add = (id: string, metadata: ClientChange['metadata'], change: ClientChange = {}) =>
  addClient(service, { id, scopes, consent: 'implicit', ...change, metadata: { ...metadata } })
const browser = await Browser.signedIn(service)
const answerFor = async (client_id: string, scope: string, more: Readonly<Record<string, string>> = {}) =>
  (await postToken(service, codeFields(await obtainCode(browser, { client_id, scope }), { client_id, ...more }))).body
const refresh = (client_id: string, token: string) => postToken(service, refreshFields(token, { client_id }))
const introspected = async (client_id: string, token: string) =>
  (await postToken(service, { token, client_id, client_secret }, {}, 'connect/introspect')).body.active
const change = (id: string, metadata: ClientChange['metadata']) =>
  service.storage.clients.update(id, (client) => ({ ...client, metadata: { ...client.metadata, ...metadata } }))
/** The scopes of which a page tells. */
async function namesAt(path: string): Promise<string[]> {
  const facts = (await (await browser.get(path)).json()) as Told & { request?: Told }
  return (facts.request ?? facts).scopes.map(({ name }) => name)
}
type Told = { scopes: { name: string }[] }

describe('default_scopes', () => {
  it('count as requested with openid: consent, scope of the answer, claims and audience are those of all', async () => {
    await add('with-defaults', { default_scopes: ['profile', 'orders'] }, { consent: 'explicit' })
    const { scope, access_token, id_token } = await answerFor('with-defaults', 'openid')
    assert.equal(scope, 'openid profile orders')
    assert.deepEqual(claimsOf(access_token).scope, ['openid', 'profile', 'orders'])
    assert.equal(claimsOf(access_token).aud, orders)
    assert.equal(claimsOf(id_token).preferred_username, 'alice')
    const user = await service.storage.users.findByName('alice')
    const consents = await service.storage.authorizations.list(user?.id ?? '')
    const [given] = consents.filter(({ clientId }) => clientId === 'with-defaults')
    assert.deepEqual(given?.scopes, ['openid', 'orders', 'profile'])
    // The consent is found again, whether they are named or not.
    for (const asked of ['openid', 'openid orders']) {
      const silent = authorizePath({ client_id: 'with-defaults', scope: asked, prompt: 'none' })
      assert.match((await browser.get(silent)).headers.get('location') ?? '', /[?&]code=/, asked)
    }
  })

  it('do not count without openid, nor in what a client gets for itself or exchanges', async () => {
    const secret = { authentication: bySecret(hashSecret(client_secret)) }
    const grantTypes = ['authorization_code', 'client_credentials', exchangeGrant] as const
    await add('program', { default_scopes: ['profile'] }, { ...secret, grantTypes })
    assert.equal((await answerFor('program', 'demo_api', { client_secret })).scope, 'demo_api')
    const own = { grant_type: 'client_credentials', client_id: 'program', client_secret, scope: 'demo_api' }
    assert.equal((await postToken(service, own)).body.scope, 'demo_api')
    const { access_token } = await answerFor('program', 'openid demo_api', { client_secret })
    const exchange = {
      grant_type: exchangeGrant,
      client_id: 'program',
      client_secret,
      subject_token: access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'openid',
    }
    const { status, body } = await postToken(service, exchange)
    assert.deepEqual([status, body.scope], [200, 'openid'])
  })

  it('may be narrowed by a refresh (RFC 6749 §6)', async () => {
    await add('narrowing', { default_scopes: ['orders', 'offline_access'] })
    const { refresh_token } = await answerFor('narrowing', 'openid')
    const fields = refreshFields(refresh_token, { client_id: 'narrowing', scope: 'openid' })
    assert.equal((await postToken(service, fields)).body.scope, 'openid')
  })

  it('count for pushed requests and devices, too', async () => {
    await add('pushing', { default_scopes: ['profile'] }, { grantTypes: ['authorization_code', deviceGrant] })
    const pushed = await postToken(
      service,
      Object.fromEntries(
        new URL(authorizePath({ client_id: 'pushing', scope: 'openid' }), service.issuer).searchParams,
      ),
      {},
      'connect/par',
    )
    assert.equal(pushed.status, 201, JSON.stringify(pushed.body))
    const query = new URLSearchParams({ client_id: 'pushing', request_uri: pushed.body.request_uri })
    const code = locationOf(await browser.get(`/connect/authorize?${query}`)).searchParams.get('code') ?? ''
    const answer = await postToken(service, codeFields(code, { client_id: 'pushing' }))
    assert.equal(answer.body.scope, 'openid profile')
    const device = await postToken(service, { client_id: 'pushing', scope: 'openid' }, {}, 'connect/device')
    await browser.submit('/Account/Device', { user_code: device.body.user_code, 'submit.Accept': 'Yes' })
    const poll = { grant_type: deviceGrant, client_id: 'pushing', device_code: device.body.device_code }
    assert.equal((await postToken(service, poll)).body.scope, 'openid profile')
  })

  it('that were deleted, or are no longer permitted, have no effect and refuse nothing', async () => {
    await service.storage.scopes.create(testScope('passing'))
    await add('leaving', { default_scopes: ['passing', 'orders'] }, { scopes: ['passing', 'orders'] })
    assert.equal((await answerFor('leaving', 'openid')).scope, 'openid passing orders')
    await service.storage.scopes.delete('passing')
    assert.equal((await answerFor('leaving', 'openid')).scope, 'openid orders')
    await service.storage.clients.update('leaving', (client) => ({ ...client, scopes: ['demo_api'] }))
    assert.equal((await answerFor('leaving', 'openid')).scope, 'openid')
    const stored = await service.storage.clients.find('leaving')
    assert.deepEqual(stored?.metadata.default_scopes, ['passing', 'orders'])
  })
})

describe('refresh_token_scope=openid', () => {
  it('gives refresh tokens for openid alone, and none without it', async () => {
    await add('app', { refresh_token_scope: 'openid' }, { scopes: ['demo_api'] })
    const { refresh_token } = await answerFor('app', 'openid demo_api')
    const next = await refresh('app', refresh_token)
    assert.deepEqual([next.status, next.body.scope], [200, 'openid demo_api'])
    assert.equal((await answerFor('app', 'demo_api')).refresh_token, undefined)
    const metadata = await service.storage.clients.find('app')
    assert.equal(metadata?.metadata.refresh_token_scope, 'openid')
  })

  it('gives them for offline_access as before, and none to a client without the grant type', async () => {
    await add('both', { refresh_token_scope: 'openid' })
    assert.ok((await answerFor('both', 'offline_access demo_api')).refresh_token)
    await add('codes', { refresh_token_scope: 'openid' }, { grantTypes: ['authorization_code'] })
    assert.equal((await answerFor('codes', 'openid')).refresh_token, undefined)
  })

  it('is the default of none: openid alone gives no refresh token (OpenID Connect Core §11)', async () => {
    await add('usual', {})
    assert.equal((await answerFor('usual', 'openid demo_api')).refresh_token, undefined)
    assert.ok((await answerFor('usual', 'openid offline_access')).refresh_token)
  })

  it('ends refresh tokens for openid alone with the session, in whichever way it ends, and nothing else (OpenID Connect Core §11)', async () => {
    await add('online', { refresh_token_scope: 'openid' }, { scopes: ['offline_access', 'demo_api'] })
    const ends = {
      'a sign-out': async (browser: Browser) => {
        await browser.submit('/connect/logout', { Confirm: 'Yes' })
      },
      'another sign-in': async (browser: Browser) => {
        await browser.signIn({ username: 'bob' })
      },
      'an end from elsewhere': async () => {
        await (await signedIn('carol')).self('DELETE', '/sessions')
      },
      'an end of one from elsewhere': async () => {
        const elsewhere = await signedIn('carol')
        const { body } = await elsewhere.self('GET', '/sessions')
        for (const { id, current } of body.items) {
          if (!current) await elsewhere.self('DELETE', `/sessions/${id}`)
        }
      },
    }
    await addUser(service, 'bob')
    await addUser(service, 'carol')
    const signedIn = (username: string) => Browser.signedIn(service, { username })
    for (const [how, end] of Object.entries(ends)) {
      const [browser, other] = [await signedIn('carol'), await signedIn('bob')]
      const issued = async (by: Browser, scope: string) => {
        const code = await by.allowedCode({ client_id: 'online', scope })
        return (await postToken(service, codeFields(code, { client_id: 'online' }))).body
      }
      const [online, offline] = [await issued(browser, 'openid'), await issued(browser, 'openid offline_access')]
      const others = await issued(other, 'openid')
      assert.equal((await fetchWithToken(service, 'connect/userinfo', online.access_token)).status, 200)
      await end(browser)
      const ended = await refresh('online', online.refresh_token)
      assert.deepEqual([ended.status, ended.body.error], [400, 'invalid_grant'], how)
      // Specification 4.4: a sign-out does not revoke it.
      assert.equal((await fetchWithToken(service, 'connect/userinfo', online.access_token)).status, 200, how)
      assert.equal((await refresh('online', offline.refresh_token)).status, 200, how)
      assert.equal((await refresh('online', others.refresh_token)).status, 200, how)
    }
    assert.equal(Object.keys(ends).length, 4)
  })

  it('ends with a session that ended while the code was under way', async () => {
    await add('late', { refresh_token_scope: 'openid' })
    await addUser(service, 'erin')
    for (const [scope, status] of [
      ['openid', 400],
      ['openid offline_access', 200],
    ] as const) {
      const leaving = await Browser.signedIn(service, { username: 'erin' })
      const code = await leaving.allowedCode({ client_id: 'late', scope })
      await leaving.submit('/connect/logout', { Confirm: 'Yes' })
      const { refresh_token } = (await postToken(service, codeFields(code, { client_id: 'late' }))).body
      assert.equal((await refresh('late', refresh_token)).status, status, scope)
    }
  })

  it('stays ended where a refresh and the sign-out arrive together', async (t) => {
    await add('racing', { refresh_token_scope: 'openid' })
    await addUser(service, 'dave')
    const leaving = await Browser.signedIn(service, { username: 'dave' })
    const code = await leaving.allowedCode({ client_id: 'racing', scope: 'openid' })
    const { refresh_token } = (await postToken(service, codeFields(code, { client_id: 'racing' }))).body
    const { grants } = service.storage
    const { rotate } = grants
    // The refresh was decided, and the session ends before it is stored.
    const stored = t.mock.method(grants, 'rotate', async (...args: Parameters<typeof rotate>) => {
      stored.mock.restore()
      await leaving.submit('/connect/logout', { Confirm: 'Yes' })
      return rotate(...args)
    })
    for (const token of [refresh_token, refresh_token]) {
      const { status, body } = await refresh('racing', token)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
  })

  it('is told to people as offline_access is: at the consent, on devices, and in the list of their applications', async () => {
    const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const
    const asking = { consent: 'explicit', scopes: ['demo_api', 'offline_access'], grantTypes } as const
    await add('lasting', { refresh_token_scope: 'openid' }, asking)
    await add('passing', {}, asking)
    await add(
      'unable',
      { refresh_token_scope: 'openid' },
      { ...asking, grantTypes: ['authorization_code', deviceGrant] },
    )
    const consent = (client_id: string, scope: string) =>
      namesAt(authorizePath({ client_id, scope }).replace('/connect/authorize', '/Account/ConsentContext'))
    assert.deepEqual(await consent('lasting', 'openid demo_api'), ['openid', 'demo_api', 'offline_access'])
    assert.deepEqual(await consent('lasting', 'openid offline_access'), ['openid', 'offline_access'])
    assert.deepEqual(await consent('lasting', 'demo_api'), ['demo_api'])
    assert.deepEqual(await consent('passing', 'openid demo_api'), ['openid', 'demo_api'])
    assert.deepEqual(await consent('unable', 'openid'), ['openid'])

    for (const [client_id, told] of Object.entries({ lasting: ['openid', 'offline_access'], passing: ['openid'] })) {
      const { body } = await postToken(service, { client_id, scope: 'openid' }, {}, 'connect/device')
      const page = `/Account/DeviceContext?${new URLSearchParams({ user_code: body.user_code })}`
      assert.deepEqual(await namesAt(page), told, client_id)
      await browser.submit('/Account/Device', { user_code: body.user_code, 'submit.Accept': 'Yes' })
    }
    const { items } = (await (await browser.get('/Account/Self/applications')).json()) as {
      items: { client_id: string; scopes: string[]; scope_descriptions: { name: string }[] }[]
    }
    const listed = (id: string) => items.find(({ client_id }) => client_id === id)
    assert.deepEqual(listed('lasting')?.scopes, ['openid'])
    assert.deepEqual(
      listed('lasting')?.scope_descriptions.map(({ name }) => name),
      ['openid', 'offline_access'],
    )
    assert.deepEqual(
      listed('passing')?.scope_descriptions.map(({ name }) => name),
      ['openid'],
    )
  })

  it('ends what it gave once it is taken back: the refresh is refused, and introspection says so', async () => {
    const secret = { authentication: bySecret(hashSecret(client_secret)) }
    await add('back', { refresh_token_scope: 'openid' }, secret)
    const { refresh_token } = await answerFor('back', 'openid', { client_secret })
    assert.equal(await introspected('back', refresh_token), true)
    await change('back', { refresh_token_scope: 'offline_access' })
    const fields = refreshFields(refresh_token, { client_id: 'back', client_secret })
    const { status, body } = await postToken(service, fields)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    assert.equal(await introspected('back', refresh_token), false)
  })
})

describe('refresh_token_rotation=false of a client that authenticates', () => {
  it('keeps its refresh tokens, which are of no use without the secret (RFC 9700 §4.14.2)', async () => {
    const secret = { authentication: bySecret(hashSecret(client_secret)) }
    await add('kept', { refresh_token_rotation: false }, secret)
    const { refresh_token } = await answerFor('kept', 'openid offline_access', { client_secret })
    const fields = refreshFields(refresh_token, { client_id: 'kept' })
    for (let use = 0; use < 2; use += 1) {
      const { status, body } = await postToken(service, { ...fields, client_secret })
      assert.deepEqual([status, body.refresh_token], [200, refresh_token])
      service.advance(60)
    }
    assert.equal((await postToken(service, fields)).body.error, 'invalid_client')
    assert.equal((await postToken(service, { ...fields, client_secret: 'wrong' })).body.error, 'invalid_client')
  })
})

describe('id_token_lifetime', () => {
  it('is that of id tokens, of refreshed ones too; without it, that of the settings', async () => {
    await add('short', { id_token_lifetime: 45 })
    const first = await answerFor('short', 'openid offline_access')
    const next = (await refresh('short', first.refresh_token)).body
    for (const { id_token } of [first, next]) {
      const { iat, exp } = claimsOf(id_token)
      assert.equal(exp - iat, 45)
    }
    await add('long', {})
    const { iat, exp } = claimsOf((await answerFor('long', 'openid')).id_token)
    assert.equal(exp - iat, 1200)
  })
})
