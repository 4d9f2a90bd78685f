/** `client_secret_jwt` (RFC 7523 §2.2, OpenID Connect Core §9): the secret signs, is kept sealed, and is never sent. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { propagationMs } from '../../src/keys/lifecycle.ts'
import { rotateKeys } from '../../src/keys/rotate.ts'
import { sealClientSecret, unsealClientSecret } from '../../src/secrets/sealed-secret.ts'
import { adminProgram } from '../support/admin.ts'
import { postToken } from '../support/browser.ts'
import { secretOf } from '../support/clients.ts'
import { initialAccessToken, register } from '../support/registration.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'token',
  Keys__MasterKey: Buffer.alloc(32, 1).toString('base64'),
})
const admin = await adminProgram(service, ['admin:write'], { id: 'admin' })
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const machine = { redirect_uris: [], grant_types: ['client_credentials'], scope: 'openid' }

type Change = Readonly<Record<string, unknown>>
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs an assertion for the token endpoint. */
function assertion(client: string, secret: string, change: Change = {}, alg = 'HS256', header: Change = {}): string {
  const seconds = Math.floor(service.now() / 1000)
  const usual = { iss: client, sub: client, aud: service.issuer, jti: randomUUID(), iat: seconds, exp: seconds + 60 }
  const content = `${part({ alg, typ: 'JWT', ...header })}.${part({ ...usual, ...change })}`
  return `${content}.${createHmac(`sha${alg.slice(2)}`, secret)
    .update(content)
    .digest('base64url')}`
}
const send = (client_assertion: string, more: Record<string, string> = {}) =>
  postToken(service, { grant_type: 'client_credentials', client_assertion_type: type, client_assertion, ...more })
const idOf = ({ body }: { body: { error_uri?: string } }) => body.error_uri?.split('#')[1]

async function registered(client_id: string, more: Change = {}): Promise<string> {
  const body = { client_id, ...machine, token_endpoint_auth_method: 'client_secret_jwt', ...more }
  const { status, body: made } = await admin.post('/clients', body)
  assert.equal(status, 201, JSON.stringify(made))
  return made.client_secret
}
const stored = async (id: string) => secretOf(await service.storage.clients.find(id)).secretHash

describe('a client that signs with its secret (connections.md 5, client_secret_jwt)', () => {
  it('gets tokens with HS256, HS384 and HS512, at each endpoint that authenticates it', async () => {
    const secret = await registered('signs')
    assert.ok(secret.length >= 64)
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const { status, body } = await send(assertion('signs', secret, {}, alg))
      assert.deepEqual([status, typeof body.access_token], [200, 'string'], alg)
      const endpoint = `${service.issuer}connect/introspect`
      const asked = { token: body.access_token, client_assertion_type: type }
      const client_assertion = assertion('signs', secret, { aud: endpoint }, alg)
      const told = await postToken(service, { ...asked, client_assertion }, {}, 'connect/introspect')
      assert.deepEqual([told.status, told.body.active], [200, true], alg)
    }
  })

  it('is refused with another secret, another algorithm, a changed or unsigned assertion', async () => {
    const secret = await registered('wrong')
    const other = await registered('other')
    const good = assertion('wrong', secret)
    const [head = '', body = '', signature = ''] = good.split('.')
    const bad = {
      'the secret of another client': assertion('wrong', other),
      'what is stored of the secret': assertion('wrong', await stored('wrong')),
      'no secret': assertion('wrong', ''),
      'changed claims': `${head}.${part({ iss: 'wrong', sub: 'wrong', aud: service.issuer, jti: 'x', exp: service.now() / 1000 + 60 })}.${signature}`,
      'a changed header': `${part({ alg: 'HS512', typ: 'JWT' })}.${body}.${signature}`,
      'a short signature': `${head}.${body}.${signature.slice(0, 20)}`,
      'a second spelling': `${good}=`,
      'an extension': assertion('wrong', secret, {}, 'HS256', { crit: ['b64'], b64: false }),
    }
    for (const [name, one] of Object.entries(bad)) {
      const { status, body: answer } = await send(one)
      assert.deepEqual([status, answer.error], [401, 'invalid_client'], name)
    }
    for (const alg of ['none', 'HS1', 'RS256', 'hs256']) {
      const refused = await send(`${part({ alg, typ: 'JWT' })}.${body}.${signature}`)
      assert.ok(refused.status >= 400, alg)
      assert.equal(refused.body.access_token, undefined, alg)
    }
    assert.equal((await send(good)).status, 200)
  })

  it('uses an assertion once, in time, and for this service alone (RFC 7523 §3)', async () => {
    const secret = await registered('times')
    const seconds = Math.floor(service.now() / 1000)
    const once = assertion('times', secret)
    assert.deepEqual([(await send(once)).status, idOf(await send(once))], [200, 'ID9167'])
    const jti = randomUUID()
    assert.equal((await send(assertion('times', secret, { jti }))).status, 200)
    assert.equal((await send(assertion('times', secret, { jti, exp: seconds + 90 }))).status, 401, 'the same jti')
    for (const change of [
      { exp: seconds - 1 },
      { exp: undefined },
      { exp: seconds + 4000 },
      { nbf: seconds + 600 },
      { iat: seconds + 600 },
      { jti: undefined },
      { aud: 'https://other.example/' },
      { aud: undefined },
      { iss: 'other' },
      { sub: 'other', iss: 'other' },
    ]) {
      assert.ok((await send(assertion('times', secret, change))).status >= 400, JSON.stringify(change))
    }
  })

  it('never sends the secret: basic and post are refused, as is a signature of a client that sends its own', async () => {
    const secret = await registered('sent')
    const plain = { grant_type: 'client_credentials', client_id: 'sent' }
    const basic = { authorization: `Basic ${Buffer.from(`sent:${secret}`).toString('base64')}` }
    const sealed = await stored('sent')
    for (const [fields, headers] of [
      [{ ...plain, client_secret: secret }, {}],
      [{ ...plain, client_secret: sealed }, {}],
      [{ grant_type: 'client_credentials' }, basic],
      [plain, {}],
    ] as const) {
      assert.equal((await postToken(service, fields, headers)).body.error, 'invalid_client')
    }
    const { body } = await admin.post('/clients', {
      client_id: 'basic',
      ...machine,
      token_endpoint_auth_method: 'client_secret_basic',
    })
    assert.equal((await send(assertion('basic', body.client_secret))).body.error, 'invalid_client')
    assert.equal(
      (await send(assertion('basic', await stored('basic')))).body.error,
      'invalid_client',
      'by the stored hash',
    )
    await addClient(service, { id: 'open' })
    assert.ok((await send(assertion('open', 'x'.repeat(64)))).status >= 400)
  })

  it('registers one of the algorithms, for this method alone', async () => {
    const secret = await registered('one-alg', { token_endpoint_auth_signing_alg: 'HS512' })
    assert.equal((await send(assertion('one-alg', secret, {}, 'HS512'))).status, 200)
    assert.equal((await send(assertion('one-alg', secret, {}, 'HS256'))).status, 401)
    const pathsOf = async (body: Change) =>
      (await admin.patch('/clients/one-alg', body)).body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(await pathsOf({ token_endpoint_auth_signing_alg: 'ES256' }), ['/token_endpoint_auth_signing_alg'])
    assert.deepEqual(await pathsOf({ token_endpoint_auth_method: 'client_secret_basic' }), [
      '/token_endpoint_auth_signing_alg',
    ])
    assert.deepEqual(
      await pathsOf({ profile: 'fapi2' }).then((paths) => paths.includes('/token_endpoint_auth_method')),
      true,
    )
  })

  it('needs a secret as long as the hash (RFC 7518 §3.2)', async () => {
    await registered('short')
    const give = (secret: string) =>
      service.storage.clients.update('short', (client) => ({
        ...client,
        authentication: {
          method: 'client_secret',
          secretHash: sealClientSecret(service.keys, secret, (bytes) => new Uint8Array(bytes).fill(7)),
          previousSecret: null,
        },
      }))
    for (const [length, algorithms] of [
      [31, []],
      [32, ['HS256']],
      [48, ['HS256', 'HS384']],
      [64, ['HS256', 'HS384', 'HS512']],
    ] as const) {
      const secret = 's'.repeat(length)
      await give(secret)
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const { status } = await send(assertion('short', secret, {}, alg))
        assert.equal(status === 200, (algorithms as readonly string[]).includes(alg), `${length} bytes, ${alg}`)
      }
    }
  })
})

describe('the secret of such a client', () => {
  it('is kept sealed, and only for this method: a change makes a new one, and leaves none behind', async () => {
    const secret = await registered('moves')
    const sealed = await stored('moves')
    assert.ok(sealed.startsWith('sealed:') && !sealed.includes(secret))
    assert.equal(unsealClientSecret(service.keys, sealed), secret)
    const change = async (token_endpoint_auth_method: string) =>
      (await admin.patch('/clients/moves', { token_endpoint_auth_method })).body
    const basic = await change('client_secret_basic')
    assert.ok(basic.client_secret !== secret && !(await stored('moves')).startsWith('sealed:'))
    assert.equal((await send(assertion('moves', secret))).body.error, 'invalid_client')
    const back = await change('client_secret_jwt')
    assert.ok(back.client_secret !== secret && back.client_secret !== basic.client_secret)
    assert.equal((await send(assertion('moves', back.client_secret))).status, 200)
    assert.equal((await change('client_secret_jwt')).client_secret, undefined, 'unchanged')
    const renamed = await admin.patch('/clients/moves', { client_name: 'Moves' })
    assert.ok(!JSON.stringify(renamed.body).includes('sealed:'))
    assert.equal((await send(assertion('moves', back.client_secret))).status, 200)
  })

  it('is rotated, and the old one signs until its end', async () => {
    const old = await registered('rotates')
    const { body } = await admin.post('/clients/rotates/rotate-secret', { overlap_seconds: 60 }, { 'if-match': '*' })
    const next: string = body.client_secret
    assert.ok(next.length >= 64 && next !== old)
    for (const secret of [old, next]) assert.equal((await send(assertion('rotates', secret))).status, 200)
    service.advance(61)
    assert.deepEqual(
      [(await send(assertion('rotates', old))).status, (await send(assertion('rotates', next))).status],
      [401, 200],
    )
  })

  it('is sealed anew at its next use once the sealing key was rotated', async () => {
    const secret = await registered('resealed')
    const before = await stored('resealed')
    const { storage, settings, now: clock } = service
    await rotateKeys({ storage, settings, clock })
    service.advance(propagationMs / 1000 + 1)
    await service.keys.refresh(0)
    assert.equal((await send(assertion('resealed', secret))).status, 200)
    const after = await stored('resealed')
    assert.notEqual(after.split('.')[0], before.split('.')[0])
    assert.equal(unsealClientSecret(service.keys, after), secret)
    assert.equal((await send(assertion('resealed', secret))).status, 200)
    assert.equal(await stored('resealed'), after, 'once')
  })

  it('does not open for anything else that the key ring sealed', async () => {
    await registered('moved')
    const sealed = await stored('moved')
    assert.equal(unsealClientSecret(service.keys, sealed.slice(7)), undefined)
    assert.equal(unsealClientSecret(service.keys, `${sealed.slice(0, -2)}AA`), undefined)
  })

  it('is given to a client that registers itself with an initial access token', async () => {
    const token = await initialAccessToken(service)
    const document = { redirect_uris: ['https://rp.example.com/cb'], token_endpoint_auth_method: 'client_secret_jwt' }
    const { status, body } = await register(
      service,
      document,
      typeof token === 'string' ? token : (token as { value: string }).value,
    )
    assert.equal(status, 201, JSON.stringify(body))
    const fields = {
      token: 'x',
      client_assertion_type: type,
      client_assertion: assertion(body.client_id, String(body.client_secret)),
    }
    assert.equal((await postToken(service, fields, {}, 'connect/revocation')).status, 200)
  })

  it('is announced by discovery, after the keys and before secrets that are sent', async () => {
    const document = (await (
      await fetch(new URL('.well-known/openid-configuration', service.issuer))
    ).json()) as Record<string, string[]>
    const methods = document.token_endpoint_auth_methods_supported ?? []
    assert.deepEqual(methods.slice(methods.indexOf('private_key_jwt')), [
      'private_key_jwt',
      'client_secret_jwt',
      'client_secret_basic',
      'client_secret_post',
      'none',
    ])
    assert.deepEqual(document.token_endpoint_auth_signing_alg_values_supported?.slice(-3), ['HS512', 'HS384', 'HS256'])
  })
})
