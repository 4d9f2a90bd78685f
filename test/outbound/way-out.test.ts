/** The way out: an HTTP proxy, and authorities of a company's own. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { legacyEndpoint } from '../../src/outbound/legacy-endpoint.ts'
import { boundedLookups } from '../../src/outbound/lookup.ts'
import { type OutboundOptions, outboundWith, reachFrom } from '../../src/outbound/outbound.ts'
import { sendBy } from '../../src/outbound/send.ts'
import { wayOutOf } from '../../src/outbound/way-out.ts'
import { boundedFetch } from '../../src/providers/bounded-fetch.ts'
import { isBreachedPassword } from '../../src/secrets/breached-passwords.ts'
import { mailTransport } from '../../src/server/mail-transport.ts'
import { openTelemetry } from '../../src/server/telemetry.ts'
import { certificate, generalNames, oids } from '../support/certificates.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { testProxy } from '../support/proxy.ts'
import { settingsFrom } from '../support/settings.ts'
import { mailServer } from '../support/smtp-server.ts'

const folder = temporaryFolder()
const pem = ({ escapedPem }: { readonly escapedPem: string }): string => decodeURIComponent(escapedPem)

/** A company's authority, and a server with a certificate of it. */
const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const authoritySubject = [[[oids.cn, 'Company authority']]] as const
const authority = certificate({ subject: authoritySubject, keys: authorityKeys, ca: true })
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const issued = certificate({
  subject: [[[oids.cn, 'app']]],
  alternativeNames: ['app.example', 'app.internal', 'localhost', 'idp.example'].map((name) => [generalNames.dns, name]),
  keys,
  issuer: { subject: authoritySubject, privateKey: authorityKeys.privateKey },
})
writeFileSync(join(folder, 'company.pem'), `Company\n${pem(authority)}\n`)

const received: string[] = []
function answer(message: IncomingMessage, response: ServerResponse): void {
  received.push(`${message.method} ${message.headers.host}${message.url}`)
  const body = message.url?.startsWith('/range/') ? '1E4C9B93F3F0682250B6CF8331B7EE68FD8:3\r\n' : '{"keys":[]}'
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}
const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
const secure = createServer({ key, cert: pem(issued) }, answer)
const plain = createPlain(answer)
const portOf = async (server: typeof secure | typeof plain): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const securePort = await portOf(secure)
const plainPort = await portOf(plain)
const proxy = await testProxy()
beforeEach(() => {
  proxy.asked.length = 0
  proxy.lead(securePort)
  received.length = 0
})

const base = { OAuth__Issuer: 'https://id.example/', Server__TrustProxy: '10.0.0.1' }
const company = { Outbound__CaFile: 'company.pem' }
const through = { ...company, Outbound__Proxy: proxy.address }
const settingsOf = (env: Readonly<Record<string, string>>) => settingsFrom({ ...base, ...env }, folder)

function outboundOf(env: Readonly<Record<string, string>>, resolve?: OutboundOptions['resolve']) {
  const settings = settingsOf(env)
  const { issuer } = settings.oauth
  const all = { issuer, clock: () => 0, reach: reachFrom(settings), way: settings.outbound }
  return outboundWith({ ...all, resolve: resolve ?? (async () => []) })
}

async function failureOf(fetching: Promise<object>): Promise<string> {
  const result = await fetching
  assert.ok('failed' in result, JSON.stringify(result))
  return String(result.failed)
}

describe('Outbound:CaFile', () => {
  it('has certificates of a company count, for addresses of clients and for those of operators', async () => {
    const url = `https://localhost:${securePort}/jwks`
    const listed = { Outbound__Networks: 'localhost' }
    const resolve = async () => ['127.0.0.1']
    assert.match(
      await failureOf(outboundOf(listed, resolve).get(url, 'operator')),
      /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/,
    )
    const fetched = await outboundOf({ ...listed, ...company }, resolve).get(url, 'operator')
    assert.ok('value' in fetched, JSON.stringify(fetched))
    const response = await sendBy(settingsOf(company).outbound)(url, {})
    assert.equal(await response.text(), '{"keys":[]}')
    await assert.rejects(sendBy(settingsOf({}).outbound)(url, {}))
    const all = await wayOutOf(settingsOf(company).outbound).authorities()
    assert.ok(all !== undefined && all.length > 50, 'beside those of the runtime')
  })

  it('counts for a former system that checks passwords', async () => {
    const asking = { url: `https://localhost:${securePort}/check`, secret: Buffer.alloc(32, 1) }
    const parts = { ...asking, clock: () => 0, random: (bytes: number) => new Uint8Array(bytes) }
    const outcomeWith = async (env: Readonly<Record<string, string>>) =>
      (
        await legacyEndpoint({ ...parts, way: settingsOf(env).outbound })
          .begin()
          .ask('ada', 'right')
      ).outcome
    assert.equal(await outcomeWith(company), 'right')
    assert.deepEqual(received, [`POST localhost:${securePort}/check`])
    assert.equal(await outcomeWith({}), 'no_answer')
  })

  it('counts for the mail server', async (t) => {
    const server = await mailServer({ secure: true, key, cert: pem(issued) })
    t.after(() => server.stop())
    const mail = { Mail__Url: `smtps://localhost:${server.port}` }
    await mailTransport(settingsOf({ ...company, ...mail }))?.check()
    await assert.rejects(mailTransport(settingsOf(mail))?.check() ?? Promise.resolve(), /certificate/)
  })

  it('has the name in a certificate count as before', async () => {
    const url = `https://127.0.0.1:${securePort}/`
    await assert.rejects(sendBy(settingsOf(company).outbound)(url, {}), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })
})

describe('through the proxy of Outbound:Proxy', () => {
  it('goes what an operator registered, by its name, which this machine does not look up', async () => {
    const asked: string[] = []
    const outbound = outboundOf(through, async (name) => {
      asked.push(name)
      return []
    })
    const fetched = await outbound.get('https://app.example/jwks', 'operator')
    assert.ok('value' in fetched, JSON.stringify(fetched))
    assert.ok('status' in (await outbound.post('https://app.internal:8443/out', { logout_token: 'x' }, 'operator')))
    assert.deepEqual(proxy.asked, ['CONNECT app.example:443', 'CONNECT app.internal:8443'])
    assert.deepEqual(received, ['GET app.example/jwks', 'POST app.internal:8443/out'])
    assert.equal(proxy.authorizations[0], `Basic ${Buffer.from('latchkey:s@cret').toString('base64')}`)
    assert.deepEqual(asked, [])
  })

  it('goes plain http to names that Outbound:Networks lists, and to no others', async () => {
    proxy.lead(plainPort)
    const outbound = outboundOf({ ...through, Outbound__Networks: 'app.internal', Outbound__AllowHttp: 'true' })
    const fetched = await outbound.get('http://app.internal/jwks', 'operator')
    assert.ok('value' in fetched, JSON.stringify(fetched))
    assert.deepEqual(proxy.asked, ['GET http://app.internal/jwks'])
    const failure = await failureOf(outbound.get('http://app.example/jwks', 'operator'))
    assert.equal(failure, 'no entry of Outbound:Networks allows http to app.example')
  })

  it('goes what a stranger registered, unless its name is known to be inside', async () => {
    const outbound = outboundOf({ ...through, Outbound__Networks: 'app.internal' }, async (name) =>
      name === 'split.example' ? ['10.1.2.3'] : [],
    )
    assert.ok('value' in (await outbound.get('https://app.example/client.json')))
    const inside = ['https://app.internal/', 'https://intranet/', 'https://split.example/', 'https://id.example/']
    for (const url of inside) await failureOf(outbound.get(url, url.includes('split') ? 'token' : 'anybody'))
    assert.deepEqual(proxy.asked, ['CONNECT app.example:443'])
  })

  it('goes no name of a stranger that this machine has not looked up in time, while one that it does not know goes', async () => {
    const names = boundedLookups(() => new Promise(() => {}))
    const outbound = outboundOf(through, (name, signal, by) =>
      name === 'slow.example' ? names(name, signal, by) : Promise.resolve([]),
    )
    const [slow, unknown] = await Promise.all([
      outbound.get('https://slow.example/', 'token'),
      outbound.get('https://app.example/jwks'),
    ])
    assert.deepEqual(slow, { failed: 'slow.example was not looked up in time' })
    assert.ok('value' in unknown, JSON.stringify(unknown))
    assert.deepEqual(proxy.asked, ['CONNECT app.example:443'])
  })

  it('goes no literal address that is not public, unless it is listed, and never one of metadata or of this machine', async () => {
    const outbound = outboundOf({ ...through, Outbound__Networks: '10.0.0.0/8,127.0.0.0/8' })
    const refused = [
      'https://192.168.1.1/',
      'https://169.254.169.254/',
      'https://[::ffff:169.254.169.254]/',
      'https://[::1]/',
    ]
    for (const url of refused) await failureOf(outbound.get(url, 'operator'))
    assert.match(await failureOf(outbound.get('https://10.0.0.1/', 'anybody')), /not a public address/)
    assert.match(await failureOf(outbound.get('https://127.0.0.1:1/', 'operator')), /ECONNREFUSED/, 'directly')
    assert.deepEqual(proxy.asked, [])
    assert.match(await failureOf(outbound.get('https://10.0.0.1/', 'operator')), /ALTNAME/)
    assert.deepEqual(proxy.asked, ['CONNECT 10.0.0.1:443'])
  })

  it('goes over TLS to a proxy of https, whose certificate is of a company too', async () => {
    const secured = await testProxy({ key, cert: pem(issued) })
    secured.lead(securePort)
    const known = { ...company, Outbound__Proxy: secured.address }
    const fetched = await outboundOf(known).get('https://app.example/jwks', 'operator')
    assert.ok('value' in fetched, JSON.stringify(fetched))
    assert.deepEqual(secured.asked, ['CONNECT app.example:443'])
    secured.lead(plainPort)
    const plainly = { ...known, Outbound__Networks: 'app.internal', Outbound__AllowHttp: 'true' }
    assert.ok('value' in (await outboundOf(plainly).get('http://app.internal/jwks', 'operator')))
    assert.deepEqual(secured.asked.splice(1), ['CONNECT app.internal:80'])
    assert.equal(secured.authorizations[0], `Basic ${Buffer.from('latchkey:s@cret').toString('base64')}`)
    const unknown = outboundOf({ Outbound__Proxy: secured.address })
    await failureOf(unknown.get('https://app.example/jwks', 'operator'))
    assert.equal(secured.asked.length, 1)
  })

  it('go external providers, password checks and traces', async () => {
    const { outbound } = settingsOf(through)
    const answered = await boundedFetch(5000, sendBy(outbound))('https://idp.example/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code: 'x' }),
      redirect: 'manual',
    })
    assert.deepEqual([answered.status, await answered.json()], [200, { keys: [] }])
    assert.equal(await isBreachedPassword('https://app.example/range/', 'password', outbound), true)
    assert.deepEqual(proxy.asked, ['CONNECT idp.example:443', 'CONNECT app.example:443'])
    assert.deepEqual(received, ['POST idp.example/token', 'GET app.example/range/5BAA6'])
    proxy.lead(plainPort)
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.OTEL_EXPORTER_OTLP_ENDPOINT
    try {
      const telemetry = await openTelemetry(settingsOf({ ...through, ...collector }), pino({ level: 'silent' }))
      telemetry.tracing?.begin('GET', {}).end('/x', 200)
      await telemetry.close()
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    }
    assert.deepEqual(proxy.asked.slice(2), ['POST http://collector.example:4318/v1/traces'])
  })
})

describe('which way an address takes', () => {
  const proxyOf = (url: string, env: Readonly<Record<string, string>>) =>
    wayOutOf(settingsOf(env).outbound).proxyFor(new URL(url))

  it('is that of the environment where the settings name no proxy, with NO_PROXY for both', () => {
    const env = { HTTPS_PROXY: 'http://one.internal:3128', http_proxy: 'two.internal:3128' }
    assert.equal(proxyOf('https://a.example/', env), 'http://one.internal:3128/')
    assert.equal(proxyOf('http://a.example/', env), 'http://two.internal:3128/')
    assert.equal(proxyOf('https://a.example/', { https_proxy: 'http://one.internal' }), 'http://one.internal/')
    const set = { ...env, Outbound__Proxy: 'https://own.internal/', NO_PROXY: 'b.example' }
    assert.equal(proxyOf('http://a.example/', set), 'https://own.internal/')
    assert.equal(proxyOf('https://b.example/', set), undefined)
    assert.equal(proxyOf('https://a.example/', {}), undefined)
  })

  it('is direct for what NO_PROXY names, and for loopback addresses in any case', () => {
    const env = { HTTPS_PROXY: 'http://p.internal', HTTP_PROXY: 'http://p.internal' }
    const except = {
      ...env,
      no_proxy: 'corp.example, .dots.example *.stars.example,10.0.0.0/8,fd00::/8,192.168.1.1:8443,a.test:8443',
    }
    const direct = [
      ...['https://corp.example/', 'https://a.CORP.example./', 'https://b.dots.example/', 'https://c.stars.example/'],
      ...['https://10.1.2.3/', 'https://[fd00::1]/', 'https://[::ffff:10.1.2.3]/', 'https://192.168.1.1:8443/'],
      'https://a.test:8443/',
    ]
    for (const url of direct) assert.equal(proxyOf(url, except), undefined, url)
    for (const url of ['https://evilcorp.example/', 'https://11.1.2.3/', 'https://192.168.1.1/', 'https://a.test/']) {
      assert.equal(proxyOf(url, except), 'http://p.internal/', url)
    }
    for (const url of [
      'http://127.0.0.1/',
      'http://127.9.9.9:1/',
      'https://[::1]/',
      'http://localhost:1/',
      'http://a.localhost./',
    ]) {
      assert.equal(proxyOf(url, env), undefined, url)
    }
    assert.equal(proxyOf('https://a.example/', { ...env, NO_PROXY: '*' }), undefined)
  })
})
