/** Modules of the certification plan 'Basic OP' about parameters of the authorization request. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { basicOp, client_id, flow, redeem, requestPath, type Scene, userinfo } from './basic-op-scene.ts'

let service: Scene
/** A browser that is signed in and has consented. */
let browser: Browser
before(async () => {
  service = await basicOp()
  browser = (await flow(service)).browser
})
after(() => service.stop())

const login = '/Account/Login'
const again = (change: Readonly<Record<string, string>> = {}) => flow(service, change, browser)
const errorOf = async (change: Readonly<Record<string, string>>, at = new Browser(service)) => {
  const { searchParams } = locationOf(await at.get(requestPath(change)))
  return [searchParams.get('error'), searchParams.get('state')]
}

describe('claims and authentication classes of the plan Basic OP', () => {
  it('oidcc-claims-essential: userinfo has the name, and the id token has not', async () => {
    const request = { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) }
    const { access_token, claims, shown } = await again(request)
    assert.deepEqual(shown, ['/Account/Consent'])
    assert.deepEqual(await userinfo(service, access_token), { sub: service.sub, name: 'Alice Ann Example' })
    assert.equal(claims.name, undefined)
  })

  it('oidcc-ensure-request-with-acr-values-succeeds: acr is one of the values that discovery names', async () => {
    const discovery = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const { acr_values_supported: values } = (await discovery.json()) as { acr_values_supported: string[] }
    const { claims } = await again({ acr_values: values.join(' ') })
    assert.ok(values.includes(claims.acr))
    assert.equal((await again()).claims.acr, undefined)
    assert.ok((await again({ acr_values: '1 2' })).claims.sub)
  })
})

describe('sign-ins of the plan Basic OP', () => {
  it('oidcc-prompt-login: a new sign-in, with a later auth_time', async () => {
    const { claims: first, browser: own } = await flow(service)
    service.advance(5)
    const { claims: second, shown } = await flow(service, { prompt: 'login' }, own)
    assert.deepEqual(shown, [login])
    assert.ok(second.auth_time > first.auth_time)
    assert.equal(second.sub, first.sub)
  })

  it('oidcc-prompt-none-not-logged-in: login_required with the state', async () => {
    assert.deepEqual(await errorOf({ prompt: 'none' }), ['login_required', 'state-1'])
  })

  it('oidcc-prompt-none-logged-in, oidcc-id-token-hint: silent, with the same sub and auth_time', async () => {
    const { claims: first, id_token } = await again()
    service.advance(5)
    for (const hint of ['', id_token]) {
      const { claims, shown } = await again({ prompt: 'none', id_token_hint: hint })
      assert.deepEqual(shown, [])
      assert.deepEqual([claims.sub, claims.auth_time], [first.sub, first.auth_time])
    }
  })

  it('oidcc-max-age-1: a new sign-in after a second, with auth_time', async () => {
    const { claims: first } = await again()
    service.advance(3)
    const { claims, shown } = await again({ max_age: '1' })
    assert.deepEqual(shown, [login])
    assert.ok(claims.auth_time > first.auth_time)
  })

  it('oidcc-max-age-10000: silent, with the auth_time of the sign-in', async () => {
    const { claims: first } = await again()
    service.advance(3)
    const { claims, shown } = await again({ max_age: '10000' })
    assert.deepEqual([shown, claims.auth_time, claims.sub], [[], first.auth_time, first.sub])
  })

  it('default_max_age applies without max_age, and session_lifetime_max to every request', async () => {
    const own = (await flow(service)).browser
    const registered = (metadata: Partial<ClientMetadata>) =>
      service.storage.clients.update(client_id, (client) => ({
        ...client,
        metadata: { ...defaultClientMetadata, ...metadata },
      }))
    service.advance(20)
    await registered({ default_max_age: 10 })
    assert.deepEqual(await errorOf({ prompt: 'none' }, own), ['login_required', 'state-1'])
    assert.deepEqual((await flow(service, { max_age: '30' }, own)).shown, [])
    await registered({ session_lifetime_max: 10 })
    assert.deepEqual(await errorOf({ prompt: 'none', max_age: '30' }, own), ['login_required', 'state-1'])
    assert.deepEqual((await flow(service, { max_age: '30' }, own)).shown, [login])
    assert.deepEqual((await flow(service, {}, own)).shown, [])
    await registered({ id_token_claims: 'requested' })
  })

  it('oidcc-login-hint: the login page gets the name', async () => {
    const location = locationOf(await new Browser(service).get(requestPath({ login_hint: 'alice' })))
    assert.deepEqual([location.pathname, location.searchParams.get('username')], [login, 'alice'])
  })

  for (const [module, change] of [
    ['display-page', { display: 'page' }],
    ['display-popup', { display: 'popup' }],
    ['ui-locales', { ui_locales: 'se' }],
    ['claims-locales', { claims_locales: 'se' }],
    ['ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['ensure-request-without-nonce-succeeds-for-code-flow', { nonce: '' }],
    ['prompt-consent', { prompt: 'consent', scope: 'openid offline_access' }],
  ] as const) {
    it(`oidcc-${module}: succeeds`, async () => {
      const { claims } = await again(change)
      assert.deepEqual([claims.sub, claims.nonce], [service.sub, module.includes('nonce') ? undefined : 'n'])
    })
  }
})

describe('the claims parameter (OpenID Connect Core §5.5)', () => {
  const claimsOfRequest = (request: object) => ({ claims: JSON.stringify(request) })

  it('places claims where they were requested, and persists over refreshes', async () => {
    const request = claimsOfRequest({ id_token: { email: null, phone_number: null }, userinfo: { address: null } })
    const first = await again({ scope: 'openid offline_access', prompt: 'consent', ...request })
    assert.deepEqual([first.claims.email, first.claims.phone_number], ['alice@example.com', '+49 30 123456'])
    assert.deepEqual([first.claims.email_verified, first.claims.address], [undefined, undefined])
    const fields = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const refreshed = await redeem(service, null, fields)
    assert.deepEqual([refreshed.claims.email, refreshed.claims.phone_number], ['alice@example.com', '+49 30 123456'])
    const shown = await userinfo(service, refreshed.access_token)
    assert.deepEqual(Object.keys(shown).sort(), ['address', 'sub'])
  })

  it('refuses an essential acr that no sign-in reaches: unmet_authentication_requirements', async () => {
    const acr = claimsOfRequest({ id_token: { acr: { essential: true, values: ['urn:example:gold'] } } })
    assert.deepEqual(await errorOf(acr, browser), ['unmet_authentication_requirements', 'state-1'])
  })
})
