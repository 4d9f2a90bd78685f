/** The logos of clients, fetched by the service and served from its own origin (RFC 7591 §2). */

import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { after, beforeEach, describe, it } from 'node:test'
import { type ClientMetadata, defaultClientMetadata } from '../../src/protocol/client/client-metadata.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { addClient, serviceForFile } from '../support/service.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const svg = (inner = ''): Buffer => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`)

let requested: string[]
let answer: RequestListener
let next = 0

const host = createServer((request, response) => {
  requested.push(request.url ?? '')
  answer(request, response)
})
const origin = await listen(host)
const service = await serviceForFile({ Server__TrustProxy: 'true' })
after(async () => {
  host.closeAllConnections()
  host.close()
})
beforeEach(() => {
  requested = []
  answer = image('image/png', png)
})

const image =
  (type: string, body: Buffer | string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)

/** Registers a client with a logo at an address of its own and returns its id. */
async function add(change: Partial<ClientMetadata> = {}): Promise<string> {
  next += 1
  const id = `client-${next}`
  const metadata = { ...defaultClientMetadata, logo_uri: `${origin}/${id}`, ...change }
  await addClient(service, { id, metadata })
  return id
}

/** From an address of its own, so that one test leaves the others their budget. */
function logo(id: string, headers: Record<string, string> = {}): Promise<Response> {
  next += 1
  const from = { 'x-forwarded-for': `192.0.2.${next % 250}`, ...headers }
  return fetch(`${service.address}Account/ClientLogo?${new URLSearchParams({ client_id: id })}`, { headers: from })
}

/** What a 404 is, apart from what names the request. */
async function seen(response: Response) {
  const headers = [...response.headers].filter(([name]) => !/^(?:date|x-trace-id|traceparent)$/.test(name))
  return { status: response.status, headers, body: await response.text() }
}

describe('the logo of a client', () => {
  it('comes from this origin, is saved when opened, and has no origin or script of its own', async () => {
    const response = await logo(await add())
    assert.equal(response.status, 200)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), png)
    const { headers } = response
    assert.equal(headers.get('content-type'), 'image/png')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="logo.png"')
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.equal(headers.get('vary'), 'Accept-Language')
  })

  const webp = Buffer.concat([latin1('RIFF\x04\0\0\0WEBPVP8 '), Buffer.alloc(8)])
  for (const [type, body] of [
    ['image/jpeg', latin1('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/webp', webp],
    ['image/gif', latin1('GIF89a\x01\0\x01\0')],
    ['image/svg+xml; charset=utf-8', svg()],
    ['IMAGE/SVG+XML', Buffer.concat([Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- x -->\n'), svg()])],
  ] as const) {
    it(`may be ${type}`, async () => {
      answer = image(type, body)
      const response = await logo(await add())
      assert.equal(response.headers.get('content-type'), type.split(';')[0]?.toLowerCase())
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), body)
    })
  }

  it('may be SVG with a script, under a policy that runs none', async () => {
    answer = image('image/svg+xml', svg('<script>alert(1)</script>'))
    const { headers } = await logo(await add())
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    assert.equal(headers.get('content-disposition'), 'attachment; filename="logo.svg"')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  })

  for (const [what, listener] of [
    ['HTML', image('text/html', '<script>alert(1)</script>')],
    ['HTML as an image', image('image/png', '<!doctype html><script>alert(1)</script>')],
    ['HTML as SVG', image('image/svg+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>')],
    ['an image as HTML', image('text/html', png)],
    ['an image as another one', image('image/jpeg', png)],
    ['SVG as an image', image('image/png', svg())],
    ['the name of a prototype', image('constructor', png)],
    ['no type', (_, response) => response.writeHead(200).end(png)],
    ['SVG with entities', image('image/svg+xml', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg()}`)],
    ['SVG that is not UTF-8', image('image/svg+xml', Buffer.from(`\ufeff${svg()}`, 'utf16le'))],
    ['a comment that never ends', image('image/svg+xml', '<!--'.repeat(10_000))],
    ['nothing', image('image/png', '')],
    ['more than 64 KiB', image('image/png', Buffer.concat([png, Buffer.alloc(65 * 1024)]))],
    ['a compressed file', image('image/png', png, { 'content-encoding': 'gzip' })],
    ['an error', (_, response) => response.writeHead(500, { 'content-type': 'image/png' }).end(png)],
    ['a redirect', (_, response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end()],
  ] satisfies [string, RequestListener][]) {
    it(`is not ${what}, which is asked for once`, async () => {
      answer = listener
      const id = await add()
      const unknown = await seen(await logo('unknown'))
      for (let again = 0; again < 3; again += 1) assert.deepEqual(await seen(await logo(id)), unknown)
      assert.deepEqual(requested, [`/${id}`])
    })
  }

  it('is fetched from no private address and by no other protocol (server-side request forgery)', async () => {
    for (const logo_uri of [
      'https://10.0.0.1/logo.png',
      'https://169.254.169.254/latest/meta-data/',
      'https://[fd00::1]/logo.png',
      'http://8.8.8.8/logo.png',
      'data:image/png;base64,AAAA',
      'file:///etc/passwd',
    ]) {
      assert.equal((await logo(await add({ logo_uri }))).status, 404, logo_uri)
    }
  })

  it('is never that of a client that no operator registered, and no request is sent', async () => {
    const unknown = await seen(await logo('unknown'))
    for (const registration of ['token', 'open'] as const) {
      const own = { 'logo_uri#de': `${origin}/de` }
      assert.deepEqual(await seen(await logo(await add({ registration, localized: own }))), unknown)
    }
    const id = `${origin}/document`
    const metadata = { ...defaultClientMetadata, registration: 'document' as const, logo_uri: `${origin}/x` }
    await addClient(service, { id, metadata })
    assert.deepEqual(await seen(await logo(id)), unknown)
    assert.deepEqual(requested, [])
  })

  it('does not tell clients without one from unknown ones', async () => {
    const unknown = await seen(await logo('unknown'))
    assert.equal(unknown.status, 404)
    assert.equal(unknown.body, '')
    for (const id of [await add({ logo_uri: null }), 'demo', '', 'x'.repeat(3000), '__proto__']) {
      assert.deepEqual(await seen(await logo(id)), unknown, id.slice(0, 20))
    }
    const id = await add()
    for (const query of ['', '?', `?client_id=${id}&client_id=${id}`, `?CLIENT_ID=${id}`]) {
      assert.deepEqual(await seen(await fetch(`${service.address}Account/ClientLogo${query}`)), unknown, query)
    }
    assert.equal((await fetch(`${service.address}Account/ClientLogo?client_id=%00`)).status, 400)
    assert.deepEqual(requested, [])
  })

  it('says why there is none in the log alone', async () => {
    answer = image('text/html', '<p>')
    const traceId = (await logo(await add())).headers.get('x-trace-id') ?? ''
    const line = service.log.find((one) => JSON.stringify(one).includes(traceId) && 'refusal' in one)
    assert.match(JSON.stringify(line), /the file at logo_uri is no image/)
  })

  it('is that of the language that a person prefers (RFC 7591 §2.2)', async () => {
    const id = await add({ localized: { 'logo_uri#de': `${origin}/deutsch` } })
    await logo(id, { 'accept-language': 'de-AT,en;q=0.5' })
    await logo(id, { 'accept-language': 'fr' })
    assert.deepEqual(requested, ['/deutsch', `/${id}`])
  })

  it('is kept as long as its headers say, five minutes at least', async () => {
    const [short, long] = [await add(), await add()]
    answer = image('image/png', png, { 'cache-control': 'no-store' })
    await logo(short)
    answer = image('image/png', png, { 'cache-control': 'max-age=3600' })
    await logo(long)
    service.advance(299)
    for (const id of [short, long]) assert.equal((await logo(id)).status, 200)
    assert.deepEqual(requested, [`/${short}`, `/${long}`])
    service.advance(2)
    for (const id of [short, long]) assert.equal((await logo(id)).status, 200)
    assert.deepEqual(requested, [`/${short}`, `/${long}`, `/${short}`])
  })

  it('comes back a minute after a fetch that failed', async () => {
    const id = await add()
    answer = (_, response) => response.writeHead(503).end()
    assert.equal((await logo(id)).status, 404)
    answer = image('image/png', png)
    service.advance(59)
    assert.equal((await logo(id)).status, 404)
    service.advance(2)
    assert.equal((await logo(id)).status, 200)
  })

  it('is fetched once for many requests at once', async () => {
    const id = await add()
    const headers = { 'x-forwarded-for': '198.51.100.1' }
    const all = await Promise.all(Array.from({ length: 50 }, () => logo(id, headers)))
    assert.ok(all.every(({ status }) => status === 200))
    assert.deepEqual(requested, [`/${id}`])
  })

  it('is not fetched more than thirty times a minute for one address; logos that are held are shown', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.2' }
    const held = await add()
    assert.equal((await logo(held)).status, 200)
    const ids = await Promise.all(Array.from({ length: 31 }, () => add()))
    const statuses: number[] = []
    for (const id of ids) statuses.push((await logo(id, headers)).status)
    assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 404])
    assert.equal((await logo(held, headers)).status, 200)
    assert.equal((await logo(ids[30] ?? '')).status, 200)
    service.advance(61)
    assert.equal((await logo(await add(), headers)).status, 200)
  })

  it('gives way to others beyond 4 MiB of all', async () => {
    const large = Buffer.concat([png, Buffer.alloc(60 * 1024)])
    answer = image('image/png', large)
    const first = await add()
    await logo(first)
    for (let more = 0; more < 70; more += 1) await logo(await add())
    requested = []
    await logo(first)
    assert.deepEqual(requested, [`/${first}`])
  })
})

describe('the consent page', () => {
  const addresses = { client_uri: 'https://a.example/', contacts: ['help@a.example'] }

  async function contextOf(id: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const browser = await Browser.signedIn(service)
    const query = authorizePath({ client_id: id }).split('?')[1]
    const context = (await (await browser.get(`/Account/ConsentContext?${query}`, headers)).json()) as {
      client: Record<string, unknown>
    }
    return context.client
  }

  it('learns of the address, logo and contacts that an operator registered', async () => {
    const id = await add({ ...addresses, localized: { 'client_uri#de': 'https://a.example/de' } })
    const client = { id, name: 'Demo client', hasLogo: true, uri: 'https://a.example/', contacts: ['help@a.example'] }
    assert.deepEqual(await contextOf(id), client)
    const inGerman = await contextOf(id, { 'accept-language': 'de' })
    assert.equal(inGerman.uri, 'https://a.example/de')
    assert.deepEqual(requested, [], 'nothing is fetched for the page itself')
  })

  it('learns of none that a client registered itself', async () => {
    for (const registration of ['token', 'open'] as const) {
      const id = await add({ ...addresses, registration })
      assert.deepEqual(await contextOf(id), { id, name: 'Demo client', selfRegistered: true })
    }
  })
})
