import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { clientSecretMatches } from '../../src/secrets/opaque.ts'
import { secretOf } from '../support/clients.ts'
import { testClient } from '../support/service.ts'
import { placeAfter, type Workplace, workplace } from './run.ts'

const uri = 'https://app.example.com/cb'
const app = `client add app --redirect-uri ${uri}`

type Printed = Record<string, unknown> & { readonly redirect_uris: readonly string[] }
const publicJwk = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const print = async (place: Workplace, line: string) => (await place.json(line)) as Printed

describe('latchkey client set', () => {
  it('changes members by their names in RFC 7591, and nothing else', async (t) => {
    const place = await placeAfter(t, 'scope add api')
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
    const place = await placeAfter(t, app)
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
      ['client_name=x redirect_uris+=javascript:alert(1)', /redirect_uri "javascript:alert\(1\)"/],
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
      ['client_name=x token_endpoint_auth_method=client_secret_other', /must be one of none, client_secret_basic/],
    ] as const) {
      await place.refuses(`client set app ${words}`, why)
    }
    assert.deepEqual(await place.json('client show app'), before)
    await place.misuses('client set app client_name', /"client_name" is not MEMBER=VALUE/)
    await place.misuses('client set app', /missing required argument/)
    await place.refuses('client set other client_name=x', /There is no client with the id other/)
  })

  it('keeps an address that any other application may claim, and names it each time (RFC 8252 §7.1)', async (t) => {
    const place = workplace(t)
    await place.withStorage(({ clients }) => clients.create(testClient({ id: 'old', redirectUris: ['myapp:/cb'] })))
    const { code, stdout, stderr } = await place.run('client set old client_name=Old --json')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^warning: old: redirect_uris has myapp:\/cb: a scheme without a dot/)
    assert.deepEqual(JSON.parse(stdout).redirect_uris, ['myapp:/cb'])
    await place.refuses('client set old redirect_uris+=vbscript:x', /redirect_uri "vbscript:x"/)
  })

  it('prints the secret of a client that becomes confidential, once', async (t) => {
    const place = await placeAfter(t, app)
    const set = 'client set app token_endpoint_auth_method=client_secret_basic'
    const { client_secret: secret } = await print(place, set)
    assert.match(String(secret), /^[\w-]{43}$/)
    assert.ok(!('client_secret' in (await print(place, set))))
    const stored = await place.withStorage(({ clients }) => clients.find('app'))
    assert.equal(clientSecretMatches(String(secret), secretOf(stored).secretHash), true)
  })

  it('is one entry of the audit trail with the names of the members, and none when nothing changed', async (t) => {
    const place = await placeAfter(t, app)
    for (let time = 0; time < 2; time += 1) await place.run('client set app client_name=New consent=implicit')
    const entries = (await place.json('audit list --kind client_changed')) as { details: Record<string, unknown> }[]
    assert.equal(entries.length, 1)
    const { actor: _somebody, ...details } = entries[0]?.details ?? {}
    assert.deepEqual(details, { change: 'set', members: ['client_name', 'consent'] })
  })
})

describe('client metadata on the command line', () => {
  it('takes text as it is and everything else as JSON; MEMBER= sets the default', async (t) => {
    const place = await placeAfter(t, app)
    const before = await place.json('client show app')
    const set = await print(
      place,
      'client set app dpop_bound_access_tokens=true default_max_age=60 \'default_acr_values=["a","b"]\' ' +
        'id_token_claims=requested \'jwks={"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}\' ' +
        'client_name#de=Planer client_uri=https://app.example.com/ contacts=a@example.com contacts+=b@example.com',
    )
    assert.equal(set.dpop_bound_access_tokens, true)
    assert.equal(set.default_max_age, 60)
    assert.deepEqual(set.default_acr_values, ['a', 'b'])
    assert.deepEqual(set.contacts, ['a@example.com', 'b@example.com'])
    assert.equal(set['client_name#de'], 'Planer')
    const { stdout } = await place.run('client show app')
    assert.match(stdout, /^id_token_claims +requested$/m)
    assert.match(stdout, /^default_max_age +60$/m)
    const members = 'dpop_bound_access_tokens default_max_age default_acr_values id_token_claims jwks client_name#de'
    const reset = `${members} client_uri contacts`.split(' ').map((member) => `${member}=`)
    assert.deepEqual(await place.json(`client set app ${reset.join(' ')}`), before)
    for (const [words, why] of [
      ['default_max_age=soon', /default_max_age must be a number of seconds/],
      ['\'default_max_age="60"\'', /default_max_age must be 0 to/],
      ['jwks=none', /jwks must be a JSON object/],
      ['dpop_bound_access_tokens=yes', /dpop_bound_access_tokens must be true or false/],
      ['dpop_bound_access_tokens=true jwks_uri=http://app.example.com/', /jwks_uri must start with https/],
      ['id_token_signed_response_alg=none', /id_token_signed_response_alg must be one of EdDSA, ES256, PS256, RS256/],
      ['response_types=token', /response_types must be \["code"\]/],
    ] as const) {
      await place.refuses(`client set app ${words}`, why)
    }
    assert.deepEqual(await place.json('client show app'), before)
  })

  it('takes the frequent members as options', async (t) => {
    const place = workplace(t)
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwks = { keys: [pair.publicKey.export({ format: 'jwk' })] }
    writeFileSync(join(place.folder, 'keys.json'), JSON.stringify(jwks))
    const fapi = await print(
      place,
      `${app} --auth-method private_key_jwt --jwks keys.json --dpop --require-par --profile fapi2 ` +
        '--backchannel-logout-uri https://app.example.com/back --frontchannel-logout-uri https://app.example.com/front ' +
        '--id-token-claims requested',
    )
    assert.deepEqual(fapi.jwks, jwks)
    assert.ok(!('client_secret' in fapi))
    assert.deepEqual(
      [fapi.token_endpoint_auth_method, fapi.profile, fapi.dpop_bound_access_tokens, fapi.id_token_claims],
      ['private_key_jwt', 'fapi2', true, 'requested'],
    )
    assert.equal(fapi.backchannel_logout_uri, 'https://app.example.com/back')
    assert.equal(fapi.frontchannel_logout_uri, 'https://app.example.com/front')
    const elsewhere = await place.run('client set app frontchannel_logout_uri=https://other.example.com/front')
    assert.match(
      elsewhere.stderr,
      /^warning: app: The frontchannel_logout_uri .* scheme, host and port of one of its red/,
    )
    const back = await place.run('client set app frontchannel_logout_uri=https://app.example.com/front')
    assert.equal(back.stderr, '')
    const post = await print(place, `client add post --redirect-uri ${uri} --auth-method client_secret_post`)
    assert.match(String(post.client_secret), /^[\w-]{43}$/)
    assert.equal(post.token_endpoint_auth_method, 'client_secret_post')
    const native = await print(place, 'client add native --redirect-uri http://127.0.0.1/cb --native')
    assert.deepEqual([native.application_type, native.token_endpoint_auth_method], ['native', 'none'])
    const moved = await print(place, 'client set app --jwks-uri https://app.example.com/keys jwks=')
    assert.equal(moved.jwks_uri, 'https://app.example.com/keys')
    await place.misuses(`${app} --confidential --auth-method none`, /cannot be used with/)
    await place.refuses('client set app --auth-method none', /profile fapi2 must authenticate/)
    await place.refuses('client set app --jwks other.json', /there is no file .*other\.json/)
    writeFileSync(join(place.folder, 'keys.json'), JSON.stringify(pair.privateKey.export({ format: 'jwk' })))
    await place.refuses('client set app --jwks keys.json', /jwks must be a JWK Set/)
  })

  it('names the member to change in each refusal, and reports one fault once', async (t) => {
    const place = await placeAfter(t, app)
    writeFileSync(join(place.folder, 'keys.json'), JSON.stringify({ keys: [publicJwk()] }))
    for (const [words, why] of [
      [
        '--auth-method private_key_jwt --jwks keys.json profile=fapi2',
        /set dpop_bound_access_tokens or tls_client_certificate_bound_access_tokens\.$/m,
      ],
      ['--dpop profile=fapi2', /set token_endpoint_auth_method\.$/m],
      [
        'refresh_token_rotation=false',
        /^error: refresh_token_rotation of a public client can be false only with .*: set dpop_bound/,
      ],
      ['require_pkce=false', /require_pkce/],
      ['grant_types=client_credentials', /^error: grant_types of a public client .*: set token_endpoint_auth_method/],
      ['grant_types=refresh_token', /^error: grant_types with refresh_token alone needs the scope offline_access\.\n$/],
      ['token_endpoint_auth_method=private_key_jwt', /^error: token_endpoint_auth_method private_key_jwt needs jwks/],
      ['token_endpoint_auth_method=private_key_jwt jwks={}', /^error: jwks must be a JWK Set[^\n]*\n$/],
      ['tos_uri=javascript:alert(1)', /^error: tos_uri must start with https:/],
      ['require_signed_request_object=true', /^error: require_signed_request_object needs jwks or jwks_uri\.\n$/],
    ] as const) {
      await place.refuses(`client set app ${words}`, why)
    }
    for (const [words, member] of [
      ['--dpop dpop_bound_access_tokens=false', 'dpop_bound_access_tokens'],
      ['consent=implicit consent=explicit', 'consent'],
    ] as const) {
      await place.misuses(`client set app ${words}`, new RegExp(`^error: ${member} is set twice: set it once\\.\n$`))
    }
    const { stdout } = await place.run('client add --help')
    assert.match(stdout, /^Members: client_name, .*backchannel_logout_uri/m)
    assert.doesNotMatch(stdout, /default: \[\]/)
  })

  it('gives new clients the form of scopes of OAuth:AccessTokenScope, and leaves the others', async (t) => {
    const place = workplace(t)
    const old = await print(place, app)
    const env = { OAuth__AccessTokenScope: 'string' }
    const added = (await place.json(`client add other --redirect-uri ${uri}`, { env })) as Printed
    assert.equal(added.access_token_scope, 'string')
    assert.deepEqual(await place.json('client show app', { env }), old)
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
    const place = await placeAfter(t, "scope add email --display-name 'Our own words'")
    const { stdout } = await place.run('scope add --standard')
    assert.match(stdout, /^Added profile, roles, phone, address\. /)
    const scopes = (await place.json('scope list')) as { name: string; display_name: string; description: string }[]
    assert.deepEqual(
      scopes.map(({ name, display_name }) => [name, display_name]),
      [
        ['address', 'Your postal address'],
        ['email', 'Our own words'],
        ['phone', 'Your telephone number'],
        ['profile', 'Your profile'],
        ['roles', 'Your roles'],
      ],
    )
    assert.equal(((await place.json('scope add --standard')) as unknown[]).length, 5)
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
    const place = await placeAfter(t, app)
    await place.refuses('client rotate-secret app', /The client app is public and has no secret/)
    writeFileSync(join(place.folder, 'keys.json'), JSON.stringify({ keys: [publicJwk()] }))
    await place.run(`client add signing --redirect-uri ${uri} --auth-method private_key_jwt --jwks keys.json`)
    await place.refuses('client rotate-secret signing', /authenticates with private_key_jwt and has no secret/)
    await place.refuses('client rotate-secret other', /There is no client with the id other/)
    await place.run('client add web --redirect-uri https://web.example/ --confidential')
    await place.refuses('client rotate-secret web --overlap 2592001', /must be 0 to 2592000 seconds \(30 days\)/)
    for (const overlap of ['soon', '-1', '1.5']) {
      await place.misuses(`client rotate-secret web --overlap ${overlap}`, /whole number of seconds|argument missing/)
    }
  })
})
