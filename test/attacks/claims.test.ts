/** A client that uses the claims parameter to get more than the user consented to, or to break the service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { basicOp, client_id, flow, requestPath, type Scene, userinfo, visit } from '../certification/basic-op-scene.ts'
import { Browser, locationOf } from '../support/browser.ts'

let service: Scene
/** A browser that is signed in and has consented to `openid`. */
let browser: Browser
before(async () => {
  service = await basicOp()
  browser = (await flow(service)).browser
})
after(() => service.stop())

const login = '/Account/Login'
const again = (change: Readonly<Record<string, string>> = {}) => flow(service, change, browser)
const errorOf = async (change: Readonly<Record<string, string>>, at = browser) => {
  const { searchParams } = locationOf(await at.get(requestPath(change)))
  return [searchParams.get('error'), searchParams.get('state')]
}
const claimsOfRequest = (request: object) => ({ claims: JSON.stringify(request) })

describe('the claims parameter in the hands of an attacker (OpenID Connect Core §5.5)', () => {
  it('asks for consent to the scope of each claim, and gives nothing without one', async () => {
    const own = await Browser.signedIn(service)
    await service.storage.scopes.delete('phone')
    const location = locationOf(await own.get(requestPath(claimsOfRequest({ userinfo: { email: null } }))))
    assert.equal(location.pathname, '/Account/Consent')
    const context = await (await own.get(`/Account/ConsentContext${location.search}`)).json()
    const { scopes } = context as { scopes: { name: string }[] }
    assert.deepEqual(
      scopes.map(({ name }) => name),
      ['openid', 'email'],
    )
    const silent = { prompt: 'none', ...claimsOfRequest({ userinfo: { profile: null, email: null } }) }
    assert.deepEqual(await errorOf(silent, own), ['consent_required', 'state-1'])
    await service.storage.clients.update(client_id, (client) => ({ ...client, scopes: ['phone', 'email'] }))
    const unpermitted = claimsOfRequest({ userinfo: { name: null }, id_token: { name: null } })
    const narrow = await flow(service, unpermitted, own)
    assert.deepEqual([narrow.shown, narrow.claims.name], [[], undefined])
    assert.deepEqual(await userinfo(service, narrow.access_token), { sub: service.sub })
    await service.storage.clients.update(client_id, (client) => ({ ...client, scopes: ['phone', 'email', 'profile'] }))
    // The service has no scope phone now: the claim is not given, and nobody is asked.
    const { access_token, shown } = await flow(service, claimsOfRequest({ userinfo: { phone_number: null } }), own)
    assert.deepEqual([shown, await userinfo(service, access_token)], [[], { sub: service.sub }])
  })

  it('applies to the user that a value of sub names, and to nobody else', async () => {
    const sub = (value: string) => claimsOfRequest({ id_token: { sub: { value } } })
    assert.equal((await again({ prompt: 'none', ...sub(service.sub) })).claims.sub, service.sub)
    const other = { ...sub('019a0000-0000-7000-8000-00000000000f') }
    assert.deepEqual(await errorOf({ prompt: 'none', ...other }), ['login_required', 'state-1'])
    const { answer, shown } = await visit(browser, other)
    assert.deepEqual([answer.get('error'), answer.get('code'), shown], ['login_required', null, [login]])
  })

  for (const [what, text] of [
    ['no JSON', '{"userinfo":'],
    ['an array', '[]'],
    ['a claim that is a number', '{"userinfo":{"name":1}}'],
    ['16 KiB', `{"userinfo":{"name":null${'\t'.repeat(16_384)}}}`],
    ['deep nesting without an end', '{"userinfo":'.repeat(300)],
  ] as const) {
    it(`refuses ${what} with invalid_request, and sends the state back`, async () => {
      const { searchParams } = locationOf(
        await browser.post('/connect/authorize', [...new URLSearchParams(requestPath({ claims: text }).split('?')[1])]),
      )
      assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['invalid_request', 'state-1'])
    })
  }

  it('is not confused by names of prototypes and by repeated members: nothing else is given', async () => {
    const text =
      '{"__proto__":{"userinfo":{"email":null}},"userinfo":{"constructor":null,"__proto__":{"value":1}},"userinfo":{"name":null}}'
    const { access_token } = await again({ claims: text })
    assert.deepEqual(Object.keys(await userinfo(service, access_token)).sort(), ['name', 'sub'])
  })
})
