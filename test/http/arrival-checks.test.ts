/** An idle server is not woken to look for requests that are slow to arrive, and finds them all the same. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it, type TestContext } from 'node:test'
import { checkWhileConnected } from '../../src/http/arrival-checks.ts'
import { handlerSwitch } from '../../src/http/handler-switch.ts'

const everyMs = 20
/** Milliseconds in which a request arrives on any machine. */
const patient = 240_000

type Timer = { readonly _repeat: number | null; readonly _destroyed: boolean }

/** The interval at which the server looks: Node.js keeps the timer under a symbol. */
function lookedEveryMs(server: Server): number | null {
  const own = Object.getOwnPropertySymbols(server).map(
    (symbol) => Reflect.get(server, symbol) as Partial<Timer> | undefined,
  )
  const timer = own.find((value) => typeof value?._repeat === 'number') as Timer
  assert.equal(timer._destroyed, false)
  return timer._repeat
}

async function listening(t: TestContext, patienceMs: number): Promise<Server> {
  const limits = { headersTimeout: patienceMs, requestTimeout: patienceMs }
  const server = createServer({ connectionsCheckingInterval: everyMs, ...limits })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  checkWhileConnected(server)
  return server
}

const open = (server: Server) => connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })

/** A connection of which both ends know. */
async function connected(server: Server) {
  const client = open(server)
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  return {
    async close() {
      const closed = once(socket, 'close')
      client.destroy()
      await closed
    },
  }
}

it('looks for late requests while a connection is open, and not without any', async (t) => {
  const server = await listening(t, patient)
  const idle = 2 ** 31 - 1
  assert.equal(lookedEveryMs(server), idle)
  for (let round = 0; round < 3; round += 1) {
    const first = await connected(server)
    const second = await connected(server)
    assert.equal(lookedEveryMs(server), everyMs)
    await Promise.all([first.close(), second.close()])
    assert.equal(lookedEveryMs(server), idle)
  }
})

it('refuses a request that takes too long to arrive, also on the first connection after an idle time', async (t) => {
  const server = await listening(t, 50)
  const client = open(server)
  client.write('GET / HTTP/1.1\r\n')
  const [answer] = await once(client, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 408 /)
  await once(client, 'close')
})

it('the service is told of each request', async (t) => {
  let arrived = 0
  const handlers = handlerSwitch(
    {
      listener: (_request, response) => response.end(),
      brokenRequest: (_error, socket) => socket.destroy(),
      connectionLimits: { total: 10, perAddress: 10, isProxy: () => false, onRefused: () => {} },
      end: () => {},
    },
    { requestTimeout: patient, headersTimeout: patient, connectionsCheckingInterval: everyMs },
    () => {
      arrived += 1
    },
  )
  const [origin = ''] = await handlers.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => handlers.close())
  for (let asked = 1; asked < 4; asked += 1) {
    assert.equal((await fetch(origin)).status, 200)
    assert.equal(arrived, asked)
  }
})
