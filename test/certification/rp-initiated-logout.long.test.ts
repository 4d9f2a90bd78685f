/**
 * OpenID Connect RP-Initiated Logout 1.0, module by module of the certification plan. The specification adds a rule: with
 * `client_id` and a registered address the browser is redirected after the user's confirmation, without a hint.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  type Fields,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
} from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const registered = 'http://localhost:5081/'
const state = Array.from({ length: 128 }, (_, at) => 'abcXYZ019-._~ &=+%/?#"<>é'[at % 25]).join('')

const service = await serviceForFile()
await addClient(service, { id: 'other', postLogoutRedirectUris: ['https://other.example/'] })

/** A signed-in browser, and the id token of its client. */
async function signedIn() {
  const browser = new Browser(service)
  const { body } = await postToken(service, codeFields(await obtainCode(browser)))
  return { browser, hint: body.id_token as string }
}

/** Sends the request and confirms it as the page does. Returns the first response that is not one of the service's pages. */
async function logOut(browser: Browser, parameters: Readonly<Record<string, string>>) {
  const asked = await browser.get(`/connect/logout?${new URLSearchParams(parameters)}`, { accept: 'text/html' })
  if (asked.status !== 302) return asked
  const page = locationOf(asked)
  assert.equal(page.pathname, '/Account/Logout')
  const fields: Fields = [...page.searchParams, ['Confirm', 'Yes']]
  return browser.submit('/connect/logout', fields)
}

/** oidcc modules then send `prompt=none`. */
async function silently(browser: Browser): Promise<string | null> {
  const { searchParams } = locationOf(await browser.get(authorizePath({ prompt: 'none' })))
  return searchParams.has('code') ? 'code' : searchParams.get('error')
}

describe('oidcc-rp-initiated-logout', () => {
  it('-discovery-endpoint-verification: names the end-session endpoint (§2.1)', async () => {
    const response = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const { end_session_endpoint } = (await response.json()) as Record<string, string>
    assert.equal(end_session_endpoint, `${service.issuer}connect/logout`)
  })

  it('leads back with the state unchanged at 128 characters, and nothing else (§3)', async () => {
    const { browser, hint } = await signedIn()
    const parameters = { id_token_hint: hint, post_logout_redirect_uri: registered, state }
    const response = await logOut(browser, parameters)
    const { origin, pathname, searchParams, hash } = locationOf(response)
    assert.equal(origin + pathname, registered)
    assert.deepEqual([...searchParams], [['state', state]])
    assert.equal(hash, '')
    assert.equal(await silently(browser), 'login_required')
  })

  it('-no-state: leads back without any', async () => {
    const { browser, hint } = await signedIn()
    const response = await logOut(browser, { id_token_hint: hint, post_logout_redirect_uri: registered })
    assert.equal(response.headers.get('location'), registered)
    assert.equal(await silently(browser), 'login_required')
  })

  for (const [module, parameters] of [
    ['-no-post-logout-redirect-uri', (hint: string) => ({ id_token_hint: hint, state })],
    ['-no-params', () => ({})],
    ['-only-state', () => ({ state })],
  ] as const) {
    it(`${module}: signs out and stays here, where the page says so`, async () => {
      const { browser, hint } = await signedIn()
      const response = await logOut(browser, parameters(hint))
      assert.equal(response.headers.get('location'), '/')
      assert.equal(await silently(browser), 'login_required')
    })
  }

  for (const [module, parameters] of [
    [
      '-bad-post-logout-redirect-uri',
      (hint: string) => ({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/', state }),
    ],
    [
      '-query-added-to-post-logout-redirect-uri',
      (hint: string) => ({ id_token_hint: hint, post_logout_redirect_uri: `${registered}?foo=bar`, state }),
    ],
    [
      '-modified-id-token-hint: the algorithm none',
      (hint: string) => ({ id_token_hint: unsigned(hint), post_logout_redirect_uri: registered, state }),
    ],
    [
      '-bad-id-token-hint: signed by others',
      async (hint: string) => ({ id_token_hint: await forged(hint), post_logout_redirect_uri: registered, state }),
    ],
    [
      'a hint whose audience was changed',
      (hint: string) => ({
        id_token_hint: retargeted(hint),
        post_logout_redirect_uri: 'https://other.example/',
        state,
      }),
    ],
  ] as const) {
    it(`${module}: is refused with a page, redirects nowhere and leaves the session`, async () => {
      const { browser, hint } = await signedIn()
      const response = await logOut(browser, await parameters(hint))
      assert.equal(response.status, 400)
      assert.equal(response.headers.get('location'), null)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(await response.text(), /ID2052/)
      assert.equal(await silently(browser), 'code')
    })
  }

  it('redirects without a hint when client_id names the client, after the confirmation (specification 4.4)', async () => {
    const { browser } = await signedIn()
    const response = await logOut(browser, { client_id: 'demo', post_logout_redirect_uri: registered, state: 's' })
    assert.equal(response.headers.get('location'), `${registered}?state=s`)
  })

  it('-no-id-token-hint: asks for confirmation first, and leaves the session', async () => {
    const { browser } = await signedIn()
    const query = new URLSearchParams({ post_logout_redirect_uri: registered, state: 's' })
    const response = await browser.get(`/connect/logout?${query}`)
    assert.equal(locationOf(response).pathname, '/Account/Logout')
    assert.equal(await silently(browser), 'code')
  })

  it('accepts the same request by POST from another site, which asks for confirmation as well (§2)', async () => {
    const { browser, hint } = await signedIn()
    const fields = { id_token_hint: hint, post_logout_redirect_uri: registered, state: 's' }
    // SameSite=Lax keeps the cookies back.
    const foreign = await new Browser(service).post('/connect/logout', fields, { 'sec-fetch-site': 'cross-site' })
    const asked = locationOf(foreign)
    assert.deepEqual([foreign.status, asked.pathname], [302, '/Account/Logout'])
    assert.deepEqual(Object.fromEntries(asked.searchParams), fields)
    assert.equal(await silently(browser), 'code')
    const unknown = { ...fields, post_logout_redirect_uri: 'https://other.example/' }
    assert.equal((await new Browser(service).post('/connect/logout', unknown)).status, 400)
  })
})

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function unsigned(hint: string): string {
  return `${part({ ...headerOf(hint), alg: 'none' })}.${hint.split('.')[1]}.`
}

function retargeted(hint: string): string {
  const [header, , signature] = hint.split('.')
  return `${header}.${part({ ...claimsOf(hint), aud: 'other' })}.${signature}`
}

/** Signed with another key, which its header brings along under the service's key id. */
async function forged(hint: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const header = { ...headerOf(hint), jwk: await exportJWK(publicKey) }
  return new SignJWT(claimsOf(hint)).setProtectedHeader(header).sign(privateKey)
}
