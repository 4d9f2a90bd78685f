import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientSecretMatches } from '../../src/secrets/opaque.ts'
import { secretOf } from '../support/clients.ts'
import { testClient } from '../support/service.ts'
import { type Workplace, workplace } from './run.ts'

const uri = 'https://app.example.com/cb'
const app = `client add app --redirect-uri ${uri}`

type Printed = Record<string, unknown> & { readonly redirect_uris: readonly string[] }
const print = async (place: Workplace, line: string) => (await place.json(line)) as Printed

describe('latchkey client set', () => {
  it('changes members by their names in RFC 7591, and nothing else', async (t) => {
    const place = workplace(t)
    await place.run('scope add api')
    const before = await print(place, app)
    const after = await print(
      place,
      "client set app 'client_name=An App' consent=implicit scope+=api scope+=offline_access " +
        'redirect_uris+=https://app.example.com/new post_logout_redirect_uris=https://app.example.com/',
    )
    assert.deepEqual(after, {
      ...before,
      client_name: 'An App',
      consent: 'implicit',
      scope: 'openid api offline_access',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [uri, 'https://app.example.com/new'],
      post_logout_redirect_uris: ['https://app.example.com/'],
    })
    assert.deepEqual(await place.json('client show app'), after)
    assert.match((await place.run('client set app client_name=')).stdout, /^Set client_name of app\.\n$/)
    assert.equal((await print(place, 'client show app')).client_name, 'app')
  })

  it('registers and changes the grant types of a client (RFC 7591 §2)', async (t) => {
    const place = workplace(t)
    const added = await print(place, `${app} --scope offline_access grant_types=authorization_code`)
    assert.deepEqual(added.grant_types, ['authorization_code'])
    const both = ['authorization_code', 'refresh_token']
    assert.deepEqual((await print(place, 'client set app grant_types+=refresh_token')).grant_types, both)
    assert.deepEqual((await print(place, `client set app 'grant_types=["refresh_token"]'`)).grant_types, [
      'refresh_token',
    ])
    assert.match((await place.run('client show app')).stdout, /grant types +refresh_token\n/)
    await place.refuses(`client add other grant_types=authorization_code`, /needs at least one redirect URI/)
  })

  it('takes a list as a JSON array, as one text, or repeated', async (t) => {
    const place = workplace(t)
    await place.run(app)
    const uris = async (words: string) => (await print(place, `client set app ${words}`)).redirect_uris
    assert.deepEqual(await uris(`'redirect_uris=["https://a.example/1","https://a.example/2"]'`), [
      'https://a.example/1',
      'https://a.example/2',
    ])
    assert.deepEqual(await uris('redirect_uris=https://a.example/,b'), ['https://a.example/,b'])
    assert.deepEqual(await uris('redirect_uris=https://a.example/3 redirect_uris=https://a.example/4'), [
      'https://a.example/3',
      'https://a.example/4',
    ])
    assert.deepEqual(await uris('redirect_uris-=https://a.example/3 redirect_uris+=https://a.example/5'), [
      'https://a.example/4',
      'https://a.example/5',
    ])
  })

  it('is all or nothing, and names the member at fault [C2.27]', async (t) => {
    const place = workplace(t)
    const before = await print(place, app)
    for (const [words, why] of [
      [
        'client_name=x redirect_uris+=http://app.example.com/',
        /redirect_uri "http:\/\/app\.example\.com\/" must start/,
      ],
      ['client_name=x client_id=other', /client_id never changes/],
      ['client_name=x client_secret=mine', /client_secret is generated: latchkey client rotate-secret/],
      ['client_name=x colour=red', /colour is not a member of a client\. These can be set: client_name, redirect_uris/],
      ['client_name=x require_pkce=false', /A public client must use PKCE/],
      ['client_name=x require_pkce=maybe', /require_pkce must be true or false/],
      ['client_name=x scope+=api', /The scope api is not registered/],
      ['client_name=x redirect_uris=', /needs at least one redirect URI/],
      ["client_name=x 'redirect_uris=[1]'", /redirect_uris must be a string, or a JSON array of strings/],
      ['client_name=x redirect_uris-=https://nowhere.example/', /does not hold "https:\/\/nowhere\.example\/"/],
      ['client_name=x grant_types+=password', /The grant type password is not supported/],
      ['client_name=x token_endpoint_auth_method=client_secret_jwt', /must be one of none, client_secret_basic/],
    ] as const) {
      await place.refuses(`client set app ${words}`, why)
    }
    assert.deepEqual(await place.json('client show app'), before)
    await place.misuses('client set app client_name', /"client_name" is not MEMBER=VALUE/)
    await place.misuses('client set app', /missing required argument/)
    await place.refuses('client set other client_name=x', /There is no client with the id other/)
  })

  it('keeps an address that could not be registered any more', async (t) => {
    const place = workplace(t)
    await place.withStorage(({ clients }) => clients.create(testClient({ id: 'old', redirectUris: ['myapp:/cb'] })))
    assert.deepEqual((await print(place, 'client set old client_name=Old')).redirect_uris, ['myapp:/cb'])
    await place.refuses('client set old redirect_uris+=otherapp:/cb', /RFC 8252 §7\.1/)
  })

  it('prints the secret of a client that becomes confidential, once', async (t) => {
    const place = workplace(t)
    await place.run(app)
    const set = 'client set app token_endpoint_auth_method=client_secret_basic'
    const { client_secret: secret } = await print(place, set)
    assert.match(String(secret), /^[\w-]{43}$/)
    assert.ok(!('client_secret' in (await print(place, set))))
    const stored = await place.withStorage(({ clients }) => clients.find('app'))
    assert.equal(clientSecretMatches(String(secret), secretOf(stored).secretHash), true)
  })

  it('is one entry of the audit trail with the names of the members, and none when nothing changed', async (t) => {
    const place = workplace(t)
    await place.run(app)
    for (let time = 0; time < 2; time += 1) await place.run('client set app client_name=New consent=implicit')
    const entries = (await place.json('audit list --kind client_changed')) as { details: Record<string, unknown> }[]
    assert.equal(entries.length, 1)
    const { actor: _somebody, ...details } = entries[0]?.details ?? {}
    assert.deepEqual(details, { change: 'set', members: ['client_name', 'consent'] })
  })
})

describe('latchkey client add', () => {
  it('takes members as well as options', async (t) => {
    const place = workplace(t)
    const printed = await print(place, `client add app redirect_uris=${uri} consent=implicit client_name=App`)
    assert.deepEqual([printed.redirect_uris, printed.consent, printed.client_name], [[uri], 'implicit', 'App'])
    const both = await print(place, `client add both --redirect-uri ${uri} redirect_uris=https://b.example/`)
    assert.deepEqual(both.redirect_uris, [uri, 'https://b.example/'])
    const secret = await print(
      place,
      `client add c redirect_uris=${uri} token_endpoint_auth_method=client_secret_basic`,
    )
    assert.match(String(secret.client_secret), /^[\w-]{43}$/)
  })

  it('permits the standard scopes at once (--standard-scopes)', async (t) => {
    const place = workplace(t)
    await place.refuses(`${app} --standard-scopes`, /profile is not registered.*latchkey scope add --standard/)
    await place.run('scope add --standard')
    const { scope } = await print(place, `${app} --standard-scopes --scope offline_access`)
    assert.equal(scope, 'openid profile email roles offline_access')
  })
})

describe('latchkey scope add --standard', () => {
  it('registers the scopes that give claims, and leaves those that are there', async (t) => {
    const place = workplace(t)
    await place.run("scope add email --display-name 'Our own words'")
    const { stdout } = await place.run('scope add --standard')
    assert.match(stdout, /^Added profile, roles\. /)
    const scopes = (await place.json('scope list')) as { name: string; display_name: string; description: string }[]
    assert.deepEqual(
      scopes.map(({ name, display_name }) => [name, display_name]),
      [
        ['email', 'Our own words'],
        ['profile', 'Your profile'],
        ['roles', 'Your roles'],
      ],
    )
    assert.equal(((await place.json('scope add --standard')) as unknown[]).length, 3)
    assert.match((await place.run('scope add --standard')).stdout, /^Nothing to add/)
  })

  it('stands alone', async (t) => {
    const place = workplace(t)
    await place.misuses('scope add api --standard', /takes no name and no other option/)
    await place.misuses('scope add --standard --resource https://a.example', /takes no name and no other option/)
    await place.misuses('scope add', /missing required argument 'name', or --standard/)
  })
})

describe('latchkey client rotate-secret', () => {
  it('prints the new secret once; the old one is stored until the overlap has passed [C2.28]', async (t) => {
    const place = workplace(t)
    const { client_secret: first } = await print(place, `${app} --confidential`)
    const rotated = await print(place, 'client rotate-secret app --overlap 60')
    assert.match(String(rotated.client_secret), /^[\w-]{43}$/)
    assert.notEqual(rotated.client_secret, first)
    assert.equal(rotated.previous_secret_expires_at, place.nowMs / 1000 + 60)
    assert.match((await place.run('client show app')).stdout, /replaced secret +works until 2027-01-01T00:01:00/)
    const stored = await place.withStorage(({ clients }) => clients.find('app'))
    assert.equal(clientSecretMatches(String(rotated.client_secret), secretOf(stored).secretHash), true)
    assert.equal(clientSecretMatches(String(first), secretOf(stored).previousSecret?.hash ?? ''), true)
    for (const line of ['client show app --json', 'audit list --json']) {
      const { stdout } = await place.run(line)
      assert.ok(!stdout.includes(String(first)) && !stdout.includes(String(rotated.client_secret)), line)
    }
    assert.match((await place.run('client rotate-secret app')).stdout, /The old one no longer works\.\n$/)
    place.nowMs += 60_000
    assert.doesNotMatch((await place.run('client show app')).stdout, /replaced secret/)
  })

  it('refuses a public client, an unknown one, and an overlap out of bounds', async (t) => {
    const place = workplace(t)
    await place.run(app)
    await place.refuses('client rotate-secret app', /The client app is public and has no secret/)
    await place.refuses('client rotate-secret other', /There is no client with the id other/)
    await place.run('client add web --redirect-uri https://web.example/ --confidential')
    await place.refuses('client rotate-secret web --overlap 2592001', /must be 0 to 2592000 seconds \(30 days\)/)
    for (const overlap of ['soon', '-1', '1.5']) {
      await place.misuses(`client rotate-secret web --overlap ${overlap}`, /whole number of seconds|argument missing/)
    }
  })
})
