import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { type ClientAlgorithm, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { Browser, codeFields, headerOf, obtainCode, postToken } from '../support/browser.ts'
import { addClient, serviceForFile, startService } from '../support/service.ts'

const algorithms: readonly ClientAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'ML-DSA-65']
/** OpenID Connect Core §3.1.3.6: the hash function of each algorithm. */
const hashes: Readonly<Record<ClientAlgorithm, () => ReturnType<typeof createHash>>> = {
  RS256: () => createHash('sha256'),
  PS256: () => createHash('sha256'),
  ES256: () => createHash('sha256'),
  EdDSA: () => createHash('sha512'),
  'ML-DSA-65': () => createHash('shake256', { outputLength: 64 }),
}

// The algorithm of the settings is not the one that every provider must support.
const service = await serviceForFile({ OAuth__IdentityTokenAlgorithm: 'ES256', OAuth__PostQuantum: 'true' })
for (const algorithm of algorithms) {
  const metadata = { ...defaultClientMetadata, id_token_signed_response_alg: algorithm }
  await addClient(service, { id: algorithm, metadata, consent: 'implicit' })
}

const tokensOf = async (client_id: string, browser = new Browser(service)) =>
  (await postToken(service, codeFields(await obtainCode(browser, { client_id }), { client_id }))).body
const keySet = async () => (await fetch(new URL('.well-known/jwks', service.issuer))).json() as never

describe('id_token_signed_response_alg (OpenID Connect Registration §2)', () => {
  for (const algorithm of algorithms) {
    it(`signs the id tokens of a client with its ${algorithm}, at_hash included`, async () => {
      const { id_token, access_token } = await tokensOf(algorithm)
      assert.equal(headerOf(id_token).alg, algorithm)
      assert.equal(headerOf(access_token).alg, 'ES256', 'access tokens are for resource servers')
      const verified = await jwtVerify(id_token, createLocalJWKSet(await keySet()), {
        issuer: service.issuer,
        audience: algorithm,
        algorithms: [algorithm],
      })
      const digest = hashes[algorithm]().update(access_token).digest()
      assert.equal(verified.payload.at_hash, digest.subarray(0, digest.length / 2).toString('base64url'))
    })

    it(`takes an id token of ${algorithm} as id_token_hint`, async () => {
      const browser = new Browser(service)
      const { id_token } = await tokensOf(algorithm, browser)
      // Without `client_id` the hint alone names the client whose address it is.
      const signOut = async (id_token_hint: string) => {
        const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: 'http://localhost:5081/' })
        return (await browser.get(`/connect/logout?${query}`)).status
      }
      assert.equal(await signOut(id_token), 302)
      assert.equal(await signOut(`${id_token.slice(0, -8)}${id_token.endsWith('AAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`), 400)
    })
  }

  it('leaves the algorithm of the settings to every other client', async () => {
    assert.equal(headerOf((await tokensOf('demo')).id_token).alg, 'ES256')
  })

  it('is listed in discovery, strongest first', async () => {
    const answer = await fetch(new URL('.well-known/openid-configuration', service.issuer))
    const { id_token_signing_alg_values_supported } = (await answer.json()) as Record<string, readonly string[]>
    assert.deepEqual(id_token_signing_alg_values_supported, ['ML-DSA-65', 'EdDSA', 'ES256', 'PS256', 'RS256'])
  })

  it('publishes a key for each, with its own kid and without private members', async () => {
    const { keys } = (await keySet()) as { keys: Record<string, string>[] }
    assert.deepEqual(keys.map(({ alg }) => alg).sort(), [...algorithms].sort())
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
    for (const key of keys) {
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'priv']) assert.ok(!(member in key), member)
    }
  })
})

describe('ML-DSA-65 that the settings do not allow', () => {
  it('is not listed, and a client that registered it before gets the algorithm of the settings', async () => {
    await using usual = await startService()
    const metadata = { ...defaultClientMetadata, id_token_signed_response_alg: 'ML-DSA-65' as const }
    await addClient(usual, { id: 'pq', metadata, consent: 'implicit' })
    const answer = await fetch(new URL('.well-known/openid-configuration', usual.issuer))
    assert.doesNotMatch(await answer.text(), /ML-DSA/)
    const code = await obtainCode(new Browser(usual), { client_id: 'pq' })
    const { body } = await postToken(usual, codeFields(code, { client_id: 'pq' }))
    assert.equal(headerOf(body.id_token).alg, 'RS256')
  })
})
