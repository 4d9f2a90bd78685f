import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { proofAlgorithms } from '../../src/protocol/token/dpop.ts'
import { hashSecret } from '../../src/secrets/opaque.ts'
import {
  authorizeParameters,
  Browser,
  claimsOf,
  codeFields,
  locationOf,
  obtainCode,
  postToken,
  refreshFields,
} from '../support/browser.ts'
import { bySecret } from '../support/clients.ts'
import { DpopKey, type ProofParts } from '../support/dpop.ts'
import { serviceForFile, testClient } from '../support/service.ts'

const secret = 'the secret of the confidential client'
const service = await serviceForFile()
const tokenUrl = `${service.issuer}connect/token`
const userinfoUrl = `${service.issuer}connect/userinfo`
const apiUrl = `${service.issuer}weatherforecast`
const { create } = service.storage.clients
await create(testClient({ id: 'app', consent: 'implicit' }))
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const
const authentication = bySecret(hashSecret(secret))
await create(testClient({ id: 'server', consent: 'implicit', grantTypes, authentication }))
const metadata = { ...defaultClientMetadata, dpop_bound_access_tokens: true }
await create(testClient({ id: 'bound', consent: 'implicit', metadata }))

const codeOf = (client_id = 'app', change: Record<string, string> = {}) =>
  obtainCode(new Browser(service), { client_id, scope: 'openid offline_access', ...change })
const forToken = (change: Partial<ProofParts> = {}): ProofParts => ({ url: tokenUrl, nowMs: service.now(), ...change })
const send = (fields: Readonly<Record<string, string>>, proof?: string) =>
  postToken(service, fields, proof === undefined ? {} : { DPoP: proof })
const redeem = (code: string, proof?: string, client_id = 'app') => send(codeFields(code, { client_id }), proof)
const refresh = (token: string, proof?: string, change: Record<string, string> = {}) =>
  send(refreshFields(token, { client_id: 'app', ...change }), proof)
const tokensFor = async (key: DpopKey, client_id = 'app') => {
  const answer = await redeem(await codeOf(client_id), key.proof(forToken()), client_id)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const assertRefused = (answer: Awaited<ReturnType<typeof send>>, error: string, id: string, why = '') => {
  assert.deepEqual(
    [answer.status, answer.body.error, answer.body.error_description?.slice(0, 6)],
    [400, error, id],
    why,
  )
}
const key = new DpopKey()

describe('DPoP at the token endpoint (RFC 9449 §5)', () => {
  it('binds the access token to the key of the proof, with every algorithm that discovery lists', async () => {
    const discovery = (await (await fetch(`${service.issuer}.well-known/openid-configuration`)).json()) as {
      dpop_signing_alg_values_supported: string[]
    }
    assert.deepEqual(discovery.dpop_signing_alg_values_supported, ['Ed25519', 'EdDSA', 'ES256', 'PS256'])
    for (const algorithm of proofAlgorithms) {
      const own = new DpopKey(algorithm)
      const { body } = await redeem(await codeOf(), own.proof(forToken()))
      assert.equal(body.token_type, 'DPoP', `${algorithm} ${JSON.stringify(body)}`)
      assert.deepEqual(claimsOf(body.access_token).cnf, { jkt: own.thumbprint })
      assert.equal('cnf' in claimsOf(body.id_token), false)
    }
  })

  it('leaves the tokens of a request without a proof as they are', async () => {
    const { body } = await redeem(await codeOf())
    assert.equal(body.token_type, 'Bearer')
    assert.equal('cnf' in claimsOf(body.access_token), false)
  })

  it('binds the token of a client for itself as well', async () => {
    const fields = { grant_type: 'client_credentials', client_id: 'server', client_secret: secret, scope: 'demo_api' }
    const proof = key.proof(forToken())
    const { body } = await send(fields, proof)
    assert.deepEqual([body.token_type, claimsOf(body.access_token).cnf], ['DPoP', { jkt: key.thumbprint }])
    assertRefused(await send(fields, proof), 'invalid_dpop_proof', 'ID9182')
  })

  it('demands a proof of a client with dpop_bound_access_tokens, for each grant (§5.2)', async () => {
    const code = await codeOf('bound')
    assertRefused(await redeem(code, undefined, 'bound'), 'invalid_dpop_proof', 'ID9181')
    const { body } = await redeem(code, key.proof(forToken()), 'bound')
    assert.equal(body.token_type, 'DPoP')
    assertRefused(await refresh(body.refresh_token, undefined, { client_id: 'bound' }), 'invalid_dpop_proof', 'ID9181')
  })

  it('accepts clocks that are ten seconds apart, and claims that it does not know', async () => {
    const nowSeconds = Math.floor(service.now() / 1000)
    for (const claims of [
      { iat: nowSeconds - 10 },
      { iat: nowSeconds + 10 },
      { exp: nowSeconds + 60, nbf: nowSeconds - 60, sub: 'x', unknown: { a: [1] } },
      { htu: `${tokenUrl}?a=b#c` },
      { htu: tokenUrl.replace('http://localhost', 'HTTP://LOCALHOST') },
    ]) {
      const answer = await redeem(await codeOf(), key.proof(forToken({ claims })))
      assert.equal(answer.status, 200, JSON.stringify([claims, answer.body]))
    }
  })

  it('refuses a faulty proof, which uses up neither code nor refresh token (§4.3)', async () => {
    const rsa = new DpopKey('PS256')
    const nowSeconds = Math.floor(service.now() / 1000)
    const jwkOf = (pair: { privateKey: import('node:crypto').KeyObject }) => pair.privateKey.export({ format: 'jwk' })
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    const faulty: Readonly<Record<string, string>> = {
      'no JWT': 'x',
      'empty parts': '..',
      'no JSON': 'eA.eA.eA',
      'another typ': key.proof(forToken({ header: { typ: 'JWT' } })),
      'no typ': key.proof(forToken({ header: { typ: undefined } })),
      'alg none': `${key.proof(forToken({ header: { alg: 'none' } })).replace(/[^.]*$/, '')}AA`,
      'alg RS256': rsa.proof(forToken({ header: { alg: 'RS256' } })),
      'alg of another key type': key.proof(forToken({ header: { alg: 'PS256' } })),
      'symmetric alg': key.proof(forToken({ header: { alg: 'HS256' } })),
      'symmetric key': key.proof(forToken({ header: { alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } } })),
      'no jwk': key.proof(forToken({ header: { jwk: undefined } })),
      'jwk as text': key.proof(forToken({ header: { jwk: 'x' } })),
      'jwk as a list': key.proof(forToken({ header: { jwk: [key.jwk] } })),
      'private jwk': key.proof(forToken({ header: { jwk: key.privateKey.export({ format: 'jwk' }) } })),
      'private RSA jwk': rsa.proof(forToken({ header: { jwk: jwkOf(rsa) } })),
      'RSA of 1024 bits': rsa.proof(forToken({ header: { jwk: small } })),
      'RSA with e=1': rsa.proof(forToken({ header: { jwk: { ...rsa.jwk, e: 'AQ' } } })),
      'RSA with an even e': rsa.proof(forToken({ header: { jwk: { ...rsa.jwk, e: 'Ag' } } })),
      'RSA with leading zeros': rsa.proof(forToken({ header: { jwk: { ...rsa.jwk, n: `AA${rsa.jwk.n}` } } })),
      'another curve': key.proof(forToken({ header: { jwk: { ...key.jwk, crv: 'P-384' } } })),
      'a point off the curve': key.proof(forToken({ header: { jwk: { ...key.jwk, y: key.jwk.x } } })),
      crit: key.proof(forToken({ header: { crit: ['exp'] } })),
      b64: key.proof(forToken({ header: { b64: false, crit: ['b64'] } })),
      'another key': key.proof(forToken({ header: { jwk: new DpopKey().jwk } })),
      'an altered signature': `${key.proof(forToken()).slice(0, -20)}${'A'.repeat(20)}`,
      'an HMAC under the public key': (() => {
        const proof = key.proof(forToken()).split('.').slice(0, 2).join('.')
        return `${proof}.${createHmac('sha256', JSON.stringify(key.jwk)).update(proof).digest('base64url')}`
      })(),
      'another method': key.proof(forToken({ method: 'GET' })),
      'method in lower case': key.proof(forToken({ method: 'post' })),
      'another endpoint': key.proof(forToken({ url: userinfoUrl })),
      'another host': key.proof(forToken({ url: 'https://evil.example/connect/token' })),
      'another scheme': key.proof(forToken({ url: tokenUrl.replace('http:', 'https:') })),
      'another port': key.proof(forToken({ url: tokenUrl.replace(/:\d+/, '') })),
      'another path': key.proof(forToken({ url: `${tokenUrl}/` })),
      'path in upper case': key.proof(forToken({ url: tokenUrl.replace('connect', 'Connect') })),
      'no address': key.proof(forToken({ claims: { htu: 'connect/token' } })),
      'no jti': key.proof(forToken({ claims: { jti: undefined } })),
      'empty jti': key.proof(forToken({ claims: { jti: '' } })),
      'jti as a number': key.proof(forToken({ claims: { jti: 1 } })),
      'no iat': key.proof(forToken({ claims: { iat: undefined } })),
      'iat as text': key.proof(forToken({ claims: { iat: String(nowSeconds) } })),
      'an hour old': key.proof(forToken({ claims: { iat: nowSeconds - 3600 } })),
      'an hour ahead': key.proof(forToken({ claims: { iat: nowSeconds + 3600 } })),
      'iat as infinity': key
        .proof(forToken())
        .replace(
          /\.[^.]+\./,
          `.${Buffer.from(`{"jti":"x","htm":"POST","htu":"${tokenUrl}","iat":1e999}`).toString('base64url')}.`,
        ),
      expired: key.proof(forToken({ claims: { exp: nowSeconds - 60 } })),
      'not valid yet': key.proof(forToken({ claims: { nbf: nowSeconds + 90 } })),
      'exp as text': key.proof(forToken({ claims: { exp: 'tomorrow' } })),
      'claims as a list': key.sign({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }, [1]),
      'claims as null': key.sign({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk }, null),
      'too long': key.proof(forToken({ claims: { more: 'x'.repeat(4000) } })),
      'two in one header': `${key.proof(forToken())}, ${key.proof(forToken())}`,
      'two without a blank': `${key.proof(forToken())},${key.proof(forToken())}`,
    }
    const code = await codeOf()
    const { refresh_token } = await tokensFor(key)
    for (const [what, proof] of Object.entries(faulty)) {
      assertRefused(await redeem(code, proof), 'invalid_dpop_proof', 'ID9180', what)
      assertRefused(await refresh(refresh_token, proof), 'invalid_dpop_proof', 'ID9180', what)
    }
    assert.equal(Object.keys(faulty).length, 51)
    assert.equal((await redeem(code, key.proof(forToken()))).status, 200)
    assert.equal((await refresh(refresh_token, key.proof(forToken()))).status, 200)
  })

  it('accepts a proof once, at every endpoint together (§11.1)', async () => {
    const proof = key.proof(forToken())
    const code = await codeOf()
    assert.equal((await redeem(code, proof)).status, 200)
    const next = await codeOf()
    assertRefused(await redeem(next, proof), 'invalid_dpop_proof', 'ID9182')
    const again = key.proof(forToken({ claims: { jti: claimsOf(proof).jti } }))
    assertRefused(await redeem(next, again), 'invalid_dpop_proof', 'ID9182', 'a new proof with the same jti')
    const other = new DpopKey().proof(forToken({ claims: { jti: claimsOf(proof).jti } }))
    assert.equal((await redeem(next, other)).status, 200, 'the jti of another key')
  })

  it('lets one of ten simultaneous requests with one proof win, and nine codes stay usable', async () => {
    const proof = key.proof(forToken())
    const codes: string[] = []
    for (let at = 0; at < 10; at += 1) codes.push(await codeOf())
    const answers = await Promise.all(codes.map((code) => redeem(code, proof)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const [at, answer] of answers.entries()) {
      if (answer.status === 200) continue
      assertRefused(answer, 'invalid_dpop_proof', 'ID9182')
      assert.equal((await redeem(codes[at] as string, key.proof(forToken()))).status, 200)
    }
  })

  it('uses up no proof for a request that is refused for another reason', async () => {
    const proof = key.proof(forToken())
    assertRefused(await redeem('not-a-code', proof), 'invalid_grant', 'ID2001')
    assertRefused(
      await send(codeFields(await codeOf(), { client_id: 'app', code_verifier: 'a'.repeat(43) }), proof),
      'invalid_grant',
      'ID2052',
    )
    assert.equal((await redeem(await codeOf(), proof)).status, 200)
  })

  it('says nothing about a proof before the client is authenticated', async () => {
    const fields = { grant_type: 'client_credentials', client_id: 'server', client_secret: 'wrong' }
    assert.equal((await send(fields, 'x')).body.error, 'invalid_client')
  })
})

describe('refresh tokens and DPoP (RFC 9449 §5)', () => {
  it('binds those of a public client to the key', async () => {
    const { refresh_token } = await tokensFor(key)
    assertRefused(await refresh(refresh_token), 'invalid_dpop_proof', 'ID9181')
    assertRefused(await refresh(refresh_token, new DpopKey().proof(forToken())), 'invalid_grant', 'ID9184')
    const { body } = await refresh(refresh_token, key.proof(forToken()))
    assert.deepEqual([body.token_type, claimsOf(body.access_token).cnf], ['DPoP', { jkt: key.thumbprint }])
    assertRefused(await refresh(body.refresh_token, new DpopKey().proof(forToken())), 'invalid_grant', 'ID9184')
    assert.equal((await refresh(body.refresh_token, key.proof(forToken()))).status, 200)
  })

  it('revokes nothing when a replaced one comes without the key', async () => {
    const { refresh_token } = await tokensFor(key)
    const { body } = await refresh(refresh_token, key.proof(forToken()))
    service.advance(100)
    assertRefused(await refresh(refresh_token, new DpopKey().proof(forToken())), 'invalid_grant', 'ID9184')
    const next = await refresh(body.refresh_token, key.proof(forToken()))
    assert.equal(next.status, 200)
    service.advance(100)
    assertRefused(await refresh(refresh_token, key.proof(forToken())), 'invalid_grant', 'ID2012')
    assertRefused(await refresh(next.body.refresh_token, key.proof(forToken())), 'invalid_grant', 'ID2018')
  })

  it('leaves those of a public client that began without a proof unbound', async () => {
    const { body } = await redeem(await codeOf())
    const bound = await refresh(body.refresh_token, key.proof(forToken()))
    assert.equal(bound.body.token_type, 'DPoP')
    const unbound = await refresh(bound.body.refresh_token)
    assert.equal(unbound.body.token_type, 'Bearer')
  })

  it('lets a confidential client change its key', async () => {
    const code = await codeOf('server')
    const { body } = await send(codeFields(code, { client_id: 'server', client_secret: secret }), key.proof(forToken()))
    const other = new DpopKey('EdDSA')
    const as = { client_id: 'server', client_secret: secret }
    const next = await refresh(body.refresh_token, other.proof(forToken()), as)
    assert.deepEqual(claimsOf(next.body.access_token).cnf, { jkt: other.thumbprint })
  })

  it('needs a new proof for a repeated refresh, which gives the same token', async () => {
    const { refresh_token } = await tokensFor(key)
    const proof = key.proof(forToken())
    const { body } = await refresh(refresh_token, proof)
    assertRefused(await refresh(refresh_token, proof), 'invalid_dpop_proof', 'ID9182')
    const repeated = key.proof(forToken())
    assert.equal((await refresh(refresh_token, repeated)).body.refresh_token, body.refresh_token)
    assertRefused(await refresh(refresh_token, repeated), 'invalid_dpop_proof', 'ID9182')
  })
})

describe('codes and DPoP (RFC 9449 §10)', () => {
  it('binds a code to the key of dpop_jkt', async () => {
    const code = await codeOf('app', { dpop_jkt: key.thumbprint })
    assertRefused(await redeem(code), 'invalid_dpop_proof', 'ID9181')
    assertRefused(await redeem(code, new DpopKey().proof(forToken())), 'invalid_dpop_proof', 'ID9183')
    assert.equal((await redeem(code, key.proof(forToken()))).status, 200)
  })

  it('binds the code of a pushed request to the key of its proof, or to dpop_jkt (§10.1)', async () => {
    const parUrl = `${service.issuer}connect/par`
    const push = (change: Record<string, string>, proof?: string) => {
      const fields = authorizeParameters({ client_id: 'app', scope: 'openid', ...change })
      return postToken(service, fields, proof === undefined ? {} : { DPoP: proof }, 'connect/par')
    }
    const pushed = async (change: Record<string, string>, proof?: string) => {
      const { status, body } = await push(change, proof)
      assert.equal(status, 201, JSON.stringify(body))
      const browser = await Browser.signedIn(service)
      const path = `/connect/authorize?${new URLSearchParams({ client_id: 'app', request_uri: body.request_uri })}`
      return locationOf(await browser.get(path)).searchParams.get('code') as string
    }
    const proof = () => key.proof(forToken({ url: parUrl }))
    const dpop_jkt = key.thumbprint
    for (const code of [await pushed({}, proof()), await pushed({ dpop_jkt }, proof()), await pushed({ dpop_jkt })]) {
      assertRefused(await redeem(code), 'invalid_dpop_proof', 'ID9181')
      assertRefused(await redeem(code, new DpopKey().proof(forToken())), 'invalid_dpop_proof', 'ID9183')
      assert.equal((await redeem(code, key.proof(forToken()))).status, 200)
    }
    assertRefused(await push({ dpop_jkt: new DpopKey().thumbprint }, proof()), 'invalid_dpop_proof', 'ID9183')
    assertRefused(await push({}, key.proof(forToken())), 'invalid_dpop_proof', 'ID9180', 'for the token endpoint')
    const once = proof()
    assert.equal((await push({}, once)).status, 201)
    assertRefused(await push({}, once), 'invalid_dpop_proof', 'ID9182')
  })

  it('refuses a dpop_jkt that is no thumbprint', async () => {
    for (const dpop_jkt of ['x', `${key.thumbprint}=`, `${'A'.repeat(42)}B`]) {
      await assert.rejects(codeOf('app', { dpop_jkt }), /invalid_request/)
    }
  })
})

describe('DPoP at resources (RFC 9449 §7)', () => {
  const get = (url: string, headers: Record<string, string>) => fetch(url, { headers })
  const call = (url: string, token: string, by = key, change: Partial<ProofParts> = {}, scheme = 'DPoP') => {
    const proof = by.proof({ url, method: 'GET', accessToken: token, nowMs: service.now(), ...change })
    return get(url, { authorization: `${scheme} ${token}`, DPoP: proof })
  }
  const challengeOf = async (answer: Promise<Response>) => {
    const { status, headers } = await answer
    const challenge = headers.get('www-authenticate') ?? undefined
    return [status, challenge?.replace(/error_description="[^"]*", |, resource_metadata="[^"]*"/g, '')]
  }
  const refused = (error: string) => [401, `DPoP error="${error}", algs="Ed25519 EdDSA ES256 PS256"`]

  it('accepts a bound token with a proof, whatever the case of the scheme', async () => {
    const { access_token } = await tokensFor(key)
    for (const url of [userinfoUrl, apiUrl]) {
      for (const scheme of ['DPoP', 'dpop', 'DPOP']) {
        assert.equal((await call(url, access_token, key, {}, scheme)).status, 200)
      }
    }
    const post = key.proof({ url: userinfoUrl, accessToken: access_token, nowMs: service.now() })
    const answer = await fetch(userinfoUrl, {
      method: 'POST',
      headers: { authorization: `DPoP ${access_token}`, DPoP: post },
    })
    assert.equal(answer.status, 200)
  })

  it('refuses a bound token as a bearer token, in header and form, with a proof and without (§7.2)', async () => {
    const { access_token } = await tokensFor(key)
    for (const url of [userinfoUrl, apiUrl]) {
      assert.deepEqual(await challengeOf(call(url, access_token, key, {}, 'Bearer')), refused('invalid_token'))
      assert.deepEqual(
        await challengeOf(get(url, { authorization: `Bearer ${access_token}` })),
        refused('invalid_token'),
      )
    }
    const body = new URLSearchParams({ access_token })
    assert.deepEqual(await challengeOf(fetch(userinfoUrl, { method: 'POST', body })), refused('invalid_token'))
  })

  it('refuses a bearer token with the scheme DPoP', async () => {
    const { body } = await redeem(await codeOf())
    for (const url of [userinfoUrl, apiUrl]) {
      assert.deepEqual(await challengeOf(call(url, body.access_token)), refused('invalid_token'))
    }
    // A client that sends a proof with every request is no reason to refuse.
    assert.equal((await call(userinfoUrl, body.access_token, key, {}, 'Bearer')).status, 200)
  })

  it('refuses a missing, faulty or foreign proof with 401 and the algorithms (§7.1)', async () => {
    const { access_token } = await tokensFor(key)
    const { access_token: another } = await tokensFor(key)
    for (const url of [userinfoUrl, apiUrl]) {
      const faults: Readonly<Record<string, Promise<Response>>> = {
        'no proof': get(url, { authorization: `DPoP ${access_token}` }),
        'another key': call(url, access_token, new DpopKey()),
        'no ath': call(url, access_token, key, { claims: { ath: undefined } }),
        'the ath of another token': call(url, access_token, key, { accessToken: another }),
        'ath in plain text': call(url, access_token, key, { claims: { ath: access_token.slice(0, 100) } }),
        'another method': call(url, access_token, key, { method: 'POST' }),
        'a proof for the token endpoint': call(url, access_token, key, { url: tokenUrl }),
        'an hour old': call(url, access_token, key, { nowMs: service.now() - 3_600_000 }),
        'two proofs': get(url, { authorization: `DPoP ${access_token}`, DPoP: 'a.b.c, a.b.c' }),
      }
      for (const [what, answer] of Object.entries(faults)) {
        assert.deepEqual(await challengeOf(answer), refused('invalid_dpop_proof'), what)
      }
    }
  })

  it('accepts a proof once (§11.1)', async () => {
    const { access_token } = await tokensFor(key)
    const DPoP = key.proof({ url: userinfoUrl, method: 'GET', accessToken: access_token, nowMs: service.now() })
    const headers = { authorization: `DPoP ${access_token}`, DPoP }
    const answers = await Promise.all(Array.from({ length: 5 }, () => get(userinfoUrl, headers)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401])
  })

  it('names the scheme alone to a request that has a proof and no token', async () => {
    const answer = await get(userinfoUrl, { DPoP: key.proof({ url: userinfoUrl, method: 'GET' }) })
    assert.match(
      answer.headers.get('www-authenticate') ?? '',
      /^DPoP algs="Ed25519 EdDSA ES256 PS256"(?:, resource_metadata="[^"]+")?$/,
    )
  })

  it('lets scripts of other origins send proofs and read challenges and nonces', async () => {
    for (const url of [tokenUrl, userinfoUrl, apiUrl]) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
      const preflight = await fetch(url, { method: 'OPTIONS', headers })
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bdpop\b/)
    }
    const exposed = (await get(userinfoUrl, {})).headers.get('access-control-expose-headers')
    assert.equal(exposed, 'www-authenticate, dpop-nonce, x-trace-id')
  })
})
