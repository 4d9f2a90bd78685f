/** SIGHUP: a running service takes on changed settings, all or none, and no request notices. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { authorizeParameters, Browser, codeFields, locationOf, obtainCode, postToken } from '../support/browser.ts'
import { assertStops, beginPost, type Running, serve } from './running.ts'

const reloaded = 'the settings were reloaded'
const refused = 'the settings were not reloaded; the service keeps the current ones'

async function reload(service: Running, settings: object, outcome = reloaded) {
  const since = service.log().length
  service.configure(settings)
  service.child.kill('SIGHUP')
  return service.logged(outcome, since)
}

async function allowedOrigin(service: Running, origin: string): Promise<string | null> {
  const answer = await fetch(`${service.issuer}.well-known/openid-configuration`, { headers: { origin } })
  assert.equal(answer.status, 200)
  return answer.headers.get('access-control-allow-origin')
}

describe('SIGHUP', () => {
  it('changes origins, lifetimes, limits, providers and the log level for the requests that come from then on', async (t) => {
    const service = await serve(t)
    const origin = 'https://app.example.com'
    assert.equal(await allowedOrigin(service, origin), null)
    const before = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    assert.equal(before.body.expires_in, 3600)

    await reload(service, {
      Cors: { Origins: [origin] },
      OAuth: {
        AccessTokenLifetime: 120,
        External: { GitHub: { ClientId: 'github-client', ClientSecret: 'github-secret' } },
      },
      RateLimit: { LoginPerMinute: 1 },
      Log: { Level: 'warn' },
    })

    assert.equal(await allowedOrigin(service, origin), origin)
    assert.equal(await allowedOrigin(service, 'http://localhost:5081'), 'http://localhost:5081')
    const providers = await fetch(`${service.issuer}Account/ExternalProviders`)
    assert.deepEqual(await providers.json(), [{ name: 'GitHub', displayName: 'GitHub' }])
    const browser = new Browser(service)
    const after = await postToken(service, codeFields(await obtainCode(browser)))
    assert.equal(after.body.expires_in, 120)
    const guess = () => new Browser(service).signIn({ password: 'wrong' })
    assert.deepEqual([(await guess()).status, (await guess()).status], [302, 429])
    // What was issued before goes on: keys and storage are the same.
    const refresh = { grant_type: 'refresh_token', client_id: 'demo', refresh_token: before.body.refresh_token }
    assert.equal((await postToken(service, refresh)).status, 200)
    // The refusals after the reload are of level info, which is no longer logged.
    assert.equal(service.log().at(-1)?.msg, reloaded)
  })

  it('gives nobody another budget of failed sign-ins', async (t) => {
    const service = await serve(t, { settings: { RateLimit: { LoginPerMinute: 2 } } })
    const guess = () => new Browser(service).signIn({ username: 'nobody', password: 'wrong' })
    assert.deepEqual([(await guess()).status, (await guess()).status, (await guess()).status], [302, 302, 429])
    await reload(service, { RateLimit: { LoginPerMinute: 2 }, OAuth: { AccessTokenLifetime: 120 } })
    assert.equal((await guess()).status, 429)
    await reload(service, { RateLimit: { LoginPerMinute: 3 } })
    assert.deepEqual([(await guess()).status, (await guess()).status], [302, 429])
  })

  it('gives nobody another budget of what strangers store', async (t) => {
    const settings = {
      OAuth: { DynamicRegistration: 'open', DynamicRegistrationScopes: 'demo_api' },
      RateLimit: { PushedRequestsPerMinute: 2 },
    }
    const service = await serve(t, { settings })
    const push = async () =>
      (await postToken(service, authorizeParameters({ scope: 'openid' }), {}, 'connect/par')).status
    const registered = async () => {
      const answer = await fetch(`${service.issuer}connect/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://app.example.com/callback'] }),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const registrations = await Promise.all(Array.from({ length: 21 }, registered))
    assert.deepEqual([await push(), await push(), await push(), registrations.sort().at(-1)], [201, 201, 429, 429])
    await reload(service, { ...settings, Log: { Level: 'debug' } })
    assert.deepEqual([await push(), await registered()], [429, 429])
    await reload(service, { ...settings, RateLimit: { PushedRequestsPerMinute: 3 } })
    assert.deepEqual([await push(), await push()], [201, 429])
  })

  it('makes no sign-in weaker that was begun: it needs what it needed, and no code by mail that did not count', async (t) => {
    const service = await serve(t, {
      env: { Accounts__Registration: 'closed', Mail__Url: 'file:mails' },
      settings: { 'Accounts:SecondFactor': 'required' },
    })
    const begun = async () => {
      const browser = new Browser(service)
      const answer = await browser.signIn({ ReturnUrl: '/Account?x=1' })
      assert.equal(locationOf(answer).pathname, '/Account/SecondFactor')
      return browser
    }
    const context = async (browser: Browser) =>
      (await (await browser.get('/Account/SecondFactorContext')).json()) as { step?: string; methods?: string[] }
    const self = async (browser: Browser, path: string, body: object) => {
      const response = await browser.fetch(`/Account/Self${path}`, {
        method: 'POST',
        headers: { RequestVerificationToken: await browser.antiforgeryToken(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    }
    const [first, second] = [await begun(), await begun()]
    const { secret } = (await self(first, '/totp', {})).body
    // Nobody is asked any more, and mail counts.
    await reload(service, { 'Accounts:SecondFactor': 'optional', 'Accounts:SecondFactor:Email': true })
    assert.equal((await context(second)).step, 'enrolment')
    const code = new TOTP({ secret }).generate()
    const confirmed = await self(first, '/totp/confirm', { code })
    assert.deepEqual([confirmed.status, confirmed.body.return_url], [200, '/Account?x=1'])
    // A factor was set up meanwhile: the other sign-in cannot replace it.
    assert.equal((await self(second, '/totp', {})).status, 401)
    const withMail = await begun()
    assert.deepEqual((await context(withMail)).methods, ['totp', 'email'])
    await reload(service, { 'Accounts:SecondFactor': 'optional', 'Accounts:SecondFactor:Email': false })
    const without = await begun()
    assert.deepEqual((await context(withMail)).methods, ['totp'])
    await reload(service, { 'Accounts:SecondFactor': 'optional', 'Accounts:SecondFactor:Email': true })
    assert.deepEqual((await context(without)).methods, ['totp'])
    await without.submit('/Account/SecondFactor', { method: 'email' })
    const mailed = await without.submit('/Account/SecondFactor', { method: 'email', code: '000000' })
    assert.match(mailed.headers.get('location') ?? '', /error=code_invalid/)
    assert.deepEqual((await context(await begun())).methods, ['totp', 'email'])
  })

  it('is refused as a whole, in one line, when the settings have a problem', async (t) => {
    const service = await serve(t)
    const line = await reload(
      service,
      { Cors: { Origins: ['https://app.example.com'] }, Accounts: { Lockout: { Duration: 'soon' } } },
      refused,
    )
    assert.equal(line.level, 50)
    assert.deepEqual(line.problems, [
      'Accounts:Lockout:Duration (in latchkey.json) must be a whole number from 1 to 315360000, not "soon".',
    ])
    assert.equal(await allowedOrigin(service, 'https://app.example.com'), null)
    await assertStops(service)
  })

  it('is refused when a setting would change that the service was started with', async (t) => {
    const service = await serve(t)
    const line = await reload(
      service,
      {
        Metrics: { Port: 0 },
        OAuth: { AccessTokenAlgorithm: 'PS256' },
        Cors: { Origins: ['https://app.example.com'] },
      },
      refused,
    )
    assert.deepEqual(line.problems, [
      'OAuth:AccessTokenAlgorithm, Metrics:Port cannot change while the service runs; restart it.',
    ])
    assert.equal(await allowedOrigin(service, 'https://app.example.com'), null)
    assert.equal((await postToken(service, codeFields(await obtainCode(new Browser(service))))).status, 200)
  })

  it('drops no request: not one that is under way, and not one of many that arrive meanwhile', async (t) => {
    const service = await serve(t, { settings: { OAuth: { AccessTokenLifetime: 60 } } })
    const code = await obtainCode(new Browser(service))
    const exchange = await beginPost(service.port, '/connect/token', codeFields(code))
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    let running = true
    let answered = 0
    const visit = async (): Promise<void> => {
      while (running) {
        assert.equal(await status(`${service.issuer}.well-known/openid-configuration`, agent), 200)
        answered += 1
      }
    }
    const visitors = Array.from({ length: 8 }, visit)
    for (let round = 1; round <= 10; round += 1) {
      await reload(service, { OAuth: { AccessTokenLifetime: 60 + round } })
    }
    running = false
    await Promise.all(visitors)
    agent.destroy()
    assert.ok(answered > 40, `only ${answered} requests were made`)
    service.child.kill('SIGTERM')
    const answer = await exchange.finish()
    assert.match(answer, /^HTTP\/1\.1 200 /)
    // It ends as it began: under the settings of its beginning.
    assert.match(answer, /"expires_in":60\b/)
  })

  it('lets a connection that is kept open go on', async (t) => {
    const service = await serve(t)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const address = `${service.issuer}readyz`
    const ports = new Set<number | undefined>()
    for (const lifetime of [100, 200, 300]) {
      assert.equal(await status(address, agent, ports), 200)
      await reload(service, { OAuth: { IdentityTokenLifetime: lifetime } })
    }
    assert.equal(await status(address, agent, ports), 200)
    agent.destroy()
    assert.equal(ports.size, 1)
  })
})

function status(
  address: string,
  agent: Agent,
  localPorts = new Set<number | undefined>(),
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      localPorts.add(response.socket.localPort)
      response.resume().on('end', () => resolve(response.statusCode))
    }).on('error', reject)
  })
}
