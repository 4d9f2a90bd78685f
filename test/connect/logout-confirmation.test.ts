/** `logout_confirmation` of a client: whether a person is asked before a sign-out (RP-Initiated Logout 1.0 §2, §6). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signJwt } from '../../src/tokens/sign.ts'
import { adminProgram } from '../support/admin.ts'
import { Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { register } from '../support/registration.ts'
import { addClient, addUser, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ OAuth__DynamicRegistration: 'open', Server__TrustProxy: 'true' })
const back = 'https://app.example.com/bye'
const app = { consent: 'implicit', postLogoutRedirectUris: [back] } as const
await addClient(service, { ...app, id: 'quick', metadata: { logout_confirmation: 'hint' } })
await addClient(service, { ...app, id: 'second', metadata: { logout_confirmation: 'hint' } })
await addClient(service, { ...app, id: 'asks' })
await addClient(service, {
  ...{ ...app, id: 'paired' },
  metadata: { logout_confirmation: 'hint', subject_type: 'pairwise', sector_identifier: 'app.example.com' },
})
const bob = await addUser(service, 'bob')

const isSignedIn = async (browser: Browser) => (await browser.userName()) !== undefined
const idToken = async (browser: Browser, client_id: string): Promise<string> => {
  const code = await browser.allowedCode({ client_id, scope: 'openid' })
  return (await postToken(service, codeFields(code, { client_id }))).body.id_token
}
const path = (id_token_hint: string, more: Record<string, string> = {}) =>
  `/connect/logout?${new URLSearchParams({ id_token_hint, post_logout_redirect_uri: back, state: 's', ...more })}`

/** Asserts that the person is asked, and still signed in. */
async function asked(browser: Browser, address: string): Promise<void> {
  const response = await browser.get(address)
  assert.deepEqual([response.status, locationOf(response).pathname], [302, '/Account/Logout'], address)
  assert.ok(await isSignedIn(browser))
}

describe('a client with logout_confirmation=hint (connections.md 5)', () => {
  it('ends the session of the person whom its id token names, without asking, and leads back', async () => {
    const browser = await Browser.signedIn(service)
    const hint = await idToken(browser, 'quick')
    service.advance(7200)
    const response = await browser.get(path(hint))
    assert.deepEqual([response.status, response.headers.get('location')], [302, `${back}?state=s`])
    assert.equal(response.headers.get('clear-site-data'), '"cache"')
    assert.ok(!(await isSignedIn(browser)))
  })

  it('does so for a form of its site, whose cookie comes with the GET that follows', async () => {
    const browser = await Browser.signedIn(service)
    const hint = await idToken(browser, 'quick')
    const fields = { id_token_hint: hint, client_id: 'quick', post_logout_redirect_uri: back }
    const posted = await browser.post('/connect/logout', fields)
    assert.equal(posted.status, 303)
    assert.ok(await isSignedIn(browser))
    const { pathname, search } = locationOf(posted)
    assert.equal(pathname, '/connect/logout')
    const response = await browser.get(`${pathname}${search}`)
    assert.equal(response.headers.get('location'), back)
    assert.ok(!(await isSignedIn(browser)))
  })

  it('asks with a hint of another client, of another person, of nobody, and with none', async () => {
    const browser = await Browser.signedIn(service)
    const own = await idToken(browser, 'quick')
    const others = await idToken(await Browser.signedIn(service, { username: 'bob' }), 'quick')
    const ofAsking = await idToken(browser, 'asks')
    await asked(browser, path(others))
    await asked(browser, path(ofAsking))
    await asked(browser, path(ofAsking, { client_id: 'asks' }))
    await asked(
      browser,
      `/connect/logout?${new URLSearchParams({ client_id: 'quick', post_logout_redirect_uri: back })}`,
    )
    const [head, body] = own.split('.')
    await asked(browser, path(`${head}.${body}.${'A'.repeat(86)}`, { client_id: 'quick' }))
    const claims = claimsOf(own)
    const key = service.keys.signer('RS256')
    for (const change of [{ iss: 'https://other.example/' }, { aud: 'second', sub: 'nobody' }, { aud: ['quick'] }]) {
      await asked(
        browser,
        path(
          await signJwt(key, 'JWT', { ...claims, ...change }),
          change.aud === 'second' ? {} : { client_id: 'quick' },
        ),
      )
    }
    assert.equal((await browser.get(path(own, { client_id: 'second' }))).status, 400, 'the hint of another client')
    assert.ok(await isSignedIn(browser))
    const nobody = await new Browser(service).get(path(own))
    assert.equal(locationOf(nobody).pathname, '/Account/Logout')
  })

  it('knows the person by the subject of the client, where that is pairwise (OpenID Connect Core §8)', async () => {
    const browser = await Browser.signedIn(service, { username: 'bob' })
    const own = await idToken(browser, 'paired')
    assert.notEqual(claimsOf(own).sub, bob.id)
    await asked(browser, path(await idToken(await Browser.signedIn(service), 'paired')))
    const key = service.keys.signer('RS256')
    await asked(browser, path(await signJwt(key, 'JWT', { ...claimsOf(own), sub: bob.id })))
    const response = await browser.get(path(own))
    assert.equal(response.headers.get('location'), `${back}?state=s`)
    assert.ok(!(await isSignedIn(browser)))
  })

  it('refuses an address that is not registered, and ends nothing', async () => {
    const browser = await Browser.signedIn(service)
    const hint = await idToken(browser, 'quick')
    const response = await browser.get(path(hint, { post_logout_redirect_uri: 'https://evil.example/' }))
    assert.equal(response.status, 400)
    assert.ok(await isSignedIn(browser))
  })

  it('is what an operator says: always by default, and no client says it of itself', async () => {
    const admin = await adminProgram(service, ['admin:write'], { id: 'admin' })
    const { body } = await admin.patch('/clients/asks', { logout_confirmation: 'hint' })
    assert.equal(body.logout_confirmation, 'hint')
    assert.equal((await admin.patch('/clients/asks', { logout_confirmation: 'never' })).status, 400)
    assert.equal(
      (await admin.patch('/clients/asks', { logout_confirmation: null })).body.logout_confirmation,
      undefined,
    )
    const own = { redirect_uris: ['https://rp.example.com/cb'], logout_confirmation: 'hint' }
    assert.equal((await register(service, own, undefined, { 'x-forwarded-for': '198.51.100.9' })).status, 400)
  })
})
