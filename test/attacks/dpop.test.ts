/** What a thief of tokens and proofs tries. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { DpopKey, type ProofParts } from '../support/dpop.ts'
import { addClient, serviceForFile } from '../support/service.ts'
import { exchange, request } from './wire.ts'

const service = await serviceForFile({ Server__TrustProxy: 'true' })
const tokenUrl = `${service.issuer}connect/token`
await addClient(service, { id: 'app', consent: 'implicit' })

const key = new DpopKey()
const codeOf = () => obtainCode(new Browser(service), { client_id: 'app', scope: 'openid offline_access' })
const proof = (change: Partial<ProofParts> = {}) => key.proof({ url: tokenUrl, nowMs: service.now(), ...change })
const send = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  postToken(service, fields, headers)
const tokens = async () => {
  const { body } = await send(codeFields(await codeOf(), { client_id: 'app' }), { DPoP: proof() })
  return body as { access_token: string; refresh_token: string }
}
/** The request with chosen lines for headers. */
const raw = async (
  fields: Readonly<Record<string, string>>,
  lines: readonly string[],
  host = new URL(service.issuer).host,
) => {
  const body = new URLSearchParams(fields).toString()
  const head = ['POST /connect/token HTTP/1.1', `Host: ${host}`, 'Connection: close', `Content-Length: ${body.length}`]
  const [answer] = await exchange(
    service,
    request([...head, 'Content-Type: application/x-www-form-urlencoded', ...lines], body),
  )
  return { status: answer?.status, error: JSON.parse(answer?.body || '{}').error }
}

describe('a thief of tokens that are bound to a key (RFC 9449)', () => {
  it('gains nothing by two proofs in one request, of which one is right', async () => {
    const code = await codeOf()
    const fields = codeFields(code, { client_id: 'app' })
    const refused = { status: 400, error: 'invalid_dpop_proof' }
    const [good, bad] = [proof(), new DpopKey().proof({ url: tokenUrl })]
    assert.deepEqual(await raw(fields, [`DPoP: ${good}`, `DPoP: ${bad}`]), refused)
    assert.deepEqual(await raw(fields, [`DPoP: ${bad}`, `dpop: ${good}`]), refused)
    assert.deepEqual(await raw(fields, [`DPoP: ${good}`, `DPoP: ${good}`]), refused)
    assert.deepEqual(await raw(fields, [`DPoP: ${good},`]), refused)
    assert.deepEqual(await raw(fields, ['DPoP:']), refused, 'an empty header is no missing one')
    assert.equal((await raw(fields, [`DPoP: ${good}`])).status, 200)
  })

  it('cannot choose the address that a proof is for: neither by Host nor by headers of proxies', async () => {
    const { refresh_token } = await tokens()
    const fields = refreshFields(refresh_token, { client_id: 'app' })
    const evil = proof({ url: 'https://evil.example/connect/token' })
    const spoofed = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: host=evil.example;proto=https',
    ]
    assert.equal((await raw(fields, [`DPoP: ${evil}`, ...spoofed])).error, 'invalid_dpop_proof')
    assert.notEqual((await raw(fields, [`DPoP: ${evil}`], 'evil.example')).status, 200)
    assert.equal((await raw(fields, [`DPoP: ${proof()}`, ...spoofed])).status, 200, 'a proxy does not matter either')
  })

  it('cannot use a proof that was made for another endpoint, method or token', async () => {
    const { access_token } = await tokens()
    const url = `${service.issuer}connect/userinfo`
    const call = (DPoP: string, to = url, method = 'GET') =>
      fetch(to, { method, headers: { authorization: `DPoP ${access_token}`, DPoP } })
    const userinfo = key.proof({ url, method: 'GET', accessToken: access_token, nowMs: service.now() })
    for (const answer of [
      await call(userinfo, `${service.issuer}weatherforecast`),
      await call(userinfo, url, 'POST'),
      await call(proof({ accessToken: access_token })),
      await call(key.proof({ url, method: 'GET', accessToken: (await tokens()).access_token, nowMs: service.now() })),
    ]) {
      assert.equal(answer.status, 401)
    }
    assert.equal((await call(userinfo)).status, 200, 'nothing of this used it up')
  })

  it('cannot use up proofs of others, nor end their grants', async () => {
    const { refresh_token } = await tokens()
    const fields = refreshFields(refresh_token, { client_id: 'app' })
    const good = proof()
    const jti = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString()).jti as string
    const thief = new DpopKey()
    for (let round = 0; round < 3; round += 1) {
      const answer = await send(fields, { DPoP: thief.proof({ url: tokenUrl, nowMs: service.now(), claims: { jti } }) })
      assert.equal(answer.body.error, 'invalid_grant')
      assert.equal((await send(fields)).body.error, 'invalid_dpop_proof')
    }
    assert.equal((await send(fields, { DPoP: good })).status, 200)
  })

  it('makes the service do no more than a bounded amount of work', async () => {
    const huge = { kty: 'RSA', e: 'AQAB', n: 'z'.repeat(2800) }
    const fields = refreshFields('x', { client_id: 'app' })
    for (const DPoP of [
      proof({ header: { alg: 'PS256', jwk: huge } }),
      proof({ claims: { jti: 'x'.repeat(3000), more: 'x'.repeat(2000) } }),
      `${'A'.repeat(12_000)}.A.A`,
      `e30.${'A'.repeat(4000)}.`,
    ]) {
      const before = process.cpuUsage()
      assert.equal((await send(fields, { DPoP })).body.error, 'invalid_dpop_proof')
      assert.ok(process.cpuUsage(before).user < 1_000_000)
    }
  })

  it('never makes it fail: random headers and claims are refused', async () => {
    const values: readonly unknown[] = [null, true, -1, 1e308, '', '\u0000', [], {}, 'x'.repeat(500), { toString: 1 }]
    const fields = refreshFields('x', { client_id: 'app' })
    for (const value of values) {
      for (const member of ['typ', 'alg', 'jwk', 'kid', 'crit', 'b64', 'zip']) {
        const { status } = await send(fields, { DPoP: proof({ header: { [member]: value } }) })
        assert.equal(status, 400, `${member} ${JSON.stringify(value)}`)
      }
      for (const member of ['jti', 'htm', 'htu', 'iat', 'exp', 'nbf', 'ath', 'nonce']) {
        const { status } = await send(fields, { DPoP: proof({ claims: { [member]: value } }) })
        assert.equal(status, 400, `${member} ${JSON.stringify(value)}`)
      }
    }
  })
})
