/** Keys of clients from `jwks_uri`, through the guarded fetch. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { outboundWith } from '../../src/outbound/outbound.ts'
import { type ClientKeys, clientKeysWith } from '../../src/tokens/client-keys.ts'
import { type ClientKey, clientKey } from '../support/assertions.ts'

let nowMs = 0
let requests = 0
let published: unknown
let headers: Record<string, string> = {}
let port = 0
let one: ClientKey
let two: ClientKey
let keys: ClientKeys
const server = createServer((_, response) => {
  requests += 1
  response.writeHead(published === undefined ? 500 : 200, headers).end(JSON.stringify(published))
})

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  one = await clientKey()
  two = await clientKey()
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  nowMs = 1_000_000
  requests = 0
  headers = {}
  publish(one)
  keys = clientKeysWith(outboundWith({ issuer: 'http://localhost:5080/', clock: () => nowMs }), () => nowMs)
})

function publish(...set: ClientKey[]): void {
  published = { keys: set.map(({ publicJwk }) => publicJwk) }
}
const registration = 'operator' as const
const at = (path = '/jwks') => ({ registration, jwks: null, jwks_uri: `http://127.0.0.1:${port}${path}` })
const faultOf = async (key: ClientKey, path?: string, header = {}) =>
  keys.signatureFault(await key.sign({ sub: 'x' }, header), 'ES256', at(path))
const unknownKey = 'none of the keys has its kid and fits its algorithm'

describe('keys at jwks_uri', () => {
  it('are fetched once for many requests at once, and used for five minutes at least', async () => {
    const faults = await Promise.all(Array.from({ length: 20 }, () => faultOf(one)))
    assert.deepEqual(faults, Array(20).fill(undefined))
    nowMs += 299_999
    assert.equal(await faultOf(one), undefined)
    assert.equal(requests, 1)
    nowMs += 1
    assert.equal(await faultOf(one), undefined)
    assert.equal(requests, 2)
  })

  it('are held for clients of operators and for others apart, because not everybody may read what an operator may', async () => {
    assert.equal(await faultOf(one), undefined)
    for (const registration of ['token', 'document'] as const) {
      const fault = await keys.signatureFault(await one.sign({ sub: 'x' }), 'ES256', { ...at(), registration })
      assert.equal(fault, undefined)
    }
    assert.equal(requests, 2)
  })

  it('are used for as long as the headers say', async () => {
    headers = { 'cache-control': 'max-age=3600' }
    assert.equal(await faultOf(one), undefined)
    nowMs += 3_599_999
    assert.equal(await faultOf(one), undefined)
    assert.equal(requests, 1)
    nowMs += 1
    assert.equal(await faultOf(one), undefined)
    assert.equal(requests, 2)
    headers = { 'cache-control': 'no-store' }
    nowMs += 3_600_000
    await faultOf(one)
    await faultOf(one)
    assert.equal(requests, 3)
  })

  it('without kid work through a rotation: a signature that fits none is tried with newly fetched ones', async () => {
    const bare = (key: ClientKey) => ({ keys: [{ ...key.publicJwk, kid: undefined }] })
    const unnamed = (key: ClientKey) => faultOf(key, undefined, { kid: undefined })
    published = bare(one)
    assert.equal(await unnamed(one), undefined)
    assert.equal(await unnamed(two), 'the signature does not fit the key')
    assert.equal(requests, 2)
    published = bare(two)
    assert.notEqual(await unnamed(two), undefined, 'one address is fetched again every ten seconds at most')
    nowMs += 10_000
    assert.equal(await unnamed(two), undefined)
    assert.equal(requests, 3)
  })

  it('are fetched again once for an unknown kid, by however many requests, and not again for ten seconds', async () => {
    assert.equal(await faultOf(one), undefined)
    publish(one, two)
    const faults = await Promise.all(Array.from({ length: 20 }, () => faultOf(two)))
    assert.deepEqual(faults, Array(20).fill(undefined))
    assert.equal(requests, 2)
    const three = await clientKey()
    publish(three)
    nowMs += 9_999
    assert.equal(await faultOf(three), unknownKey)
    assert.equal(await faultOf(one), undefined)
    assert.equal(requests, 2)
    nowMs += 1
    assert.equal(await faultOf(three), undefined)
    assert.equal(await faultOf(one), unknownKey)
    assert.equal(requests, 3)
  })

  it('lead to one fetch for a flood of unknown kids', async () => {
    for (let index = 0; index < 30; index += 1) await faultOf(two, '/jwks', { kid: `made-up-${index}` })
    assert.equal(requests, 2)
  })

  it('that are withdrawn are no longer used once the set was fetched again', async () => {
    assert.equal(await faultOf(one), undefined)
    publish(two)
    assert.equal(await faultOf(two), undefined)
    assert.equal(await faultOf(one), unknownKey)
  })

  it('are told why they cannot be had, and the failure is not asked for again at once', async () => {
    published = undefined
    const failure = 'the keys at jwks_uri cannot be fetched: it answered with the status 500'
    assert.equal(await faultOf(one), failure)
    assert.equal(await faultOf(one), failure)
    assert.equal(requests, 1)
    publish(one)
    nowMs += 30_000
    assert.equal(await faultOf(one), undefined)
    for (const [index, wrong] of [null, [], {}, { keys: {} }, 'keys'].entries()) {
      published = wrong
      assert.equal(await faultOf(one, `/${index}`), 'the response of jwks_uri is not a JWK Set')
    }
  })

  it('count only if they are public, and fit the algorithm', async () => {
    const rsa = await clientKey('RS256')
    const secret = { kty: 'oct', k: 'c2VjcmV0', kid: one.publicJwk.kid }
    for (const [index, set] of [
      [{ ...one.publicJwk, d: 'x' }],
      [secret],
      [{ ...rsa.publicJwk, kid: one.publicJwk.kid }],
      [{ ...one.publicJwk, use: 'enc' }],
      [{ ...one.publicJwk, key_ops: ['sign'] }],
      [{ ...one.publicJwk, alg: 'RS256' }],
      [null, 1, 'x', {}],
      [...Array.from({ length: 100 }, () => two.publicJwk), one.publicJwk],
    ].entries()) {
      published = { keys: set }
      assert.equal(await faultOf(one, `/${index}`), unknownKey, JSON.stringify(set).slice(0, 80))
    }
    published = { keys: [null, secret, one.publicJwk] }
    assert.equal(await faultOf(one, '/mixed'), undefined)
  })

  it('are tried in turn for a signature without a kid, five at most', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => clientKey()))
    publish(...others.slice(0, 4), one)
    assert.equal(await faultOf(one, '/few', { kid: undefined }), undefined)
    publish(...others, one)
    assert.match((await faultOf(one, '/many', { kid: undefined })) ?? '', /were tried \(5\)/)
  })

  it('of many addresses are dropped by their last use when they become too large', async () => {
    const padding = 'x'.repeat(60_000)
    published = { keys: [one.publicJwk, { kty: 'EC', kid: padding }] }
    for (let index = 0; index < 150; index += 1) {
      assert.equal(await faultOf(one, `/${index}`), undefined)
      await faultOf(one, '/0')
    }
    assert.equal(requests, 150)
    await faultOf(one, '/0')
    await faultOf(one, '/149')
    assert.equal(requests, 150)
    await faultOf(one, '/1')
    assert.equal(requests, 151)
  })
})

it('registered keys need no fetch, and no keys are no keys', async () => {
  const registered = { registration, jwks: { keys: [one.publicJwk] }, jwks_uri: null }
  const jws = await one.sign({})
  assert.equal(await keys.signatureFault(jws, 'ES256', registered), undefined)
  assert.equal(await keys.signatureFault(jws, 'ES256', { ...registered }), undefined)
  assert.equal(await keys.signatureFault(await two.sign({}), 'ES256', registered), unknownKey)
  const none = { registration, jwks: null, jwks_uri: null }
  assert.equal(await keys.signatureFault(jws, 'ES256', none), 'the client has registered no keys')
  assert.equal(requests, 0)
})

it('a condition on keys is tried on newly fetched ones, too', async () => {
  const isTwo = (key: Readonly<Record<string, unknown>>) => key.kid === two.publicJwk.kid
  assert.equal(await keys.keyFault(isTwo, at()), 'it is none of the registered keys')
  publish(two)
  nowMs += 10_000
  assert.equal(await keys.keyFault(isTwo, at()), undefined)
})
