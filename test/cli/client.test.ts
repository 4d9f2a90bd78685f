import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientSecretMatches } from '../../src/secrets/opaque.ts'
import { secretOf } from '../support/clients.ts'
import { testClient, testScope } from '../support/service.ts'
import { placeAfter, workplace } from './run.ts'

const app = 'client add app --redirect-uri https://app.example.com/cb'

describe('latchkey client add', () => {
  it('loses a scope admin:… that was registered before there were permissions, when that is deleted', async (t) => {
    const place = await placeAfter(t, 'scope add orders')
    await place.withStorage(async ({ scopes, clients }) => {
      await scopes.create(testScope('admin:read'))
      await clients.create(testClient({ id: 'old', scopes: ['admin:read', 'orders'] }))
    })
    await place.run('scope delete admin:read --yes')
    const { scope } = (await place.json('client show old')) as { scope: string }
    assert.equal(scope, 'openid orders')
    await place.refuses('scope add admin:read', /is built in/)
  })

  it('registers a public client and prints the names of RFC 7591 [S2.4.3, C2.5, C2.7, C2.17]', async (t) => {
    const place = await placeAfter(t, 'scope add api')
    const uris = '--redirect-uri com.example.app:/cb --post-logout-redirect-uri https://app.example.com/'
    const printed = await place.json(`${app} ${uris} --scope openid --scope offline_access --scope api --name 'An App'`)
    const expected = {
      client_id: 'app',
      client_id_issued_at: place.nowMs / 1000,
      client_name: 'An App',
      redirect_uris: ['https://app.example.com/cb', 'com.example.app:/cb'],
      post_logout_redirect_uris: ['https://app.example.com/'],
      scope: 'openid offline_access api',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      consent: 'explicit',
      require_pkce: true,
    }
    assert.deepEqual(printed, expected)
    assert.deepEqual(await place.json('client show app'), expected)
    assert.deepEqual(await place.json('client list'), [expected])
  })

  it('prints the secret of a confidential client once, and stores its hash [C2.18]', async (t) => {
    const place = workplace(t)
    const printed = (await place.json(`${app} --confidential --consent implicit`)) as Record<string, unknown>
    const secret = String(printed.client_secret)
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(printed.client_secret_expires_at, 0)
    assert.equal(printed.token_endpoint_auth_method, 'client_secret_basic')
    assert.equal(printed.consent, 'implicit')
    assert.deepEqual(printed.grant_types, ['authorization_code'])
    for (const line of ['client show app', 'client show app --json', 'client list --json']) {
      const { stdout } = await place.run(line)
      assert.ok(!stdout.includes(secret) && !stdout.includes('client_secret"'), line)
    }
    await place.withStorage(async (storage) => {
      const { secretHash } = secretOf(await storage.clients.find('app'))
      assert.ok(!secretHash.includes(secret))
      assert.equal(clientSecretMatches(secret, secretHash), true)
    })
    const second = await place.run('client add other --redirect-uri https://a.example/ --confidential')
    assert.match(second.stdout, /^Added other\.\nIts secret, shown only once: [A-Za-z0-9_-]{43}\n$/)
  })

  it('refuses a scope that is not registered, and says how to register it', async (t) => {
    const place = workplace(t)
    await place.refuses(`${app} --scope api`, /api is not registered.*latchkey scope add api/)
    for (const scope of ['profile', 'email', 'roles']) {
      const advice = new RegExp(`${scope} is not registered.*latchkey scope add --standard`)
      await place.refuses(`${app} --scope ${scope}`, advice)
    }
    await place.json(`${app} --scope offline_access`)
  })

  it('refuses an id that is taken or cannot be used', async (t) => {
    const place = await placeAfter(t, app)
    await place.refuses(app, /There is a client with the id app already/)
    for (const id of ["'a b'", "''", 'ä', 'x'.repeat(201)]) {
      await place.refuses(`client add ${id} --redirect-uri https://a.example/`, /The client id must have 1 to 200/)
    }
    await place.refuses(
      `client add b --redirect-uri https://a.example/ --name ' '`,
      /The client's name must not be empty/,
    )
  })

  it('refuses redirect URIs that answers must never be sent to', async (t) => {
    const place = workplace(t)
    const cases: readonly (readonly [uri: string, why: RegExp])[] = [
      ['/callback', /absolute/],
      ['app.example.com', /absolute/],
      ['https://app.example.com/a b', /absolute/],
      ['https://app.example.com/\n', /absolute/],
      ['https://app.example.com/#x', /fragment/],
      ['https://app.example.com/#', /fragment/],
      ['https://app.example.com/?iss=x', /iss/],
      ['https://*.example.com/', /host/],
      ['https://me:secret@app.example.com/', /user name/],
      ['javascript:alert(1)', /scheme/],
      ['JavaScript:alert(1)', /scheme/],
      ['data:text/html,x', /scheme/],
      ['vbscript:x', /scheme/],
      ['file:///etc/passwd', /scheme/],
      ['blob:https://app.example.com/x', /scheme/],
      ['https://app.example.com/*', /--allow-wildcards/],
    ]
    for (const [uri, why] of cases) {
      await place.refuses(`client add x --redirect-uri '${uri}'`, why)
      if (why.source === 'iss') continue
      await place.refuses(`${app} --post-logout-redirect-uri '${uri}'`, why)
    }
    assert.deepEqual(await place.json('client list'), [])
  })

  it('takes plain http on another host and a scheme without a dot, and warns of each', async (t) => {
    const place = workplace(t)
    const added = await place.run(
      "client add wide --redirect-uri 'http://app.example.com/cb' --redirect-uri 'myapp://callback'",
    )
    const lines = added.stderr.trim().split('\n')
    assert.deepEqual([added.code, lines.length], [0, 2])
    assert.match(lines[0] ?? '', /^warning: wide: redirect_uris has http:\/\/app\.example\.com\/cb: plain http/)
    assert.match(lines[1] ?? '', /^warning: wide: redirect_uris has myapp:\/\/callback: a scheme without a dot/)
    const { stdout } = await place.run('doctor')
    assert.match(stdout, /wide: redirect_uris has http:\/\/app\.example\.com\/cb/)
  })

  it('takes plain http for loopback addresses, and the schemes of native apps (RFC 8252 §7)', async (t) => {
    const place = workplace(t)
    const uris = [
      'http://localhost:5081/cb',
      'http://127.0.0.1/cb',
      'http://[::1]/cb',
      'com.example.app:/cb',
      'com.example.app://cb',
    ]
    const printed = await place.json(`client add x ${uris.map((uri) => `--redirect-uri ${uri}`).join(' ')}`)
    assert.deepEqual((printed as { redirect_uris: string[] }).redirect_uris, uris)
  })

  it('warns on standard error of an address that the service will not request, and names the setting', async (t) => {
    const place = workplace(t)
    const env = { OAuth__Issuer: 'https://id.example.com/', Server__TrustProxy: '127.0.0.1' }
    const add = (id: string, members: string, settings = {}) =>
      place.run(`client add ${id} --redirect-uri https://app.example.com/cb ${members}`, {
        env: { ...env, ...settings },
      })
    const inside = await add('inside', 'backchannel_logout_uri=https://app.localhost/out jwks_uri=https://8.8.8.8/')
    const leads = 'app.localhost resolves to 127.0.0.1, which no entry of Outbound:Networks allows'
    const warning = `warning: inside: backchannel_logout_uri will not be requested: ${leads}.\n`
    assert.deepEqual([inside.code, inside.stderr], [0, warning])
    const allowed = await add('allowed', 'backchannel_logout_uri=https://app.localhost/out', {
      Outbound__Networks: '*.localhost',
    })
    assert.deepEqual([allowed.code, allowed.stderr], [0, ''])
    const unknown = await add('unknown', 'backchannel_logout_uri=https://app.invalid/out')
    assert.deepEqual([unknown.code, unknown.stderr], [0, ''])
    const set = await place.run('client set allowed jwks_uri=https://169.254.169.254/', { env })
    assert.equal(set.code, 0)
    assert.match(set.stderr, /^warning: allowed: jwks_uri will not be requested: 169\.254\.169\.254 is never reached/m)
  })

  it('takes plain http for what the service requests with Outbound:AllowHttp alone', async (t) => {
    const place = workplace(t)
    const members = 'backchannel_logout_uri=http://10.1.2.3/out jwks_uri=http://10.1.2.3/jwks'
    await place.refuses(
      `${app} ${members.split(' ')[0]}`,
      /^error: backchannel_logout_uri must start with https:.*Outbound:AllowHttp/,
    )
    const env = { Outbound__AllowHttp: 'true' }
    const unlisted = await place.run(`${app} ${members}`, { env })
    assert.deepEqual([unlisted.code, unlisted.stderr.match(/no entry of Outbound:Networks/g)?.length], [0, 2])
    const listed = { ...env, Outbound__Networks: '10.0.0.0/8' }
    const set = await place.run('client set app client_name=App', { env: listed })
    assert.deepEqual([set.code, set.stderr], [0, ''])
    await place.refuses(`${app}2 initiate_login_uri=http://10.1.2.3/`, /initiate_login_uri must start/, { env: listed })
  })

  it('is misused without a redirect URI or with an unknown consent type', async (t) => {
    const place = workplace(t)
    await place.misuses('client add x', /required option '--redirect-uri/)
    await place.misuses(`${app} --consent maybe`, /Allowed choices are explicit, implicit/)
  })
})

describe('latchkey client list, show and delete', () => {
  it('say what to do when there is none [C2.19]', async (t) => {
    const place = workplace(t)
    assert.match(
      (await place.run('client list')).stdout,
      /There are no clients yet\. Add one with: latchkey client add/,
    )
    await place.refuses('client show x', /There is no client with the id x/)
    await place.refuses('client delete x', /There is no client with the id x/)
  })

  it('delete a client for good [C2.19]', async (t) => {
    const place = await placeAfter(t, app)
    assert.match(
      (await place.run('client list')).stdout,
      /^CLIENT ID {2}NAME {2}TYPE {4}CONSENT {3}SCOPES\napp {8}app {3}public {2}explicit {2}openid\n$/,
    )
    assert.deepEqual(await place.json('client delete app --yes'), { client_id: 'app', deleted: true })
    assert.deepEqual(await place.json('client list'), [])
  })
})

describe('latchkey scope', () => {
  it('adds, lists and deletes scopes [C2.20]', async (t) => {
    const place = workplace(t)
    assert.match((await place.run('scope list')).stdout, /Only openid and offline_access, which are built in/)
    const printed = await place.json(
      "scope add api --display-name 'An API' --description 'Read it' --resource https://api.example.com",
    )
    const expected = {
      name: 'api',
      display_name: 'An API',
      description: 'Read it',
      resources: ['https://api.example.com'],
      claims: [],
      purpose: null,
      access_token_type: null,
      created_at: '2027-01-01T00:00:00.000Z',
    }
    assert.deepEqual(printed, expected)
    assert.deepEqual(await place.json('scope list'), [expected])
    await place.refuses('scope add api', /There is a scope called api already/)
    assert.deepEqual(await place.json('scope delete api --yes'), { name: 'api', deleted: true })
    await place.refuses('scope delete api', /There is no scope called api/)
  })

  it('refuses the built-in ones, and names and resources that cannot be used (RFC 6749 §3.3)', async (t) => {
    const place = workplace(t)
    for (const name of ['openid', 'offline_access']) await place.refuses(`scope add ${name}`, /is built in/)
    for (const name of ["'a b'", "''", 'a"b', 'a\\b', 'ä'])
      await place.refuses(`scope add ${name}`, /name of a scope must/)
    await place.refuses('scope add api --resource api', /must be an absolute URI/)
  })
})
