/** That settings do what their description says, seen from outside (contract 3). */
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { startFakeGithub } from '../support/fake-github.ts'
import { serviceFor } from '../support/lifetime.ts'
import { password, startService, type TestService, testUser } from '../support/service.ts'

async function serviceWith(t: TestContext, env: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await serviceFor(t, env)
  return service
}

describe('lifetimes', () => {
  it('of codes, tokens and the leeway of a rotation are those of the settings [C3.11, C3.12, C3.13, C3.14]', async (t) => {
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

  it('are an hour, twenty minutes and fourteen days when nothing is set [C3.12]', async (t) => {
    const service = await serviceWith(t, {})
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const [access, id] = [claimsOf(body.access_token), claimsOf(body.id_token)]
    assert.deepEqual([access.exp - access.iat, id.exp - id.iat], [3600, 1200])
    service.advance(14 * 86_400 - 5)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).status, 200)
  })

  it('of a session is Accounts:SessionLifetime [C3.21]', async (t) => {
    const service = await serviceWith(t, { Accounts__SessionLifetime: '600' })
    const browser = new Browser(service)
    await browser.signIn({ rememberMe: 'true' })
    assert.match(browser.setCookies.join(), /Max-Age=600/)
    await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
    service.advance(601)
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
  })
})

describe('the last end of what is used for ever', () => {
  it('of a session is Accounts:SessionMaxLifetime, counted from the sign-in', async (t) => {
    const service = await serviceWith(t, { Accounts__SessionLifetime: '600', Accounts__SessionMaxLifetime: '1500' })
    const browser = new Browser(service)
    await browser.signIn()
    await browser.submit('/connect/authorize', { ...authorizeParameters(), 'submit.Accept': 'Yes' })
    const isSignedIn = async () => locationOf(await browser.get(authorizePath())).pathname === '/callback'
    for (const seconds of [400, 400, 400, 295]) {
      service.advance(seconds)
      assert.equal(await isSignedIn(), true, 'it slides')
    }
    service.advance(10)
    assert.equal(await isSignedIn(), false)
    const again = new Browser(service)
    await again.signIn()
    assert.equal(locationOf(await again.get(authorizePath())).pathname, '/callback', 'a new sign-in begins anew')
  })

  it('of refresh tokens is OAuth:RefreshChainMaxLifetime, counted from the sign-in of the application', async (t) => {
    const service = await serviceWith(t, {
      OAuth__RefreshTokenLifetime: '600',
      OAuth__RefreshChainMaxLifetime: '1500',
    })
    let { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    for (const seconds of [500, 500, 490]) {
      service.advance(seconds)
      const answer = await postToken(service, refreshFields(body.refresh_token))
      assert.equal(answer.status, 200)
      body = answer.body
    }
    service.advance(11)
    const refused = await postToken(service, refreshFields(body.refresh_token))
    assert.equal(refused.body.error, 'invalid_grant')
    assert.match(refused.body.error_uri, /#ID2018$/)
    const again = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    assert.equal(again.status, 200, 'a new sign-in begins anew')
  })

  it('of the first refresh token comes when the chain may not live as long as a token', async (t) => {
    const service = await serviceWith(t, { OAuth__RefreshChainMaxLifetime: '60' })
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const [grantId = ''] = body.refresh_token.split('.')
    const { grant } = await service.storage.grants.findForRefresh(grantId, 'demo')
    assert.equal(grant?.refresh?.expiresAtMs, (grant?.createdAtMs ?? 0) + 60_000, 'and the sweeper may remove it then')
    service.advance(61)
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_grant')
  })

  it('comes at once for refresh tokens and sessions that are older than a limit that was set later', async (t) => {
    const file = `sqlite:${join(await mkdtemp(join(tmpdir(), 'latchkey-effects-')), 'latchkey.db')}`
    const before = await startService({ Database__Url: file })
    const browser = new Browser(before)
    const { body } = await postToken(before, codeFields(await obtainCode(browser)))
    before.advance(3600)
    await before.stop()
    const limits = { Accounts__SessionMaxLifetime: '3000', OAuth__RefreshChainMaxLifetime: '3000' }
    const service = await serviceFor(t, { Database__Url: file, ...limits }, { after: before })
    assert.equal(locationOf(await browser.get(authorizePath())).pathname, '/Account/Login')
    assert.equal((await postToken(service, refreshFields(body.refresh_token))).body.error, 'invalid_grant')
  })
})

describe('Accounts:Lockout', () => {
  for (const [keeps, then] of [
    ['false', 'rest until it ends, as the specification says'],
    ['true', 'go on, and so do sign-ins through a provider'],
  ] as const) {
    it(`KeepsSessions ${keeps}: sessions and refresh tokens ${then}`, async (t) => {
      const github = await startFakeGithub()
      t.after(() => github.stop())
      const service = await serviceWith(t, { ...github.env, Accounts__Lockout__KeepsSessions: keeps })
      const comeIn = async (browser: Browser) => {
        const started = await browser.submit('/Account/ExternalLogin?returnUrl=/', { provider: 'GitHub' })
        const answered = await fetch(locationOf(started), { redirect: 'manual' })
        return browser.fetch(locationOf(await browser.fetch(locationOf(answered).href)).href)
      }
      await comeIn(new Browser(service))
      const browser = new Browser(service)
      const { body } = await postToken(service, codeFields(await obtainCode(browser)))
      const late = locationOf(await browser.get(authorizePath())).searchParams.get('code') ?? ''
      const alice = await service.storage.users.findByName('alice')
      const login = { provider: 'github', subject: String(github.user.id), createdAtMs: service.now() }
      const bound = testUser({ name: 'octocat', email: 'octocat@example.com', passwordHash: alice?.passwordHash ?? '' })
      await service.storage.users.registerExternal(bound, { ...login, userId: bound.id }, null)
      service.advance(10)
      for (const username of ['alice', 'octocat']) {
        for (let failure = 0; failure < 5; failure += 1)
          await new Browser(service).signIn({ username, password: 'wrong' })
        const right = await new Browser(service).signIn({ username })
        assert.match(right.headers.get('location') ?? '', /invalid_credentials/, 'a password lets no stranger in')
      }
      const went = keeps === 'true'
      assert.equal(locationOf(await browser.get(authorizePath())).pathname, went ? '/callback' : '/Account/Login')
      assert.equal((await postToken(service, codeFields(late))).status, went ? 200 : 400)
      const refreshed = await postToken(service, refreshFields(body.refresh_token))
      assert.equal(refreshed.status, went ? 200 : 400)
      const provider = locationOf(await comeIn(new Browser(service)))
      assert.equal(provider.searchParams.get('error'), went ? null : 'account_locked')
      service.advance(300)
      const live = went ? refreshed.body.refresh_token : body.refresh_token
      assert.equal((await postToken(service, refreshFields(live))).status, 200, 'nothing was lost')
    })
  }

  it('says after how many failures, and for how long [C3.19]', async (t) => {
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

  it('false: nobody gets round the limit by naming another address [C3.8]', async (t) => {
    assert.equal(await fourth(t, 'false'), 429)
    assert.equal(await fourth(t, '203.0.113.7'), 429, 'nor by way of somebody who is not the proxy')
  })

  it('true, or the address of the proxy: visitors are told apart [C3.8]', async (t) => {
    assert.equal(await fourth(t, 'true'), 302)
    assert.equal(await fourth(t, '127.0.0.0/8'), 302)
  })
})
