/** The Authorization header at the endpoints where clients authenticate (RFC 6749 §2.3.1, RFC 7617). */
import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { describe, it } from 'node:test'
import { foreignText } from '../../src/secrets/foreign-hash.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import { postToken, type TokenAnswer } from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { addClient, type ClientChange, serviceForFile } from '../support/service.ts'

const service = await serviceForFile()
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code' as const
const secret = 'an+imported/secret%41=with signs'
const undecodable = '100%+wrong to decode'
const foreign = (text: string): string => {
  const salt = Buffer.from('sixteen bytes of')
  const hash = pbkdf2Sync(text, salt, 1000, 32, 'sha256')
  return foreignText({ kind: 'pbkdf2', digest: 'sha256', rounds: 1000, salt, hash })
}
const machine = (id: string, hash: string): ClientChange => ({
  id,
  authentication: bySecret(hash),
  grantTypes: ['client_credentials'],
  redirectUris: [],
})
await addClient(service, machine('machine', hashSecret(secret)))
await addClient(service, machine('undecodable', hashSecret(undecodable)))
await addClient(service, machine('imported', foreign(secret)))
await addClient(service, machine('short', foreign('a+b')))
await addClient(service, { id: 'public', grantTypes: ['authorization_code', deviceGrant] })

const header = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
})
const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
const authenticate = (headers: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
  postToken(service, { grant_type: 'client_credentials', ...more }, headers)
const codeOf = ({ body }: TokenAnswer) => String(body.error_uri ?? '').replace(/^.*#/, '')

/** Each endpoint with fields of a request that only lacks the client, and what a public client gets for them. */
const endpoints = [
  ['connect/token', { grant_type: deviceGrant, device_code: 'unknown' }, 400],
  ['connect/revocation', { token: 'unknown' }, 200],
  ['connect/introspect', { token: 'unknown' }, 401],
  ['connect/device', { scope: 'openid' }, 200],
  ['connect/par', { response_type: 'code' }, 400],
] as const

describe('a secret in the Authorization header', () => {
  it('is taken form-encoded and as it is, and a wrong one is refused (RFC 6749 §2.3.1)', async () => {
    for (const [id, own] of [
      ['machine', secret],
      ['undecodable', undecodable],
      ['imported', secret],
      ['short', 'a+b'],
    ] as const) {
      for (const sent of [encoded(own), own, encoded(own)]) {
        assert.equal((await authenticate(header(id, sent))).status, 200, `${id}: ${sent}`)
      }
      for (const wrong of [`${own}x`, encoded(`${own}x`), encoded(encoded(own)), own.replaceAll('+', ' ')]) {
        const answer = await authenticate(header(id, wrong))
        assert.deepEqual([answer.status, codeOf(answer)], [401, 'ID2055'], `${id}: ${wrong}`)
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /)
      }
    }
  })

  it('in the body is taken as it is alone: the form was decoded already', async () => {
    assert.equal((await authenticate({}, { client_id: 'machine', client_secret: secret })).status, 200)
    const twice = await authenticate({}, { client_id: 'machine', client_secret: encoded(secret) })
    assert.deepEqual([twice.status, codeOf(twice)], [401, 'ID2055'])
  })
})

describe('an empty password (RFC 6749 §2.3.1: an empty secret may be left out)', () => {
  it('in the header and in the body names a public client and nothing more, at every endpoint', async () => {
    for (const [path, fields, status] of endpoints) {
      const plain = await postToken(service, { ...fields, client_id: 'public' }, {}, path)
      const same = { ...plain.body, error_description: undefined }
      for (const [headers, more] of [
        [header('public', ''), {}],
        [header('public', ''), { client_id: 'public' }],
        [{}, { client_id: 'public', client_secret: '' }],
      ] as const) {
        const answer = await postToken(service, { ...fields, ...more }, headers, path)
        assert.equal(answer.status, plain.status, path)
        assert.equal(answer.status, status, path)
        assert.equal(answer.body.error, same.error, path)
      }
    }
  })

  it('does not authenticate a confidential client', async () => {
    for (const [headers, more] of [
      [header('machine', ''), {}],
      [{}, { client_id: 'machine', client_secret: '' }],
    ] as const) {
      const answer = await authenticate(headers, more)
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'ID2198'])
    }
  })

  it('leaves the secret in the body to count, for the same client alone', async () => {
    assert.equal((await authenticate(header('machine', ''), { client_secret: secret })).status, 200)
    const other = await authenticate(header('public', ''), { client_id: 'machine', client_secret: secret })
    assert.deepEqual([other.status, codeOf(other)], [400, 'ID2087'])
  })
})

describe('another scheme than Basic in the Authorization header', () => {
  it('is left out of account, at every endpoint', async () => {
    for (const [path, fields, status] of endpoints) {
      for (const authorization of ['Bearer some-token', 'Negotiate YII=', 'DPoP some-token', 'Digest a="b"', 'x']) {
        const answer = await postToken(service, { ...fields, client_id: 'public' }, { authorization }, path)
        assert.equal(answer.status, status, `${path} ${authorization}`)
        assert.notEqual(codeOf(answer), 'ID2055', `${path} ${authorization}`)
      }
    }
    const body = { client_id: 'machine', client_secret: secret }
    assert.equal((await authenticate({ authorization: 'Bearer x' }, body)).status, 200)
  })

  it('authenticates nobody', async () => {
    const answer = await authenticate({ authorization: `Bearer ${secret}` }, { client_id: 'machine' })
    assert.deepEqual([answer.status, codeOf(answer)], [401, 'ID2198'])
    const nobody = await authenticate({ authorization: 'Bearer x' })
    assert.deepEqual([nobody.status, codeOf(nobody)], [401, 'ID2029'])
  })

  it('is still what userinfo judges', async () => {
    const answer = await fetch(new URL('connect/userinfo', service.issuer), { headers: { authorization: 'Bearer x' } })
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  })
})
