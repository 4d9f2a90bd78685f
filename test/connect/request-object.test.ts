import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizeParameters, Browser, claimsOf, codeFields, locationOf, postToken } from '../support/browser.ts'
import { addClient, serviceForFile, testScope } from '../support/service.ts'

type Key = { readonly alg: string; readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: object }

async function keyFor(alg: string, kid: string = alg): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } }
}

const keys = await Promise.all(['RS256', 'PS256', 'ES256', 'EdDSA'].map((alg) => keyFor(alg)))
const keyOf = (alg: string): Key => keys.find((key) => key.alg === alg) as Key
const strangersKey = await keyFor('ES256')

async function register(id: string, metadata: Partial<ClientMetadata> = {}, key: readonly Key[] = keys): Promise<void> {
  const jwks = { keys: key.map(({ jwk }) => jwk as Record<string, unknown>) }
  const all = { ...defaultClientMetadata, jwks, ...metadata }
  await addClient(service, { id, consent: 'implicit', metadata: all })
}

const service = await serviceForFile()
await register('app')
await register('other', {}, [strangersKey])
await register('one-alg', { request_object_signing_alg: 'ES256' })
await register('signing', { require_signed_request_object: true })
await register('strict', { profile: 'fapi2', require_signed_request_object: true })
await addClient(service, {
  id: 'asking',
  metadata: { jwks: { keys: keys.map(({ jwk }) => jwk as never) } },
})
await service.storage.scopes.create(testScope('files', { resources: ['https://a.example/', 'https://b.example/'] }))
const browser = await Browser.signedIn(service)

const seconds = () => Math.floor(service.now() / 1000)

/** The claims of a good request object of the client; `undefined` leaves one out. */
function claims(change: Record<string, unknown> = {}, client = 'app'): JWTPayload {
  const { client_id: _, ...parameters } = authorizeParameters({ client_id: client, state: 'inside' })
  const own = { iss: client, aud: service.issuer, client_id: client, nbf: seconds() - 1, exp: seconds() + 300 }
  const all = { ...own, ...parameters, ...change }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function sign(payload: JWTPayload, key = keyOf('ES256'), header: Record<string, unknown> = {}): Promise<string> {
  const { alg, kid, privateKey } = key
  return new SignJWT(payload)
    .setProtectedHeader({ alg, kid, typ: 'oauth-authz-req+jwt', ...header } as JWTHeaderParameters)
    .sign(privateKey)
}

const pathOf = (request: string, more: Record<string, string> = {}) =>
  `/connect/authorize?${new URLSearchParams({ client_id: 'app', request, ...more })}`

async function open(request: string, more: Record<string, string> = {}): Promise<URL> {
  return locationOf(await browser.get(pathOf(request, more)))
}

function push(request: string, clientId = 'app', more: Record<string, string> = {}) {
  return postToken(service, { client_id: clientId, request, ...more }, {}, 'connect/par')
}

describe('a signed request object (RFC 9101)', () => {
  for (const { alg } of keys) {
    it(`is accepted with ${alg}, by value and pushed`, async () => {
      const answered = await open(await sign(claims(), keyOf(alg)))
      assert.ok(answered.searchParams.get('code'), answered.href)
      assert.equal(answered.searchParams.get('state'), 'inside')
      assert.equal((await push(await sign(claims(), keyOf(alg)))).status, 201)
    })
  }

  it('alone counts: what stands beside it is ignored (§6.3)', async () => {
    const beside = {
      ...{ state: 'beside', scope: 'openid', nonce: 'beside', response_type: 'token', prompt: 'none' },
      ...{ redirect_uri: 'https://attacker.example/', response_mode: 'fragment', max_age: 'x' },
    }
    const answered = await open(await sign(claims({ nonce: 'inside' })), beside)
    assert.equal(answered.origin, 'http://localhost:5081')
    assert.equal(answered.hash, '')
    assert.equal(answered.searchParams.get('state'), 'inside')
    const fields = codeFields(answered.searchParams.get('code') ?? '', { client_id: 'app' })
    const { body } = await postToken(service, fields)
    assert.equal(claimsOf(body.id_token).nonce, 'inside')
    assert.match(body.scope, /demo_api/)
    const without = await open(await sign(claims({ state: undefined })), { state: 'beside' })
    assert.equal(without.searchParams.get('state'), null)
    const unprotected = await open(
      await sign(claims({ code_challenge: undefined, code_challenge_method: undefined })),
      {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    )
    assert.equal(unprotected.searchParams.get('error'), 'invalid_request')
  })

  it('has numbers, objects and arrays as its format has them', async () => {
    const payload = claims({
      ...{ max_age: 10_000, resource: ['https://a.example/', 'https://b.example/'], scope: 'openid files' },
      claims: { id_token: { auth_time: { essential: true } } },
    })
    await service.storage.clients.update('app', (client) => ({ ...client, scopes: [...client.scopes, 'files'] }))
    const { searchParams } = await open(await sign(payload))
    const { body } = await postToken(service, codeFields(searchParams.get('code') ?? '', { client_id: 'app' }))
    assert.deepEqual(claimsOf(body.access_token).aud, ['https://a.example/', 'https://b.example/'])
    assert.equal(typeof claimsOf(body.id_token).auth_time, 'number')
    assert.equal((await open(await sign(claims({ max_age: -1 })))).searchParams.get('error'), 'invalid_request')
    const detailed = await open(await sign(claims({ authorization_details: [{ type: 'x' }] })))
    assert.equal(detailed.searchParams.get('error'), 'invalid_authorization_details')
  })

  for (const typ of ['oauth-authz-req+jwt', 'application/oauth-authz-req+jwt', 'JWT', 'jwt', undefined]) {
    it(`is accepted with typ ${typ}`, async () => {
      assert.equal((await push(await sign(claims(), keyOf('ES256'), { typ }))).status, 201)
    })
  }

  it('may name several audiences, the issuer among them', async () => {
    const aud = ['https://elsewhere.example/', service.issuer]
    assert.equal((await push(await sign(claims({ aud })))).status, 201)
  })

  it('needs no times, unless the profile asks for them', async () => {
    assert.equal((await push(await sign(claims({ exp: undefined, nbf: undefined })))).status, 201)
  })

  const faults: Record<string, () => Promise<string>> = {
    'the key of another client': () => sign(claims(), strangersKey),
    'a key under the kid of another': () => sign(claims(), { ...strangersKey, kid: 'ES256' }),
    'an unknown kid': () => sign(claims(), keyOf('ES256'), { kid: 'unknown' }),
    'the iss of another client': () => sign(claims({ iss: 'other' })),
    'no iss': () => sign(claims({ iss: undefined })),
    'the client_id of another client': () => sign(claims({ client_id: 'other' })),
    'another aud': () => sign(claims({ aud: 'https://elsewhere.example/' })),
    'no aud': () => sign(claims({ aud: undefined })),
    'aud without the slash': () => sign(claims({ aud: service.issuer.slice(0, -1) })),
    'sub as in an assertion': () => sign(claims({ sub: 'app' })),
    'a request inside': () => sign(claims({ request: 'x.y.z' })),
    'a request_uri inside': () => sign(claims({ request_uri: 'https://client.example/' })),
    'an exp that has passed': () => sign(claims({ exp: seconds() - 1 })),
    'an nbf a minute ahead': () => sign(claims({ nbf: seconds() + 61 })),
    'an exp that is a text': () => sign(claims({ exp: String(seconds() + 300) })),
    'the typ of a proof': () => sign(claims(), keyOf('ES256'), { typ: 'dpop+jwt' }),
    'a critical extension': () => sign(claims(), keyOf('ES256'), { crit: ['b64'], b64: true }),
    'NUL in a value': () => sign(claims({ state: 'a\0b' })),
    'half a surrogate pair': () => sign(claims({ state: '\ud800' })),
    'a changed claim': async () => {
      const [header, , signature] = (await sign(claims())).split('.')
      return `${header}.${Buffer.from(JSON.stringify(claims({ scope: 'openid' }))).toString('base64url')}.${signature}`
    },
    'alg none': async () => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${encode({ alg: 'none' })}.${encode(claims())}.`
    },
    'HS256 with the public key as secret': async () => {
      const secret = Buffer.from(JSON.stringify(keyOf('ES256').jwk))
      return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'ES256' }).sign(secret)
    },
    'an encrypted object': async () => {
      const header = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString('base64url')
      return `${header}.a.b.c.d`
    },
    'a key in its own header': async () => {
      const { privateKey, jwk } = strangersKey
      return new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', jwk: jwk as never }).sign(privateKey)
    },
    'text that is no JWT': async () => 'x',
    'a JSON array': async () => `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.W10.x`,
  }
  for (const [fault, object] of Object.entries(faults)) {
    it(`is refused with ${fault}, at the redirect URI of the request and when pushed`, async () => {
      const request = await object()
      const answered = await open(request, { redirect_uri: 'http://localhost:5081/callback', state: 'outside' })
      assert.equal(answered.searchParams.get('error'), 'invalid_request_object', answered.href)
      assert.equal(answered.searchParams.get('code'), null)
      assert.equal(answered.origin, 'http://localhost:5081')
      const pushed = await push(request)
      assert.equal(pushed.status, 400)
      assert.equal(pushed.body.error, 'invalid_request_object')
    })
  }

  it('is refused on a page when the redirect URI beside it is not registered', async () => {
    const response = await browser.get(pathOf('x', { redirect_uri: 'https://attacker.example/' }))
    assert.equal(response.status, 400)
    assert.equal(response.headers.get('location'), null)
  })

  it('with another redirect URI beside it is answered at its own (OpenID Connect Core §6.1)', async () => {
    const answered = await open(await sign(claims()), { redirect_uri: 'https://attacker.example/' })
    assert.equal(`${answered.origin}${answered.pathname}`, 'http://localhost:5081/callback')
    const inside = await browser.get(pathOf(await sign(claims({ redirect_uri: 'https://attacker.example/' }))))
    assert.equal(inside.status, 400)
    assert.equal(inside.headers.get('location'), null)
  })

  it('of one client is nothing for another', async () => {
    const response = await browser.get(pathOf(await sign(claims()), { client_id: 'other' }))
    assert.doesNotMatch(response.headers.get('location') ?? '', /code=/)
    assert.equal((await push(await sign(claims()), 'other')).body.error, 'invalid_request_object')
    const unknown = await browser.get(pathOf(await sign(claims()), { client_id: 'nobody' }))
    assert.equal(unknown.status, 400)
  })

  it('is not supported for a client without keys, as before', async () => {
    const answered = await open('x', { ...authorizeParameters() })
    assert.equal(answered.searchParams.get('error'), 'request_not_supported')
    assert.equal(answered.searchParams.get('state'), 'state-1')
  })

  it('must use the registered algorithm', async () => {
    assert.equal((await push(await sign(claims({}, 'one-alg')), 'one-alg')).status, 201)
    const other = await push(await sign(claims({}, 'one-alg'), keyOf('RS256')), 'one-alg')
    assert.equal(other.body.error, 'invalid_request_object')
  })

  it('is mandatory for clients that registered so, in the address and pushed (§10.5)', async () => {
    const plain = authorizeParameters({ client_id: 'signing' })
    const refused = locationOf(await browser.get(`/connect/authorize?${new URLSearchParams(plain)}`))
    assert.equal(refused.searchParams.get('error'), 'invalid_request')
    assert.equal((await postToken(service, plain, {}, 'connect/par')).body.error, 'invalid_request')
    const signed = await sign(claims({}, 'signing'))
    assert.ok((await open(signed, { client_id: 'signing' })).searchParams.get('code'))
    const { body } = await push(signed, 'signing')
    const opened = locationOf(
      await browser.get(
        `/connect/authorize?${new URLSearchParams({ client_id: 'signing', request_uri: body.request_uri })}`,
      ),
    )
    assert.ok(opened.searchParams.get('code'), opened.href)
  })

  it('pushed, is alone in the request: parameters beside it are ignored (RFC 9126 §3)', async () => {
    const { body } = await push(await sign(claims()), 'app', {
      state: 'beside',
      scope: 'unheard-of',
      redirect_uri: 'https://attacker.example/',
    })
    const query = new URLSearchParams({ client_id: 'app', request_uri: body.request_uri })
    const answered = locationOf(await browser.get(`/connect/authorize?${query}`))
    assert.equal(answered.searchParams.get('state'), 'inside')
  })

  it('that expired during the sign-in still counts in the browser that opened it, and in no other', async () => {
    const request = await sign(claims({}, 'asking'))
    const path = pathOf(request, { client_id: 'asking' })
    const person = new Browser(service)
    assert.equal(locationOf(await person.get(path)).pathname, '/Account/Login')
    service.advance(301)
    await person.signIn()
    const toConsent = locationOf(await person.get(path))
    assert.equal(toConsent.pathname, '/Account/Consent')
    const context = await person.get(`/Account/ConsentContext${toConsent.search}`)
    assert.equal(((await context.json()) as { redirectUri: string }).redirectUri, 'http://localhost:5081/callback')
    const fields = { client_id: 'asking', request, 'submit.Accept': 'Yes' }
    const accepted = locationOf(await person.submit('/connect/authorize', fields))
    assert.ok(accepted.searchParams.get('code'))
    assert.equal(accepted.searchParams.get('state'), 'inside')
    const other = locationOf(await new Browser(service).get(path))
    assert.equal(other.searchParams.get('error'), 'invalid_request_object')
  })

  it('that is too long for an address must be pushed', async () => {
    const request = await sign(claims({ login_hint: 'x'.repeat(2000), a: 'x'.repeat(3500) }))
    assert.equal((await open(request)).searchParams.get('error'), 'invalid_request')
    assert.equal((await push(request)).status, 201)
  })

  it('and an address in request_uri are refused together, and an address alone', async () => {
    const address = { request_uri: 'https://client.example/request' }
    for (const more of [address, { ...address, request: await sign(claims()) }]) {
      const query = new URLSearchParams({ ...authorizeParameters({ client_id: 'app' }), ...more })
      const answered = locationOf(await browser.get(`/connect/authorize?${query}`))
      assert.equal(answered.searchParams.get('error'), 'request_uri_not_supported')
    }
  })
})

describe('request objects of FAPI 2.0 Message Signing (§5.3.1)', () => {
  const pushStrict = async (change: Record<string, unknown>, alg = 'PS256') =>
    push(await sign(claims(change, 'strict'), keyOf(alg)), 'strict')

  it('are accepted with nbf up to an hour ago, or 8 seconds ahead, and exp within an hour of it', async () => {
    assert.equal((await pushStrict({})).status, 201)
    assert.equal((await pushStrict({ nbf: seconds() + 8 })).status, 201)
    assert.equal((await pushStrict({ nbf: seconds() - 3500, exp: seconds() + 90 })).status, 201)
    assert.equal((await pushStrict({ aud: [service.issuer] })).status, 201)
    for (const alg of ['ES256', 'EdDSA']) assert.equal((await pushStrict({}, alg)).status, 201)
  })

  const refused: Record<string, () => [Record<string, unknown>, string?]> = {
    'no exp': () => [{ exp: undefined }],
    'no nbf': () => [{ nbf: undefined }],
    'nbf 70 minutes ago': () => [{ nbf: seconds() - 4200 }],
    'exp 70 minutes after nbf': () => [{ exp: seconds() + 4200 }],
    RS256: () => [{}, 'RS256'],
  }
  for (const [fault, change] of Object.entries(refused)) {
    it(`are refused with ${fault}`, async () => {
      const { status, body } = await pushStrict(...change())
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_request_object')
    })
  }

  it('are refused unpushed', async () => {
    const request = await sign(claims({}, 'strict'), keyOf('PS256'))
    const answered = await open(request, { client_id: 'strict', redirect_uri: 'http://localhost:5081/callback' })
    assert.equal(answered.searchParams.get('error'), 'invalid_request')
  })
})
