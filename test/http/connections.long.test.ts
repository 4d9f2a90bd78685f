/** Connections are let go of in time, descriptors included, and there are never more of them than there may be. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { type ConnectionLimits, countConnections } from '../../src/http/connections.ts'
import { serviceFor } from '../support/lifetime.ts'
import { impatient, type TestService } from '../support/service.ts'
import { valuesOf } from '../support/values.ts'

/** Open files of this process, which is service and clients at once. */
const descriptors = (): number => readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').length

/** Connections that send this much, read nothing, and do not end by themselves. */
async function stall(t: TestContext, { address }: TestService, count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true }),
  )
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => {})
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) if (bytes !== '') socket.write(bytes)
  return sockets
}

/** The service's side of a connection. */
type ServerSocket = Socket & { readonly _handle: { readonly writeQueueSize: number } | null }

/** Changes with each byte that is read, written, or handed to the system. */
function bytesOf({ bytesRead, bytesWritten, _handle }: ServerSocket): number {
  return bytesRead + bytesWritten - (_handle?.writeQueueSize ?? 0)
}

/**
 * Resolves when it holds; the test's own time limit is what ends the waiting otherwise. `lateMs` adds up how much later
 * than asked for this process was woken: what other work on the machine took from it, and so from the service in it.
 */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    const dueAtMs = performance.now() + 5
    await new Promise((resolve) => setTimeout(resolve, 5))
    lateMs += Math.max(0, performance.now() - dueAtMs)
  }
}
let lateMs = 0

describe('a connection that stalls', () => {
  const patience = { ...impatient, stalledTimeout: 200, keepAliveTimeout: 200, keepAliveTimeoutBuffer: 0 }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const post = 'POST /connect/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
  for (const [what, count, bytes] of [
    ['before its first byte', 40, ''],
    ['in its head', 40, 'GET / HTTP/1.1\r\nHost: local'],
    ['in its body', 40, `${post}Content-Length: 100\r\n\r\ngrant_type=`],
    ['in a chunk of its body', 40, `${post}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`],
    ['after a request that is no HTTP, without closing its side', 40, 'nonsense\r\n\r\n'],
    ['after a request, without reading its answer', 40, get('/Account/Login')],
    ['while its answers fill every buffer', 2, get('/Account/Login').repeat(6000)],
  ] as const) {
    it(`${what}, is let go of within the time it has and a second, descriptor included`, {
      timeout: 120_000,
    }, async (t) => {
      const held: ServerSocket[] = []
      const hold = (message: unknown) => void held.push((message as { socket: ServerSocket }).socket)
      subscribe('net.server.socket', hold)
      t.after(() => unsubscribe('net.server.socket', hold))
      const service = await serviceFor(t, {}, { patience })
      // A first request loads what is loaded once.
      await (await fetch(new URL('Account/Login', service.address), { headers: { connection: 'close' } })).text()
      await until(() => service.connections().open === 0)
      const before = descriptors()
      const sockets = await stall(t, service, count, bytes)
      await until(() => service.connections().open >= count || sockets.every((socket) => socket.destroyed))
      // The clock runs from the last byte that went in or out.
      let [moved, movedAtMs] = [-1, performance.now()]
      lateMs = 0
      await until(() => {
        const now = held.reduce((sum, socket) => sum + bytesOf(socket), 0)
        if (now !== moved && service.connections().open === count) [moved, movedAtMs] = [now, performance.now()]
        return service.connections().open === 0
      })
      const tookMs = performance.now() - movedAtMs
      // Whether anything of an answer still moves shows from looking twice.
      const allowedMs = (what.includes('buffer') ? 2 : 1) * 200 + 1000 + lateMs
      assert.ok(tookMs <= allowedMs, `${Math.round(tookMs)} ms`)
      // What is left is the clients' side.
      assert.ok(descriptors() <= before + count, `${descriptors()} descriptors, ${before} before`)
    })
  }

  it('keeps nobody else waiting meanwhile', async (t) => {
    const service = await serviceFor(t, {}, { patience })
    await stall(t, service, 100, 'GET / HTTP/1.1\r\n')
    assert.equal((await fetch(new URL('healthz', service.address))).status, 200)
  })
})

describe('the number of connections', () => {
  const ask = (socket: Socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')

  it('of one address is Server:MaxConnectionsPerAddress: one more is closed, and those that are open go on', async (t) => {
    const service = await serviceFor(t, { Server__MaxConnectionsPerAddress: '5' })
    const held = await stall(t, service, 5, '')
    await until(() => service.connections().open === 5)
    const [more] = await stall(t, service, 1, '')
    assert.ok(more)
    more.resume()
    await once(more, 'end')
    assert.deepEqual(service.connections(), { open: 5, refused: 1 })
    for (const socket of held) {
      ask(socket)
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^HTTP\/1\.1 200 /)
    }
    held[0]?.destroy()
    await until(() => service.connections().open === 4)
    const [last] = await stall(t, service, 1, '')
    assert.ok(last)
    ask(last)
    assert.match(String((await once(last, 'data'))[0]), /^HTTP\/1\.1 200 /)
  })

  it('of a trusted proxy is not limited by its address: it speaks for many', async (t) => {
    const service = await serviceFor(t, { Server__MaxConnectionsPerAddress: '5', Server__TrustProxy: '127.0.0.1' })
    const held = await stall(t, service, 30, '')
    await until(() => service.connections().open === 30)
    for (const socket of held) ask(socket)
    await Promise.all(held.map((socket) => once(socket, 'data')))
    assert.equal(service.connections().refused, 0)
  })

  it('is told to the operator once a minute, not once a connection', async (t) => {
    const service = await serviceFor(t, { Server__MaxConnectionsPerAddress: '1' })
    const lines = () => service.log.filter(({ msg }) => String(msg).startsWith('too many connections'))
    await stall(t, service, 6, '')
    await until(() => service.connections().refused === 5)
    assert.deepEqual(
      lines().map(({ level, address }) => [level, address]),
      [[40, '127.0.0.1']],
    )
    service.advance(61)
    await stall(t, service, 1, '')
    await until(() => service.connections().refused === 6)
    assert.equal(lines().length, 2)
  })
})

describe('when all connections are taken', () => {
  /** Connections as the system has them, without a network: from any address there is. */
  function crowd(limits: Partial<ConnectionLimits>) {
    const connections = countConnections(() => ({
      total: 10,
      perAddress: 8,
      isProxy: (address) => address.startsWith('10.'),
      onRefused: () => {},
      ...limits,
    }))
    const come = (remoteAddress: string) => {
      const listeners: (() => void)[] = []
      const socket = {
        remoteAddress,
        destroyed: false,
        once: (_event: string, listener: () => void) => listeners.push(listener),
        destroy() {
          if (socket.destroyed) return
          socket.destroyed = true
          for (const listener of listeners) listener()
        },
      }
      connections.admit(socket as unknown as Socket)
      return socket
    }
    return { connections, come }
  }

  it('the oldest of the address that has the most gives way to an address with fewer', () => {
    const { connections, come } = crowd({})
    const greedy = Array.from({ length: 7 }, () => come('192.0.2.1'))
    const others = Array.from({ length: 3 }, (_, index) => come(`198.51.100.${index}`))
    const newcomers = Array.from({ length: 4 }, (_, index) => come(`203.0.113.${index}`))
    assert.deepEqual(valuesOf(greedy, 'destroyed'), [true, true, true, true, false, false, false])
    assert.ok([...others, ...newcomers].every(({ destroyed }) => !destroyed))
    assert.equal(connections.open(), 10)
    assert.equal(connections.refused(), 4)
  })

  it('the address that has the most gets no more', () => {
    const { connections, come } = crowd({})
    for (let count = 0; count < 6; count += 1) come('192.0.2.1')
    for (let count = 0; count < 4; count += 1) come(`198.51.100.${count}`)
    assert.equal(come('192.0.2.1').destroyed, true)
    assert.equal(connections.open(), 10)
  })

  it('proxies give way to nobody', () => {
    const { connections, come } = crowd({})
    const proxied = Array.from({ length: 10 }, (_, index) => come(`10.0.0.${index}`))
    assert.equal(come('192.0.2.1').destroyed, true)
    assert.ok(proxied.every(({ destroyed }) => !destroyed))
    assert.equal(connections.open(), 10)
  })

  it('a /64 of IPv6 is one address (RFC 6177)', () => {
    const { connections, come } = crowd({ perAddress: 2 })
    assert.equal(come('2001:db8:0:1::1').destroyed, false)
    assert.equal(come('2001:db8:0:1:ffff::2').destroyed, false)
    assert.equal(come('2001:db8:0:1:aaaa::3').destroyed, true)
    assert.equal(come('2001:db8:0:2::1').destroyed, false)
    assert.equal(come('::ffff:192.0.2.1').destroyed, false)
    assert.equal(connections.open(), 4)
  })
})
