/** Keys of a system of before (`latchkey keys import`): what whoever still holds their private halves can do with them here. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { importKeys } from '../../src/keys/import-keys.ts'
import { readImportedKeys } from '../../src/keys/imported.ts'
import { assertionClaims, clientKey, keyClient } from '../support/assertions.ts'
import {
  authorizeParameters,
  Browser,
  codeFields,
  fetchWithToken,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'token',
  Keys__MasterKey: randomBytes(32).toString('base64'),
})
const { issuer, storage, settings } = service

const algorithms = ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'] as const
const holders = await Promise.all(
  algorithms.map(async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    return { alg, kid: `old-${alg}`, jwk: { ...(await exportJWK(publicKey)), kid: `old-${alg}`, alg }, privateKey }
  }),
)
const read = readImportedKeys(JSON.stringify({ keys: holders.map(({ jwk }) => jwk) }))
assert.ok(typeof read === 'object')
const untilMs = service.now() + 30 * 86_400_000
await importKeys({ storage, settings, clock: service.now }, read.keys, untilMs)
await service.keys.refresh(0)
await addClient(service, { id: 'other' })

const alice = await storage.users.findByName('alice')
const subject = alice?.id ?? ''
const seconds = () => Math.floor(service.now() / 1000)

type Claims = Readonly<Record<string, unknown>>
function signed(claims: Claims, header: Claims = {}, holder = holders[2]): Promise<string> {
  assert.ok(holder)
  const all = { iss: issuer, sub: subject, iat: seconds(), exp: seconds() + 600, jti: randomUUID(), ...claims }
  return new SignJWT(all)
    .setProtectedHeader({ alg: holder.alg, kid: holder.kid, typ: 'JWT', ...header })
    .sign(holder.privateKey)
}

/** As convincing as they can be made: everything that tokens of this service have. */
const accessToken = (header: Claims, holder = holders[2]) =>
  signed(
    { aud: `${issuer}weatherforecast`, client_id: 'demo', scope: ['openid', 'demo_api', 'admin:write'] },
    header,
    holder,
  )

describe('what imported keys signed', () => {
  for (const holder of holders) {
    for (const typ of ['at+jwt', 'JWT']) {
      it(`is no access token anywhere: ${holder.alg}, ${typ}`, async () => {
        const token = await accessToken({ typ }, holder)
        for (const path of ['/connect/userinfo', '/weatherforecast', '/admin/api/v1/users', '/admin/api/v1/me']) {
          assert.equal((await fetchWithToken(service, path, token)).status, 401, path)
        }
      })
    }
  }

  it('is unknown to introspection and revocation (RFC 7662 §2.2, RFC 7009 §2.2)', async () => {
    const key = await clientKey()
    await storage.clients.create(keyClient('api', [key]))
    for (const typ of ['at+jwt', 'JWT']) {
      const assertion = await key.sign(assertionClaims('api', issuer, service.now()))
      const { body } = await postToken(
        service,
        { token: await accessToken({ typ }), ...asserted(assertion) },
        {},
        '/connect/introspect',
      )
      assert.deepEqual(body, { active: false })
    }
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    const revoked = await postToken(
      service,
      { token: await accessToken({ typ: 'at+jwt' }), client_id: 'demo' },
      {},
      '/connect/revocation',
    )
    assert.equal(revoked.status, 200)
    assert.equal((await fetchWithToken(service, '/connect/userinfo', body.access_token)).status, 200)
  })

  it('is no client assertion, neither with the name of a client nor with our own issuer', async () => {
    const key = await clientKey()
    await storage.clients.create(keyClient('signer', [key]))
    for (const holder of holders) {
      for (const claims of [
        { iss: 'signer', sub: 'signer' },
        { iss: issuer, sub: 'signer' },
      ]) {
        const assertion = await signed({ ...claims, aud: issuer }, {}, holder)
        const { body } = await postToken(service, {
          grant_type: 'client_credentials',
          scope: 'demo_api',
          ...asserted(assertion),
        })
        assert.equal(body.error, 'invalid_client')
      }
    }
  })

  it('is no request object, in an authorization request or a pushed one (RFC 9101 §6.1)', async () => {
    const key = await clientKey()
    await addClient(service, { id: 'objects', metadata: { jwks: { keys: [key.publicJwk] } } })
    const parameters = authorizeParameters({ client_id: 'objects' })
    for (const typ of ['JWT', 'oauth-authz-req+jwt']) {
      const request = await signed({ ...parameters, iss: 'objects', aud: issuer }, { typ })
      const asked = await fetch(
        `${issuer}connect/authorize?${new URLSearchParams({ client_id: 'objects', request })}`,
        { redirect: 'manual' },
      )
      const told = locationOf(asked).searchParams
      assert.deepEqual([told.get('error'), told.get('code')], ['invalid_request_object', null])
      const pushed = await postToken(service, { client_id: 'objects', request }, {}, '/connect/par')
      assert.equal(pushed.body.error, 'invalid_request_object')
    }
  })

  it('is no token to exchange, for whom it is or who acts (RFC 8693 §2.1)', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
    const key = await clientKey()
    await storage.clients.create({ ...keyClient('exchanger', [key]), grantTypes: [grant] })
    const own = (await postToken(service, codeFields(await obtainCode(new Browser(service))))).body.access_token
    const type = 'urn:ietf:params:oauth:token-type:access_token'
    for (const kind of ['access_token', 'jwt', 'id_token']) {
      for (const actor of [false, true]) {
        const foreign = await accessToken({ typ: 'at+jwt' })
        const assertion = await key.sign(assertionClaims('exchanger', issuer, service.now()))
        const tokens = actor
          ? {
              subject_token: own,
              subject_token_type: type,
              actor_token: foreign,
              actor_token_type: `urn:ietf:params:oauth:token-type:${kind}`,
            }
          : { subject_token: foreign, subject_token_type: `urn:ietf:params:oauth:token-type:${kind}` }
        const { status, body } = await postToken(service, { grant_type: grant, ...tokens, ...asserted(assertion) })
        assert.equal(status, 400, `${kind} ${actor}`)
        assert.equal(body.access_token, undefined)
      }
    }
  })

  it('is no code, refresh token or token to register clients with', async () => {
    const token = await signed({ aud: 'demo', typ: 'Refresh', client_id: 'demo' })
    assert.equal((await postToken(service, codeFields(token))).body.error, 'invalid_grant')
    assert.equal((await postToken(service, refreshFields(token))).body.error, 'invalid_grant')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] })
    assert.equal((await fetch(`${issuer}connect/register`, { method: 'POST', headers, body })).status, 401)
    assert.equal((await fetch(`${issuer}connect/register/demo`, { headers })).status, 401)
  })

  for (const holder of holders) {
    it(`verifies an id token that comes back as a hint: ${holder.alg} (RP-Initiated Logout §2)`, async () => {
      const id = await signed({ aud: 'demo', exp: seconds() - 86_400 }, {}, holder)
      const fields = { id_token_hint: id, post_logout_redirect_uri: 'http://localhost:5081/', Confirm: 'Yes' }
      const left = await new Browser(service).get(`/connect/logout?${new URLSearchParams(fields)}`)
      assert.notEqual(left.status, 400)
      const other = await new Browser(service).get(`/connect/logout?client_id=other&id_token_hint=${id}`)
      assert.match(await other.text(), /ID2141/)
    })
  }

  it('says in prompt=none who is meant, as our own id tokens do (OpenID Connect Core §3.1.2.1)', async () => {
    const browser = await Browser.signedIn(service)
    await browser.allow()
    const silent = async (hint: string) =>
      locationOf(
        await browser.get(
          `/connect/authorize?${new URLSearchParams({ ...authorizeParameters(), prompt: 'none', id_token_hint: hint })}`,
        ),
      ).searchParams
    assert.ok((await silent(await signed({ aud: 'demo' }))).get('code'))
    assert.equal((await silent(await signed({ aud: 'demo', sub: 'somebody-else' }))).get('error'), 'login_required')
  })

  it('is no hint with another issuer, type, key, algorithm or an access token for a hint', async () => {
    const [rs, , es] = holders
    const header = { alg: 'RS256', kid: es?.kid }
    const tokens = [
      await signed({ aud: 'demo', iss: 'https://other.example/' }),
      await signed({ aud: 'demo' }, { typ: 'at+jwt' }),
      await signed({ aud: 'demo', typ: 'Bearer' }),
      await signed({ aud: 'demo', client_id: 'demo' }),
      await signed({ aud: 'demo' }, header, rs),
      `${await signed({ aud: 'demo' })}x`,
      `${Buffer.from(JSON.stringify({ alg: 'none', kid: es?.kid })).toString('base64url')}.${Buffer.from(JSON.stringify({ iss: issuer, aud: 'demo', sub: subject, exp: 9e9 })).toString('base64url')}.`,
    ]
    for (const [at, token] of tokens.entries()) {
      const answer = await new Browser(service).get(`/connect/logout?client_id=other&id_token_hint=${token}`)
      assert.doesNotMatch(await answer.text(), /ID2141/, String(at))
    }
  })

  it('is worth nothing once the key has left the key set, and the key signs nothing before', async () => {
    const published = (await (await fetch(`${issuer}.well-known/jwks`)).json()) as { keys: { kid: string }[] }
    for (const { kid } of holders) assert.ok(published.keys.some((key) => key.kid === kid))
    const { body } = await postToken(service, codeFields(await obtainCode(new Browser(service))))
    for (const jwt of [body.access_token, body.id_token]) {
      assert.doesNotMatch(Buffer.from(jwt.split('.')[0], 'base64url').toString(), /old-/)
    }
    service.advance(30 * 86_400 + 1)
    await service.keys.refresh(0)
    const after = (await (await fetch(`${issuer}.well-known/jwks`)).json()) as { keys: { kid: string }[] }
    assert.ok(!after.keys.some(({ kid }) => kid.startsWith('old-')))
    const id = await signed({ aud: 'demo' })
    const answer = await new Browser(service).get(`/connect/logout?client_id=other&id_token_hint=${id}`)
    assert.doesNotMatch(await answer.text(), /ID2141/)
  })
})

function asserted(assertion: string) {
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  }
}
