import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { ClientAlgorithm, ClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import {
  authorizePath,
  Browser,
  codeFields,
  fetchWithToken,
  headerOf,
  locationOf,
  postToken,
} from '../support/browser.ts'
import { serviceForFile, testClient } from '../support/service.ts'

async function register(id: string, metadata: Partial<ClientMetadata>): Promise<void> {
  const client = testClient({ id, consent: 'implicit', metadata: { ...metadata } })
  await service.storage.clients.create(client)
}

const service = await serviceForFile()
await register('app', {})
for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
  await register(alg, { authorization_signed_response_alg: alg })
}
await register('by-id-token', { id_token_signed_response_alg: 'EdDSA' })
const browser = await Browser.signedIn(service)

/** Verifies as a client does: signature by the published keys, issuer, audience, expiry. */
async function verified(jwt: string, audience = 'app'): Promise<JWTPayload> {
  const keys = await (await fetch(new URL('.well-known/jwks', service.issuer))).json()
  const options = { issuer: service.issuer, audience, currentDate: new Date(service.now()) }
  const { payload } = await jwtVerify(jwt, createLocalJWKSet(keys as never), options)
  return payload
}

async function responseTo(change: Readonly<Record<string, string>>): Promise<URL> {
  return locationOf(await browser.get(authorizePath({ client_id: 'app', ...change })))
}

describe('JWT secured authorization responses (JARM §2)', () => {
  for (const mode of ['jwt', 'query.jwt']) {
    it(`${mode}: the query holds one JWT with code, state, iss, aud and exp, and the code works`, async () => {
      const { searchParams } = await responseTo({ response_mode: mode })
      assert.deepEqual([...searchParams.keys()], ['response'])
      const payload = await verified(searchParams.get('response') ?? '')
      assert.deepEqual(Object.keys(payload).sort(), ['aud', 'code', 'exp', 'iss', 'state'])
      assert.equal(payload.state, 'state-1')
      const seconds = (payload.exp ?? 0) - service.now() / 1000
      assert.ok(seconds > 0 && seconds <= 600)
      const tokens = await postToken(service, codeFields(String(payload.code), { client_id: 'app' }))
      assert.equal(tokens.status, 200)
    })
  }

  it('fragment.jwt: the same in the fragment', async () => {
    const answer = await responseTo({ response_mode: 'fragment.jwt' })
    assert.equal(answer.search, '')
    const fields = new URLSearchParams(answer.hash.slice(1))
    assert.deepEqual([...fields.keys()], ['response'])
    assert.ok((await verified(fields.get('response') ?? '')).code)
  })

  it('form_post.jwt: the same in a form that posts itself', async () => {
    const answer = await browser.get(authorizePath({ client_id: 'app', response_mode: 'form_post.jwt' }))
    const page = await answer.text()
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)]
    assert.deepEqual(
      fields.map(([, name]) => name),
      ['response'],
    )
    assert.ok((await verified(fields[0]?.[2] ?? '')).code)
  })

  it('signs errors, too (§2.1)', async () => {
    const { searchParams } = await responseTo({ response_mode: 'jwt', scope: 'unheard-of' })
    assert.deepEqual([...searchParams.keys()], ['response'])
    const payload = await verified(searchParams.get('response') ?? '')
    assert.equal(payload.error, 'invalid_scope')
    assert.equal(payload.state, 'state-1')
    assert.match(String(payload.error_description), /^ID\d+/)
    const names = ['aud', 'error', 'error_description', 'error_uri', 'exp', 'iss', 'state']
    assert.deepEqual(Object.keys(payload).sort(), names)
  })

  it('has no state when none was sent', async () => {
    const { searchParams } = await responseTo({ response_mode: 'jwt', state: '' })
    assert.ok(!('state' in (await verified(searchParams.get('response') ?? ''))))
  })

  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'] satisfies ClientAlgorithm[]) {
    it(`signs with the registered algorithm: ${alg} (§3)`, async () => {
      const response = (await responseTo({ response_mode: 'jwt', client_id: alg })).searchParams.get('response') ?? ''
      assert.equal(headerOf(response).alg, alg)
      assert.ok((await verified(response, alg)).code)
    })
  }

  it('signs with the algorithm of the id tokens when none is registered', async () => {
    const id = 'by-id-token'
    const response = (await responseTo({ response_mode: 'jwt', client_id: id })).searchParams.get('response') ?? ''
    assert.equal(headerOf(response).alg, 'EdDSA')
    const plain = (await responseTo({ response_mode: 'jwt' })).searchParams.get('response') ?? ''
    assert.equal(headerOf(plain).alg, 'RS256')
  })

  it('is no id token: as a hint or as an access token it is refused', async () => {
    const response = (await responseTo({ response_mode: 'jwt' })).searchParams.get('response') ?? ''
    const userinfo = await fetchWithToken(service, 'connect/userinfo', response)
    assert.equal(userinfo.status, 401)
    const context = await browser.get(`/Account/LogoutContext?${new URLSearchParams({ id_token_hint: response })}`)
    assert.doesNotMatch(await context.text(), /"id":"app"/)
  })

  it('refuses modes that are not listed, names of members of objects among them', async () => {
    for (const mode of ['web_message', 'query.jwe', 'constructor', '__proto__', 'JWT']) {
      const { searchParams } = await responseTo({ response_mode: mode })
      assert.equal(searchParams.get('error'), 'invalid_request', mode)
    }
  })

  it('is stated in discovery (§4)', async () => {
    const document = (await (
      await fetch(new URL('.well-known/openid-configuration', service.issuer))
    ).json()) as Record<string, string[]>
    for (const mode of ['jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt']) {
      assert.ok(document.response_modes_supported?.includes(mode))
    }
    assert.ok(document.authorization_signing_alg_values_supported?.includes('PS256'))
  })
})
