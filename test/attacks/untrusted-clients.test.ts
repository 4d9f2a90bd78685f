/** Clients that no operator registered: what they learn of people, and what they reach. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { initialAccessToken, register } from '../support/registration.ts'
import { changeUser, serviceForFile, testScope } from '../support/service.ts'

const redirect_uris = ['http://localhost:5081/callback']
const person = ['name', 'preferred_username', 'email', 'email_verified', 'role']

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'profile, email, offline_access, demo_api',
})
for (const name of ['profile', 'email', 'roles']) await service.storage.scopes.create(testScope(name))
await changeUser(service, 'alice', { roles: ['reader', 'owner'] })

async function registered(document: Record<string, unknown> = {}, token?: string) {
  const { status, body } = await register(service, { redirect_uris, ...document }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
/** The tokens of a sign-in at the client. */
async function tokensOf(client: Record<string, string>, scope: string) {
  const browser = new Browser(service)
  const code = await obtainCode(browser, { client_id: client.client_id ?? '', scope })
  const { status, body } = await postToken(service, codeFields(code, client))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const shown = (token: string) => Object.keys(claimsOf(token)).filter((name) => person.includes(name))

describe('the access token of a client that registered itself', () => {
  it('shows nothing of the person for openid alone, whatever the client registered, also after a refresh', async () => {
    for (const document of [{}, { access_token_claims: 'all' }, { access_token_claims: 'minimal' }]) {
      const { client_id } = await registered(document)
      const first = await tokensOf({ client_id }, 'openid offline_access')
      assert.deepEqual(shown(first.access_token), [])
      const { body } = await postToken(service, refreshFields(first.refresh_token, { client_id }))
      assert.deepEqual(shown(body.access_token), [])
    }
  })

  it('shows nothing more to the holder of an initial access token', async () => {
    const { client_id, client_secret } = await registered({}, await initialAccessToken(service))
    const { access_token } = await tokensOf({ client_id, client_secret }, 'openid demo_api')
    assert.deepEqual(shown(access_token), [])
    const asked = { token: access_token, client_id, client_secret }
    const { body } = await postToken(service, asked, {}, 'connect/introspect')
    assert.deepEqual([body.active, body.username], [true, undefined])
  })

  it('shows what its scopes ask for, in each form of the scope, and no roles', async () => {
    for (const access_token_scope of ['array', 'string']) {
      const { client_id } = await registered({ access_token_scope })
      const { access_token } = await tokensOf({ client_id }, 'openid email')
      assert.deepEqual(shown(access_token), ['email', 'email_verified'])
      const both = await tokensOf({ client_id }, 'openid profile email')
      assert.deepEqual(shown(both.access_token), person.slice(0, 4))
    }
  })

  it('shows roles once an operator gave the client that scope, and no longer when it is taken', async () => {
    const { client_id } = await registered()
    const { status } = await register(service, { redirect_uris, scope: 'openid roles' })
    assert.equal(status, 400)
    const give = (scopes: readonly string[]) =>
      service.storage.clients.update(client_id, (client) => ({ ...client, scopes }))
    await give(['roles', 'offline_access'])
    const first = await tokensOf({ client_id }, 'openid roles offline_access')
    assert.deepEqual(claimsOf(first.access_token).role, ['reader', 'owner'])
    await give(['offline_access'])
    const { body } = await postToken(service, refreshFields(first.refresh_token, { client_id }))
    assert.deepEqual([shown(body.access_token), claimsOf(body.id_token).role], [[], undefined])
    assert.equal(body.scope, 'openid offline_access')
    const headers = { authorization: `Bearer ${body.access_token}` }
    const userinfo = await (await fetch(new URL('connect/userinfo', service.issuer), { headers })).json()
    assert.deepEqual(Object.keys(userinfo as object), ['sub'])
    await give([])
    const ended = await postToken(service, refreshFields(body.refresh_token, { client_id }))
    assert.deepEqual([ended.status, ended.body.error], [400, 'invalid_grant'])
  })

  it('is for no API whose scope was taken from the client since', async () => {
    await service.storage.scopes.create(testScope('ledger', { resources: ['https://ledger.example/'] }))
    const { client_id } = await registered()
    const give = (scopes: readonly string[]) =>
      service.storage.clients.update(client_id, (client) => ({ ...client, scopes }))
    await give(['ledger', 'demo_api', 'offline_access'])
    const first = await tokensOf({ client_id }, 'openid ledger demo_api offline_access')
    assert.ok(claimsOf(first.access_token).aud.includes('https://ledger.example/'))
    await give(['demo_api', 'offline_access'])
    const { body } = await postToken(service, refreshFields(first.refresh_token, { client_id }))
    assert.equal(body.scope, 'openid demo_api offline_access')
    assert.ok(![claimsOf(body.access_token).aud].flat().includes('https://ledger.example/'))
    const asked = { ...refreshFields(body.refresh_token, { client_id }), scope: 'openid ledger' }
    assert.equal((await postToken(service, asked)).status, 400)
  })

  it('of one that an operator registered is as the specification has it', async () => {
    const { access_token } = await tokensOf({ client_id: 'demo' }, 'openid')
    assert.deepEqual(shown(access_token), person)
  })
})

describe('prompt=none of a client that registered itself (OpenID Connect Core §3.1.2.6)', () => {
  const silently = async (browser: Browser, client_id: string, change: Record<string, string> = {}) => {
    const query = new URLSearchParams(authorizeParameters({ client_id, scope: 'openid', prompt: 'none', ...change }))
    const answer = await browser.get(`/connect/authorize?${query}`)
    assert.ok([302, 303].includes(answer.status), `a page: ${answer.status}`)
    const location = locationOf(answer)
    assert.equal(`${location.origin}${location.pathname}`, redirect_uris[0])
    return location.searchParams
  }

  it('is login_required, the same whether somebody is signed in, and as whom', async () => {
    const { client_id } = await registered()
    const { client_id: other } = await registered()
    const [stranger, known, user] = [new Browser(service), new Browser(service), new Browser(service)]
    await known.signIn()
    const hint = (await tokensOf({ client_id }, 'openid email')).id_token
    await obtainCode(user, { client_id: other, scope: 'openid' })
    const answers: string[] = []
    for (const browser of [stranger, known, user]) {
      for (const change of [
        {},
        { max_age: '0' },
        { id_token_hint: hint },
        { claims: '{"id_token":{"sub":{"value":"x"}}}' },
        { claims: '{"id_token":{"acr":{"essential":true,"value":"phr"}}}' },
      ] as Record<string, string>[]) {
        const parameters = await silently(browser, client_id, change)
        assert.equal(parameters.get('error'), 'login_required', JSON.stringify(change))
        assert.equal(parameters.get('state'), authorizeParameters({}).state)
        answers.push(`${parameters.get('error_description')} ${parameters.get('error_uri')}`)
      }
    }
    assert.equal(new Set(answers).size, 1)
    assert.equal(answers.length, 15)
  })

  it('is a code once the person has consented', async () => {
    const { client_id } = await registered()
    const browser = new Browser(service)
    await obtainCode(browser, { client_id, scope: 'openid' })
    assert.ok((await silently(browser, client_id)).get('code'))
  })

  it('names what is wrong with the request at the address of the client, and goes nowhere else', async () => {
    const { client_id } = await registered()
    const browser = new Browser(service)
    assert.equal((await silently(browser, client_id, { scope: 'openid unknown' })).get('error'), 'invalid_scope')
    const query = new URLSearchParams(
      authorizeParameters({ client_id, prompt: 'none', redirect_uri: 'https://evil.example/cb' }),
    )
    const elsewhere = await browser.get(`/connect/authorize?${query}`)
    assert.deepEqual([elsewhere.status, elsewhere.headers.get('location')], [400, null])
  })
})
