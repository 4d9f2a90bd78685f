/** `private_key_jwt`: clients that authenticate with a signature (RFC 7523, OpenID Connect Core §9). */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { type ClientAlgorithm, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { assertionClaims, assertionFields, type ClientKey, clientKey, keyClient } from '../support/assertions.ts'
import { authorizeParameters, postToken, type TokenAnswer } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, serviceForFile, startService } from '../support/service.ts'

let other: ClientKey
const keys = new Map<ClientAlgorithm, ClientKey>()

const service = await serviceForFile()
for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) keys.set(algorithm, await clientKey(algorithm))
const key = keyOf('ES256')
other = await clientKey('ES256')
const { clients } = service.storage
await clients.create(keyClient('signer', [...keys.values()]))
await clients.create(keyClient('other', [other]))
await clients.create(keyClient('elliptic', [...keys.values()], { token_endpoint_auth_signing_alg: 'ES256' }))
await clients.create(keyClient('fapi', [...keys.values()], { profile: 'fapi2' }))
const { authentication, metadata } = keyClient('pusher', [...keys.values()])
await addClient(service, { id: 'pusher', authentication, metadata })
await addClient(service, { id: 'secret', authentication: bySecret(hashSecret('s3cret')) })

function keyOf(algorithm: ClientAlgorithm): ClientKey {
  const found = keys.get(algorithm)
  assert.ok(found)
  return found
}

const claims = (change: Readonly<Record<string, unknown>> = {}, clientId = 'signer') =>
  assertionClaims(clientId, service.issuer, service.now(), change)
const request = (assertion: string, change: Readonly<Record<string, string>> = {}, headers = {}) =>
  postToken(service, { grant_type: 'client_credentials', ...assertionFields(assertion), ...change }, headers)

function assertRefused(answer: TokenAnswer, status: number, error: string, id: string): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error])
  assert.equal(answer.body.error_uri, `${service.issuer}errors#${id}`)
}

async function accepted(assertion: string): Promise<void> {
  const { status, body } = await request(assertion)
  assert.equal(status, 200, JSON.stringify(body))
}
async function refused(id: string, assertion: string, what = ''): Promise<void> {
  const answer = await request(assertion)
  assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'], what)
  assert.match(answer.body.error_description, new RegExp(`^${id}:`), what)
}

describe('private_key_jwt', () => {
  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    it(`accepts an assertion signed with ${algorithm}, as discovery lists`, async () => {
      await accepted(await keyOf(algorithm).sign(claims()))
      const response = await fetch(new URL('.well-known/openid-configuration', service.issuer))
      const document = (await response.json()) as Record<string, string[]>
      for (const endpoint of ['token', 'revocation']) {
        assert.ok(document[`${endpoint}_endpoint_auth_methods_supported`]?.includes('private_key_jwt'))
        assert.ok(document[`${endpoint}_endpoint_auth_signing_alg_values_supported`]?.includes(algorithm))
      }
    })
  }

  it('works with a client library', async () => {
    const { privateKey, publicKey } = await oauth.generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'library' }
    await service.storage.clients.create(keyClient('library', [{ ...key, publicJwk: jwk as never }]))
    const as = { issuer: service.issuer, token_endpoint: `${service.issuer}connect/token` }
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      { client_id: 'library' },
      oauth.PrivateKeyJwt({ key: privateKey, kid: 'library' }),
      { scope: 'demo_api' },
      { [oauth.allowInsecureRequests]: true },
    )
    const tokens = await oauth.processClientCredentialsResponse(as, { client_id: 'library' }, response)
    assert.equal(tokens.scope, 'demo_api')
  })

  it('accepts a client_id beside the assertion if it is the same, and needs none', async () => {
    assert.equal((await request(await key.sign(claims()), { client_id: 'signer' })).status, 200)
    const answer = await request(await key.sign(claims()), { client_id: 'other' })
    assertRefused(answer, 401, 'invalid_client', 'ID9161')
  })

  it('accepts the issuer, the token endpoint and the endpoint that is called as the audience, alone or in an array', async () => {
    for (const aud of [
      service.issuer,
      `${service.issuer}connect/token`,
      ['https://elsewhere.example', service.issuer],
    ]) {
      await accepted(await key.sign(claims({ aud })))
    }
    const revoke = (aud: string) =>
      key
        .sign(claims({ aud }))
        .then((assertion) =>
          postToken(service, { token: 'x', ...assertionFields(assertion) }, {}, 'connect/revocation'),
        )
    assert.equal((await revoke(`${service.issuer}connect/revocation`)).status, 200)
    assert.equal((await revoke(`${service.issuer}connect/token`)).status, 200)
    const wrong = ['https://elsewhere.example', service.issuer.slice(0, -1), `${service.issuer}connect/revocation`, '']
    for (const aud of [...wrong, [], [[service.issuer]], { 0: service.issuer }, null, 1, undefined, wrong]) {
      await refused('ID9164', await key.sign(claims({ aud })), JSON.stringify(aud))
    }
  })

  it('refuses an assertion in which iss or sub is missing or another client', async () => {
    for (const change of [
      { iss: undefined },
      { sub: undefined },
      { iss: 'other' },
      { sub: 'other' },
      { sub: ['signer'] },
    ]) {
      await refused('ID9161', await key.sign(claims(change as never)), JSON.stringify(change))
    }
    await refused('ID2052', await key.sign(claims({}, 'nobody')))
  })

  it('demands jti and exp (OpenID Connect Core §9)', async () => {
    for (const jti of [undefined, '', 1, ['x']]) await refused('ID9162', await key.sign(claims({ jti })))
    for (const exp of [undefined, '9999999999', null, -1]) await refused('ID9162', await key.sign(claims({ exp })))
    for (const change of [{ nbf: '1' }, { iat: [] }]) await refused('ID9162', await key.sign(claims(change)))
  })

  it('refuses an expired assertion, one that is valid for more than an hour, and one from the future', async () => {
    const now = Math.floor(service.now() / 1000)
    for (const change of [{ exp: now - 1 }, { exp: now }, { exp: 0 }, { exp: now + 3700 }, { exp: 1e300 }]) {
      await refused('ID9165', await key.sign(claims(change)), JSON.stringify(change))
    }
    for (const change of [{ nbf: now + 61 }, { iat: now + 61 }, { nbf: now + 3600, exp: now + 3600 }]) {
      await refused('ID9165', await key.sign(claims(change)), JSON.stringify(change))
    }
    for (const change of [
      { exp: now + 3600 },
      { exp: now + 30.5 },
      { nbf: now + 8 },
      { iat: now + 8 },
      { iat: now - 9999 },
    ]) {
      await accepted(await key.sign(claims(change)))
    }
  })

  it('accepts the registered algorithm alone', async () => {
    const own = (algorithm: ClientAlgorithm) => keyOf(algorithm).sign(claims({}, 'elliptic'))
    await accepted(await own('ES256'))
    for (const algorithm of ['RS256', 'PS256', 'EdDSA'] as const) await refused('ID9163', await own(algorithm))
  })

  it('is refused together with a secret or Basic authentication, and beside no other scheme (RFC 6749 §2.3)', async () => {
    const assertion = await key.sign(claims())
    const basic = `Basic ${Buffer.from('signer:x').toString('base64')}`
    assertRefused(await request(assertion, { client_secret: 'x' }), 400, 'invalid_request', 'ID2087')
    for (const authorization of [basic, 'Basic']) {
      assertRefused(await request(assertion, {}, { authorization }), 400, 'invalid_request', 'ID2087')
    }
    assert.equal((await request(assertion, {}, { authorization: 'Bearer x' })).status, 200)
  })

  it('refuses other assertion types, a missing or repeated assertion, and one for an endpoint that needs none', async () => {
    const assertion = await key.sign(claims())
    const type = (value: string) => request(assertion, { client_assertion_type: value })
    assertRefused(
      await type('urn:ietf:params:oauth:client-assertion-type:saml2-bearer'),
      401,
      'invalid_client',
      'ID2032',
    )
    assertRefused(await type(''), 400, 'invalid_request', 'ID2037')
    assertRefused(await request(''), 400, 'invalid_request', 'ID2037')
    const twice = [...Object.entries(assertionFields(assertion)), ['client_assertion', assertion] as const]
    const repeated = await postToken(service, [['grant_type', 'client_credentials'], ...twice])
    assertRefused(repeated, 400, 'invalid_request', 'ID9001')
    assertRefused(await request('x'.repeat(8193)), 400, 'invalid_request', 'ID9002')
    await accepted(assertion)
  })

  it('is the only method of its clients, and of no other', async () => {
    for (const fields of [{ client_id: 'signer' }, { client_id: 'signer', client_secret: 's3cret' }]) {
      const answer = await postToken(service, { grant_type: 'client_credentials', ...fields })
      assertRefused(answer, 401, 'invalid_client', 'ID9100')
    }
    await refused('ID2053', await key.sign(claims({}, 'demo')))
    await refused('ID2198', await key.sign(claims({}, 'secret')))
  })
})

describe('private_key_jwt under the profile fapi2 (FAPI 2.0 Security Profile §5.3.2.1)', () => {
  const own = (algorithm: ClientAlgorithm, change: Readonly<Record<string, unknown>> = {}) =>
    keyOf(algorithm).sign(claims(change, 'fapi'))

  /** Tokens of the profile need a key as well; a revocation does not. */
  const revokeWith = async (assertion: string) =>
    (await postToken(service, { token: 'x', ...assertionFields(assertion) }, {}, 'connect/revocation')).status

  it('accepts the issuer as a string alone', async () => {
    assert.equal(await revokeWith(await own('ES256')), 200)
    const { issuer } = service
    for (const aud of [
      [issuer],
      `${issuer}connect/token`,
      `${issuer}connect/par`,
      [issuer, `${issuer}connect/token`],
    ]) {
      await refused('ID9164', await own('ES256', { aud }), JSON.stringify(aud))
    }
  })

  it('accepts the registered method alone, not even another place of the same secret', async () => {
    const metadata = { ...defaultClientMetadata, profile: 'fapi2' as const }
    const authentication = bySecret(hashSecret('s3cret'))
    await addClient(service, { id: 'exact', authentication, metadata })
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
    const inBody = await postToken(service, { ...fields, client_id: 'exact', client_secret: 's3cret' })
    assertRefused(inBody, 401, 'invalid_client', 'ID2198')
    const authorization = `Basic ${Buffer.from('exact:s3cret').toString('base64')}`
    // The profile demands a bound token, which comes after the authentication.
    assert.notEqual((await postToken(service, fields, { authorization })).body.error, 'invalid_client')
  })

  it('accepts PS256, ES256 and EdDSA, and not RS256', async () => {
    for (const algorithm of ['PS256', 'ES256', 'EdDSA'] as const)
      assert.equal(await revokeWith(await own(algorithm)), 200)
    await refused('ID9163', await own('RS256'))
  })
})

describe('an algorithm of the settings', () => {
  it('ML-DSA-65 is accepted and listed if OAuth:PostQuantum is set, and refused otherwise (RFC 9964)', async () => {
    const lattice = await clientKey('ML-DSA-65')
    await using quantum = await startService({ OAuth__PostQuantum: 'true' })
    for (const at of [service, quantum]) {
      await at.storage.clients.create(keyClient('lattice', [lattice]))
      const assertion = await lattice.sign(assertionClaims('lattice', at.issuer, at.now()))
      const fields = { grant_type: 'client_credentials', ...assertionFields(assertion) }
      const { status } = await postToken(at, fields)
      assert.equal(status, at === quantum ? 200 : 401)
      const document = await fetch(new URL('.well-known/openid-configuration', at.issuer))
      const { token_endpoint_auth_signing_alg_values_supported: listed } = (await document.json()) as Record<
        string,
        string[]
      >
      assert.equal(listed?.includes('ML-DSA-65'), at === quantum)
    }
  })
})

describe('an assertion', () => {
  it('authenticates one request, whichever endpoint, and however many come at once (RFC 7523 §3)', async () => {
    const once = await key.sign(claims())
    await accepted(once)
    await refused('ID9167', once)
    const elsewhere = await postToken(service, { token: 'x', ...assertionFields(once) }, {}, 'connect/revocation')
    assertRefused(elsewhere, 401, 'invalid_client', 'ID9167')
    const pushed = await key.sign(claims({ aud: `${service.issuer}connect/par` }, 'pusher'))
    const push = () =>
      postToken(
        service,
        { ...authorizeParameters({ client_id: 'pusher' }), ...assertionFields(pushed) },
        {},
        'connect/par',
      )
    const answer = await push()
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    assertRefused(await push(), 401, 'invalid_client', 'ID9167')
    const before = await key.sign(claims())
    const first = await postToken(service, { token: 'x', ...assertionFields(before) }, {}, 'connect/revocation')
    assert.equal(first.status, 200)
    await refused('ID9167', before)
    const raced = await key.sign(claims())
    const answers = await Promise.all(Array.from({ length: 10 }, () => request(raced)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)])
  })

  it('is used up for all processes that share a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    const shared = {
      Database__Url: `sqlite:${join(folder, 'latchkey.db')}`,
      Keys__MasterKey: randomBytes(32).toString('base64'),
    }
    const here = await startService(shared)
    const there = await startService({ ...shared, OAuth__Issuer: here.issuer })
    try {
      await here.storage.clients.create(keyClient('signer', [key]))
      const send = (assertion: string, issuer: string) =>
        postToken({ issuer }, { grant_type: 'client_credentials', ...assertionFields(assertion) })
      const own = () => key.sign(assertionClaims('signer', here.issuer, service.now()))
      const assertion = await own()
      assert.equal((await send(assertion, there.address)).status, 200)
      assert.equal((await send(assertion, here.address)).status, 401)
      const raced = await own()
      const ports = [here, there, here, there]
      const answers = await Promise.all(ports.map(({ address }) => send(raced, address)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    } finally {
      await there.stop()
      await here.stop()
      rmSync(folder, { recursive: true })
    }
  })

  it('counts its jti for its own client alone', async () => {
    await accepted(await key.sign(claims({ jti: 'same' })))
    await accepted(await other.sign(claims({ jti: 'same' }, 'other')))
    await refused('ID9167', await key.sign(claims({ jti: 'same' })))
  })

  it('is not used up by a faulty signature, algorithm or claim', async () => {
    const jti = 'kept'
    await refused('ID9166', await other.sign(claims({ jti }), { kid: key.publicJwk.kid }))
    await refused('ID9164', await key.sign(claims({ jti, aud: 'x' })))
    await refused('ID9165', await key.sign(claims({ jti, exp: 1 })))
    await accepted(await key.sign(claims({ jti })))
  })

  it('is not accepted from another client, or signed by another key', async () => {
    await refused('ID9166', await other.sign(claims()))
    await refused('ID9166', await other.sign(claims(), { kid: key.publicJwk.kid }))
    await refused('ID9166', await key.sign(claims({}, 'other')))
  })

  it('is not accepted without a signature, or signed with a public key as a shared one (RFC 8725 §2.1)', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const pem = createPublicKey({ key: keyOf('RS256').publicJwk as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    for (const secret of [pem, JSON.stringify(keyOf('RS256').publicJwk), keyOf('RS256').publicJwk.n as string, '']) {
      for (const alg of ['HS256', 'hs256', 'RS256']) {
        const signed = `${part({ alg, kid: keyOf('RS256').publicJwk.kid })}.${part(claims())}`
        const signature = createHmac('sha256', secret).update(signed).digest('base64url')
        await refused(alg === 'RS256' ? 'ID9166' : 'ID9163', `${signed}.${signature}`)
      }
    }
    for (const alg of ['none', 'None', 'NONE', '', null, ['RS256']]) {
      await refused('ID9163', `${part({ alg })}.${part(claims())}.AA`, String(alg))
      await refused('ID9160', `${part({ alg })}.${part(claims())}.`, String(alg))
    }
  })

  it('is no JWT that the client signed for another purpose (RFC 8725 §3.11, RFC 9101 §10.8)', async () => {
    for (const typ of [
      'oauth-authz-req+jwt',
      'dpop+jwt',
      'at+jwt',
      'logout+jwt',
      'application/dpop+jwt',
      '',
      1,
      null,
    ]) {
      await refused('ID9160', await key.sign(claims(), { typ }), String(typ))
    }
    for (const typ of ['JWT', 'jwt', 'application/jwt', 'client-authentication+jwt', undefined]) {
      await accepted(await key.sign(claims(), { typ }))
    }
  })

  it('brings no key of its own: jwk, jku, x5u and x5c in its header are ignored', async () => {
    for (const header of [
      { jwk: other.publicJwk },
      { jku: 'https://attacker.example/jwks' },
      { x5u: 'https://attacker.example/cert' },
      { x5c: ['MIIB'] },
      { kid: undefined, jwk: other.publicJwk },
    ]) {
      await refused('ID9166', await other.sign(claims(), header))
    }
    const critical = await key.sign(claims(), { crit: ['exp'], exp: 1 }).catch(() => undefined)
    if (critical !== undefined) await refused('ID9166', critical)
  })

  it('is a JWT of three parts, and anything else is refused before keys are read', async () => {
    const [header, body, signature] = (await key.sign(claims())).split('.')
    const wrong = [
      'x',
      '..',
      `${header}.${body}`,
      `${header}.${body}.`,
      `${header}.${body}.${signature}.x`,
      `.${body}.${signature}`,
    ]
    const other = [`${header}..${signature}`, 'bnVsbA.bnVsbA.x', 'W10.W10.x', 'MQ.MQ.x']
    for (const assertion of [...wrong, ...other]) await refused('ID9160', assertion, assertion)
    const changed = Buffer.from(JSON.stringify(claims({ jti: 'changed' }))).toString('base64url')
    await refused('ID9166', `${header}.${changed}.${signature}`)
  })

  it('shows no signature in the log', async () => {
    const [, , signature = ''] = (await other.sign(claims())).split('.')
    assert.ok(!JSON.stringify(service.log).includes(signature))
  })
})

describe('keys at jwks_uri', () => {
  it('are not fetched from inside the network, and the log alone says where the name leads', async () => {
    const resolved: string[] = []
    const resolve = async (name: string) => {
      resolved.push(name)
      return ['93.184.216.34', '10.11.12.13']
    }
    await using online = await startService({ OAuth__Issuer: 'https://id.example/' }, { resolve })
    const signAndSend = async (id: string, jwks_uri: string) => {
      await online.storage.clients.create(keyClient(id, [], { jwks: null, jwks_uri }))
      const assertion = await key.sign(assertionClaims(id, online.issuer, online.now()))
      const fields = { grant_type: 'client_credentials', ...assertionFields(assertion) }
      const { status, body } = await postToken({ issuer: online.address }, fields)
      assert.deepEqual([status, body.error], [401, 'invalid_client'])
      assert.doesNotMatch(JSON.stringify(body), /10\.11\.12\.13|127\.0\.0\.1/)
      return JSON.stringify(online.log.at(-1))
    }
    const rebound = await signAndSend('rebound', 'https://keys.example/jwks')
    assert.match(rebound, /keys\.example resolves to 10\.11\.12\.13, which no entry of Outbound:Networks allows/)
    assert.match(await signAndSend('local', 'https://127.0.0.1:1/jwks'), /127\.0\.0\.1 is not a public address/)
    assert.match(await signAndSend('plain', 'http://keys.example/jwks'), /is not https/)
    assert.deepEqual(resolved, ['keys.example'])
  })
})
