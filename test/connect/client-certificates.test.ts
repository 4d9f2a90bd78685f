/** Clients that authenticate with a certificate in TLS, which a proxy passes on (RFC 8705). */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../../src/protocol/client/client.ts'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { assertionClaims, assertionFields, clientKey, keyClient } from '../support/assertions.ts'
import {
  Browser,
  claimsOf,
  codeFields,
  obtainCode,
  postToken,
  refreshFields,
  type TokenAnswer,
} from '../support/browser.ts'
import { certificate, generalNames, oids, pemOf, type TestCertificate } from '../support/certificates.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey } from '../support/dpop.ts'
import { serviceForFile, startService, type TestService, testClient } from '../support/service.ts'

const header = 'X-Client-Cert'
const mtls = { OAuth__Mtls__ClientCertificateHeader: header, Server__TrustProxy: '127.0.0.1' }
const own = certificate({ subject: [[[oids.c, 'DE']], [[oids.o, 'Example, Inc.']], [[oids.cn, 'client']]] })
const other = certificate({ subject: [[[oids.c, 'DE']], [[oids.o, 'Example, Inc.']], [[oids.cn, 'other']]] })
const dn = 'CN=client,O=Example\\, Inc.,C=DE'

type Method = 'tls_client_auth' | 'self_signed_tls_client_auth'
function certified(id: string, method: Method, metadata: Partial<ClientMetadata>): Client {
  return testClient({
    id,
    authentication: { method },
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['demo_api'],
    metadata: { token_endpoint_auth_method: method, ...metadata },
  })
}
const jwkOf = ({ publicKey }: TestCertificate) => ({ ...publicKey.export({ format: 'jwk' }) })

let aliased: TestService
const service = await serviceForFile(mtls)
const key = await clientKey()
const { clients } = service.storage
await clients.create(certified('named', 'tls_client_auth', { tls_client_auth_subject_dn: dn }))
await clients.create(certified('signed', 'self_signed_tls_client_auth', { jwks: { keys: [jwkOf(own)] } }))
await clients.create(testClient({ id: 'secret', authentication: bySecret(hashSecret('s3cret')) }))

const send = (clientId: string, cert?: string, change: Readonly<Record<string, string>> = {}, at = service) => {
  const fields = { grant_type: 'client_credentials', client_id: clientId, ...change }
  return postToken({ issuer: at.address }, fields, cert === undefined ? {} : { [header]: cert })
}
function assertRefused({ status, body }: TokenAnswer, id: string, what = ''): void {
  assert.equal(status, 401, what)
  assert.equal(body.error, 'invalid_client', what)
  assert.match(body.error_description, new RegExp(`^${id}:`), what)
}

/** Like `postToken`, at any host. */
function sendTo(
  host: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<{ status: number; body: TokenAnswer['body'] }> {
  const { hostname, port } = new URL(aliased.address)
  return new Promise((resolve, reject) => {
    const type = body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const options = {
      hostname,
      port,
      path,
      method: body === '' ? 'GET' : 'POST',
      headers: { host, ...type, ...headers },
    }
    const message = httpRequest(options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
    })
    message.on('error', reject).end(body)
  })
}

describe('endpoints at an address of their own (RFC 8705 §5)', () => {
  const alias = 'https://mtls.id.example/'
  const issuer = 'https://id.example/'
  before(async () => {
    aliased = await startService({ ...mtls, OAuth__Issuer: issuer, OAuth__Mtls__Address: alias })
    const bound = { tls_client_certificate_bound_access_tokens: true }
    const { clients } = aliased.storage
    await clients.create(certified('named', 'tls_client_auth', { tls_client_auth_subject_dn: dn, ...bound }))
    await clients.create(keyClient('asserting', [key], { ...bound, dpop_bound_access_tokens: true }))
    await clients.create(keyClient('strict', [key], { ...bound, profile: 'fapi2' }))
  })
  after(() => aliased.stop())
  const ask = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString()
    return sendTo('mtls.id.example', '/connect/token', headers, form)
  }

  it('answer there as at the issuer, which stays the issuer of the tokens', async () => {
    const { status, body } = await ask({ client_id: 'named' }, { [header]: own.escapedPem })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(claimsOf(body.access_token).iss, issuer)
    const none = await ask({ client_id: 'named' }, {})
    assert.equal(none.body.error, 'invalid_client')
    assert.equal((await sendTo('other.id.example', '/connect/token', {}, 'a=b')).status, 421)
  })

  it('are an audience of assertions and an address of proofs, and no other host is one', async () => {
    const proofOf = (url: string) => new DpopKey().proof({ url, nowMs: aliased.now() })
    const sendWith = async (aud: unknown, htu: string, client = 'asserting') => {
      const claims = assertionClaims(client, issuer, aliased.now(), { aud })
      const fields = { client_id: client, ...assertionFields(await key.sign(claims)) }
      const { status, body } = await ask(fields, { [header]: own.escapedPem, DPoP: proofOf(htu) })
      return [status, body.error]
    }
    const [there, here] = [`${alias}connect/token`, `${issuer}connect/token`]
    for (const aud of [there, here, issuer]) assert.deepEqual(await sendWith(aud, there), [200, undefined])
    assert.deepEqual(await sendWith(issuer, here), [200, undefined])
    for (const foreign of ['https://evil.example/connect/token', `${alias}connect/par`, alias]) {
      assert.deepEqual(await sendWith(foreign, there), [401, 'invalid_client'], foreign)
      assert.deepEqual(await sendWith(issuer, foreign), [400, 'invalid_dpop_proof'], foreign)
    }
    assert.deepEqual(await sendWith(there, there, 'strict'), [401, 'invalid_client'], 'the issuer alone (FAPI 2.0)')
    assert.deepEqual(await sendWith(issuer, there, 'strict'), [200, undefined])
  })
})

describe('tls_client_auth (RFC 8705 §2.1)', () => {
  it('accepts the certificate with the registered subject, in each form that proxies send', async () => {
    const base64 = own.der.toString('base64')
    for (const form of [own.escapedPem, `:${base64}:`, base64, encodeURIComponent(pemOf(own.der).trim())]) {
      const { status, body } = await send('named', form)
      assert.equal(status, 200, JSON.stringify(body))
    }
    assert.equal(
      (await postToken(service, { token: 'x', client_id: 'named' }, { [header]: own.escapedPem }, 'connect/revocation'))
        .status,
      200,
    )
  })

  it('refuses another name, and names in another order', async () => {
    assertRefused(await send('named', other.escapedPem), 'ID9170')
    const reversed = certificate({ subject: [[[oids.cn, 'client']], [[oids.o, 'Example, Inc.']], [[oids.c, 'DE']]] })
    assertRefused(await send('named', reversed.escapedPem), 'ID9170')
    const disguised = certificate({ subject: [[[oids.cn, 'client,O=Example\\, Inc.,C=DE']]] })
    assertRefused(await send('named', disguised.escapedPem), 'ID9170')
    const within = certificate({ subject: [[[oids.c, 'DE']], [[oids.o, 'Example, Inc.\nCN=client']]] })
    assertRefused(await send('named', within.escapedPem), 'ID9170')
  })

  it('refuses a certificate before and after its time', async () => {
    const day = 86_400_000
    const subject = [[[oids.c, 'DE']], [[oids.o, 'Example, Inc.']], [[oids.cn, 'client']]] as const
    const past = certificate({ subject, from: new Date(Date.now() - 2 * day), until: new Date(Date.now() - day) })
    assertRefused(await send('named', past.escapedPem), 'ID9170')
    const future = certificate({ subject, from: new Date(Date.now() + day), until: new Date(Date.now() + 2 * day) })
    assertRefused(await send('named', future.escapedPem), 'ID9170')
  })

  const names = [
    ['dns', 'tls_client_auth_san_dns', generalNames.dns, 'App.example', 'app.example', 'x.app.example'],
    [
      'uri',
      'tls_client_auth_san_uri',
      generalNames.uri,
      'https://app.example/a,b"c',
      'https://app.example/a,b"c',
      'https://app.example/A',
    ],
    ['email', 'tls_client_auth_san_email', generalNames.email, 'app@a.example', 'app@a.example', 'App@a.example'],
    ['ip4', 'tls_client_auth_san_ip', generalNames.ip, Buffer.from([192, 0, 2, 1]), '192.0.2.1', '192.0.2.10'],
    [
      'ip6',
      'tls_client_auth_san_ip',
      generalNames.ip,
      Buffer.from([32, 1, 13, 184, ...Array(11).fill(0), 1]),
      '2001:DB8::1',
      '2001:db8::2',
    ],
  ] as const
  for (const [id, member, tag, content, registered, wrong] of names) {
    it(`accepts the registered ${member} among others, and no other (${id})`, async () => {
      await service.storage.clients.create(certified(id, 'tls_client_auth', { [member]: registered }))
      await service.storage.clients.create(certified(`not-${id}`, 'tls_client_auth', { [member]: wrong }))
      const held = certificate({
        alternativeNames: [
          [generalNames.dns, 'first.example'],
          [tag, content],
        ],
      })
      assert.equal((await send(id, held.escapedPem)).status, 200)
      assertRefused(await send(`not-${id}`, held.escapedPem), 'ID9170')
      assertRefused(await send(id, own.escapedPem), 'ID9170')
    })
  }

  it('takes a name for its own kind only, and a wildcard for no name', async () => {
    const held = certificate({
      subject: [[[oids.cn, 'app.example']]],
      alternativeNames: [
        [generalNames.uri, 'app.example'],
        [generalNames.email, 'app.example'],
        [generalNames.dns, '*.example'],
        [generalNames.dns, 'x, DNS:app.example'],
      ],
    })
    assertRefused(await send('dns', held.escapedPem), 'ID9170')
  })
})

describe('self_signed_tls_client_auth (RFC 8705 §2.2)', () => {
  it('accepts a certificate of a registered key, whatever its name, and the certificate in x5c', async () => {
    assert.equal((await send('signed', own.escapedPem)).status, 200)
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rsa = { publicKey: keys.publicKey, x5c: [own.der.toString('base64')] }
    const jwks = { keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), x5c: rsa.x5c }] }
    await service.storage.clients.create(certified('x5c', 'self_signed_tls_client_auth', { jwks }))
    assert.equal((await send('x5c', own.escapedPem)).status, 200)
    assertRefused(await send('x5c', other.escapedPem), 'ID9170')
  })

  it('refuses the certificate of another key', async () => {
    assertRefused(await send('signed', other.escapedPem), 'ID9170')
    const sameName = certificate({ subject: [[[oids.c, 'DE']], [[oids.o, 'Example, Inc.']], [[oids.cn, 'client']]] })
    assertRefused(await send('signed', sameName.escapedPem), 'ID9170')
  })

  it('fetches the keys from jwks_uri', async () => {
    const jwks_uri = 'http://127.0.0.1:1/jwks'
    await service.storage.clients.create(certified('fetched', 'self_signed_tls_client_auth', { jwks_uri }))
    assertRefused(await send('fetched', own.escapedPem), 'ID9170')
    assert.ok(JSON.stringify(service.log).includes('ECONNREFUSED'))
  })
})

describe('the header with the certificate', () => {
  it('is believed from a trusted proxy alone', async () => {
    for (const Server__TrustProxy of ['false', '10.0.0.1']) {
      await using unproxied = await startService({ ...mtls, Server__TrustProxy })
      await unproxied.storage.clients.create(certified('named', 'tls_client_auth', { tls_client_auth_subject_dn: dn }))
      assertRefused(await send('named', own.escapedPem, {}, unproxied), 'ID9168')
    }
  })

  it('must be one, with one certificate: what a client adds to it is not read', async () => {
    const two = await new Promise<number | undefined>((resolve, reject) => {
      const body = 'grant_type=client_credentials&client_id=named'
      const message = httpRequest(new URL('connect/token', service.address), { method: 'POST' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      message.setHeader('content-type', 'application/x-www-form-urlencoded')
      message.setHeader(header, [own.escapedPem, other.escapedPem])
      message.on('error', reject)
      message.end(body)
    })
    assert.equal(two, 401)
    const base64 = own.der.toString('base64')
    const wrong = [
      ...[`${own.escapedPem}, ${other.escapedPem}`, `${own.escapedPem}${other.escapedPem}`, `:${base64}:, :${base64}:`],
      ...[`${base64}AAAA`, `:${base64}`, `:${base64}:;a=1`, base64.slice(0, -8), 'x', '%', ':::', '%00', `-----BEGIN`],
      ...[Buffer.from(pemOf(own.der)).toString('base64'), `x${own.escapedPem}`, encodeURIComponent('null'), '(null)'],
      encodeURIComponent(`${pemOf(own.der)}`.replaceAll('CERTIFICATE', 'PRIVATE KEY')),
      'A'.repeat(20_000),
    ]
    for (const value of wrong) assertRefused(await send('named', value), 'ID9169', value.slice(0, 60))
  })

  it('is missing when it is empty or absent, and then nobody is authenticated', async () => {
    for (const id of ['named', 'signed']) {
      assertRefused(await send(id), 'ID9168')
      assertRefused(await send(id, ''), 'ID9168')
    }
    assertRefused(await send('signed', 'x'), 'ID9169')
  })

  it('is the only method of its clients, and none of others', async () => {
    assertRefused(await send('named', own.escapedPem, { client_secret: 's3cret' }), 'ID9100')
    assertRefused(await send('secret', own.escapedPem), 'ID2198')
    const wrong = await send('secret', own.escapedPem, { client_secret: 'wrong' })
    assertRefused(wrong, 'ID2055')
  })

  it('is named by a setting; without it discovery lists no such method, and no certificate is read', async () => {
    const document = async (at: TestService) =>
      (await (await fetch(new URL('.well-known/openid-configuration', at.address))).json()) as Record<string, unknown>
    const methods = (await document(service)).token_endpoint_auth_methods_supported as string[]
    assert.ok(methods.includes('tls_client_auth') && methods.includes('self_signed_tls_client_auth'))
    await using without = await startService({ Server__TrustProxy: 'true' })
    const listed = await document(without)
    assert.doesNotMatch(JSON.stringify(listed), /tls_/)
    await without.storage.clients.create(certified('named', 'tls_client_auth', { tls_client_auth_subject_dn: dn }))
    assertRefused(await send('named', own.escapedPem, {}, without), 'ID9168')
  })
})

describe('access tokens that are bound to a certificate (RFC 8705 §3)', () => {
  const bound = { tls_client_certificate_bound_access_tokens: true }
  const call = (path: string, accessToken: string, cert?: string, scheme = 'Bearer') =>
    fetch(new URL(path, service.address), {
      headers: { authorization: `${scheme} ${accessToken}`, ...(cert === undefined ? {} : { [header]: cert }) },
    })
  /** A public client with a bound token and its refresh token. */
  async function signedIn() {
    const code = await obtainCode(new Browser(service), { client_id: 'bound' })
    const fields = codeFields(code, { client_id: 'bound' })
    const { status, body } = await postToken(service, fields, { [header]: own.escapedPem })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const refresh = (token: string, cert?: string) =>
    postToken(service, refreshFields(token, { client_id: 'bound' }), cert === undefined ? {} : { [header]: cert })
  before(async () => {
    const { clients } = service.storage
    await clients.create(certified('bound-secret', 'tls_client_auth', { ...bound, tls_client_auth_subject_dn: dn }))
    await clients.create(testClient({ id: 'bound', metadata: { ...bound } }))
    const metadata = { ...defaultClientMetadata, ...bound }
    const machine = { authentication: bySecret(hashSecret('s3cret')), grantTypes: ['client_credentials'] as const }
    await clients.create(testClient({ id: 'bound-machine', ...machine, metadata }))
  })

  it('contain its thumbprint and work at the sample API with it alone', async () => {
    const { status, body } = await send('bound-secret', own.escapedPem, { scope: 'demo_api' })
    assert.equal(status, 200)
    assert.equal(body.token_type, 'Bearer')
    const thumbprint = createHash('sha256').update(own.der).digest('base64url')
    assert.deepEqual(claimsOf(body.access_token).cnf, { 'x5t#S256': thumbprint })
    assert.equal((await call('weatherforecast', body.access_token, own.escapedPem)).status, 200)
    assert.equal((await call('weatherforecast', body.access_token, `:${own.der.toString('base64')}:`)).status, 200)
    for (const cert of [undefined, '', other.escapedPem, 'x', `${own.escapedPem}, ${own.escapedPem}`]) {
      const answer = await call('weatherforecast', body.access_token, cert)
      assert.equal(answer.status, 401)
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token", .*certificate/)
    }
    assert.equal((await call('weatherforecast', body.access_token, own.escapedPem, 'DPoP')).status, 401)
  })

  it('work at userinfo with the certificate alone, by GET and POST', async () => {
    const { access_token } = await signedIn()
    assert.equal((await call('connect/userinfo', access_token, own.escapedPem)).status, 200)
    assert.equal((await call('connect/userinfo', access_token)).status, 401)
    assert.equal((await call('connect/userinfo', access_token, other.escapedPem)).status, 401)
    const post = (headers: Readonly<Record<string, string>>) =>
      fetch(new URL('connect/userinfo', service.address), {
        method: 'POST',
        body: new URLSearchParams({ access_token }),
        headers,
      })
    assert.equal((await post({ [header]: own.escapedPem })).status, 200)
    assert.equal((await post({})).status, 401)
  })

  it('are not given without a certificate, or by a header that is not from the proxy', async () => {
    for (const [id, secret] of [['bound-machine', { client_secret: 's3cret' }]] as const) {
      assertRefused(await send(id, undefined, secret), 'ID9168')
      assertRefused(await send(id, 'x', secret), 'ID9169')
      const { body } = await send(id, other.escapedPem, secret)
      assert.ok(claimsOf(body.access_token).cnf['x5t#S256'])
    }
    const { body } = await send('secret', own.escapedPem, {
      client_secret: 's3cret',
      grant_type: 'refresh_token',
      refresh_token: 'x',
    })
    assert.equal(body.error, 'invalid_grant')
  })

  it('come with refresh tokens that are bound, too, for a public client (§4)', async () => {
    const { refresh_token } = await signedIn()
    const stolen = await refresh(refresh_token, other.escapedPem)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assertRefused(await refresh(refresh_token), 'ID9168')
    const renewed = await refresh(refresh_token, own.escapedPem)
    assert.equal(renewed.status, 200, 'a thief without the certificate ends nothing')
    assert.deepEqual(Object.keys(claimsOf(renewed.body.access_token).cnf), ['x5t#S256'])
    assert.equal((await refresh(renewed.body.refresh_token, own.escapedPem)).status, 200)
  })

  it('are listed in discovery where a proxy passes on certificates', async () => {
    const response = await fetch(new URL('.well-known/openid-configuration', service.address))
    assert.equal(((await response.json()) as Record<string, unknown>).tls_client_certificate_bound_access_tokens, true)
  })
})
