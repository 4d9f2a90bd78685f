/** What is long or odd to make work is cut or refused before the work. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { boundedHeaders, lastHops } from '../../src/http/bounded-headers.ts'
import { parseFormText } from '../../src/http/parameters.ts'
import { outboundWith } from '../../src/outbound/outbound.ts'
import { changesOf } from '../../src/protocol/client/dynamic-registration.ts'
import { readJwkSet } from '../../src/protocol/client/jwk-set.ts'
import { rsaJwkFault } from '../../src/protocol/client/rsa-key.ts'
import { checkProofHeader } from '../../src/protocol/token/dpop.ts'
import { isRefusal } from '../../src/refusal.ts'
import { readClientCertificate } from '../../src/tokens/client-certificate.ts'
import { clientKeysWith } from '../../src/tokens/client-keys.ts'
import { clientKey } from '../support/assertions.ts'
import { certificate } from '../support/certificates.ts'
import { register } from '../support/registration.ts'
import { serviceForFile } from '../support/service.ts'
import { exchange, request, Wire, type WireAnswer } from './wire.ts'

const service = await serviceForFile({
  OAuth__DynamicRegistration: 'open',
  OAuth__DynamicRegistrationScopes: 'demo_api',
})

async function get(path: string, head: Readonly<Record<string, string>> = {}): Promise<WireAnswer> {
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  const [answer] = await exchange(service, request([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines]))
  return answer ?? assert.fail('no answer')
}

describe('headers', () => {
  it('are cut before they are parsed: languages at 256 bytes, cookies to 256 of this service, forty hops', () => {
    const usual = { 'accept-language': 'de-CH, de;q=0.9, en;q=0.8', cookie: 'a=1; b=2', host: 'x' }
    assert.equal(boundedHeaders(usual), usual)
    const long = boundedHeaders({ 'accept-language': 'de, '.repeat(15_000), cookie: 'a=1;'.repeat(15_000), host: 'x' })
    assert.ok((long['accept-language'] ?? '').length <= 256)
    assert.ok(long['accept-language']?.startsWith('de, de'))
    assert.equal(long.cookie, '', 'none of the service')
    const flood = 'a=1; '.repeat(10_000)
    const own = ['latchkey.session=s', 'latchkey.device=d']
    assert.deepEqual(
      boundedHeaders({ cookie: `${own[0]}; ${flood}${own[1]}` })
        .cookie?.split(';')
        .map((one) => one.trim()),
      own,
      'those of the service stay, wherever they stand',
    )
    const secure = boundedHeaders({ cookie: `${flood}__Host-latchkey.session=s; xlatchkey.session=x` })
    assert.equal(secure.cookie?.trim(), '__Host-latchkey.session=s')
    const many = boundedHeaders({ cookie: Array.from({ length: 3000 }, (_, at) => `latchkey.x${at}=1`).join('; ') })
    assert.equal(many.cookie?.split(';').length, 256)
    const stale = Array.from({ length: 1000 }, (_, at) => `latchkey.state.${at}=1`)
    const crowded = boundedHeaders({ cookie: [...stale, 'latchkey.antiforgery=a'].join('; ') }).cookie ?? ''
    assert.match(crowded, /latchkey\.antiforgery=a/, 'numbered ones crowd no other out')
    assert.match(crowded, /latchkey\.state\.999=1/, 'of numbered ones the newest stay')
    assert.equal(long.host, 'x')
    assert.equal(boundedHeaders({ 'accept-language': 'x'.repeat(60_000) })['accept-language'], '')
    assert.equal(boundedHeaders({ 'accept-language': `de,${'x'.repeat(300)}` })['accept-language'], 'de')
    const hops = lastHops(`${'10.0.0.1, '.repeat(6000)}192.0.2.7`)
    assert.ok(hops.length <= 2048 && hops.endsWith('192.0.2.7'))
    assert.ok(
      hops.split(',').every((hop) => /^ ?(10\.0\.0\.1|192\.0\.2\.7)$/.test(hop)),
      'none is cut in two',
    )
    assert.equal(lastHops('192.0.2.7'), '192.0.2.7')
    const lists = { accept: 'text/html, ', 'accept-encoding': 'br, ', 'if-none-match': '"a", ' }
    for (const [name, member] of Object.entries(lists)) {
      const cut = String(boundedHeaders({ [name]: member.repeat(5000) })[name])
      assert.ok(cut.length > 200 && cut.length <= 1024, `${name}: ${cut.length}`)
      assert.ok(cut.endsWith(member.split(',')[0] ?? ''), 'none is cut in two')
    }
    const named = { 'user-agent': `Firefox/1 ${'Version/1 '.repeat(6000)}` }
    assert.match(boundedHeaders(named)['user-agent'] ?? '', /^Firefox\/1 .{1014}$/)
  })

  it('of 60 KB that name versions of a document cost no search in each place of them (RFC 9110 §13.1.2)', async () => {
    const path = '/admin/api/openapi.json'
    const etag = (await get(path)).headers.get('etag') ?? assert.fail('no ETag')
    for (const known of [etag, `"a" ,  ${etag}`, `"a",${etag} , "b"`]) {
      assert.equal((await get(path, { 'If-None-Match': known })).status, 304, known)
    }
    for (const unknown of [`"a"${' '.repeat(60_000)}"b"`, ','.repeat(60_000), `${'"a", '.repeat(12_000)}"b"`]) {
      const before = process.cpuUsage()
      assert.equal((await get(path, { 'If-None-Match': unknown })).status, 200)
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 500_000, `${user + system} µs`)
    }
  })

  it('have only cookies that begin with a name of this service', () => {
    const padding = `x=${'y'.repeat(5000)}`
    const kept = (cookie: string) => boundedHeaders({ cookie: `${padding}; ${cookie}` }).cookie
    assert.equal(kept('a=latchkey.session=s; latchkey.session=t'), 'latchkey.session=t')
    assert.equal(kept('a= latchkey.session=s'), '')
    assert.equal(kept('__Host- latchkey.session=s; y__Host-latchkey.session=s'), '')
    assert.equal(
      kept('latchkey.a=1;__Host-latchkey.b=2;   latchkey.c=3'),
      'latchkey.a=1;__Host-latchkey.b=2;latchkey.c=3',
    )
    assert.equal(boundedHeaders({ cookie: `  latchkey.a=1; ${padding}` }).cookie, 'latchkey.a=1')
  })

  it('with thousands of cookies of others, or of none, are not split', () => {
    const costOf = (work: () => unknown): number => {
      const before = process.cpuUsage()
      for (let run = 0; run < 400; run += 1) work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    for (const cookie of [Array.from({ length: 5000 }, (_, at) => `c${at}=1`).join('; '), ';'.repeat(60_000)]) {
      const split = costOf(() => cookie.split(';'))
      const cut = costOf(() => boundedHeaders({ cookie }))
      assert.ok(cut < split / 4, `${cut} µs, to split it ${split} µs`)
    }
  })

  it('that are cut still say what they said first', async () => {
    const head = { 'Accept-Language': `de,${' fr;q=0.5,'.repeat(2500)}`, Cookie: `${'x=1; '.repeat(2500)}` }
    const answer = await get('/Account/Login', head)
    assert.equal(answer.status, 200)
    assert.match(answer.body, /<html[^>]* lang="de"/)
  })
})

describe('parameters', () => {
  const formType = 'Content-Type: application/x-www-form-urlencoded'
  /** Of the quietest of some requests, which a test in the same process sends: of both together. */
  const costOf = async (path: string, body: string): Promise<number> => {
    const text = request([`POST ${path} HTTP/1.1`, 'Host: x', formType, `Content-Length: ${body.length}`], body)
    const costs: number[] = []
    const wire = new Wire(service)
    for (let run = 0; run < 25; run += 1) {
      const before = process.cpuUsage()
      assert.equal((await wire.ask(text))?.status, 400)
      const { user, system } = process.cpuUsage(before)
      costs.push(user + system)
    }
    wire.close()
    return costs.toSorted((a, b) => a - b)[12] ?? 0
  }

  it('of 64 KB of spaces, which a form writes as +, are refused for hardly more than as many letters', async () => {
    for (const path of ['/connect/token', '/connect/introspect']) {
      const letters = await costOf(path, `p=${'x'.repeat(65_000)}`)
      const spaces = await costOf(path, `p=${'+'.repeat(65_000)}`)
      assert.ok(spaces < letters + 1500, `${spaces} µs, letters ${letters} µs`)
    }
    const { status, body } = await get(`/connect/authorize?p=${'+'.repeat(60_000)}`)
    assert.equal(status, 400)
    assert.match(body, /ID9003/)
  })

  it('are read with 4096 spaces as +, and any number of escaped ones', () => {
    for (const [sent, read] of [
      ['+'.repeat(4096), ' '.repeat(4096)],
      [`a${'+'.repeat(4000)}b%2B`, `a${' '.repeat(4000)}b+`],
      [`é${'%20+'.repeat(4000)}€`, `é${'  '.repeat(4000)}€`],
    ] as const) {
      assert.deepEqual(parseFormText(`a=${sent}`), [['a', read]])
    }
    assert.ok(isRefusal(parseFormText(`a=${'+'.repeat(4097)}`)))
  })
})

describe('a path', () => {
  it('of more than 8 KiB is refused with 414, whatever it consists of, and one that is shorter is looked for', async () => {
    for (const path of [
      '/'.repeat(50_000),
      `/${'a/'.repeat(20_000)}`,
      `/${'%41'.repeat(5000)}`,
      `/${'x'.repeat(8192)}`,
    ]) {
      const { status, body } = await get(path, { Accept: 'application/json' })
      assert.equal(status, 414, path.slice(0, 20))
      assert.match(body, /ID9014/)
    }
    const shorter = await get(`/${'x'.repeat(8191)}`)
    assert.notEqual(shorter.status, 414)
    const query = await get(`/healthz?${'x'.repeat(20_000)}`)
    assert.equal(query.status, 200, 'parameters are no path')
  })
})

describe('RSA keys of clients', async () => {
  type JsonWebKey = webcrypto.JsonWebKey
  const jwkOf = (modulusLength: number, publicExponent = 65_537) =>
    generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' })
  const usual = jwkOf(2048)
  const ofBits = (bits: number): JsonWebKey => ({
    ...usual,
    n: Buffer.concat([
      Buffer.from([bits % 8 === 0 ? 0xff : 0x7f]),
      Buffer.alloc(Math.ceil(bits / 8) - 1, 0xa5),
    ]).toString('base64url'),
  })
  const exponentOf = (bytes: number): JsonWebKey => ({ ...usual, e: Buffer.alloc(bytes, 0xff).toString('base64url') })
  const accepted = [usual, jwkOf(2048, 3), ofBits(2048), ofBits(8192)]
  const refused: readonly JsonWebKey[] = [
    ...[
      ofBits(2047),
      ofBits(1024),
      ofBits(8193),
      ofBits(16_384),
      { ...usual, n: 'A'.repeat(400) },
      { ...usual, n: '' },
    ],
    ...[
      exponentOf(256),
      exponentOf(4),
      exponentOf(5),
      { ...usual, e: 'AQ' },
      { ...usual, e: 'EQ' },
      { ...usual, e: '' },
    ],
    { ...usual, e: `${'A'.repeat(20)}AQAB` },
    { ...usual, n: `${'A'.repeat(2000)}${usual.n}` },
    { kty: 'RSA' },
  ]

  it('have 2048 to 8192 bits and the exponent 65537 or 3, as their text says', () => {
    for (const key of accepted) assert.equal(rsaJwkFault({ ...key }), undefined, key.n ?? '')
    for (const key of refused) assert.notEqual(rsaJwkFault({ ...key }), undefined, JSON.stringify(key).slice(0, 80))
    assert.equal(rsaJwkFault({ kty: 'EC', e: 'x' }), undefined)
  })

  it('are refused otherwise at every registration: by an operator, an import, the client, its document', async () => {
    for (const key of refused) assert.ok('fault' in readJwkSet({ keys: [key] }), JSON.stringify(key).slice(0, 80))
    for (const key of accepted.slice(0, 2)) assert.ok('value' in readJwkSet({ keys: [key] }))
    const { status, body } = await register(service, {
      redirect_uris: ['https://app.example.com/callback'],
      jwks: { keys: [exponentOf(256)] },
    })
    assert.equal(status, 400)
    assert.match(body.error_description, /exponent 65537 or 3/)
  })

  it('are not used otherwise from a jwks_uri, nor from a registration of before, however they sign', async () => {
    const odd = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 17 })
    const signing = await clientKey('PS256')
    const published = { keys: [{ ...odd.publicKey.export({ format: 'jwk' }), kid: 'odd' }, exponentOf(256)] }
    const server = createServer((_, response) => response.end(JSON.stringify(published)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const keys = clientKeysWith(outboundWith({ issuer: service.issuer, clock: Date.now }), Date.now)
      const jws = await signing.sign({ sub: 'x' }, { kid: 'odd' })
      const registration = 'operator' as const
      const none = 'none of the keys has its kid and fits its algorithm'
      const fetched = { registration, jwks: null, jwks_uri: `http://127.0.0.1:${port}/` }
      assert.equal(await keys.signatureFault(jws, 'PS256', fetched), none)
      const stored = { registration, jwks: published as never, jwks_uri: null }
      assert.equal(await keys.signatureFault(jws, 'PS256', stored), none)
      assert.equal(await keys.keyFault(() => true, stored), 'it is none of the registered keys')
    } finally {
      server.close()
    }
  })

  it('are refused otherwise in DPoP proofs and in certificates', () => {
    const headerOf = (jwk: JsonWebKey) => checkProofHeader({ typ: 'dpop+jwt', alg: 'PS256', jwk })
    assert.ok(!isRefusal(headerOf(usual)))
    for (const key of refused) assert.ok(isRefusal(headerOf(key)), JSON.stringify(key).slice(0, 80))
    for (const [publicExponent, isUsable] of [
      [65_537, true],
      [3, true],
      [17, false],
      [4_294_967_295, false],
    ] as const) {
      const keys = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent })
      const read = readClientCertificate(certificate({ keys }).escapedPem)
      assert.equal(typeof read === 'object', isUsable, String(publicExponent))
    }
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
    assert.equal(readClientCertificate(certificate({ keys: small }).escapedPem), 'malformed')
  })
})

describe('the metadata of a client that registers itself', () => {
  it('is refused unread with more than 50 members with a language, and members that do not exist cost nothing each', async () => {
    const redirect_uris = ['https://app.example.com/callback']
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`client_name#de-x-${at}`, 'n']))
    const beyond = await register(service, { redirect_uris, ...named(51) })
    assert.equal(beyond.status, 400)
    assert.match(beyond.body.error_description, /more than 50 members with a language/)
    assert.equal((await register(service, { redirect_uris, ...named(50) })).status, 201)

    const thousands = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`m${at}`, 1]))
    const unread = await register(service, { redirect_uris, ...thousands })
    assert.deepEqual([unread.status, unread.body.error], [400, 'invalid_client_metadata'])
    const hundreds = Object.fromEntries(Object.entries(thousands).slice(0, 900))
    assert.equal((await register(service, { redirect_uris, ...hundreds })).status, 201)

    const others = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`m${at}`, 1]))
    const policy = {
      mode: 'open',
      scopes: [],
      accessTokenLifetimeSeconds: 3600,
      refreshTokenLifetimeSeconds: 3600,
      identityTokenLifetimeSeconds: 3600,
      signingAlgorithms: [],
    } as const
    const costOf = (document: Readonly<Record<string, unknown>>): number => {
      const before = process.cpuUsage()
      for (let run = 0; run < 50; run += 1) assert.ok(changesOf(document, policy).length < 10)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 50
    }
    costOf({ redirect_uris, ...others })
    const cost = costOf({ redirect_uris, ...others })
    assert.ok(cost < 4000, `${cost} µs`)
  })
})
