/** That settings do what their description says, seen from outside (contract 3). */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  authorizeParameters,
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { password, startService, type TestService } from '../support/service.ts'

async function serviceWith(t: TestContext, env: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await startService(env)
  t.after(() => service.stop())
  return service
}

describe('lifetimes', () => {
  it('of codes, tokens and the leeway of a rotation are those of the settings', async (t) => {
    const service = await serviceWith(t, {
      OAuth__AuthorizationCodeLifetime: '10',
      OAuth__AccessTokenLifetime: '120',
      OAuth__IdentityTokenLifetime: '240',
      OAuth__RefreshTokenLifetime: '1000',
      OAuth__RefreshTokenReuseLeeway: '5',
    })
    const late = await obtainCode(new Browser(service))
    service.advance(11)
    assert.equal((await postToken(service, codeFields(late))).body.error, 'invalid_grant')
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    assert.equal(body.expires_in, 120)
    const [access, id] = [claimsOf(body.access_token), claimsOf(body.id_token)]
    assert.deepEqual([access.exp - access.iat, id.exp - id.iat], [120, 240])
    const next = (await postToken(service, refreshFields(body.refresh_token))).body
    service.advance(4)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200, 'within the leeway')
    service.advance(990)
    const last = (await postToken(service, refreshFields(next.refresh_token))).body
    assert.ok(last.refresh_token, 'counted anew at each rotation')
    service.advance(1001)
    assert.equal((await postToken(service, refreshFields(last.refresh_token))).body.error, 'invalid_grant')
  })

  it('are an hour, twenty minutes and fourteen days when nothing is set', async (t) => {
    const service = await serviceWith(t, {})
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const [access, id] = [claimsOf(body.access_token), claimsOf(body.id_token)]
    assert.deepEqual([access.exp - access.iat, id.exp - id.iat], [3600, 1200])
    service.advance(14 * 86_400 - 5)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
  })

  it('of a session is Accounts:SessionLifetime', async (t) => {
    const service = await serviceWith(t, { Accounts__SessionLifetime: '600' })
    const browser = new Browser(service)
    await browser.signIn({ rememberMe: 'true' })
    assert.match(browser.setCookies.join(), /Max-Age=600/)
    await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
    service.advance(601)
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
  })
})

describe('Accounts:Lockout', () => {
  it('says after how many failures, and for how long', async (t) => {
    const service = await serviceWith(t, {
      Accounts__Lockout__MaxFailedAttempts: '2',
      Accounts__Lockout__Duration: '60',
    })
    const attempt = async (secret: string): Promise<string | null> =>
      (await new Browser(service).signIn({ password: secret })).headers.get('location')
    await attempt('wrong')
    assert.equal(await attempt(password), '/', 'one is not too many')
    for (let failure = 0; failure < 2; failure += 1) await attempt('wrong')
    assert.match((await attempt(password)) ?? '', /invalid_credentials/)
    service.advance(61)
    assert.equal(await attempt(password), '/')
  })
})

describe('Server:TrustProxy', () => {
  /** The status of the fourth sign-in, after three failures that claim to come from other addresses. */
  async function fourth(t: TestContext, trustProxy: string): Promise<number> {
    const service = await serviceWith(t, { RateLimit__LoginPerMinute: '3', Server__TrustProxy: trustProxy })
    const attempt = async (address: string, secret: string): Promise<Response> => {
      const browser = new Browser(service)
      const fields = {
        username: 'alice',
        password: secret,
        __RequestVerificationToken: await browser.antiforgeryToken(),
      }
      return browser.post('/Account/Login', fields, { 'x-forwarded-for': address })
    }
    for (let failure = 0; failure < 3; failure += 1) await attempt(`192.0.2.${failure}`, 'wrong')
    return (await attempt('192.0.2.9', password)).status
  }

  it('false: nobody gets round the limit by naming another address', async (t) => {
    assert.equal(await fourth(t, 'false'), 429)
    assert.equal(await fourth(t, '203.0.113.7'), 429, 'nor by way of somebody who is not the proxy')
  })

  it('true, or the address of the proxy: visitors are told apart', async (t) => {
    assert.equal(await fourth(t, 'true'), 302)
    assert.equal(await fourth(t, '127.0.0.0/8'), 302)
  })
})
