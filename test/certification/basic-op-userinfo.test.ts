/** Modules of the certification plan 'Basic OP' about userinfo and scopes. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { verifyIdTokenHint } from '../../src/tokens/verify.ts'
import { claimsOf, headerOf } from '../support/browser.ts'
import { basicOp, checkTypes, claims, client_id, demanded, flow, type Scene, userinfo } from './basic-op-scene.ts'

let service: Scene
before(async () => {
  service = await basicOp()
})
after(() => service.stop())

const call = (init: RequestInit) => fetch(new URL('connect/userinfo', service.issuer), init)

describe('userinfo of the plan Basic OP', () => {
  for (const [module, send] of [
    ['userinfo-get', (token: string) => call({ headers: { authorization: `Bearer ${token}` } })],
    [
      'userinfo-post-header',
      (token: string) => call({ method: 'POST', headers: { authorization: `Bearer ${token}` } }),
    ],
    [
      'userinfo-post-body',
      (token: string) => call({ method: 'POST', body: new URLSearchParams({ access_token: token }) }),
    ],
  ] as const) {
    it(`oidcc-${module}: answers JSON with the subject of the id token`, async () => {
      const { access_token, claims: idToken } = await flow(service)
      const response = await send(access_token)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      assert.deepEqual(await response.json(), { sub: idToken.sub })
    })
  }

  for (const [module, scopes] of [
    ['scope-profile', ['profile']],
    ['scope-email', ['email']],
    ['scope-address', ['address']],
    ['scope-phone', ['phone']],
    ['scope-all', ['profile', 'email', 'address', 'phone']],
  ] as const) {
    it(`oidcc-${module}: userinfo has exactly the claims of the scopes, and the id token none of them`, async () => {
      const { access_token, claims: idToken } = await flow(service, { scope: ['openid', ...scopes].join(' ') })
      const response = await userinfo(service, access_token)
      const names = scopes.flatMap((scope) => demanded[scope])
      assert.deepEqual(Object.keys(response).sort(), ['sub', ...names].sort())
      checkTypes(response)
      assert.deepEqual(
        names.filter((name) => name in idToken),
        [],
      )
      if (scopes.some((scope) => scope === 'profile')) {
        assert.deepEqual([response.name, response.preferred_username], [claims.name, 'alice'])
      }
      if (scopes.some((scope) => scope === 'address')) assert.deepEqual(response.address, claims.address)
    })
  }

  it('omits claims that the person does not have: none is empty or null (OpenID Connect Core §5.3.2)', async () => {
    const { access_token } = await flow(service, { scope: 'openid profile email address phone' })
    await service.storage.users.update(service.sub, (user) => ({ ...user, claims: {} }))
    const response = await userinfo(service, access_token)
    const kept = ['email', 'email_verified', 'name', 'preferred_username', 'sub', 'updated_at']
    assert.deepEqual(Object.keys(response).sort(), kept)
    assert.equal(response.name, 'alice')
    await service.storage.users.update(service.sub, (user) => ({ ...user, claims }))
  })

  it('answers a JWT with iss and aud to a client that registered an algorithm (§5.3.2)', async () => {
    const { access_token, id_token } = await flow(service, { scope: 'openid email' })
    for (const userinfo_signed_response_alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      await service.storage.clients.update(client_id, (client) => ({
        ...client,
        metadata: { ...defaultClientMetadata, userinfo_signed_response_alg },
      }))
      const response = await call({ headers: { authorization: `Bearer ${access_token}` } })
      assert.match(response.headers.get('content-type') ?? '', /^application\/jwt/)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      const jwt = await response.text()
      const email = { email: 'alice@example.com', email_verified: true }
      assert.deepEqual(claimsOf(jwt), { iss: service.issuer, aud: client_id, sub: service.sub, ...email })
      assert.equal(headerOf(jwt).alg, userinfo_signed_response_alg)
      await jwtVerify(jwt, createRemoteJWKSet(new URL('.well-known/jwks', service.issuer)))
      // It names client and user as an id token does, and is none.
      assert.ok(await verifyIdTokenHint(id_token, service.keys, service.issuer))
      assert.equal(await verifyIdTokenHint(jwt, service.keys, service.issuer), undefined)
    }
  })
})
