/** Requests through a proxy end at their deadline, whoever of the way stays silent, and leave no connection open. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { outboundWith } from '../../src/outbound/outbound.ts'
import { probe } from '../../src/outbound/probe.ts'
import { sendBy } from '../../src/outbound/send.ts'
import { wayOutOf } from '../../src/outbound/way-out.ts'

const deadlineMs = 150
const url = 'https://app.example/jwks'

/** A proxy that answers `CONNECT` with the text, and nothing else; empty: never. */
async function silentProxy(answer: string) {
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => {
      asked += 1
      if (answer !== '') socket.write(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const https = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const way = { proxies: { https, http: null, except: [] }, caFile: null }
  // Loads what the first request of a process loads, which takes longer than the deadline.
  await wayOutOf(way).agentFor(new URL(url))
  return {
    way,
    asked: () => asked,
    async closed() {
      for (const socket of sockets) await once(socket, 'close')
    },
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
const ways = [
  ['a proxy that does not answer', ''],
  ['a host that does not answer behind the proxy', established],
] as const

for (const [who, answer] of ways) {
  describe(`through ${who}`, () => {
    it('a request to an address of a client ends at its deadline, and the next one is sent', async () => {
      const proxy = await silentProxy(answer)
      let nowMs = 0
      const outbound = outboundWith({ issuer: 'https://id.example/', clock: () => nowMs, deadlineMs, way: proxy.way })
      const late = { failed: `app.example took longer than ${deadlineMs / 1000} seconds` }
      assert.deepEqual(await outbound.get(url, 'operator'), late)
      nowMs += 60_000
      assert.deepEqual(await outbound.get(url, 'operator'), late)
      assert.equal(proxy.asked(), 2)
      await proxy.closed()
    })

    it('a request to an address of the settings ends with its signal, and so does a look at it', async () => {
      const proxy = await silentProxy(answer)
      const signal = () => AbortSignal.timeout(deadlineMs)
      await assert.rejects(sendBy(proxy.way)(url, { signal: signal() }), { name: 'TimeoutError' })
      const seeing = probe(new URL(url), wayOutOf(proxy.way), undefined, signal())
      await assert.rejects(seeing, { message: 'there was no answer in time' })
      assert.equal(proxy.asked(), 2)
      await proxy.closed()
    })
  })
}

it('a refusal of the proxy is a failure that names its status', async () => {
  const proxy = await silentProxy('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
  const outbound = outboundWith({ issuer: 'https://id.example/', clock: () => 0, deadlineMs, way: proxy.way })
  assert.deepEqual(await outbound.get(url, 'operator'), { failed: 'the proxy answered with the status 407' })
  await proxy.closed()
})
