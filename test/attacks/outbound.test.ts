/** Attacks by the hosts that clients register: answers that would keep the service waiting for them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { outboundWith } from '../../src/outbound/outbound.ts'

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
    it(`gives up an answer that never ends: ${bytes.split('\r\n')[0]} (${at + 1})`, { timeout: 10_000 }, async () => {
      answer = bytes
      const { get, post } = outboundWith({ issuer: 'http://localhost:5080/', clock: Date.now, deadlineMs: 300 })
      // Twice as many as may be under way at one host: a request that never ended would keep its place for ever.
      const sent = Array.from({ length: 16 }, (_, one) => [get(`${address}${one}`), post(address, {})]).flat()
      const answers = await Promise.all(sent)
      assert.ok(answers.every((one) => 'failed' in one))
    })
  }
})
