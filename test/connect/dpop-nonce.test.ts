import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { DpopKey, type ProofParts } from '../support/dpop.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const service = await serviceForFile({ OAuth__DPoP__Nonce: 'true' })
await addClient(service, { id: 'app', consent: 'implicit' })

const key = new DpopKey()
const codeOf = () => obtainCode(new Browser(service), { client_id: 'app', scope: 'openid offline_access' })
const proofFor = (path: string, nonce?: string, change: Partial<ProofParts> = {}) =>
  key.proof({ url: `${service.issuer}${path}`, nowMs: service.now(), claims: { nonce }, ...change })
const redeem = (code: string, nonce?: string) =>
  postToken(service, codeFields(code, { client_id: 'app' }), { DPoP: proofFor('connect/token', nonce) })
const nonceOf = ({ headers }: { readonly headers: Headers }) => {
  const nonce = headers.get('dpop-nonce')
  assert.match(nonce ?? '', /^[\x21\x23-\x5b\x5d-\x7e]+$/)
  return nonce as string
}

describe('OAuth:DPoP:Nonce (RFC 9449 §8)', () => {
  it('demands a nonce at the token endpoint, and uses nothing up without it', async () => {
    const code = await codeOf()
    const refused = await redeem(code)
    assert.deepEqual([refused.status, refused.body.error], [400, 'use_dpop_nonce'])
    const answer = await redeem(code, nonceOf(refused))
    assert.equal(answer.status, 200)
    assert.equal(claimsOf(answer.body.access_token).cnf.jkt, key.thumbprint)
    const next = nonceOf(answer)
    const fields = refreshFields(answer.body.refresh_token, { client_id: 'app' })
    assert.equal((await postToken(service, fields, { DPoP: proofFor('connect/token', next) })).status, 200)
  })

  it('demands it at resources with a challenge (§9)', async () => {
    const { body, ...answer } = await redeem(await codeOf(), nonceOf(await redeem('x')))
    for (const path of ['connect/userinfo', 'weatherforecast']) {
      const call = (nonce?: string) => {
        const DPoP = proofFor(path, nonce, { method: 'GET', accessToken: body.access_token })
        return fetch(`${service.issuer}${path}`, { headers: { authorization: `DPoP ${body.access_token}`, DPoP } })
      }
      const refused = await call()
      assert.equal(refused.status, 401)
      assert.match(
        refused.headers.get('www-authenticate') ?? '',
        /^DPoP error="use_dpop_nonce", .*algs="Ed25519 EdDSA ES256 /,
      )
      nonceOf(refused)
      const accepted = await call(nonceOf(answer))
      assert.equal(accepted.status, 200)
      nonceOf(accepted)
    }
  })

  it('demands it for a pushed request', async () => {
    const fields = authorizeParameters({ client_id: 'app' })
    const refused = await postToken(service, fields, { DPoP: proofFor('connect/par') }, 'connect/par')
    assert.equal(refused.body.error, 'use_dpop_nonce')
    nonceOf(refused)
  })

  it('accepts a nonce for five minutes, and renews it', async () => {
    const nonce = nonceOf(await redeem('x'))
    service.advance(240)
    const answer = await redeem(await codeOf(), nonce)
    assert.equal(answer.status, 200)
    assert.notEqual(nonceOf(answer), nonce)
    service.advance(121)
    assert.equal((await redeem(await codeOf(), nonce)).body.error, 'use_dpop_nonce')
  })

  it('accepts no nonce that it did not make', async () => {
    const nonce = nonceOf(await redeem('x'))
    const [id = '', time = '', signature = ''] = nonce.split('.')
    const later = (Number.parseInt(time, 36) + 1).toString(36)
    const forged = [
      '',
      'x',
      nonce.slice(0, -2),
      `${id}.${later}.${signature}`,
      `${id}.${time}.`,
      `x.${time}.${signature}`,
    ]
    for (const other of [...forged, 'n'.repeat(1000)]) {
      assert.equal((await redeem(await codeOf(), other)).body.error, 'use_dpop_nonce', other.slice(0, 20))
    }
  })

  it('demands nothing of a request without a proof', async () => {
    const answer = await postToken(service, codeFields(await codeOf(), { client_id: 'app' }))
    assert.deepEqual([answer.status, answer.body.token_type], [200, 'Bearer'])
    assert.equal(answer.headers.get('dpop-nonce'), null)
  })
})
