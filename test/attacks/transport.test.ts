/** A request that is wrong in itself harms nobody: two requests in one, too much of something, too slow, or no text at all. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { keepAliveMs, newServer, requestArrivalMs } from '../../src/http/handler-switch.ts'
import { pipelinedAtMost } from '../../src/http/pipelining.ts'
import { listenForMetrics } from '../../src/telemetry/metrics-listener.ts'
import { authorizePath, Browser } from '../support/browser.ts'
import { impatient, serviceForFile, startService } from '../support/service.ts'
import { exchange, openSocket, request, Wire } from './wire.ts'

const service = await serviceForFile()

const form = 'Content-Type: application/x-www-form-urlencoded'
const close = 'Connection: close'

/** In the place of a status: the connection was closed without an answer. */
const closed = 0

/** Fails when a second request was read out of the first, or when an answer is one of ours that failed. */
async function assertOneAnswer(
  what: string,
  bytes: string | Buffer,
  statuses: readonly number[] = [400],
): Promise<void> {
  const answers = await exchange(service, bytes)
  assert.ok(answers.length <= 1, `${what}: ${answers.length} answers`)
  const [answer] = answers
  assert.ok(statuses.includes(answer?.status ?? closed), `${what}: ${answer?.status}`)
  assert.doesNotMatch(answer?.body ?? '', /smuggled|\.ts:\d|node_modules/, what)
}

describe('request smuggling (RFC 9112 §6.3, §11.2)', () => {
  const smuggled = request(['GET /Account/Session?smuggled HTTP/1.1', 'Host: x'])
  const post = (...headers: string[]): string[] => ['POST /connect/token HTTP/1.1', 'Host: x', form, ...headers]
  const chunked = `0\r\n\r\n${smuggled}`

  for (const [what, bytes] of [
    ['a length and chunks', request(post('Content-Length: 5', 'Transfer-Encoding: chunked'), chunked)],
    ['chunks and a length', request(post('Transfer-Encoding: chunked', 'Content-Length: 5'), chunked)],
    ['an unknown coding', request(post('Transfer-Encoding: xchunked', `Content-Length: ${chunked.length}`), chunked)],
    ['chunked with something after it', request(post('Transfer-Encoding: chunked, identity'), chunked)],
    ['identity', request(post('Transfer-Encoding: identity', 'Content-Length: 5'), chunked)],
    ['chunked twice', request(post('Transfer-Encoding: chunked, chunked'), chunked)],
    ['two codings in two lines', request(post('Transfer-Encoding: chunked', 'Transfer-Encoding: x'), chunked)],
    ['a space before the colon', request(post('Transfer-Encoding : chunked', 'Content-Length: 5'), chunked)],
    ['a tab before the coding', request(post('Transfer-Encoding:\tchunked', 'Content-Length: 5'), chunked)],
    ['a vertical tab', request(post('Transfer-Encoding: \x0bchunked', 'Content-Length: 5'), chunked)],
    ['a folded line', request(post('Transfer-Encoding:', ' chunked', 'Content-Length: 5'), chunked)],
    [
      'a header hidden behind a line feed',
      request(post('X: y\nTransfer-Encoding: chunked', 'Content-Length: 5'), chunked),
    ],
    [
      'a header hidden behind a carriage return',
      request(post('X: y\rTransfer-Encoding: chunked', 'Content-Length: 5'), chunked),
    ],
    ['a NUL in a name', request(post('Transfer-Encoding\0: chunked', 'Content-Length: 5'), chunked)],
    ['an underscore for the hyphen', request(post('Transfer_Encoding: chunked', 'Content-Length: 0', close))],
    ['two lengths', request(post('Content-Length: 0', `Content-Length: ${smuggled.length}`), smuggled)],
    ['a list of lengths', request(post(`Content-Length: 0, ${smuggled.length}`), smuggled)],
    ['a signed length', request(post('Content-Length: +0'), smuggled)],
    ['a negative length', request(post('Content-Length: -1'), smuggled)],
    ['a hexadecimal length', request(post('Content-Length: 0x0'), smuggled)],
    ['a length with a sign inside', request(post('Content-Length: 1_0'), smuggled)],
    ['a length beyond all numbers', request(post('Content-Length: 99999999999999999999'), smuggled)],
    ['an empty length', request(post('Content-Length:'), smuggled)],
    ['line feeds alone', 'POST /connect/token HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['a chunk size that wraps', request(post('Transfer-Encoding: chunked'), `ffffffffffffffff1\r\n${smuggled}`)],
    ['a negative chunk size', request(post('Transfer-Encoding: chunked'), `-1\r\n${smuggled}`)],
    [
      'a chunk size in other digits',
      request(post('Transfer-Encoding: chunked'), `0x5\r\nabcde\r\n0\r\n\r\n${smuggled}`),
    ],
    ['a chunk without its end', request(post('Transfer-Encoding: chunked'), `5\r\nabcdeGET / HTTP/1.1\r\n\r\n`)],
    ['a chunk extension with a line feed', request(post('Transfer-Encoding: chunked'), `0;x\ny\r\n\r\n${smuggled}`)],
    ['HTTP/1.0 with chunks', request(['POST /connect/token HTTP/1.0', form, 'Transfer-Encoding: chunked'], chunked)],
    ['HTTP/2 as if it had been agreed on', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another version', request(['GET / HTTP/9.9', 'Host: x'])],
    ['a method with a space in front', request([' GET / HTTP/1.1', 'Host: x'])],
    ['a space before the first header', 'GET / HTTP/1.1\r\n Host: x\r\n\r\n'],
  ] as const) {
    it(`gives at most one answer to ${what}`, async () => {
      await assertOneAnswer(what, bytes, [400, 501])
    })
  }

  it('gives at most one answer to request lines that are read in a friendly way', async () => {
    await assertOneAnswer('HTTP/0.9', 'GET /Account/Session\r\n\r\n', [200, 400])
    await assertOneAnswer('two spaces', request(['GET  /  HTTP/1.1', 'Host: x', close]), [200, 400])
    await assertOneAnswer(
      'empty lines in front',
      `\r\n\r\n${request(['GET / HTTP/1.1', 'Host: x', close])}`,
      [200, 400],
    )
  })

  it('reads a body where none belongs as a body, never as the next request', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE']) {
      const lines = [`${method} /Account/Session HTTP/1.1`, 'Host: x', `Content-Length: ${smuggled.length}`, close]
      await assertOneAnswer(method, request(lines, smuggled), [200, 204, 404])
    }
  })

  it('stays with HTTP/1.1 in face of upgrades, tunnels and expectations', async () => {
    for (const [what, lines] of [
      [
        'an upgrade to HTTP/2',
        ['GET /Account/Session HTTP/1.1', 'Host: x', 'Upgrade: h2c', 'Connection: Upgrade, close'],
      ],
      [
        'a web socket',
        ['GET /Account/Session HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade, close'],
      ],
      ['a tunnel', ['CONNECT evil.test:443 HTTP/1.1', 'Host: evil.test:443']],
      [
        'an unknown expectation',
        ['POST /connect/token HTTP/1.1', 'Host: x', 'Expect: evil', 'Content-Length: 0', close],
      ],
    ] as const) {
      // An expectation that nobody knows may be passed over (RFC 9110 §10.1.1): that is an empty request for tokens.
      await assertOneAnswer(what, request(lines), [200, 400, 417, closed])
    }
  })
})

describe('too much of something', () => {
  it('refuses heads that are too large: an address, one header, a thousand headers, a cookie', async () => {
    for (const [what, lines] of [
      ['an address', [`GET /?${'a'.repeat(70_000)} HTTP/1.1`, 'Host: x']],
      ['a header', ['GET / HTTP/1.1', 'Host: x', `X: ${'a'.repeat(70_000)}`]],
      ['a name', ['GET / HTTP/1.1', 'Host: x', `${'a'.repeat(70_000)}: x`]],
      ['headers', ['GET / HTTP/1.1', 'Host: x', ...Array.from({ length: 9000 }, (_, index) => `X-${index}: a`)]],
      ['a cookie', ['GET / HTTP/1.1', 'Host: x', `Cookie: latchkey.session=${'a'.repeat(70_000)}`]],
    ] as const) {
      await assertOneAnswer(what, request(lines), [431])
    }
    const many = [
      'GET /Account/Session HTTP/1.1',
      'Host: x',
      ...Array.from({ length: 3000 }, (_, i) => `X-${i}: a`),
      close,
    ]
    await assertOneAnswer('three thousand small headers', request(many), [200, 431])
  })

  it('refuses bodies beyond 64 KiB: stated, in chunks, endless, and after an expectation', async () => {
    const big = 'a'.repeat(65_537)
    const post = (...headers: string[]): string[] => ['POST /connect/token HTTP/1.1', 'Host: x', form, ...headers]
    await assertOneAnswer('stated', request(post('Content-Length: 65537', close), big), [413])
    await assertOneAnswer('stated and never sent', request(post('Content-Length: 999999999', close)), [413])
    await assertOneAnswer('expected', request(post('Content-Length: 999999999', 'Expect: 100-continue', close)), [413])
    const chunk = `${(8192).toString(16)}\r\n${'a'.repeat(8192)}\r\n`
    await assertOneAnswer('chunks', request(post('Transfer-Encoding: chunked', close), chunk.repeat(9)), [413])
    const single = '1\r\na\r\n'.repeat(66_000)
    await assertOneAnswer('chunks of one byte', request(post('Transfer-Encoding: chunked', close), single), [413])
    const extension = `1;${'x'.repeat(60_000)}\r\na\r\n`.repeat(3)
    await assertOneAnswer('extensions', request(post('Transfer-Encoding: chunked', close), extension), [400, 413, 431])
    const trailer = `0\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`
    await assertOneAnswer('trailers', request(post('Transfer-Encoding: chunked', close), trailer), [400, 413, 431])
  })

  it('answers 17 requests that came in one piece, and closes a connection with more, whose answers nobody reads (RFC 9112 §9.3.2)', async () => {
    const one = request(['GET /Account/Login HTTP/1.1', 'Host: x'])
    const wire = new Wire(service)
    wire.send(one.repeat(pipelinedAtMost + 1))
    for (let n = 0; n <= pipelinedAtMost; n += 1) assert.equal((await wire.answer())?.status, 200, `answer ${n + 1}`)
    wire.send(one.repeat(pipelinedAtMost + 1))
    for (let n = 0; n <= pipelinedAtMost; n += 1) assert.equal((await wire.answer())?.status, 200, 'they count anew')
    wire.close()
    const answers = await exchange(service, one.repeat(1000))
    assert.ok(answers.length <= pipelinedAtMost + 1, `${answers.length} answers`)
    assert.equal((await fetch(new URL('/Account/Login', service.address))).status, 200)
  })

  it('bounds requests in one piece on the listener for metrics, too', async () => {
    let exposed = 0
    const expose = async () => {
      exposed += 1
      return 'up 1\n'
    }
    const listener = await listenForMetrics({ contentType: 'text/plain', expose }, '127.0.0.1', 0)
    const place = { issuer: `http://127.0.0.1:${listener.port}` }
    try {
      const one = request(['GET /metrics HTTP/1.1', 'Host: x'])
      const wire = new Wire(place)
      wire.send(one.repeat(pipelinedAtMost + 1))
      for (let n = 0; n <= pipelinedAtMost; n += 1) assert.equal((await wire.answer())?.status, 200, `answer ${n + 1}`)
      wire.close()
      exposed = 0
      await exchange(place, one.repeat(1000))
      assert.ok(exposed <= pipelinedAtMost + 1, `${exposed} were answered`)
    } finally {
      await listener.close()
    }
  })

  it('refuses more parameters than anybody needs: in a query, in a form, empty ones, and one very deep', async () => {
    for (const query of ['a&'.repeat(257), '&'.repeat(50_000), 'a=1&'.repeat(10_000), `${'a[b]'.repeat(8000)}=1`]) {
      const answer = await new Browser(service).get(`/connect/authorize?${query}`)
      assert.equal(answer.status, 400)
      const posted = await fetch(new URL('connect/token', service.issuer), {
        method: 'POST',
        body: query,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assert.equal(posted.status, 400)
    }
  })

  it('keeps its redirect short for scopes by the thousand and for a state beyond its bound', async () => {
    const scope = Array.from({ length: 800 }, (_, index) => `s${index}`).join(' ')
    const answer = await new Browser(service).get(authorizePath({ scope }))
    assert.equal(answer.status, 302)
    assert.ok((answer.headers.get('location') ?? '').length < 2000, 'the refused scopes are not sent back')
    const longest = await new Browser(service).get(authorizePath({ state: '%'.repeat(4700), prompt: 'none' }))
    assert.ok(
      (longest.headers.get('location') ?? '').length < 16_384,
      'a state goes back within the bound of the request',
    )
    const state = await new Browser(service).get(authorizePath({ state: '%'.repeat(6000), prompt: 'none' }))
    assert.ok((state.headers.get('location') ?? '').length < 2000)
  })
})

describe('what is no form, and no text', () => {
  it('refuses a compressed body without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, 'a'))
    assert.ok(bomb.length < 65_536)
    for (const encoding of ['gzip', 'deflate', 'br', 'x-gzip, gzip']) {
      const answer = await fetch(new URL('connect/token', service.issuer), {
        method: 'POST',
        body: bomb,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': encoding },
      })
      assert.equal(answer.status, 400, encoding)
    }
  })

  it('refuses charsets, boundaries and types that another parser would follow', async () => {
    for (const type of [
      'application/x-www-form-urlencoded; charset=utf-7',
      'application/x-www-form-urlencoded; charset=utf-16',
      'application/x-www-form-urlencoded; charset=ibm037',
    ]) {
      const body = Buffer.from('+AGc-rant_type=refresh_token&client_id=demo')
      const answer = await fetch(new URL('connect/token', service.issuer), {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      assert.equal(answer.status, 400, type)
    }
    for (const type of [
      'application/json',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/plain',
      'x',
      ';',
      '/',
    ]) {
      const body = '{"grant_type":"refresh_token","client_id":"demo","refresh_token":"x"}'
      const answer = await fetch(new URL('connect/token', service.issuer), {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      assert.ok([400, 415].includes(answer.status), `${type}: ${answer.status}`)
    }
  })

  it('refuses bytes that are no UTF-8, overlong ones, halves of pairs and NUL, percent-encoded and raw', async () => {
    for (const bytes of [
      'ff',
      'fe',
      'c0af',
      'c080',
      'e08080',
      'f0808080',
      'eda080',
      'edbfbf',
      'f4908080',
      'f8888080',
      '80',
      '00',
    ]) {
      const encoded = bytes.replace(/../g, '%$&')
      assert.equal((await new Browser(service).get(`/connect/authorize?client_id=${encoded}`)).status, 400, encoded)
      for (const body of [Buffer.from(`client_id=${encoded}`), Buffer.from(`636c69656e745f69643d${bytes}`, 'hex')]) {
        for (const path of ['connect/token', 'connect/authorize', 'connect/logout', 'Account/Login']) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          const answer = await fetch(new URL(path, service.issuer), { method: 'POST', body, headers })
          assert.equal(answer.status, 400, `${path} ${bytes}`)
        }
      }
    }
  })

  it('serves nothing from outside the folder of the pages', async () => {
    for (const path of [
      '/assets/../index.html',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%5c..%5cpackage.json',
      '/assets/%252e%252e%252fpackage.json',
      '/assets//etc/passwd',
      '/assets/....//package.json',
      '/assets/%00',
      '/assets/x%00.js',
      '/assets/C:%5cwindows%5cwin.ini',
      '/../../../../etc/passwd',
      '/..;/etc/passwd',
    ]) {
      const [answer] = await exchange(service, request([`GET ${path} HTTP/1.1`, 'Host: x', close]))
      assert.ok(answer !== undefined && [200, 400, 404].includes(answer.status), path)
      assert.doesNotMatch(answer.body, /root:|"name": "latchkey"|\[fonts\]/, path)
      if (path.startsWith('/assets') && answer.status === 200)
        assert.match(answer.body, /<div id="app">|<!doctype html>/i)
    }
  })
})

describe('slow and idle clients', () => {
  it('closes connections with a head, a body or a silence that never ends, and goes on', async () => {
    await using hurried = await startService({}, { patience: impatient })
    const post = ['POST /connect/token HTTP/1.1', 'Host: x', form, 'Content-Length: 100']
    const stalled = [
      'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      'G',
      '',
      request(post, 'grant_type='),
      request(['POST /Account/Login HTTP/1.1', 'Host: x', form, 'Transfer-Encoding: chunked'], '5\r\nabc'),
      request(['GET /Account/Session HTTP/1.1', 'Host: x', 'Content-Length: 10']),
    ]
    const wires = stalled.map((bytes) => {
      const wire = new Wire(hurried)
      if (bytes !== '') wire.send(bytes)
      return { wire, bytes }
    })
    const dripping = new Wire(hurried)
    dripping.send('GET / HTTP/1.1\r\nHost: x\r\n')
    // A byte now and then keeps a naive server waiting for ever.
    const drip = setInterval(() => dripping.send('X'), 20)
    try {
      const ends = await Promise.all(
        [...wires.map(({ wire }) => wire), dripping].map(async (wire) => {
          const statuses: number[] = []
          for (let answer = await wire.answer(); answer !== undefined; answer = await wire.answer()) {
            statuses.push(answer.status)
          }
          return statuses
        }),
      )
      for (const statuses of ends) {
        assert.ok(
          statuses.every((status) => [200, 400, 408].includes(status)),
          String(statuses),
        )
      }
    } finally {
      clearInterval(drip)
    }
    assert.equal((await new Browser(hurried).get('/Account/Session')).status, 200)
  })

  it('serves everybody else beside 500 connections that say nothing and 500 that stop half-way', async () => {
    const sockets: Socket[] = []
    try {
      for (let count = 0; count < 1000; count += 1) {
        const socket = openSocket(service.issuer)
        socket.on('error', () => undefined)
        if (count % 2 === 0) socket.write('POST /connect/token HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf')
        sockets.push(socket)
      }
      await Promise.all(
        sockets.map((socket) =>
          socket.connecting ? new Promise((resolve) => socket.once('connect', resolve)) : undefined,
        ),
      )
      const browser = new Browser(service)
      assert.equal((await browser.signIn({ ReturnUrl: '/in' })).headers.get('location'), '/in')
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  it('gives a stalled request half a minute at most, and an idle connection not much longer', () => {
    const server = newServer(() => undefined)
    assert.equal(server.requestTimeout, requestArrivalMs)
    assert.ok(server.requestTimeout > 0 && server.requestTimeout <= 30_000)
    assert.ok(server.headersTimeout > 0 && server.headersTimeout <= server.requestTimeout)
    assert.equal(server.keepAliveTimeout, keepAliveMs)
    assert.ok(createServer().keepAliveTimeout < keepAliveMs && keepAliveMs <= 120_000)
  })
})
