/** A token that this service did not mean is believed nowhere: at the API, as a hint, at the revocation endpoint. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, sign, type webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { signJwt } from '../../src/tokens/sign.ts'
import {
  authorizePath,
  Browser,
  claimsOf,
  codeFields,
  headerOf,
  locationOf,
  obtainCode,
  postToken,
} from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
/** Of another issuer, with keys of its own. */
let foreign: TestService
let browser: Browser
let tokens: { access_token: string; id_token: string; refresh_token: string }
/** The public key that verifies access tokens, in every form that a verifier might take for a shared secret. */
let publicKeys: readonly (readonly [form: string, bytes: Buffer])[]
before(async () => {
  service = await startService()
  foreign = await startService()
  browser = new Browser(service)
  tokens = (await postToken(service, codeFields(await obtainCode(browser)))).body
  const keySet = await (await fetch(new URL('.well-known/jwks', service.issuer))).text()
  const { keys } = JSON.parse(keySet) as { keys: (webcrypto.JsonWebKey & { kid: string })[] }
  const jwk = keys.find(({ kid }) => kid === headerOf(tokens.access_token).kid)
  const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' })
  publicKeys = [
    ['PEM', Buffer.from(key.export({ type: 'spki', format: 'pem' }))],
    ['PEM without its last line feed', Buffer.from(String(key.export({ type: 'spki', format: 'pem' })).trimEnd())],
    ['DER', key.export({ type: 'spki', format: 'der' })],
    ['JWK', Buffer.from(JSON.stringify(jwk))],
    ['the key set', Buffer.from(keySet)],
    ['the point', Buffer.from(`${jwk?.x}${jwk?.y}`, 'base64url')],
    ['nothing', Buffer.alloc(0)],
    ['the kid', Buffer.from(jwk?.kid ?? '')],
  ]
})
after(() => Promise.all([service.stop(), foreign.stop()]))

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const withHeader = (header: unknown, payload = tokens.access_token.split('.')[1], signature = ''): string =>
  `${typeof header === 'string' ? Buffer.from(header).toString('base64url') : encode(header)}.${payload}.${signature}`

/** A token with a header of its own choice, signed by a key of the attacker. */
const mine = generateKeyPairSync('ec', { namedCurve: 'P-256' })
function signedByMe(
  header: Readonly<Record<string, unknown>>,
  claims: unknown = claimsOf(tokens.access_token),
): string {
  const signed = `${encode({ alg: 'ES256', typ: 'at+jwt', ...header })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: mine.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

/** A token that the service's own access token key signed, as a mistake or another part of it might. */
const signedByService = (claims: Readonly<Record<string, unknown>>, typ = 'at+jwt'): Promise<string> =>
  signJwt(service.keys.signingKey('ES256'), typ, claims as never)

async function callApi(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(new URL('weatherforecast', service.issuer), { headers })).status
}

/** Every place where a token is read: the API lets nobody in, a hint proves nobody, and nothing is revoked by it. */
async function assertWorthless(token: string, what: string): Promise<void> {
  assert.equal(await callApi(token), 401, `${what}: at the API`)
  const query = new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: 'http://localhost:5081/' })
  const logout = await browser.get(`/connect/logout?${query}`)
  assert.equal(logout.status, 400, `${what}: as the hint of a sign-out it names no client`)
  await postToken(service, { token, client_id: 'demo' }, {}, 'connect/revocation')
  assert.equal(await callApi(tokens.access_token), 200, `${what}: the real token is still good`)
}

describe('signatures that are none', () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'none ', null, undefined, 0, [], ['none'], {}]) {
    it(`refuses the algorithm ${JSON.stringify(alg)}, with and without a signature`, async () => {
      const { kid } = headerOf(tokens.access_token)
      const [, , signature = ''] = tokens.access_token.split('.')
      for (const typ of ['at+jwt', 'JWT']) {
        await assertWorthless(withHeader({ alg, typ, kid }), 'without a signature')
        await assertWorthless(withHeader({ alg, typ, kid }, undefined, signature), 'with the signature of a real token')
        await assertWorthless(
          withHeader({ alg, typ, kid }, encode({ ...claimsOf(tokens.access_token), sub: 'root' })),
          typ,
        )
      }
    })
  }

  it('refuses the public key as a shared secret, in every form', async () => {
    const { kid } = headerOf(tokens.access_token)
    for (const [form, bytes] of publicKeys) {
      for (const [alg, hash] of [
        ['HS256', 'sha256'],
        ['HS384', 'sha384'],
        ['HS512', 'sha512'],
      ] as const) {
        const signed = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claimsOf(tokens.access_token))}`
        const signature = createHmac(hash, bytes).update(signed).digest('base64url')
        await assertWorthless(`${signed}.${signature}`, `${alg} with ${form}`)
      }
    }
  })

  it('refuses zeros, extremes, DER and other lengths in the place of r and s (RFC 7518 §3.4)', async () => {
    const [header = '', payload = '', signature = ''] = tokens.access_token.split('.')
    const real = Buffer.from(signature, 'base64url')
    const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
    const der = sign('sha256', Buffer.from(`${header}.${payload}`), { key: mine.privateKey, dsaEncoding: 'der' })
    const derOfReal = Buffer.concat([
      Buffer.from([0x30, 70, 0x02, 33, 0]),
      real.subarray(0, 32),
      Buffer.from([0x02, 33, 0]),
      real.subarray(32),
    ])
    for (const [what, bytes] of [
      ['zeros', Buffer.alloc(64)],
      ['r zero', Buffer.concat([Buffer.alloc(32), real.subarray(32)])],
      ['s zero', Buffer.concat([real.subarray(0, 32), Buffer.alloc(32)])],
      ['the order twice', Buffer.concat([order, order])],
      ['all bits', Buffer.alloc(64, 0xff)],
      ['r and s exchanged', Buffer.concat([real.subarray(32), real.subarray(0, 32)])],
      ['DER of another key', der],
      ['DER of the real one', derOfReal],
      ['one byte less', real.subarray(0, 63)],
      ['one byte more', Buffer.concat([real, Buffer.alloc(1)])],
      ['twice', Buffer.concat([real, real])],
      ['empty', Buffer.alloc(0)],
    ] as const) {
      await assertWorthless(`${header}.${payload}.${bytes.toString('base64url')}`, what)
    }
  })
})

describe('one token, one spelling (RFC 7515 §2)', () => {
  it('refuses padding, the other alphabet, loose bits, blanks and further segments', async () => {
    const [header = '', payload = '', signature = ''] = tokens.access_token.split('.')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const loose = `${signature.slice(0, -1)}${alphabet[alphabet.indexOf(signature.at(-1) ?? '') ^ 1]}`
    for (const token of [
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}.${signature}==`,
      `${header}.${payload}.${loose}`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}==.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}`,
      `${header}.${payload}.${signature}A`,
      `${header}.${payload}.${signature}.`,
      `${header}.${payload}.${signature}.${signature}`,
      `.${header}.${payload}.${signature}`,
      `${header}..${signature}`,
      `..`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, 20)} ${signature.slice(20)}`,
      `${header}.${payload}.${signature.slice(0, 20)}\t${signature.slice(20)}`,
      `${header}.${payload}.${signature.toUpperCase()}`,
    ]) {
      await assertWorthless(token, token.slice(-100))
    }
    // Without a sign of the other alphabet there is no other spelling to try: look for a token that has one.
    let other = tokens.access_token
    for (let attempt = 0; !/[-_]/.test(other.split('.')[2] ?? '') && attempt < 20; attempt += 1) {
      other = await signedByService(claimsOf(tokens.access_token))
    }
    const [, , withSigns = ''] = other.split('.')
    assert.match(withSigns, /[-_]/)
    const respelt = withSigns.replaceAll('-', '+').replaceAll('_', '/')
    await assertWorthless(`${other.slice(0, -withSigns.length)}${respelt}`, 'the alphabet of ordinary base64')
  })

  it('refuses the twin of a revoked token: (r, n-s) is as good a signature as (r, s)', async () => {
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const [header = '', payload = '', signature = ''] = String(body.access_token).split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = BigInt(`0x${bytes.toString('hex', 32)}`)
    const twinBytes = Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex'),
    ])
    const twin = `${header}.${payload}.${twinBytes.toString('base64url')}`
    assert.equal(await callApi(twin), 200, 'the curve cannot tell them apart')
    await postToken(service, { token: body.access_token, client_id: 'demo' }, {}, 'connect/revocation')
    assert.equal(await callApi(body.access_token), 401)
    assert.equal(await callApi(twin), 401, 'revocation goes by the id inside, not by the text')
  })

  it('refuses JSON members given twice, in the header and in the claims', async () => {
    const { kid } = headerOf(tokens.access_token)
    const [, payload, signature] = tokens.access_token.split('.')
    for (const header of [
      `{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"${kid}"}`,
      `{"alg":"ES256","alg":"none","typ":"at+jwt","kid":"${kid}"}`,
      `{"alg":"ES256","typ":"JWT","typ":"at+jwt","kid":"${kid}"}`,
      `{"alg":"ES256","typ":"at+jwt","kid":"x","kid":"${kid}"}`,
      `{"alg":"ES256","typ":"at+jwt","kid":"${kid}"} `,
      `{"alg":"ES256","typ":"at+jwt","kid":"${kid}","__proto__":{"crit":[]}}`,
      `\ufeff{"alg":"ES256","typ":"at+jwt","kid":"${kid}"}`,
      `[{"alg":"ES256"}]`,
      'null',
      '"ES256"',
      '{',
      '',
    ]) {
      await assertWorthless(withHeader(header, payload, signature), header)
    }
  })
})

describe('keys of the attacker’s choice (RFC 8725 §3)', () => {
  it('takes no key from the header: jwk, jku, x5u, x5c', async () => {
    const { kid } = headerOf(tokens.access_token)
    const jwk = mine.publicKey.export({ format: 'jwk' })
    let fetched = 0
    const trap = createServer((_request, response) => {
      fetched += 1
      response.end(JSON.stringify({ keys: [jwk] }))
    })
    await new Promise<void>((resolve) => {
      trap.listen(0, '127.0.0.1', resolve)
    })
    const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`
    for (const members of [
      { jwk },
      { jku: `${address}jwks` },
      { x5u: `${address}evil.pem` },
      { x5c: [Buffer.from('evil').toString('base64')] },
      { jwk, alg: 'none' },
      { jwk, kid: 'mine' },
    ]) {
      await assertWorthless(signedByMe({ kid, ...members }), Object.keys(members).join())
    }
    trap.closeAllConnections()
    trap.close()
    assert.equal(fetched, 0, 'and nothing was fetched from where it pointed')
  })

  it('refuses key ids that are paths, queries, names of objects, numbers, and none', async () => {
    const { kid } = headerOf(tokens.access_token)
    for (const injected of [
      undefined,
      null,
      '',
      0,
      [],
      [kid],
      { kid },
      '../../../../dev/null',
      '/dev/null',
      'file:///dev/null',
      "x' UNION SELECT 'secret' --",
      "' OR '1'='1",
      '__proto__',
      'constructor',
      'toString',
      `${kid} `,
      `${kid}\u0000`,
      String(kid).toUpperCase(),
      headerOf(tokens.id_token).kid,
      'a'.repeat(5000),
    ]) {
      await assertWorthless(signedByMe({ kid: injected }), `kid ${JSON.stringify(injected)?.slice(0, 60)}`)
    }
  })

  it('refuses critical extensions and detached payloads (RFC 7515 §4.1.11, RFC 7797)', async () => {
    const { kid } = headerOf(tokens.access_token)
    const [, payload, signature] = tokens.access_token.split('.')
    for (const members of [
      { crit: [] },
      { crit: ['b64'], b64: false },
      { crit: ['b64'], b64: true },
      { b64: false },
      { crit: ['exp'], exp: 1 },
      { crit: ['http://evil.test/any'] },
      { crit: 'alg' },
      { zip: 'DEF' },
      { cty: 'JWT' },
      { enc: 'A256GCM', alg: 'dir' },
    ]) {
      await assertWorthless(
        withHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...members }, payload, signature),
        JSON.stringify(members),
      )
      await assertWorthless(signedByMe({ kid, ...members }), JSON.stringify(members))
    }
  })

  it('refuses the tokens of another issuer, and an algorithm that the key is not for', async () => {
    const elsewhere = (await postToken(foreign, codeFields(await obtainCode(new Browser(foreign))))).body
    await assertWorthless(elsewhere.access_token, 'another issuer’s access token')
    await assertWorthless(elsewhere.id_token, 'another issuer’s id token')
    const { kid } = headerOf(tokens.access_token)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const alg of ['RS256', 'PS256', 'ES384', 'ES256K', 'EdDSA', 'Ed25519', 'es256', 'ES256 ']) {
      const signed = `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claimsOf(tokens.access_token))}`
      const signature = sign('sha256', Buffer.from(signed), rsa.privateKey)
      await assertWorthless(`${signed}.${signature.toString('base64url')}`, alg)
    }
  })
})

describe('the right signature on the wrong thing', () => {
  it('refuses an id token, a code, a refresh token and a session as an access token, and the other way round', async () => {
    const code = locationOf(await browser.get(authorizePath())).searchParams.get('code') ?? ''
    for (const [what, token] of [
      ['an id token', tokens.id_token],
      ['a refresh token', tokens.refresh_token],
      ['a code', code],
      ['a session', browser.cookies.get('latchkey.session') ?? ''],
      ['an anti-forgery token', await browser.antiforgeryToken()],
    ] as const) {
      assert.ok(token.length > 40, what)
      assert.equal(await callApi(token), 401, what)
    }
    for (const hint of [tokens.access_token, tokens.refresh_token, code]) {
      const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: 'http://localhost:5081/' })
      assert.equal((await browser.get(`/connect/logout?${query}`)).status, 400)
    }
    for (const token of [tokens.id_token, tokens.access_token, code]) {
      const answer = await postToken(service, { grant_type: 'refresh_token', client_id: 'demo', refresh_token: token })
      assert.equal(answer.body.error, 'invalid_grant')
    }
    for (const token of [tokens.id_token, tokens.access_token, tokens.refresh_token]) {
      assert.equal((await postToken(service, codeFields(token))).body.error, 'invalid_grant')
    }
  })

  it('refuses every media type but those of access tokens (RFC 9068 §4)', async () => {
    const claims = claimsOf(tokens.access_token)
    assert.equal(await callApi(await signedByService(claims)), 200, 'the real one passes')
    assert.equal(await callApi(await signedByService(claims, 'JWT')), 200, 'so does that of the shape keycloak')
    for (const typ of [
      'jwt',
      'AT+JWT',
      'at+JWT',
      'application/at+jwt',
      'at+jwt ',
      '',
      'secevent+jwt',
      'dpop+jwt',
      'logout+jwt',
    ]) {
      assert.equal(await callApi(await signedByService(claims, typ)), 401, typ)
    }
  })

  it('refuses JWTs of the type JWT that have not what access tokens have, or have what other tokens have', async () => {
    const claims = claimsOf(tokens.access_token)
    for (const [what, change] of [
      ['without client_id, as id tokens are', { client_id: undefined }],
      ['without jti, as id tokens are', { jti: undefined }],
      ['with at_hash, as id tokens are', { at_hash: 'x' }],
      ['with the event of logout tokens', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
    ] as const) {
      assert.equal(await callApi(await signedByService({ ...claims, ...change }, 'JWT')), 401, what)
    }
  })

  it('refuses claims that are missing, of another kind, of another time or of another issuer', async () => {
    const claims = claimsOf(tokens.access_token)
    const nowSeconds = Math.floor(service.now() / 1000)
    for (const [what, change] of [
      ['expired', { exp: nowSeconds }],
      ['without an end', { exp: undefined }],
      ['an end in text', { exp: '9999999999' }],
      ['an endless end', { exp: null }],
      ['not valid yet', { nbf: nowSeconds + 60 }],
      ['a beginning in text', { nbf: '0' }],
      ['issuer in another case', { iss: service.issuer.toUpperCase() }],
      ['issuer without its slash', { iss: service.issuer.slice(0, -1) }],
      ['issuers in a list', { iss: [service.issuer] }],
      ['another issuer', { iss: foreign.issuer }],
      ['no issuer', { iss: undefined }],
      ['another audience', { aud: 'demo' }],
      ['a list of others', { aud: ['demo', `${service.issuer}x`] }],
      ['an audience that begins alike', { aud: `${service.issuer}evil` }],
      ['an audience inside an object', { aud: { 0: service.issuer } }],
      ['a list in a list', { aud: [[service.issuer]] }],
      ['no audience', { aud: undefined }],
      ['no subject', { sub: undefined }],
      ['a subject in a list', { sub: [claims.sub] }],
      ['no id', { jti: undefined }],
      ['a scope that is neither text nor a list', { scope: 7 }],
    ] as const) {
      assert.equal(await callApi(await signedByService({ ...claims, ...change })), 401, what)
    }
    // Without a grant it is the client's own, whatever its subject, and of no use for what belongs to a person.
    const own = await signedByService({ ...claims, grant_id: undefined })
    const authorization = `Bearer ${own}`
    const answer = await fetch(new URL('connect/userinfo', service.issuer), { headers: { authorization } })
    assert.equal(answer.status, 401)
    for (const payload of ['null', '[]', '"x"', '{', '', '{"iss":1}']) {
      const { kid } = headerOf(tokens.access_token)
      await assertWorthless(
        withHeader({ alg: 'ES256', typ: 'at+jwt', kid }, Buffer.from(payload).toString('base64url')),
        payload,
      )
    }
  })

  it('refuses claims and tokens that are huge', async () => {
    const { kid } = headerOf(tokens.access_token)
    const huge = { ...claimsOf(tokens.access_token), role: Array.from({ length: 2000 }, (_, index) => `role-${index}`) }
    assert.equal(await callApi(signedByMe({ kid }, huge)), 401)
    const nested = Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`).toString('base64url')
    assert.equal(await callApi(withHeader({ alg: 'ES256', typ: 'at+jwt', kid }, nested)), 401)
    const head = withHeader(`{"alg":"ES256","typ":"at+jwt","kid":"${kid}","x":${'['.repeat(9000)}${']'.repeat(9000)}}`)
    assert.equal(await callApi(head), 401)
    const status = await callApi('a'.repeat(70_000)).catch(() => 431)
    assert.equal(status, 431)
  })

  it('refuses hints whose person or client was exchanged, and gives no code for anybody else', async () => {
    const claims = claimsOf(tokens.id_token)
    for (const change of [{ sub: 'root' }, { aud: 'other' }, { aud: ['demo'] }, { iss: foreign.issuer }]) {
      const forged = signedByMe(
        { typ: 'JWT', kid: headerOf(tokens.id_token).kid, alg: 'RS256' },
        { ...claims, ...change },
      )
      const query = new URLSearchParams({ id_token_hint: forged, post_logout_redirect_uri: 'http://localhost:5081/' })
      assert.equal((await browser.get(`/connect/logout?${query}`)).status, 400)
    }
    const ofAnother = await signJwt(service.keys.signingKey('RS256'), 'JWT', { ...claims, sub: 'somebody-else' })
    const silent = locationOf(await browser.get(authorizePath({ id_token_hint: ofAnother, prompt: 'none' })))
    assert.equal(silent.searchParams.get('code'), null)
    assert.equal(silent.searchParams.get('error'), 'login_required')
  })
})
