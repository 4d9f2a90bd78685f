/** What an external provider is asked for, and by what claim it names people. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import { sendBy } from '../../src/outbound/send.ts'
import { openProviders } from '../../src/providers/open.ts'
import { nothingAsked } from '../../src/providers/provider.ts'
import { Browser, locationOf } from '../support/browser.ts'
import { openidForFile, throughProvider } from '../support/fake-openid.ts'
import { serviceForFile, startService } from '../support/service.ts'
import { settingsFrom, settingsProblems } from '../support/settings.ts'

const provider = await openidForFile()
const { does } = provider
afterEach(() => provider.reset())

const service = await serviceForFile({
  ...provider.env('Plain'),
  ...provider.env('Set', {
    Scopes: 'email,groups',
    Parameters__prompt: 'consent',
    Parameters__hd: 'example.com',
    Parameters__FooBar: '1',
    Parameters__foobar: '2',
    ForwardAcr: 'true',
  }),
  ...provider.env('Silent', { ForwardLoginHint: 'false', ForwardPrompt: 'FALSE', Parameters__login_hint: 'default' }),
  ...provider.env('Oid', { SubjectClaim: 'oid' }),
})

/** A request of the demo client, as the login page has it. */
function authorizationRequest(more: Record<string, string> = {}): string {
  const parameters = {
    client_id: 'demo',
    response_type: 'code',
    redirect_uri: 'http://localhost:5081/callback',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  }
  return `/connect/authorize?${new URLSearchParams(parameters)}`
}

async function sentTo(name: string, returnUrl = '/after'): Promise<URLSearchParams> {
  const path = `/Account/ExternalLogin?returnUrl=${encodeURIComponent(returnUrl)}`
  const started = await new Browser(service).submit(path, { provider: name })
  assert.equal(started.status, 302)
  return locationOf(started).searchParams
}

const forwarded = async (name: string, returnUrl?: string) => {
  const sent = await sentTo(name, returnUrl)
  return [sent.get('login_hint'), sent.get('prompt'), sent.get('acr_values')]
}

describe('the authorization request to a provider', () => {
  it('has the default scopes, or those of the settings with openid', async () => {
    assert.equal((await sentTo('Plain')).get('scope'), 'openid profile email')
    assert.equal((await sentTo('Set')).get('scope'), 'openid email groups')
  })

  it('has the scopes of GitHub, and of other providers without discovery those of the settings alone', async () => {
    const github = { OAuth__External__GitHub__ClientId: 'id' }
    const mine = {
      OAuth__External__Mine__ClientId: 'id',
      OAuth__External__Mine__AuthorizationEndpoint: 'https://a.example/authorize',
      OAuth__External__Mine__TokenEndpoint: 'https://a.example/token',
      OAuth__External__Mine__UserInfoEndpoint: 'https://a.example/me',
    }
    const parts = {
      keys: service.keys,
      clock: service.now,
      random: randomBytes,
      deadlineMs: 1000,
      send: sendBy(settingsFrom({}).outbound),
    }
    const scopesOf = async (env: Record<string, string>) => {
      const { list } = await openProviders(settingsFrom(env).oauth.external, parts)
      const checks = { state: 'state', codeVerifier: 'verifier', nonce: 'nonce' }
      const address = await list[0]?.authorizationAddress('https://id.example.com/cb', checks, nothingAsked)
      return address?.searchParams.get('scope')
    }
    assert.equal(await scopesOf(github), 'read:user user:email')
    assert.equal(await scopesOf({ ...github, OAuth__External__GitHub__Scopes__0: 'read:org' }), 'read:org')
    assert.equal(await scopesOf(mine), null)
    assert.equal(await scopesOf({ ...mine, OAuth__External__Mine__Scopes: 'profile,openid' }), 'profile openid')
  })

  it('has the parameters of the settings, whose names keep their case', async () => {
    const sent = await sentTo('Set')
    const names = ['prompt', 'hd', 'FooBar', 'foobar']
    assert.deepEqual(
      names.map((name) => sent.get(name)),
      ['consent', 'example.com', '1', '2'],
    )
  })

  it('sends on login_hint and prompt of the request that the sign-in is for, and acr_values where the settings say so', async () => {
    const asked = authorizationRequest({ login_hint: 'alice@example.com', prompt: 'login', acr_values: 'mfa phr' })
    assert.deepEqual(await forwarded('Plain', asked), ['alice@example.com', 'login', null])
    assert.deepEqual(await forwarded('Set', asked), ['alice@example.com', 'login', 'mfa phr'])
    assert.deepEqual(await forwarded('Silent', asked), ['default', null, null])
  })

  it('sends on what a pushed request asks for', async () => {
    const asked = new URLSearchParams(authorizationRequest({ login_hint: 'alice@example.com' }).split('?')[1])
    const pushed = await new Browser(service).post('/connect/par', Object.fromEntries(asked))
    const { request_uri = '' } = (await pushed.json()) as Record<string, string>
    const returnUrl = `/connect/authorize?${new URLSearchParams({ client_id: 'demo', request_uri })}`
    assert.deepEqual(await forwarded('Plain', returnUrl), ['alice@example.com', null, null])
  })

  it('sends on nothing of a request that asks for nothing, is refused, or is none', async () => {
    assert.deepEqual(await forwarded('Set', authorizationRequest()), [null, 'consent', null])
    const hints = { login_hint: 'alice@example.com', prompt: 'login' }
    assert.deepEqual(await forwarded('Plain', authorizationRequest({ ...hints, client_id: 'nobody' })), [
      null,
      null,
      null,
    ])
    assert.deepEqual(await forwarded('Plain', `/after?${new URLSearchParams(hints)}`), [null, null, null])
  })

  it('cannot have what the sign-in sets itself replaced: the start is refused by name', () => {
    const own =
      'client_id redirect_uri response_type scope state nonce code_challenge code_challenge_method request_uri'
    const names = [...own.split(' '), 'request', 'client_secret', 'client_assertion', 'client_assertion_type']
    for (const name of names) {
      const env = provider.env('Acme', { [`Parameters__${name}`]: 'x' })
      const variable = `OAuth__External__Acme__Parameters__${name}`
      assert.deepEqual(settingsProblems(env), [
        `OAuth:External:Acme:Parameters:${name} (${variable} in the environment) cannot be set: the sign-in sets it itself.`,
      ])
    }
    assert.equal(names.length, 13)
  })

  it('has no parameters without a name, and none that are no text', () => {
    const nameless = settingsProblems(provider.env('Acme', { Parameters: 'x' }))
    assert.match(nameless.join(), /^OAuth:External:Acme:Parameters .* is not a setting\./)
    const multiline = settingsProblems(provider.env('Acme', { Parameters__hd: 'a\nb' }))
    assert.match(multiline.join(), /^OAuth:External:Acme:Parameters:hd .* must be text/)
  })
})

describe('the claim that names the person', () => {
  it('is the one of the settings, and its absence fails a check', async () => {
    does.claims = (claims) => ({ ...claims, oid: 'f00d' })
    const browser = new Browser(service)
    assert.equal((await throughProvider(browser, 'Oid')).status, 302)
    const email = 'f00d@example.com'
    await browser.submit('/Account/ExternalLoginRegister', { email, ReturnUrl: '/after' })
    assert.equal(await browser.userName(), email)
    const bound = await service.storage.users.findForSignIn({ provider: 'oid', subject: 'f00d' }, [])
    assert.equal(bound?.user.name, email)
    for (const oid of [undefined, '', 7, 'x'.repeat(256)]) {
      does.claims = (claims) => ({ ...claims, oid })
      const refused = await throughProvider(new Browser(service), 'Oid')
      assert.equal(refused.status, 502)
      const line = service.log.findLast((one) => 'refusal' in one) as { refusal: Record<string, string> }
      assert.equal(line.refusal.id, 'ID9504')
      assert.equal(line.refusal.check, 'oid')
    }
  })

  it('must not be set, nor pushed requests be demanded, of a provider without id tokens and metadata', () => {
    const github = 'OAuth__External__GitHub__'
    const env = { [`${github}ClientId`]: 'id', [`${github}SubjectClaim`]: 'oid', [`${github}PushedRequests`]: 'always' }
    assert.deepEqual(
      settingsProblems(env).map((problem) => problem.replace(/ must.*/, '')),
      ['OAuth:External:GitHub:SubjectClaim', 'OAuth:External:GitHub:PushedRequests'],
    )
  })
})

describe('pushed authorization requests (RFC 9126)', () => {
  const endpoint = { pushed_authorization_request_endpoint: `${provider.origin}/par` }
  const required = { require_pushed_authorization_requests: true }
  const cases: readonly (readonly [set: string, metadata: Record<string, unknown>, isPushed: boolean])[] = [
    ['', endpoint, false],
    ['auto', { ...endpoint, ...required }, true],
    ['always', endpoint, true],
    ['never', { ...endpoint, ...required }, false],
  ]
  for (const [set, metadata, isPushed] of cases) {
    it(`are ${isPushed ? '' : 'not '}made with ${set || 'the default'} where the provider ${'require_pushed_authorization_requests' in metadata ? 'requires' : 'offers'} them`, async () => {
      does.metadata = metadata
      const env = { PushedRequests: set, ClientSecret: 'a-secret', Parameters__hd: 'example.com' }
      await using own = await startService(provider.env('Acme', env))
      const browser = new Browser(own)
      assert.equal((await throughProvider(browser, 'Acme')).status, 302)
      const pushed = provider.requests.filter(({ path }) => path === '/par')
      const [asked] = provider.requests.filter(({ path }) => path === '/authorize')
      assert.equal(pushed.length, isPushed ? 1 : 0)
      if (!isPushed) return
      assert.deepEqual([...(asked?.form.keys() ?? [])].sort(), ['client_id', 'request_uri'])
      assert.match(pushed[0]?.headers.authorization ?? '', /^Basic /)
      assert.equal(pushed[0]?.form.get('hd'), 'example.com')
      assert.equal(pushed[0]?.form.get('redirect_uri'), `${own.issuer}callback/login/Acme`)
    })
  }

  it('that the provider refuses are 502 with ID9505, and without an endpoint or a request_uri ID9502', async () => {
    await using own = await startService({
      ...provider.env('Refused', { PushedRequests: 'always' }),
      ...provider.env('Odd', { PushedRequests: 'always' }),
    })
    const idOf = async (name: string) => {
      const response = await new Browser(own).submit('/Account/ExternalLogin', { provider: name })
      assert.equal(response.status, 502)
      return /ID\d+/.exec(await response.text())?.[0]
    }
    assert.equal(await idOf('Odd'), 'ID9502')
    does.metadata = endpoint
    does.pushed = () => ({ status: 400, body: { error: 'invalid_request' } })
    assert.equal(await idOf('Refused'), 'ID9505')
    does.pushed = () => ({ status: 201, body: {} })
    assert.equal(await idOf('Refused'), 'ID9502')
  })
})
