/** The demands on DPoP of the plan 'FAPI 2.0 Security Profile, private_key_jwt + DPoP', as its modules check them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertionClaims, assertionFields, clientKey, keyClient } from '../support/assertions.ts'
import { authorizeParameters, Browser, codeFields, locationOf, postToken, refreshFields } from '../support/browser.ts'
import { DpopKey, type ProofParts } from '../support/dpop.ts'
import { serviceForFile } from '../support/service.ts'

// A name without a port, so that the default port can be left out.
const issuer = 'https://id.example.com/'
const tokenUrl = `${issuer}connect/token`
const apiUrl = `${issuer}weatherforecast`
const service = await serviceForFile({ OAuth__Issuer: issuer, Server__AllowedHosts: 'id.example.com' })
const signer = await clientKey('PS256')
const client = keyClient('fapi', [signer], {
  profile: 'fapi2',
  dpop_bound_access_tokens: true,
  refresh_token_rotation: false,
})
await service.storage.clients.create({
  ...client,
  consent: 'implicit',
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://client.example/callback'],
  scopes: ['demo_api', 'offline_access'],
})

const redirect_uri = 'https://client.example/callback'
const key = new DpopKey('PS256')
const nowSeconds = () => Math.floor(service.now() / 1000)
const proof = (change: Partial<ProofParts> = {}, by = key) =>
  by.proof({ url: tokenUrl, nowMs: service.now(), ...change })
const assertion = () => signer.sign(assertionClaims('fapi', issuer, service.now()))
const send = async (fields: Readonly<Record<string, string>>, DPoP?: string, path = 'connect/token', as?: string) => {
  const all = { ...fields, client_id: 'fapi', ...assertionFields(as ?? (await assertion())) }
  return postToken({ issuer: service.address }, all, DPoP === undefined ? {} : { DPoP }, path)
}
const push = (change: Readonly<Record<string, string>> = {}, DPoP?: string) =>
  send(authorizeParameters({ client_id: 'fapi', redirect_uri, ...change }), DPoP, 'connect/par')
/** The code of a pushed request; the browser comes through a proxy that terminates TLS. */
async function codeOf(change: Readonly<Record<string, string>> = {}, DPoP?: string): Promise<string> {
  const { body } = await push(change, DPoP)
  const browser = await Browser.signedIn({ issuer: service.address })
  const query = new URLSearchParams({ client_id: 'fapi', request_uri: body.request_uri })
  const code = locationOf(await browser.get(`/connect/authorize?${query}`)).searchParams.get('code')
  assert.ok(code, JSON.stringify(body))
  return code
}
const redeem = (code: string, DPoP?: string, as?: string) =>
  send(codeFields(code, { client_id: 'fapi', redirect_uri }), DPoP, 'connect/token', as)
const refresh = (token: string, DPoP?: string) => send(refreshFields(token), DPoP)
const refusals = ['invalid_request', 'invalid_grant', 'invalid_dpop_proof']
const assertRefused = (answer: Awaited<ReturnType<typeof send>>, errors = refusals, why = '') => {
  assert.equal(answer.status, 400, why)
  assert.ok(errors.includes(answer.body.error), `${why}: ${answer.body.error}`)
}

describe('FAPI 2.0 Security Profile with DPoP', () => {
  it('issues tokens of type DPoP to each algorithm of the profile', async () => {
    for (const algorithm of ['PS256', 'ES256', 'EdDSA'] as const) {
      const { body } = await redeem(await codeOf(), proof({}, new DpopKey(algorithm)))
      assert.equal(body.token_type, 'DPoP', JSON.stringify(body))
    }
  })

  it('refuses a code and a refresh token without a proof', async () => {
    const code = await codeOf()
    assertRefused(await redeem(code))
    const { body } = await redeem(code, proof())
    assertRefused(await refresh(body.refresh_token))
    assert.equal((await refresh(body.refresh_token, proof())).status, 200)
  })

  it('binds the code by dpop_jkt or by the proof of the pushed request; a mismatch is refused', async () => {
    const dpop_jkt = key.thumbprint
    const pushed = () => proof({ url: `${issuer}connect/par` })
    const errors = ['invalid_request', 'invalid_dpop_proof']
    for (const code of [await codeOf({ dpop_jkt }), await codeOf({}, pushed()), await codeOf({ dpop_jkt }, pushed())]) {
      assertRefused(await redeem(code, proof({}, new DpopKey())), errors)
      assert.equal((await redeem(code, proof())).status, 200)
    }
    assertRefused(await push({ dpop_jkt: new DpopKey().thumbprint }, pushed()), errors)
  })

  it('accepts another key for a refresh, and the same refresh token again', async () => {
    const { body } = await redeem(await codeOf(), proof())
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await refresh(body.refresh_token, proof({}, new DpopKey('ES256')))).status, 200)
    }
  })

  it('accepts clocks ten seconds apart, refuses an hour, tolerates nbf, exp and unknown claims', async () => {
    const token = async (claims: Readonly<Record<string, unknown>>) => redeem(await codeOf(), proof({ claims }))
    const now = nowSeconds()
    for (const claims of [{ iat: now - 10 }, { iat: now + 10 }, { nbf: now - 5, exp: now + 60 }, { extra: 'x' }]) {
      assert.equal((await token(claims)).status, 200, JSON.stringify(claims))
    }
    for (const claims of [{ iat: now - 3600 }, { iat: now + 3600 }]) assertRefused(await token(claims))
  })

  it('compares htu without query and fragment, with scheme, host and port normalised', async () => {
    for (const url of [
      `${tokenUrl}?a=b`,
      `${tokenUrl}#c`,
      'HTTPS://ID.EXAMPLE.COM/connect/token',
      'https://id.example.com:443/connect/token',
      'https://id.example.com/x/../connect/token',
    ]) {
      assert.equal((await redeem(await codeOf(), proof({ url, claims: { htu: url } }))).status, 200, url)
    }
    for (const url of ['https://id.example.com:444/connect/token', 'https://id.example.com/CONNECT/token']) {
      assertRefused(await redeem(await codeOf(), proof({ claims: { htu: url } })), refusals, url)
    }
  })

  it('uses up proof and assertion together or not at all', async () => {
    const [onceProof, onceAssertion] = [proof(), await assertion()]
    const code = await codeOf()
    assert.equal((await redeem(code, onceProof, onceAssertion)).status, 200)
    const [next, freshProof, freshAssertion] = [await codeOf(), proof(), await assertion()]
    assertRefused(await redeem(next, onceProof, freshAssertion), ['invalid_dpop_proof'])
    assert.equal((await redeem(next, freshProof, onceAssertion)).body.error, 'invalid_client')
    assert.equal((await redeem(next, freshProof, freshAssertion)).status, 200)
  })
})

describe('the resource of the plan with DPoP', () => {
  const call = (token: string, change: Partial<ProofParts> = {}, by = key, scheme = 'DPoP') => {
    const DPoP = by.proof({ url: apiUrl, method: 'GET', accessToken: token, nowMs: service.now(), ...change })
    return fetch(`${service.address}weatherforecast`, { headers: { authorization: `${scheme} ${token}`, DPoP } })
  }

  it('answers with Date, and takes the scheme in any case', async () => {
    const { body } = await redeem(await codeOf(), proof())
    for (const scheme of ['DPoP', 'dpop', 'dPoP']) {
      const answer = await call(body.access_token, {}, key, scheme)
      assert.equal(answer.status, 200)
      assert.ok(answer.headers.get('date'))
    }
  })

  it('refuses a bad typ, alg, jwk, htm, htu, ath or key, two proofs, a private key, a downgrade and a replay', async () => {
    const { body } = await redeem(await codeOf(), proof())
    const token: string = body.access_token
    const privateJwk = key.privateKey.export({ format: 'jwk' })
    const once = key.proof({ url: apiUrl, method: 'GET', accessToken: token, nowMs: service.now() })
    const by = (headers: Readonly<Record<string, string>>) =>
      fetch(`${service.address}weatherforecast`, { headers: { authorization: `DPoP ${token}`, ...headers } })
    const bad: Readonly<Record<string, () => Promise<Response>>> = {
      typ: () => call(token, { header: { typ: 'JWT' } }),
      alg: () => call(token, { header: { alg: 'none' } }),
      'no jwk': () => call(token, { header: { jwk: undefined } }),
      'a private key': () => call(token, { header: { jwk: privateJwk } }),
      htm: () => call(token, { method: 'POST' }),
      htu: () => call(token, { url: `${issuer}connect/userinfo` }),
      'no ath': () => call(token, { claims: { ath: undefined } }),
      ath: () => call(token, { accessToken: 'another' }),
      key: () => call(token, {}, new DpopKey('PS256')),
      iat: () => call(token, { nowMs: service.now() - 3_600_000 }),
      'no proof': () => by({}),
      'two proofs': () => by({ DPoP: `${once}, ${once}` }),
      downgrade: () => call(token, {}, key, 'Bearer'),
      'downgrade without a proof': () =>
        fetch(`${service.address}weatherforecast`, { headers: { authorization: `Bearer ${token}` } }),
      replay: async () => {
        assert.equal((await by({ DPoP: once })).status, 200)
        return by({ DPoP: once })
      },
    }
    for (const [what, send] of Object.entries(bad)) assert.equal((await send()).status, 401, what)
    assert.equal(Object.keys(bad).length, 15)
  })
})
