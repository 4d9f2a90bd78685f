import assert from 'node:assert/strict'
import { Agent, createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { exchange, freshForMs } from '../../src/outbound/exchange.ts'
import { type OutboundOptions, outboundWith } from '../../src/outbound/outbound.ts'
import { openTurns } from '../../src/outbound/turns.ts'
import { isLoopbackHost } from '../../src/protocol/loopback.ts'

const loopback = 'http://localhost:5080/'
const open: { close(): void }[] = []
after(() => {
  for (const one of open) one.close()
})

/** Listens on a free port of `host` and returns the port. */
async function serve(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  open.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return (server.address() as AddressInfo).port
}

function outbound(options: Partial<OutboundOptions> = {}) {
  return outboundWith({ issuer: loopback, clock: () => 0, ...options })
}

const json =
  (value: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

async function failureOf(fetching: Promise<unknown>): Promise<string> {
  const result = await fetching
  assert.ok(typeof result === 'object' && result !== null && 'failed' in result, JSON.stringify(result))
  return String(result.failed)
}

describe('a request to a registered address', () => {
  it('fetches JSON, asks for no encoding and sends nothing about the service', async () => {
    const seen: IncomingMessage[] = []
    const port = await serve((message, response) => {
      seen.push(message)
      json({ keys: [] }, { 'cache-control': 'public, max-age=600' })(message, response)
    })
    const fetched = await outbound().get(`http://127.0.0.1:${port}/jwks?a=1`)
    assert.deepEqual(fetched, { value: { keys: [] }, freshUntilMs: 600_000 })
    assert.equal(seen[0]?.url, '/jwks?a=1')
    assert.deepEqual(Object.keys(seen[0]?.headers ?? {}).sort(), ['accept', 'accept-encoding', 'connection', 'host'])
    assert.equal(seen[0]?.headers['accept-encoding'], 'identity')
  })

  it('posts a form and returns whatever status it is answered with', async () => {
    let body = ''
    const port = await serve(async (message, response) => {
      for await (const chunk of message) body += chunk
      response.writeHead(400).end('no')
    })
    const response = await outbound().post(`http://localhost:${port}/logout`, { logout_token: 'a b&c' })
    assert.ok(!('failed' in response))
    assert.equal(response.status, 400)
    assert.equal(response.body.toString(), 'no')
    assert.equal(body, 'logout_token=a+b%26c')
  })

  it('is https only, without user names; plain http is for loopback addresses of a loopback issuer', async () => {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['8.8.8.8']
    }
    const public_ = outbound({ issuer: 'https://id.example/', resolve })
    const refused = [
      ...['http://app.example/', 'http://localhost:1/', 'ftp://app.example/', 'file:///etc/passwd', 'data:,{}'],
      ...[
        '//app.example',
        '',
        'https://',
        'https://user:pw@app.example/',
        'gopher://app.example/',
        `https://a/${'a'.repeat(2000)}`,
      ],
    ]
    for (const url of refused) assert.match(await failureOf(public_.get(url)), /https|absolute|user name/, url)
    assert.match(await failureOf(outbound({ resolve }).get('http://app.example/')), /not https/)
    assert.deepEqual(asked, [])
  })

  it('reaches no address that is not public, however it is written', async () => {
    const hosts = [
      ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]'],
      ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fe80::1]', '[fd00::1]', '0.0.0.0', '[::]'],
      ...['１２７.0.0.1', '127。0。0。1'],
    ]
    const client = outbound({ issuer: 'https://id.example/' })
    for (const host of hosts) {
      assert.match(await failureOf(client.get(`https://${host}:1/`)), /is not a public address$/, host)
      if (!isLoopbackHost(new URL(`https://${host}`).hostname)) {
        assert.match(await failureOf(outbound().get(`https://${host}:1/`)), /is not a public address$/, host)
      }
    }
  })

  it('reaches no public name that resolves to an address inside, alone or among others', async () => {
    const inside = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      '::ffff:10.0.0.1',
      'fd00::1',
      '100.64.0.1',
      'what',
    ]
    for (const issuer of ['https://id.example/', loopback]) {
      for (const address of inside) {
        for (const addresses of [[address], ['8.8.8.8', address], [address, '2606:4700::1']]) {
          const client = outbound({ issuer, resolve: async () => addresses })
          const failure = await failureOf(client.get('https://app.example/'))
          assert.equal(failure, `app.example resolves to ${address}, which is not a public address`)
        }
      }
    }
    const nowhere = outbound({ resolve: async () => [] })
    assert.equal(await failureOf(nowhere.get('https://app.example/')), 'app.example cannot be resolved')
  })

  it('reaches no loopback name with a public or private address, and none at all for a public issuer', async () => {
    const away = outbound({ resolve: async () => ['10.0.0.1'] })
    assert.match(await failureOf(away.get('http://app.localhost/')), /not a public address/)
    const elsewhere = outbound({ issuer: 'https://id.example/' })
    assert.match(await failureOf(elsewhere.get('https://localhost:1/')), /127.0.0.1, which is not a public address/)
    assert.match(await failureOf(elsewhere.get('https://app.localhost:1/')), /not a public address/)
  })

  it('connects to the address that was checked, even if the name has another one by then (DNS rebinding)', async () => {
    const reached: string[] = []
    const port = await serve((message, response) => {
      reached.push('first')
      json({ host: message.headers.host })(message, response)
    })
    await serve(() => reached.push('second'), '127.0.0.2', port)
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
    const client = outbound({ resolve: async () => answers.shift() ?? [] })
    const fetched = await client.get(`http://app.localhost:${port}/`)
    assert.ok(!('failed' in fetched))
    assert.deepEqual(fetched.value, { host: `app.localhost:${port}` })
    assert.deepEqual(reached, ['first'])
    assert.equal(answers.length, 2, 'the name was resolved once')
  })

  it('never looks the name up on its own', async () => {
    const port = await serve(json('reached'))
    const request = { method: 'GET', headers: {}, body: '' } as const
    const url = new URL(`http://name.invalid:${port}/`)
    const response = await exchange(url, ['127.0.0.1'], request, AbortSignal.timeout(5000), new Agent())
    assert.equal(response.body.toString(), '"reached"')
  })

  it('follows no redirect, to anywhere', async () => {
    let followed = 0
    const inside = await serve((message, response) => {
      followed += 1
      json({})(message, response)
    })
    for (const status of [301, 302, 303, 304, 307, 308]) {
      const port = await serve((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inside}/` }).end('{}')
      })
      assert.match(await failureOf(outbound().get(`http://127.0.0.1:${port}/`)), /redirect/)
      assert.match(await failureOf(outbound().post(`http://127.0.0.1:${port}/`, {})), /redirect/)
    }
    assert.equal(followed, 0)
  })

  it('keeps what a stranger is refused, and what an operator may read, apart', async () => {
    const port = await serve(json({ inside: true }), '127.0.0.2')
    const client = outbound({
      issuer: 'https://id.example/',
      reach: { networks: ['127.0.0.2/32'], allowHttp: true },
      resolve: async () => ['127.0.0.2'],
    })
    const url = `http://app.localhost:${port}/`
    for (const by of ['anybody', 'token'] as const) assert.match(await failureOf(client.get(url, by)), /not https/)
    const fetched = await client.get(url, 'operator')
    assert.ok(!('failed' in fetched), JSON.stringify(fetched))
    for (const by of ['anybody', 'token'] as const) assert.match(await failureOf(client.get(url, by)), /not https/)
  })

  it('connects to the allowed address that was checked, and follows no redirect from it to metadata', async () => {
    const answers = [['127.0.0.2'], ['169.254.169.254']]
    const port = await serve((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    }, '127.0.0.2')
    const client = outbound({
      issuer: 'https://id.example/',
      reach: { networks: ['*.localhost'], allowHttp: true },
      resolve: async () => answers.shift() ?? [],
    })
    const url = `http://app.localhost:${port}/`
    assert.match(await failureOf(client.post(url, {}, 'operator')), /redirect \(302\), which is not followed/)
    assert.match(await failureOf(client.post(url, {}, 'operator')), /169.254.169.254, which is never reached/)
  })

  it('reads at most 64 KiB, announced or not', async () => {
    const text = (length: number) => `"${'a'.repeat(length - 2)}"`
    const fits = await serve((_, response) => void response.end(text(65_536)))
    assert.ok('value' in (await outbound().get(`http://127.0.0.1:${fits}/`)))
    const announced = await serve((_, response) => void response.end(text(65_537)))
    assert.match(await failureOf(outbound().get(`http://127.0.0.1:${announced}/`)), /larger than 65536 bytes/)
    let sent = 0
    const endless = await serve((_, response) => {
      const more = (): void => {
        sent += 1
        if (!response.destroyed) response.write('a'.repeat(16_384), () => setImmediate(more))
      }
      more()
    })
    assert.match(await failureOf(outbound().get(`http://127.0.0.1:${endless}/`)), /larger than 65536 bytes/)
    assert.ok(sent < 1000, 'the connection is closed')
  })

  it('decodes nothing, so that a small body cannot unfold to a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024, 32))
    for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity']) {
      const port = await serve(
        (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
      )
      assert.match(await failureOf(outbound().get(`http://127.0.0.1:${port}/`)), /is encoded as/)
    }
    const unnamed = await serve((_, response) => void response.writeHead(200).end(bomb))
    assert.equal(await failureOf(outbound().get(`http://127.0.0.1:${unnamed}/`)), 'the response is not JSON')
  })

  it('ends at its deadline, whether nothing, headers or a slow body arrives, or the name resolves slowly', async () => {
    const silent = await serve(() => {})
    const dripping = await serve((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    const hinting = await serve((_, response) => {
      const timer = setInterval(() => response.writeProcessing(), 10)
      response.on('close', () => clearInterval(timer))
    })
    for (const port of [silent, dripping, hinting]) {
      const failure = await failureOf(outbound({ deadlineMs: 100 }).get(`http://127.0.0.1:${port}/`))
      assert.equal(failure, `127.0.0.1:${port} took longer than 0.1 seconds`)
    }
    const slow = outbound({
      deadlineMs: 50,
      resolve: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve([]))
        }),
    })
    assert.match(await failureOf(slow.get('https://app.example/')), /took longer/)
  })

  it('says what is wrong with a response or a connection, without its content', async () => {
    const missing = await serve((_, response) => void response.writeHead(404).end('{}'))
    assert.equal(await failureOf(outbound().get(`http://127.0.0.1:${missing}/`)), 'it answered with the status 404')
    const page = await serve((_, response) => void response.end('<html>secret</html>'))
    assert.equal(await failureOf(outbound().get(`http://127.0.0.1:${page}/`)), 'the response is not JSON')
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{')
      setTimeout(() => response.destroy(), 10)
    })
    assert.match(await failureOf(outbound().get(`http://127.0.0.1:${cut}/`)), /the connection/)
    assert.equal(await failureOf(outbound().get('http://127.0.0.1:1/')), 'the connection failed (ECONNREFUSED)')
    assert.match(await failureOf(outbound().get(`https://127.0.0.1:${page}/`)), /the connection failed \(/)
  })
})

describe('many requests', () => {
  it('share one fetch of an address, and a failure is repeated for thirty seconds without a request', async () => {
    let nowMs = 0
    let requests = 0
    const port = await serve((_, response) => {
      requests += 1
      response.writeHead(requests > 2 ? 200 : 500).end('{}')
    })
    const client = outbound({ clock: () => nowMs })
    const url = `http://127.0.0.1:${port}/`
    const all = await Promise.all(Array.from({ length: 50 }, () => client.get(url)))
    assert.ok(all.every((one) => 'failed' in one))
    nowMs = 29_999
    await failureOf(client.get(url))
    assert.equal(requests, 1)
    nowMs = 30_001
    await failureOf(client.get(url))
    assert.equal(requests, 2)
    nowMs = 60_002
    assert.ok('value' in (await client.get(url)))
    assert.equal(requests, 3)
  })

  it('run at most 8 at once for a host and 32 in all, and a busy host leaves room for others', async () => {
    const waiting: (() => void)[] = []
    const port = await serve((message, response) => waiting.push(() => json({})(message, response)))
    const other = await serve(json({}))
    const client = outbound({ resolve: async () => ['127.0.0.1'] })
    const settled = async (count: number): Promise<void> => {
      while (waiting.length < count) await tick()
      // One more would have been sent with them, and arrive before the answers to later requests.
      for (let later = 0; later < 3; later += 1) await (await fetch(`http://127.0.0.1:${other}/`)).text()
      assert.equal(waiting.length, count)
    }
    const one = Array.from({ length: 73 }, (_, index) => client.get(`http://127.0.0.1:${port}/${index}`, 'operator'))
    assert.equal(await failureOf(one[72] ?? client.get('', 'operator')), 'too many requests are under way')
    await settled(8)
    assert.ok('value' in (await client.get(`http://127.0.0.1:${other}/`, 'operator')))
    const many = Array.from({ length: 40 }, (_, index) => client.get(`http://h${index}.localhost:${port}/`, 'operator'))
    await settled(32)
    const drain = setInterval(() => {
      for (const answer of waiting.splice(0)) answer()
    }, 5)
    await Promise.all([...one, ...many])
    clearInterval(drain)
    // A full queue is not a failure of the address.
    waiting.length = 0
    const again = client.get(`http://127.0.0.1:${port}/72`, 'operator')
    await settled(1)
    waiting[0]?.()
    assert.ok('value' in (await again))
  })
})

it('requests of all parties wait within one bound, beyond which the newest of the heaviest gives way', async () => {
  const refusal = () => new Error('too many')
  const turns = openTurns({ running: 1, waiting: 4, waitMs: 60_000, party: { running: 1, waiting: 10 }, refusal })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const outcomes: string[] = []
  const ask = (party: string, number: number) =>
    turns
      .run([party], () => held)
      .then(
        () => outcomes.push(`${party} ${number}`),
        () => outcomes.push(`${party} ${number} refused`),
      )
  const asked = [0, 1, 2, 3].map((number) => ask('heavy', number))
  asked.push(ask('light', 0), ask('other', 0))
  await tick()
  assert.deepEqual(outcomes, ['heavy 3 refused'])
  letGo()
  await Promise.all(asked)
  assert.deepEqual(outcomes.slice(1).sort(), ['heavy 0', 'heavy 1', 'heavy 2', 'light 0', 'other 0'])
})

it('a response is fresh for as long as its headers say, and a day at most (RFC 9111 §4.2.1)', () => {
  const cases: [Record<string, string>, number][] = [
    [{}, 0],
    [{ 'cache-control': 'max-age=600' }, 600],
    [{ 'cache-control': 'public, Max-Age="600"', age: '100' }, 500],
    [{ 'cache-control': 'max-age=99999999' }, 86_400],
    [{ 'cache-control': 'max-age=99999999999999999999' }, 0],
    [{ 'cache-control': 'max-age=600, no-store' }, 0],
    [{ 'cache-control': 'no-cache="x", max-age=600' }, 0],
    [{ 'cache-control': 'max-age=-5' }, 0],
    [{ date: 'Thu, 01 Jan 2026 00:00:00 GMT', expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 3600],
    [{ date: 'Thu, 01 Jan 2026 00:00:00 GMT', expires: '0' }, 0],
  ]
  for (const [headers, seconds] of cases) assert.equal(freshForMs(headers), seconds * 1000, JSON.stringify(headers))
})
