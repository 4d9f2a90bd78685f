/** Which sign-in may answer a device, and how many codes may be tried: with several processes on one database. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { Browser, postToken } from '../support/browser.ts'
import { serviceForFile, startService, type TestService, testClient } from '../support/service.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const tv = (id: string, change: Partial<typeof defaultClientMetadata> = {}) =>
  testClient({
    id,
    grantTypes: [grantType, 'refresh_token'],
    redirectUris: [],
    postLogoutRedirectUris: [],
    metadata: { ...change },
  })

let other: TestService
const folder = await mkdtemp(join(tmpdir(), 'latchkey-device-'))
const env = { Database__Url: `sqlite:${join(folder, 'shared.db')}`, Server__TrustProxy: 'true' }
const service = await serviceForFile(env)
const { clients } = service.storage
await clients.create(tv('tv'))
await clients.create(tv('strict-tv', { session_lifetime_max: 600 }))
await clients.create(tv('asking-tv', { default_max_age: 300 }))
await clients.create(tv('always-tv', { default_max_age: 0 }))
await clients.create({ ...tv('own-tv', { default_max_age: 3600, session_lifetime_max: 60 }), consent: 'implicit' })
after(async () => {
  await other?.stop()
  await rm(folder, { recursive: true })
})

async function codes(client_id: string): Promise<{ device_code: string; user_code: string }> {
  const fields = { client_id, scope: 'openid demo_api' }
  return (await postToken(service, fields, {}, 'connect/device')).body
}
const poll = async (client_id: string, device_code: string) =>
  (await postToken(service, { grant_type: grantType, client_id, device_code })).body
const answer = async (browser: Browser, user_code: string, button = 'submit.Accept'): Promise<string> => {
  const response = await browser.submit('/Account/Device', { user_code, [button]: 'Yes' })
  return response.headers.get('location') ?? `${response.status}`
}

describe('the page of a device keeps to the ages of sign-ins of its client, as the authorization endpoint does', () => {
  for (const [client_id, seconds] of [
    ['strict-tv', 600],
    ['asking-tv', 300],
    ['own-tv', 60],
  ] as const) {
    it(`asks for a new sign-in after ${seconds} seconds: ${client_id}`, async () => {
      const browser = await Browser.signedIn(service)
      service.advance(seconds - 2)
      const first = await codes(client_id)
      assert.match(await answer(browser, first.user_code), /outcome=allowed/)
      assert.ok((await poll(client_id, first.device_code)).access_token)
      service.advance(4)
      const { user_code, device_code } = await codes(client_id)
      const login = new URL(await answer(browser, user_code), service.issuer)
      assert.equal(login.pathname, '/Account/Login')
      assert.equal(login.searchParams.get('ReturnUrl'), `/Account/Device?user_code=${user_code}`)
      assert.equal((await poll(client_id, device_code)).error, 'authorization_pending')
      // Coming back without signing in does not help, and another browser's sign-in neither.
      await new Browser(service).signIn()
      assert.match(await answer(browser, user_code), /^\/Account\/Login/)
      await browser.signIn()
      assert.match(await answer(browser, user_code), /outcome=allowed/)
      assert.ok((await poll(client_id, device_code)).access_token)
    })
  }

  it('asks each time for default_max_age=0, once for each device', async () => {
    const browser = await Browser.signedIn(service)
    for (let round = 0; round < 2; round += 1) {
      const { user_code, device_code } = await codes('always-tv')
      assert.match(await answer(browser, user_code), /^\/Account\/Login/)
      service.advance(1)
      await browser.signIn()
      assert.match(await answer(browser, user_code), /outcome=allowed/)
      assert.ok((await poll('always-tv', device_code)).access_token)
    }
  })

  it('takes a denial of any sign-in, and asks nothing of other clients', async () => {
    const browser = await Browser.signedIn(service)
    service.advance(3600)
    const strict = await codes('strict-tv')
    assert.match(await answer(browser, strict.user_code, 'submit.Deny'), /outcome=denied/)
    const plain = await codes('tv')
    assert.match(await answer(browser, plain.user_code), /outcome=allowed/)
  })
})

describe('wrong user codes (RFC 8628 §5.1)', () => {
  const wrong = 'BCDF-BCDF'
  const tryAt = async (browser: Browser, address: string, user_code = wrong): Promise<string | null> => {
    const headers = { 'x-forwarded-for': address }
    const response = await browser.get(`/Account/DeviceContext?${new URLSearchParams({ user_code })}`, headers)
    return ((await response.json()) as { error: string | null }).error
  }
  /** The same person, signed in at both processes. */
  const browsers = async (): Promise<[Browser, Browser]> => {
    other ??= await startService(env)
    other.advance((service.now() - other.now()) / 1000)
    const pair: [Browser, Browser] = [new Browser(service), new Browser(other)]
    for (const browser of pair) await browser.signIn()
    return pair
  }

  it('count for all processes together, by address and by person, however many come at once', async () => {
    const [here, there] = await browsers()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => tryAt(at % 2 === 0 ? here : there, '192.0.2.1')),
    )
    assert.equal(answers.filter((error) => error === 'code_unknown').length, 10)
    assert.equal(answers.filter((error) => error === 'too_many_tries').length, 30)
    // The person has none left at any address.
    assert.equal(await tryAt(there, '192.0.2.2'), 'too_many_tries')
    service.advance(61)
    other.advance(61)
    assert.equal(await tryAt(here, '192.0.2.1'), 'code_unknown')
  })

  it('are not used up by right ones', async () => {
    service.advance(61)
    other.advance(61)
    const [here, there] = await browsers()
    const { user_code } = await codes('tv')
    for (let at = 0; at < 15; at += 1)
      assert.equal(await tryAt(at % 2 === 0 ? here : there, '192.0.2.3', user_code), null)
  })
})
