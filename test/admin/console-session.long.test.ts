/** What the console may do ends with the session in which it signed in, whatever ends that, and at the next call. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consoleClientId } from '../../src/protocol/client/client.ts'
import { exchangeGrantType } from '../../src/protocol/grant/token-exchange.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import type { User } from '../../src/users/user.ts'
import { adminPerson, adminProgram } from '../support/admin.ts'
import { authorizePath, Browser, codeFields, locationOf, postToken } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { addClient, addUser, password, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ RateLimit__LoginPerMinute: '1000' })
// Its client is registered when somebody asks for it.
await new Browser(service).get('/admin')

let number = 0

/** An administrator with the console open in a browser. */
async function operator({ scope = 'openid admin:read admin:write' } = {}) {
  number += 1
  const name = `operator${number}`
  const roles = ['latchkey-admin']
  const user = await addUser(service, name, { roles, createdAtMs: service.now() })
  const browser = await Browser.signedIn(service, { username: name })
  return { user, browser, ...(await consoleIn(browser, scope)) }
}

/** What the pages of the console do: they sign in with a key of their own, and call the API. */
async function consoleIn(browser: Browser, scope = 'openid admin:read admin:write') {
  const redirect = `${service.issuer}admin/`
  const asked = authorizePath({ client_id: consoleClientId, redirect_uri: redirect, scope })
  const code = locationOf(await browser.get(asked)).searchParams.get('code') ?? ''
  const key = new DpopKey()
  const url = `${service.issuer}connect/token`
  const fields = codeFields(code, { client_id: consoleClientId, redirect_uri: redirect })
  const { body } = await postToken(service, fields, { DPoP: key.proof({ url, nowMs: service.now() }) })
  assert.equal(body.token_type, 'DPoP')
  const token = body.access_token as string
  const send = async (path: string, method = 'GET') => {
    const at = `${service.issuer}${path}`
    const proof = key.proof({ method, url: at, accessToken: token, nowMs: service.now() })
    return fetch(at, { method, headers: { authorization: `DPoP ${token}`, DPoP: proof } })
  }
  const statuses = async () => [(await send('admin/api/v1/me')).status, (await send('connect/userinfo')).status]
  return { token, refreshToken: body.refresh_token as string | undefined, key, send, statuses }
}

const sessionsOf = async (browser: Browser) =>
  (await browser.self('GET', '/sessions')).body.items as { id: string; current: boolean }[]

describe('the access of the console', () => {
  type Open = Awaited<ReturnType<typeof operator>>
  const signInElsewhere = async ({ user }: Pick<Open, 'user'>) => {
    const other = await Browser.signedIn(service, { username: user.name })
    return other
  }
  const ends: Readonly<Record<string, (open: Open) => Promise<unknown>>> = {
    'signing out': ({ browser }) => browser.submit('/connect/logout', { Confirm: 'Yes' }),
    'the end of the session in the list of another browser': async (open) => {
      const [here] = await sessionsOf(open.browser)
      return (await signInElsewhere(open)).self('DELETE', `/sessions/${here?.id}`)
    },
    'the end of all other sessions': async (open) => (await signInElsewhere(open)).self('DELETE', '/sessions'),
    'the end of the session by an operator': async ({ user }) => {
      const [session] = await service.storage.sessions.ofUser(user.id)
      const program = await adminProgram(service, ['admin:write'], { id: `ends-${user.name}` })
      assert.equal((await program.delete(`/sessions/${session?.id}`)).status, 204)
    },
    'a new password in the account area': async ({ browser }) => {
      const changed = await browser.self('POST', '/password', { current: password, password: 'kT7-vw2q-new' })
      assert.equal(changed.status, 204)
    },
    'a new password by an operator': async ({ user }) => {
      const program = await adminProgram(service, ['admin:write'], { id: `sets-${user.name}` })
      const body = { password: 'kT7-vw2q-new' }
      assert.equal((await program.post(`/users/${user.id}/set-password`, body)).status, 200)
    },
    'another sign-in in the same browser': ({ browser, user }) => browser.signIn({ username: user.name }),
    'a deleted account': ({ user }) => service.storage.users.delete(user.id, [], { force: true }),
  }
  for (const [name, end] of Object.entries(ends)) {
    it(`ends with ${name}`, async () => {
      const open = await operator()
      const bystander = await operator()
      assert.deepEqual(await open.statuses(), [200, 200])
      await end(open)
      assert.deepEqual(await open.statuses(), [401, 401])
      assert.deepEqual(await bystander.statuses(), [200, 200])
    })
  }

  it('ends when the session has run out, however long its token lasts', async () => {
    const open = await operator()
    const [session] = await service.storage.sessions.ofUser(open.user.id)
    assert.ok(session)
    await service.storage.sessions.renew(session.id, service.now() + 1000, service.now())
    assert.deepEqual(await open.statuses(), [200, 200])
    service.advance(2)
    assert.deepEqual(await open.statuses(), [401, 401])
  })

  it('is refused to whoever lost the role, and goes on beside another window of the session', async () => {
    const { user, send, browser } = await operator()
    await service.storage.users.update(user.id, (stored: User) => ({ ...stored, roles: [] }), [], { force: true })
    assert.equal((await send('admin/api/v1/users')).status, 403)
    // Another window of the same session does not end it.
    await consoleIn(browser)
    assert.equal((await send('admin/api/v1/me')).status, 200)
  })

  it('does not outlive it in a token that another client exchanged', async () => {
    const secret = 'exchanger-secret'
    await addClient(service, {
      id: 'exchanger',
      authentication: bySecret(hashSecret(secret)),
      grantTypes: [exchangeGrantType],
      redirectUris: [],
      postLogoutRedirectUris: [],
      scopes: ['admin:read', 'admin:write'],
      metadata: { may_exchange: [consoleClientId] },
      createdAtMs: service.now(),
    })
    const open = await operator()
    const type = 'urn:ietf:params:oauth:token-type:access_token'
    const fields = { subject_token: open.token, subject_token_type: type, scope: 'admin:read' }
    const key = { DPoP: open.key.proof({ url: `${service.issuer}connect/token`, nowMs: service.now() }) }
    const asking = { grant_type: exchangeGrantType, client_id: 'exchanger', client_secret: secret }
    const { body } = await postToken(service, { ...asking, ...fields }, key)
    const exchanged = async () => {
      const url = `${service.issuer}admin/api/v1/me`
      const accessToken = body.access_token as string
      const proof = open.key.proof({ method: 'GET', url, accessToken, nowMs: service.now() })
      return (await fetch(url, { headers: { authorization: `DPoP ${accessToken}`, DPoP: proof } })).status
    }
    assert.equal(await exchanged(), 200)
    await open.browser.submit('/connect/logout', { Confirm: 'Yes' })
    assert.equal(await exchanged(), 401)
    const again = await postToken(service, { ...asking, ...fields }, key)
    assert.equal(again.status, 400)
  })

  it('is told to nobody as active once the session has ended, and no refresh token goes on without it', async () => {
    const secret = 'api-secret'
    const resources = [`${service.issuer}admin/api`]
    await addClient(service, {
      id: 'asking',
      authentication: bySecret(hashSecret(secret)),
      metadata: { resources },
      createdAtMs: service.now(),
    })
    // An operator may change what the client of the console is permitted.
    await service.storage.clients.update(consoleClientId, (client) => ({
      ...client,
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: [...client.scopes, 'offline_access'],
    }))
    const open = await operator({ scope: 'openid offline_access admin:read' })
    const refreshToken = open.refreshToken ?? ''
    assert.notEqual(refreshToken, '')
    const introspected = async (token: string) => {
      const fields = { client_id: 'asking', client_secret: secret, token }
      return (await postToken(service, fields, {}, 'connect/introspect')).body
    }
    const refresh = (token: string) => {
      const fields = { grant_type: 'refresh_token', client_id: consoleClientId, refresh_token: token }
      const url = `${service.issuer}connect/token`
      return postToken(service, fields, { DPoP: open.key.proof({ url, nowMs: service.now() }) })
    }
    assert.equal((await introspected(open.token)).active, true)
    const next = (await refresh(refreshToken)).body.refresh_token as string
    assert.notEqual(next, undefined)
    await open.browser.submit('/connect/logout', { Confirm: 'Yes' })
    assert.deepEqual(await introspected(open.token), { active: false })
    const refused = await refresh(next)
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
  })

  it('does not end that of other applications, which sign out in their own way', async () => {
    const { user, caller } = await adminPerson(service, ['latchkey-admin'])
    for (const session of await service.storage.sessions.ofUser(user.id)) await service.storage.sessions.delete(session)
    assert.equal((await caller.get('/me')).status, 200)
  })
})

describe('signing out', () => {
  const cleared = (response: { readonly headers: Headers }) => response.headers.get('clear-site-data')

  it('has the browser forget its pages, wherever the session of this browser ends', async () => {
    const { browser } = await operator()
    assert.equal(cleared(await browser.submit('/connect/logout', { Confirm: 'Yes' })), '"cache"')
    const second = await operator()
    const [here] = await sessionsOf(second.browser)
    assert.equal(cleared(await second.browser.self('DELETE', `/sessions/${here?.id}`)), '"cache"')
    // The end of another session leaves this browser as it is.
    const third = await operator()
    await signInTwice(third.user.name)
    const other = (await sessionsOf(third.browser)).find(({ current }) => !current)
    assert.equal(cleared(await third.browser.self('DELETE', `/sessions/${other?.id}`)), null)
    const asking = { method: 'POST', body: new URLSearchParams() }
    assert.equal(cleared(await third.browser.fetch('/connect/logout', asking)), null)
  })

  it('leaves no page in a cache: every shell is answered with no-store', async () => {
    const browser = new Browser(service)
    for (const path of [
      '/admin',
      '/admin/people',
      '/Account',
      '/Account/Security',
      '/Account/Login',
      '/Account/Consent',
    ]) {
      const { status, headers } = await browser.get(path)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'], path)
    }
  })

  async function signInTwice(username: string) {
    await new Browser(service).signIn({ username })
  }
})
