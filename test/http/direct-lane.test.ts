import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it, mock, type TestContext } from 'node:test'
import { pino } from 'pino'
import { type DirectLaneParts, directLane } from '../../src/http/direct-lane.ts'
import { StorageUnavailable } from '../../src/storage/port.ts'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import { noMetrics } from '../../src/telemetry/metrics.ts'
import { authorizeParameters, Browser, codeFields, obtainCode, postToken, refreshFields } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'

const counted: string[] = []
const metrics: Metrics = {
  ...noMetrics,
  request: (method, route, status) => counted.push(`${method} ${route} ${status}`),
}

let service: TestService
before(async () => {
  service = await startService({}, { metrics })
})
after(() => service.stop())

type Sent = {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Without a length the body goes in chunks. */
  readonly chunked?: boolean
}
type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

function ask(path: string, { method, headers = {}, body, chunked = false }: Sent): Promise<Answer> {
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

/** Paths count without regard to case, and only the exact spelling goes the short way. */
const theLongWay = (path: string) => path.replace('/connect/', '/Connect/').replace('/.well-known/', '/.Well-Known/')

/** What is different in every answer: times, and values that are drawn anew. */
function comparable({ status, headers, body }: Answer) {
  const { date: _, 'x-trace-id': traceId, location = '', ...others } = headers
  return {
    status,
    headers: others,
    traced: traceId !== undefined && /^[0-9a-f]{32}$/.test(traceId as string),
    location: location.replace(/code=[^&]+/, 'code=…'),
    body: body.replaceAll(/[0-9a-f]{32}/g, '…'),
  }
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const authorizeQuery = (change: Record<string, string> = {}) =>
  `/connect/authorize?${new URLSearchParams(authorizeParameters(change))}`

const requests: ReadonlyArray<readonly [string, string, Sent]> = [
  ['the discovery document', '/.well-known/openid-configuration', { method: 'GET' }],
  ['the key set', '/.well-known/jwks', { method: 'GET' }],
  ['the key set with a query', '/.well-known/jwks?a=b', { method: 'GET' }],
  ['only the head of the key set', '/.well-known/jwks', { method: 'HEAD' }],
  [
    'the key set from a script of another origin',
    '/.well-known/jwks',
    { method: 'GET', headers: { origin: 'http://a' } },
  ],
  ['a method that is not taken', '/connect/token', { method: 'GET' }],
  ['no body', '/connect/token', { method: 'POST' }],
  ['an empty body', '/connect/token', { method: 'POST', headers: form, body: '' }],
  [
    'another content type',
    '/connect/token',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a=b' },
  ],
  [
    'a content type that is none',
    '/connect/token',
    { method: 'POST', headers: { 'content-type': 'foo' }, body: 'a=b' },
  ],
  ['an empty content type', '/connect/token', { method: 'POST', headers: { 'content-type': '' }, body: 'a=b' }],
  [
    'a content type with a parameter that is none',
    '/connect/token',
    { method: 'POST', headers: { 'content-type': `${form['content-type']} charset=utf-8` }, body: 'a=b' },
  ],
  [
    'a form that names its character set',
    '/connect/token',
    { method: 'POST', headers: { 'content-type': `${form['content-type']}; charset=utf-8` }, body: 'a=b' },
  ],
  ['bytes that are not UTF-8', '/connect/token', { method: 'POST', headers: form, body: 'grant_type=%ff' }],
  [
    'an unknown grant type',
    '/connect/token',
    { method: 'POST', headers: form, body: 'grant_type=magic&client_id=demo' },
  ],
  ['a body in chunks', '/connect/token', { method: 'POST', headers: form, body: 'grant_type=magic', chunked: true }],
  [
    'a wrong client secret',
    '/connect/token',
    {
      method: 'POST',
      headers: { ...form, authorization: `Basic ${Buffer.from('demo:wrong').toString('base64')}` },
      body: 'grant_type=refresh_token&refresh_token=x',
    },
  ],
  ['a body of 64 KiB', '/connect/token', { method: 'POST', headers: form, body: 'x'.repeat(64 * 1024) }],
  ['a body over 64 KiB', '/connect/token', { method: 'POST', headers: form, body: 'x'.repeat(64 * 1024 + 1) }],
  ['an authorization request of nobody', authorizeQuery(), { method: 'GET' }],
  ['one that wants a new sign-in', authorizeQuery({ prompt: 'login' }), { method: 'GET' }],
  ['one that wants no page', authorizeQuery({ prompt: 'none' }), { method: 'GET' }],
  ['one of an unknown client', authorizeQuery({ client_id: 'nobody' }), { method: 'GET' }],
  [
    'the same from a browser',
    authorizeQuery({ client_id: 'nobody' }),
    { method: 'GET', headers: { accept: 'text/html' } },
  ],
  ['one without parameters', '/connect/authorize', { method: 'GET' }],
  ['one with a state that is no ASCII', authorizeQuery({ prompt: 'none', state: 'Grüße ☂' }), { method: 'GET' }],
  [
    'one with a session cookie that is none',
    authorizeQuery(),
    { method: 'GET', headers: { cookie: 'latchkey.session=x; a' } },
  ],
]

describe('the short way to an endpoint answers as the long way does', () => {
  for (const [name, path, sent] of requests) {
    it(name, async () => {
      const short = await ask(path, sent)
      const long = await ask(theLongWay(path), sent)
      const [a, b] = [comparable(short), comparable(long)]
      // The cookie that remembers a challenge is signed over its time.
      for (const { headers } of [a, b]) {
        headers['set-cookie'] = (headers['set-cookie'] ?? []).map((line) => line.replace(/=[^;]+/, '=…'))
      }
      assert.deepEqual(a, b)
    })
  }

  it('a code, tokens and a rotation', async () => {
    const browser = new Browser(service)
    const code = await obtainCode(browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const granted = await ask(authorizeQuery(), { method: 'GET', headers: { cookie } })
    const grantedLong = await ask(theLongWay(authorizeQuery()), { method: 'GET', headers: { cookie } })
    assert.match(granted.headers.location ?? '', /[?&]code=/)
    assert.deepEqual(comparable(granted), comparable(grantedLong))

    const first = await postToken(service, codeFields(code))
    const fields = refreshFields(first.body.refresh_token)
    const refreshed = async (path: string) => {
      const answer = await ask(path, { method: 'POST', headers: form, body: new URLSearchParams(fields).toString() })
      const { access_token, id_token, ...others } = JSON.parse(answer.body)
      assert.ok(access_token && id_token)
      const { 'content-length': length, ...headers } = comparable(answer).headers
      assert.equal(Number(length), Buffer.byteLength(answer.body))
      return { status: answer.status, headers, others }
    }
    assert.deepEqual(await refreshed('/connect/token'), await refreshed('/Connect/token'))
  })
})

describe('the short way, when something is broken', () => {
  /** Replaces what a verb of the storage does for as long as `work` takes. */
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

  it('answers 503 with Retry-After while the database is away, as the long way does', async () => {
    await failing(new StorageUnavailable('away'), async () => {
      for (const [path, sent] of asked) {
        const [short, long] = [await ask(path, sent), await ask(theLongWay(path), sent)]
        assert.equal(short.status, 503)
        assert.equal(short.headers['retry-after'], '5')
        assert.deepEqual(comparable(short), comparable(long))
      }
    })
  })

  it('answers 500 and says nothing of the reason, as the long way does', async () => {
    await failing(new Error('the disk is on fire'), async () => {
      for (const [path, sent] of asked) {
        const [short, long] = [await ask(path, sent), await ask(theLongWay(path), sent)]
        assert.equal(short.status, 500)
        assert.doesNotMatch(short.body, /fire/)
        assert.deepEqual(comparable(short), comparable(long))
      }
    })
    assert.ok(service.log.some(({ err }) => (err as { message?: string })?.message === 'the disk is on fire'))
  })
})

describe('an endpoint on the short way', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

  /** A server with nothing but the short way to one endpoint. */
  async function serving(t: TestContext, failed: DirectLaneParts['failed']): Promise<string> {
    const lane = directLane({
      routes: {
        'GET /half': {
          headers: {},
          endpoint: async (_request, reply) => {
            reply.code(201).type('text/html').header('x-begun', 'yes')
            throw new Error('half-way')
          },
        },
        'GET /whole': { headers: {}, endpoint: async (_request, reply) => reply.send({ whole: true }) },
        'GET /bytes': { headers: {}, endpoint: async (_request, reply) => reply.send(everyByte) },
      },
      bodyLimitBytes: 1024,
      log: pino({ level: 'silent' }),
      newTraceId: () => 'trace',
      cookies: { parseCookie: () => ({}), serializeCookie: () => '' },
      addressOf: () => '127.0.0.1',
      failed,
      metrics: undefined,
    })
    const server = createServer((message, response) => lane(message, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`
  }

  it('sends bytes as they are', async (t) => {
    const answer = await fetch(`${await serving(t, () => {})}/bytes`)
    assert.equal(answer.headers.get('content-length'), '256')
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), everyByte)
  })

  it('says nothing of what it had begun to say when it fails half-way', async (t) => {
    const address = await serving(t, (_error, _request, reply) => reply.send({ error: 'server_error' }))
    const answer = await fetch(`${address}/half`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.has('x-begun'), false)
  })

  it('takes its own connection along, and nothing else, when even that cannot be said', async (t) => {
    const address = await serving(t, () => {
      throw new Error('and now this')
    })
    await assert.rejects(fetch(`${address}/half`))
    assert.deepEqual(await (await fetch(`${address}/whole`)).json(), { whole: true })
  })
})

describe('the short way', () => {
  it('is counted under the same route, with the status', async () => {
    counted.length = 0
    await ask('/.well-known/jwks', { method: 'GET' })
    await ask('/connect/token', { method: 'POST', headers: form, body: 'grant_type=magic' })
    assert.deepEqual(counted, ['GET /.well-known/jwks 200', 'POST /connect/token 400'])
  })

  it('logs a refusal under the trace id of its answer', async () => {
    const { headers } = await ask('/connect/token', { method: 'POST', headers: form, body: 'grant_type=magic' })
    assert.ok(service.log.some((line) => line.msg === 'refused' && line.traceId === headers['x-trace-id']))
  })

  it('answers requests that came in one piece in their order (RFC 9112 §9.3.2)', async () => {
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`
    const sent = [
      `${head('/.well-known/jwks')}\r\n`,
      // By the framework's way, between two that are not.
      `${head('/healthz')}\r\n`,
      `${head('/.well-known/openid-configuration')}Connection: close\r\n\r\n`,
    ]
    const socket = connect(Number(new URL(service.issuer).port), '127.0.0.1')
    socket.end(sent.join(''))
    let received = ''
    for await (const chunk of socket.setEncoding('latin1')) received += chunk
    const at = ['"keys":', '"status":', '"issuer":'].map((mark) => received.indexOf(mark))
    assert.ok(at.every((place, index) => place > (at[index - 1] ?? 0)))
  })

  it('answers the others of a turn when one of them has gone', async () => {
    const port = Number(new URL(service.issuer).port)
    const leaving = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
    await Promise.all(leaving.map((socket) => once(socket, 'connect')))
    for (const socket of leaving) {
      socket.write(`GET ${authorizeQuery()} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      socket.resetAndDestroy()
    }
    const staying = await Promise.all(Array.from({ length: 8 }, () => ask(authorizeQuery(), { method: 'GET' })))
    assert.deepEqual(
      staying.map(({ status }) => status),
      staying.map(() => 302),
    )
  })

  it('keeps the connection for the next request', async () => {
    const { headers } = await ask('/.well-known/jwks', { method: 'GET', headers: { connection: 'keep-alive' } })
    assert.equal(headers.connection, 'keep-alive')
  })
})
