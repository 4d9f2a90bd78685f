/** The one way that every request goes: what it is read as, how its body is bounded, and how its answer is written. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { describe, it, mock, type TestContext } from 'node:test'
import { pino } from 'pino'
import { type Answer, cacheable, html, json, withCookies } from '../../src/http/answer.ts'
import type { BodyStream } from '../../src/http/body-stream.ts'
import { eventStream, eventText } from '../../src/http/event-stream.ts'
import { type Application, handlerSwitch } from '../../src/http/handler-switch.ts'
import { type KernelParts, kernel } from '../../src/http/kernel.ts'
import type { Endpoint, Request } from '../../src/http/request.ts'
import { routerOf } from '../../src/http/router.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { type Metrics, noMetrics } from '../../src/telemetry/metrics.ts'
import type { Tracing } from '../../src/telemetry/tracing.ts'
import { authorizeParameters, refreshFields } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'
import { everyLine, serviceForFile } from '../support/service.ts'
import { valuesOf } from '../support/values.ts'

const counted: string[] = []
const metrics: Metrics = {
  ...noMetrics,
  request: (method, route, status) => counted.push(`${method} ${route} ${status}`),
}

const service = await serviceForFile({ Cors__Origins__0: 'https://app.example.com' }, { metrics })

type Sent = {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Without a length the body goes in chunks. */
  readonly chunked?: boolean
}
type Received = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

function ask(path: string, { method, headers = {}, body, chunked = false }: Sent): Promise<Received> {
  const length: Record<string, string> =
    body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      new URL(path, service.issuer),
      { method, headers: { ...length, ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
      },
    )
    sent.on('error', reject)
    if (chunked) sent.write(body)
    sent.end(chunked ? undefined : body)
  })
}

const raw = (bytes: string) => rawRequest(service.issuer, bytes, false)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const authorizeQuery = (change: Record<string, string> = {}) =>
  `/connect/authorize?${new URLSearchParams(authorizeParameters(change))}`

describe('a path', () => {
  const spellings = ['/.Well-Known/JWKS', '/.well-known/jwks/', '/.well-known/%6A%77ks', '/%2ewell-known/jwks']
  for (const path of spellings) {
    it(`counts without regard to case, encoding and a slash at its end: ${path}`, async () => {
      const [one, other] = [
        await ask('/.well-known/jwks', { method: 'GET' }),
        await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      ]
      assert.match(other, /^HTTP\/1\.1 200 /)
      assert.ok(other.endsWith(one.body))
    })
  }

  it('may be written with its host before it (RFC 9112 §3.2.2)', async () => {
    const at = (target: string) => raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.match(await at('http://id.example.com/.well-known/jwks?a=b'), /^HTTP\/1\.1 200 .*"keys":/s)
    assert.match(await at('http://id.example.com'), /^HTTP\/1\.1 200 .*<!doctype html>/is)
    assert.match(await at('http:///'), /^HTTP\/1\.1 400 /)
  })

  it('keeps encoded what separates its parts (RFC 3986 §2.2)', async () => {
    for (const [path, status] of [
      ['/.well-known%2Fjwks', 200],
      ['/.well-known/jwks%3F', 404],
      ['/.well-known/%256Awks', 404],
    ] as const) {
      const answer = await ask(path, { method: 'GET' })
      assert.deepEqual([answer.status, answer.body.includes('"keys"')], [status, false], path)
    }
  })

  for (const path of ['/%', '/%zz', '/%ff', '/connect/%c0%80', '/assets/%e2%82']) {
    it(`is refused when its encoding is broken: ${path}`, async () => {
      const { status, body } = await ask(path, { method: 'GET' })
      assert.equal(status, 400)
      assert.match(body, /ID9003/)
    })
  }
})

describe('a method', () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
    it(`that the token endpoint does not take is refused by it: ${method} (RFC 6749 §3.2)`, async () => {
      const { status, headers, body } = await ask('/connect/token', { method })
      assert.equal(status, 400)
      assert.match(String(headers['x-trace-id']), /^[0-9a-f]{32}$/)
      if (method !== 'HEAD') assert.match(body, /invalid_request/)
    })
  }

  it('HEAD is answered as GET without its body (RFC 9110 §9.3.2)', async () => {
    for (const path of ['/.well-known/jwks', '/Account/Login', '/healthz']) {
      const [got, head] = [await ask(path, { method: 'GET' }), await ask(path, { method: 'HEAD' })]
      assert.deepEqual([head.status, head.body], [200, ''])
      assert.equal(head.headers['content-length'], got.headers['content-length'])
    }
  })

  it('HEAD is none of requests that give something away', async () => {
    for (const path of [authorizeQuery(), '/connect/logout']) {
      assert.equal((await ask(path, { method: 'HEAD' })).status, 400)
    }
  })

  it('OPTIONS is a preflight where other origins may call, and nothing elsewhere', async () => {
    const preflight = { method: 'OPTIONS', headers: { origin: 'https://app.example.com' } }
    for (const path of ['/connect/token', '/connect/revocation', '/.well-known/jwks', '/weatherforecast']) {
      const { status, headers } = await ask(path, preflight)
      assert.equal(status, 204, path)
      assert.equal(headers['access-control-allow-origin'], 'https://app.example.com')
      assert.equal(headers['access-control-allow-methods'], 'GET, POST')
    }
    for (const path of ['/connect/authorize', '/Account/Login', '/nowhere']) {
      const { status, headers } = await ask(path, preflight)
      assert.equal(status, 404, path)
      assert.equal(headers['access-control-allow-origin'], undefined)
    }
  })

  it('of a form is none of a page: the page stays what it is', async () => {
    assert.match((await ask('/Account/Login', { method: 'GET' })).body, /<!doctype html>/i)
    assert.equal((await ask('/Account/Login', { method: 'PUT' })).status, 404)
  })
})

describe('an address that leads nowhere (specification 4.9, rule 1)', () => {
  const nowhere = ['/api', '/api/x', '/API/x', '/connect', '/connect/x', '/callback/login/x', '/%61pi/x', '/assets/x']

  for (const path of nowhere) {
    it(`${path} is a true 404: JSON for programs [S4.9.13]`, async () => {
      const { status, headers, body } = await ask(path, { method: 'GET' })
      assert.equal(status, 404)
      assert.match(headers['content-type'] ?? '', /^application\/json/)
      assert.match(JSON.parse(body).error_uri, /#ID9404$/)
    })

    it(`${path} is a true 404: a page without scripts for browsers [S4.9.13]`, async () => {
      const { status, headers, body } = await ask(path, { method: 'GET', headers: { accept: 'text/html' } })
      assert.equal(status, 404)
      assert.match(headers['content-type'] ?? '', /^text\/html/)
      assert.doesNotMatch(body, /<script|id="app"/i)
      assert.match(body, /<h1>Page not found<\/h1>/)
      assert.match(body, /<link rel="stylesheet"/)
      assert.ok(body.includes(String(headers['x-trace-id'])))
    })
  }

  it('is a page everywhere else, the folder of the assets included (rule 2) [S4.9.15]', async () => {
    for (const path of ['/', '/apis', '/connects', '/nothing/here', '/assets', '/assets/']) {
      const { status, body } = await ask(path, { method: 'GET' })
      assert.equal(status, 200, path)
      assert.match(body, /id="app"/, path)
    }
  })
})

describe('the head of a request', () => {
  const twice = (name: string, path = '/healthz') =>
    raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n${name}: a\r\n${name.toLowerCase()}: b\r\nConnection: close\r\n\r\n`)

  it('has one Host (RFC 9112 §3.2)', async () => {
    const answer = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: localhost\r\nConnection: close\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 .*ID9008/s)
  })

  it('has one Authorization: a client is never taken for the first of two (RFC 9110 §5.3)', async () => {
    for (const path of ['/healthz', '/weatherforecast', '/connect/nothing']) {
      assert.match(await twice('Authorization', path), /^HTTP\/1\.1 400 .*ID9008/s, path)
    }
    assert.match(await twice('X-Authorization'), /^HTTP\/1\.1 200 /)
  })
})

describe('the body of a request', () => {
  const limit = 64 * 1024

  for (const chunked of [false, true]) {
    const how = chunked ? 'in chunks' : 'with its length'
    it(`is taken up to 64 KiB, ${how}`, async () => {
      const sent = { method: 'POST', headers: form, chunked }
      assert.equal((await ask('/connect/token', { ...sent, body: 'x'.repeat(limit) })).status, 400)
      const over = await ask('/connect/token', { ...sent, body: 'x'.repeat(limit + 1) })
      assert.equal(over.status, 413)
      assert.match(over.body, /ID9004/)
      assert.equal(over.headers.connection, 'close')
    })
  }

  it('may have any type: the endpoint says what it does not take', async () => {
    for (const type of ['text/plain', 'foo', '']) {
      const { status, body } = await ask('/connect/token', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'a=b',
      })
      assert.deepEqual([status, JSON.parse(body).error], [400, 'invalid_request'], type)
    }
    const charset = { 'content-type': `${form['content-type']}; charset=utf-8` }
    const { body } = await ask('/connect/token', { method: 'POST', headers: charset, body: 'grant_type=magic' })
    assert.match(body, /unsupported_grant_type/)
  })

  it('may be none', async () => {
    const { status, body } = await ask('/connect/token', { method: 'POST', headers: form })
    assert.deepEqual([status, JSON.parse(body).error], [400, 'invalid_request'])
    assert.equal((await ask('/connect/token', { method: 'POST', headers: form, body: '' })).status, 400)
  })

  it('is passed over where none is taken', async () => {
    assert.equal((await ask('/healthz', { method: 'GET', body: 'x'.repeat(limit * 2) })).status, 200)
  })
})

describe('a part that is broken', () => {
  /** Replaces what verbs of the storage do for as long as `work` takes. */
  async function failing(error: Error, work: () => Promise<void>): Promise<void> {
    const fail = mock.method(service.storage.grants, 'findForRefresh', () => Promise.reject(error))
    const failToo = mock.method(service.storage.authorizations, 'findForRequest', () => Promise.reject(error))
    try {
      await work()
    } finally {
      fail.mock.restore()
      failToo.mock.restore()
    }
  }
  const refresh = new URLSearchParams(refreshFields('no-such-token')).toString()
  const asked: ReadonlyArray<readonly [string, Sent]> = [
    ['/connect/token', { method: 'POST', headers: form, body: refresh }],
    [authorizeQuery(), { method: 'GET' }],
    [authorizeQuery(), { method: 'GET', headers: { accept: 'text/html' } }],
  ]

  it('is answered for with 503 and Retry-After while the database is away', async () => {
    await failing(new StorageUnavailable('away'), async () => {
      for (const [path, sent] of asked) {
        const { status, headers } = await ask(path, sent)
        assert.deepEqual([status, headers['retry-after']], [503, '5'])
      }
    })
  })

  it('is answered for with 500, which says nothing of the reason', async () => {
    await failing(new Error('the disk is on fire'), async () => {
      for (const [path, sent] of asked) {
        const { status, body } = await ask(path, sent)
        assert.equal(status, 500)
        assert.doesNotMatch(body, /fire/)
      }
    })
    assert.ok(service.log.some(({ err }) => (err as { message?: string })?.message === 'the disk is on fire'))
  })
})

/** A server with nothing but these endpoints. */
async function serving(t: TestContext, endpoints: Record<string, Endpoint>, change: Partial<KernelParts> = {}) {
  const lines: Record<string, unknown>[] = []
  const refused = (): Answer => json({ error: 'refused' }, 500)
  const routes = Object.entries(endpoints).map(([name, endpoint]) => {
    const [method = '', path = ''] = name.split(' ')
    const body = method === 'POST' ? ('form' as const) : ('none' as const)
    return { method: method as 'GET', path, endpoint, body, crossOrigin: path.startsWith('/shared') }
  })
  const listener = kernel({
    router: routerOf(routes, { preflight: async () => refused(), refuseMethod: () => async () => refused() }),
    unmatched: async () => json({ error: 'unmatched' }, 404),
    answers: { refuseReadably: refused, fail: refused } as unknown as KernelParts['answers'],
    servesHost: undefined,
    isUnavailable: () => false,
    headers: { 'x-common': 'yes' },
    origins: [],
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    logGate: everyLine,
    newTraceId: () => 'a trace',
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    metrics: undefined,
    tracing: undefined,
    ...change,
  })
  const server = createServer({ optimizeEmptyRequests: true }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  return { origin: `http://127.0.0.1:${port}`, port, lines }
}

describe('an answer', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

  it('is sent byte by byte, short or long', async (t) => {
    const long = Buffer.concat(Array.from({ length: 300 }, () => everyByte))
    const { origin } = await serving(t, {
      'GET /short': async () => cacheable('no-cache', 'application/octet-stream', everyByte),
      'GET /long': async () => cacheable('no-cache', 'application/octet-stream', long),
      'GET /text': async () => html('Grüße ☂'),
    })
    for (const [path, expected] of [
      ['/short', everyByte],
      ['/long', long],
      ['/text', Buffer.from('Grüße ☂')],
    ] as const) {
      const answer = await fetch(origin + path)
      assert.equal(answer.headers.get('content-length'), String(expected.length))
      assert.equal(answer.headers.get('x-common'), 'yes')
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), expected)
    }
  })

  it('sets each cookie once: of two with one name the last (RFC 6265 §4.1.1)', async (t) => {
    const cookie = (name: string, value: string) =>
      ({ name, value, path: '/', httpOnly: true, secure: false, sameSite: 'lax' }) as const
    const { origin } = await serving(t, {
      'GET /': async () => withCookies(json({}), [cookie('a', '1'), cookie('b', '%"'), cookie('a', '2')]),
    })
    assert.deepEqual((await fetch(origin)).headers.getSetCookie(), [
      'a=2; Path=/; HttpOnly; SameSite=Lax',
      'b=%25%22; Path=/; HttpOnly; SameSite=Lax',
    ])
  })

  it('that HTTP does not allow becomes a failure, and nothing of it is sent', async (t) => {
    const bad: Answer = { status: 201, headers: { 'x-bad': 'a\r\nb' }, cookies: [], body: 'secret' }
    const { origin } = await serving(t, { 'GET /': async () => bad })
    const answer = await fetch(origin)
    assert.equal(answer.status, 500)
    assert.deepEqual([answer.headers.has('x-bad'), await answer.text()], [false, '{"error":"refused"}'])
  })

  it('of a part that throws at once, and not by a promise, is 500 wherever it happens, and the service goes on', async (t) => {
    const thrown = (): never => {
      throw new TypeError('at once')
    }
    const addressOf: KernelParts['addressOf'] = ({ headers }) => (headers['x-odd'] === undefined ? '' : thrown())
    const { origin, lines } = await serving(
      t,
      {
        'GET /throws': thrown,
        'POST /throws': thrown,
        'GET /nothing': (() => undefined) as unknown as Endpoint,
        'GET /whole': async () => json({ whole: true }),
      },
      { addressOf },
    )
    const statuses = await Promise.all([
      fetch(`${origin}/throws`),
      fetch(`${origin}/throws`, { method: 'POST', body: 'a=b' }),
      fetch(`${origin}/nothing`),
      fetch(`${origin}/whole`, { headers: { 'x-odd': 'yes' } }),
    ])
    assert.deepEqual(valuesOf(statuses, 'status'), [500, 500, 500, 500])
    assert.equal(statuses[3]?.headers.get('x-common'), 'yes')
    assert.ok(lines.some(({ msg }) => msg === 'a request could not be begun'))
    assert.deepEqual(await (await fetch(`${origin}/whole`)).json(), { whole: true })
  })

  it('that cannot even be refused takes its own connection along, and nothing else', async (t) => {
    const answers = {
      fail() {
        throw new Error('and now this')
      },
    } as unknown as KernelParts['answers']
    const { origin, lines } = await serving(
      t,
      { 'GET /half': () => Promise.reject(new Error('half-way')), 'GET /whole': async () => json({ whole: true }) },
      { answers },
    )
    await assert.rejects(fetch(`${origin}/half`))
    assert.deepEqual(await (await fetch(`${origin}/whole`)).json(), { whole: true })
    assert.deepEqual(lines.map(({ msg, traceId }) => [msg, traceId]).at(-1), [
      'a failure could not be answered',
      'a trace',
    ])
  })
})

describe('an answer that is sent while it is made', () => {
  /** A body whose parts the test gives; `undefined` ends it. */
  function stream() {
    const asked: ((part: string | undefined) => void)[] = []
    const failing: ((error: Error) => void)[] = []
    const closed = Promise.withResolvers<void>()
    let isAsked = Promise.withResolvers<void>()
    const body: BodyStream = {
      next() {
        const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
        asked.push(resolve)
        failing.push(reject)
        isAsked.resolve()
        return promise
      },
      close() {
        closed.resolve()
        asked.at(-1)?.(undefined)
      },
    }
    return {
      body,
      closed: closed.promise,
      parts: () => asked.length,
      async give(part: string | undefined) {
        await isAsked.promise
        isAsked = Promise.withResolvers()
        asked.at(-1)?.(part)
      },
      async fail() {
        await isAsked.promise
        failing.at(-1)?.(new Error('half-way'))
      },
    }
  }

  it('comes part by part, with its headers before the first', async (t) => {
    const made = stream()
    const { origin } = await serving(t, { 'GET /': async () => eventStream(made.body) })
    const answer = await fetch(origin)
    assert.deepEqual(
      ['content-type', 'content-length', 'x-common'].map((name) => answer.headers.get(name)),
      ['text/event-stream', null, 'yes'],
    )
    const reader = answer.body?.getReader()
    const read = async () => Buffer.from((await reader?.read())?.value ?? '').toString()
    for (const part of [':\n\n', eventText({ a: '\n' }, { id: '1', event: 'x' })]) {
      await made.give(part)
      assert.equal(await read(), part)
    }
    await made.give(undefined)
    assert.equal(await read(), '')
    await made.closed
  })

  it('is closed unread for HEAD, and for a client that has gone', async (t) => {
    const made = stream()
    const late = stream()
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const counting: Metrics = { ...noMetrics, request: (_m, _r, status) => void (status === 499 && gone.resolve()) }
    const { origin, port } = await serving(
      t,
      {
        'GET /': async () => eventStream(made.body),
        'GET /late': async () => {
          begun.resolve()
          await goOn.promise
          return eventStream(late.body)
        },
      },
      { metrics: counting },
    )
    const answer = await fetch(origin, { method: 'HEAD' })
    assert.equal(answer.headers.get('content-type'), 'text/event-stream')
    await made.closed
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n')
    await begun.promise
    socket.resetAndDestroy()
    await gone.promise
    goOn.resolve()
    await late.closed
    assert.deepEqual([made.parts(), late.parts()], [0, 0])
  })

  it('waits for a client that does not read, and ends with it', async (t) => {
    const made = stream()
    const { port } = await serving(t, { 'GET /': async () => eventStream(made.body) })
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // More than all buffers between the two hold.
    await made.give('x'.repeat(64 * 1024 * 1024))
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(made.parts(), 1)
    socket.resetAndDestroy()
    await made.closed
  })

  it('that cannot be begun is a failure also after the origins of clients were read, and never keeps anybody waiting', async (t) => {
    const made = stream()
    const bad: Answer = { status: 201, headers: { 'x-bad': 'a\r\nb' }, cookies: [], body: made.body }
    const webOrigins = async (origin: string) =>
      origin === 'https://away.example' ? Promise.reject(new Error('away')) : undefined
    const { origin, lines } = await serving(t, { 'GET /shared': async () => bad }, { webOrigins })
    const answerTo = (from: string) =>
      fetch(`${origin}/shared`, { headers: { origin: from }, signal: AbortSignal.timeout(10_000) })
    assert.equal((await answerTo('https://app.example')).status, 500)
    await made.closed
    await assert.rejects(answerTo('https://away.example'), TypeError)
    assert.equal(lines.at(-1)?.msg, 'a failure could not be answered')
  })

  it('that fails half-way is seen to be incomplete, and logged', async (t) => {
    const made = stream()
    const { origin, lines } = await serving(t, { 'GET /': async () => eventStream(made.body) })
    const answer = await fetch(origin)
    await made.fail()
    await assert.rejects(answer.text())
    assert.equal(lines.at(-1)?.msg, 'the answer could not be completed')
    await made.closed
  })

  it('ends when its application is replaced, and when the service stops', async () => {
    const ended: string[] = []
    const application = (name: string): Application => ({
      listener: () => {},
      brokenRequest: () => {},
      connectionLimits: { total: 1, perAddress: 1, isProxy: () => false, onRefused: () => {} },
      end: () => ended.push(name),
    })
    const handlers = handlerSwitch(application('first'))
    handlers.use(application('second'))
    assert.deepEqual(ended, ['first'])
    await handlers.close()
    assert.deepEqual(ended, ['first', 'second'])
  })
})

describe('a request whose client goes away', () => {
  /** A server whose endpoint waits until it is told to go on. */
  async function waiting(t: TestContext, method: 'GET' | 'POST', tracing?: Tracing) {
    const begun = Promise.withResolvers<Request>()
    const goOn = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<Pick<Request, 'address' | 'traceId' | 'cookies' | 'query'>>()
    const told = Promise.withResolvers<string>()
    const endpoint: Endpoint = async (request) => {
      begun.resolve(request)
      await goOn.promise
      const { address, traceId, cookies, query } = request
      ended.resolve({ address, traceId, cookies, query })
      return json({})
    }
    const counting: Metrics = {
      ...noMetrics,
      request: (name, route, status) => told.resolve(`${name} ${route} ${status}`),
    }
    const made = await serving(t, { [`${method} /wait`]: endpoint }, { metrics: counting, tracing })
    return { ...made, begun: begun.promise, goOn: goOn.resolve, ended: ended.promise, told: told.promise }
  }

  for (const method of ['GET', 'POST'] as const) {
    it(`keeps its address and trace id, and is carried out all the same: ${method}`, async (t) => {
      const { port, begun, goOn, ended, told, lines } = await waiting(t, method)
      const socket = connect(port, '127.0.0.1')
      const length = method === 'POST' ? 'Content-Length: 3\r\n' : ''
      const body = method === 'POST' ? 'a=b' : ''
      socket.write(`${method} /wait?x=y HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n${length}\r\n${body}`)
      await begun
      socket.resetAndDestroy()
      assert.equal(await told, `${method} /wait 499`)
      goOn()
      const { cookies, ...others } = await ended
      assert.deepEqual(others, { address: '127.0.0.1', traceId: 'a trace', query: 'x=y' })
      assert.equal(cookies.a, 'b')
      assert.deepEqual(lines, [])
    })
  }

  it('is not begun before its body has come whole', async (t) => {
    let begun = 0
    const count: Endpoint = async () => {
      begun += 1
      return json({})
    }
    const told = Promise.withResolvers<number>()
    const counting: Metrics = { ...noMetrics, request: (_method, _route, status) => told.resolve(status) }
    const { port } = await serving(t, { 'POST /count': count }, { metrics: counting })
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
    await once(socket, 'connect')
    socket.end()
    assert.equal(await told.promise, 499)
    assert.equal(begun, 0)
  })

  it('ends its trace with the status that says so', async (t) => {
    const ends: string[] = []
    const tracing: Tracing = {
      begin: () => ({
        traceId: 'the trace of a span',
        within: (work) => work(),
        end: (route, status) => ends.push(`${route} ${status}`),
      }),
      storageVerb: (_verb, work) => work(),
      spanHere: () => undefined,
      storageBatch: (_members, work) => work(),
      close: async () => {},
    }
    const { port, begun, goOn, ended, told } = await waiting(t, 'GET', tracing)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n')
    await begun
    socket.resetAndDestroy()
    await told
    goOn()
    assert.equal((await ended).traceId, 'the trace of a span')
    assert.deepEqual(ends, ['/wait 499'])
  })
})

describe('requests', () => {
  it('are counted under the pattern of their route, never under what a client made up', async () => {
    counted.length = 0
    const asked: ReadonlyArray<readonly [string, Sent]> = [
      ['/.well-known/jwks?a=b', { method: 'GET' }],
      ['/.Well-Known/jwks/', { method: 'HEAD' }],
      ['/connect/token', { method: 'POST', headers: form, body: 'grant_type=magic' }],
      ['/connect/token', { method: 'DELETE' }],
      ['/assets/none.js', { method: 'GET' }],
      ['/connect/nothing', { method: 'GET' }],
      ['/no/page', { method: 'GET' }],
      ['/%zz', { method: 'GET' }],
    ]
    for (const [path, sent] of asked) await ask(path, sent)
    assert.deepEqual(counted, [
      'GET /.well-known/jwks 200',
      'HEAD /.well-known/jwks 200',
      'POST /connect/token 400',
      'DELETE /connect/token 400',
      'GET /assets/:name 404',
      'GET (none) 404',
      'GET (none) 200',
      'GET (none) 400',
    ])
  })

  it('are logged under the trace id of their answer', async () => {
    const { headers } = await ask('/connect/token', { method: 'POST', headers: form, body: 'grant_type=magic' })
    assert.ok(service.log.some((line) => line.msg === 'refused' && line.traceId === headers['x-trace-id']))
  })

  it('that came in one piece are answered in their order (RFC 9112 §9.3.2)', async () => {
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`
    const received = await raw(
      [
        `${head('/.well-known/jwks')}\r\n`,
        `${head('/readyz')}\r\n`,
        `${head('/.well-known/openid-configuration')}Connection: close\r\n\r\n`,
      ].join(''),
    )
    const at = ['"keys":', '"status":', '"issuer":'].map((mark) => received.indexOf(mark))
    assert.ok(at.every((place, index) => place > (at[index - 1] ?? 0)))
  })

  it('of a turn are answered when one of them has gone', async () => {
    const port = Number(new URL(service.issuer).port)
    const leaving = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
    await Promise.all(leaving.map((socket) => once(socket, 'connect')))
    for (const socket of leaving) {
      socket.write(`GET ${authorizeQuery()} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      socket.resetAndDestroy()
    }
    const staying = await Promise.all(Array.from({ length: 8 }, () => ask(authorizeQuery(), { method: 'GET' })))
    assert.deepEqual(
      valuesOf(staying, 'status'),
      staying.map(() => 302),
    )
  })

  it('keep the connection for the next one', async () => {
    const { headers } = await ask('/.well-known/jwks', { method: 'GET', headers: { connection: 'keep-alive' } })
    assert.equal(headers.connection, 'keep-alive')
  })
})

describe('a state that is no ASCII', () => {
  it('reaches the client as it was sent (RFC 6749 §4.1.2.1)', async () => {
    const state = 'Grüße ☂'
    const { headers } = await ask(authorizeQuery({ prompt: 'none', state }), { method: 'GET' })
    assert.equal(new URL(headers.location ?? '').searchParams.get('state'), state)
  })
})
