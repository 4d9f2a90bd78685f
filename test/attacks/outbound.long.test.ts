/** Attacks by the hosts that clients register: answers that would keep the service waiting for them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { outboundWith } from '../../src/outbound/outbound.ts'
import { clientKeysWith } from '../../src/tokens/client-keys.ts'
import { clientKey } from '../support/assertions.ts'

const endless = [
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
]

let server: Server
let address = ''
/** What every connection is answered with. */
let answer = ''
before(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
after(() => server.close())

describe('a host that a client registered cannot keep the service waiting', () => {
  for (const [at, bytes] of endless.entries()) {
    it(`gives up an answer that never ends: ${bytes.split('\r\n')[0]} (${at + 1})`, async () => {
      answer = bytes
      const { get, post } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, deadlineMs: 300 })
      // Twice as many as may be under way at one host: a request that never ended would keep its place for ever.
      const sent = Array.from({ length: 16 }, (_, one) => [get(`${address}${one}`), post(address, {})]).flat()
      const answers = await Promise.all(sent)
      assert.ok(answers.every((one) => 'failed' in one))
    })
  }
})

describe('hosts of clients that registered themselves', () => {
  /** Listens, counts what is under way for each host, and answers when `release` is called. */
  async function silentHosts() {
    const held: { readonly host: string; readonly answer: () => void }[] = []
    const hosts = createHttpServer(({ headers: { host = '' } }, response) => {
      held.push({ host, answer: () => response.end('{"keys":[]}') })
    }).listen(0, '127.0.0.1')
    await once(hosts, 'listening')
    const port = (hosts.address() as AddressInfo).port
    return {
      held,
      at: (name: string, path = '') => `http://${name}.localhost:${port}/${path}`,
      close: () => {
        hosts.closeAllConnections()
        hosts.close()
      },
    }
  }
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  }

  it('that are slow, however many, delay no keys of an operator’s client, nor those at the same address', async () => {
    const silent = await silentHosts()
    const key = await clientKey()
    const honest = createHttpServer((_, response) => response.end(JSON.stringify({ keys: [key.publicJwk] })))
    await once(honest.listen(0, '127.0.0.1'), 'listening')
    const jwks_uri = `http://127.0.0.1:${(honest.address() as AddressInfo).port}/jwks`
    const resolve = async () => ['127.0.0.1']
    const outbound = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, deadlineMs: 120_000, resolve })
    const keys = clientKeysWith(outbound, Date.now)
    const jws = await key.sign({})
    const faultFor = (uri: string, registration: 'operator' | 'document') =>
      keys.signatureFault(jws, 'ES256', { jwks: null, jwks_uri: uri, registration })
    // More than all places, and more than may wait.
    const flood = Array.from({ length: 200 }, (_, at) => faultFor(silent.at(`h${at}`), 'document'))
    await until(() => silent.held.length === 16)
    const refused = (await Promise.all(flood.slice(16 + 128))).filter((fault) => fault?.includes('too many requests'))
    assert.equal(refused.length, 200 - 16 - 128)
    // The attacker registers the address of the victim as well, whose fetch waits among the attacker's.
    const copied = faultFor(jwks_uri, 'document')
    assert.equal(await faultFor(jwks_uri, 'operator'), undefined)
    // None of the silent ones had ended for it.
    assert.equal(silent.held.length, 16, 'the flood still has its share, and no more')
    silent.close()
    honest.close()
    await Promise.all([...flood, copied])
  })

  it('have four places each, so that one leaves the others theirs', async () => {
    const silent = await silentHosts()
    const resolve = async () => ['127.0.0.1']
    const { get } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, resolve })
    const greedy = Array.from({ length: 68 }, (_, at) => get(silent.at('greedy', String(at)), 'anybody'))
    const beyond = await get(silent.at('greedy', 'beyond'), 'anybody')
    assert.deepEqual(beyond, { failed: 'too many requests are under way' })
    const other = get(silent.at('other'))
    await until(() => silent.held.some(({ host }) => host.startsWith('other')))
    assert.equal(silent.held.filter(({ host }) => host.startsWith('greedy')).length, 4)
    const answering = setInterval(() => {
      for (const { answer } of silent.held.splice(0)) answer()
    }, 1)
    assert.ok((await Promise.all([...greedy, other])).every((one) => 'value' in one))
    clearInterval(answering)
    silent.close()
  })
  it('of one client have four places together, so that its slow ones hold up no other client', async () => {
    const silent = await silentHosts()
    const resolve = async () => ['127.0.0.1']
    const { get } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, resolve })
    for (const [by, places] of [
      ['anybody', 4],
      ['operator', 8],
    ] as const) {
      const flood = Array.from({ length: 40 }, (_, at) => get(silent.at(`${by}${at}`), by, `slow-${by}`))
      const honest = get(silent.at(`honest-${by}`), by, `honest-${by}`)
      await until(() => silent.held.some(({ host }) => host.startsWith(`honest-${by}`)))
      assert.equal(silent.held.filter(({ host }) => host.startsWith(by)).length, places)
      const answering = setInterval(() => {
        for (const { answer } of silent.held.splice(0)) answer()
      }, 1)
      assert.ok((await Promise.all([...flood, honest])).every((one) => 'value' in one))
      clearInterval(answering)
    }
    silent.close()
  })

  it('below one domain are one party, whatever clients they belong to', async () => {
    const silent = await silentHosts()
    const resolve = async () => ['127.0.0.1']
    const { get } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, resolve })
    const flood = Array.from({ length: 40 }, (_, at) => get(silent.at(`h${at}.evil`), 'anybody', `client-${at}`))
    const honest = get(silent.at('honest'), 'anybody', 'honest')
    await until(() => silent.held.some(({ host }) => host.startsWith('honest')))
    assert.equal(silent.held.filter(({ host }) => host.includes('evil')).length, 4)
    silent.close()
    await Promise.all([...flood, honest])
  })

  it('that hold every place and fill the queue give the next place to who had none', async () => {
    const silent = await silentHosts()
    const resolve = async () => ['127.0.0.1']
    const { get } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, resolve })
    // Four clients, whose hosts have nothing in common, hold all places, and many more of theirs wait.
    const flood = Array.from({ length: 160 }, (_, at) => get(silent.at(`h${at}`), 'anybody', `slow-${at % 4}`))
    await until(() => silent.held.length === 16)
    const honest = get(silent.at('honest'), 'anybody', 'honest')
    await new Promise((resolve) => setImmediate(resolve))
    silent.held[0]?.answer()
    await until(() => silent.held.length > 16)
    assert.match(silent.held[16]?.host ?? '', /^honest/)
    silent.held[16]?.answer()
    assert.ok('value' in (await honest))
    silent.close()
    const answers = await Promise.all(flood)
    assert.ok(answers.filter((one) => 'failed' in one && one.failed.includes('too many requests')).length >= 16)
  })
})
