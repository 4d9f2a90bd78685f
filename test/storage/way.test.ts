/** How a start finds out whether a pooler is between it and PostgreSQL. */
import assert from 'node:assert/strict'
import { createServer, connect as dial } from 'node:net'
import { after, describe, it, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { freePort } from '../support/free-port.ts'
import { listen } from '../support/listen.ts'
import { postgresServer } from '../support/postgres.ts'

const server = await postgresServer()
after(() => server.stop())

/** Passes bytes on, and counts connections. `pid`: what clients are told as the process of their session; default: the truth. */
async function relay(t: TestContext, pid?: number) {
  let connections = 0
  const relaying = createServer((client) => {
    connections += 1
    const upstream = dial(server.port, '127.0.0.1')
    client.pipe(upstream)
    let greeting: Buffer | undefined = Buffer.alloc(0)
    upstream.on('data', (chunk: Buffer) => {
      if (greeting === undefined) {
        client.write(chunk)
        return
      }
      greeting = Buffer.concat([greeting, chunk])
      const [keyAt, isWhole] = messagesOf(greeting)
      if (!isWhole) return
      if (pid !== undefined && keyAt !== undefined) greeting.writeUInt32BE(pid, keyAt + 5)
      client.write(greeting)
      greeting = undefined
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  const { port } = new URL(await listen(relaying))
  t.after(() => relaying.close())
  return {
    through: (url: string) => url.replace(`:${server.port}/`, `:${port}/`),
    connections: () => connections,
  }
}

/** Where the key of the session is (BackendKeyData), and whether the server has said that it is ready. */
function messagesOf(greeting: Buffer): [number | undefined, boolean] {
  let keyAt: number | undefined
  for (let at = 0; at + 5 <= greeting.length; at += 1 + greeting.readUInt32BE(at + 1)) {
    const type = String.fromCharCode(greeting[at] as number)
    if (type === 'K') keyAt = at
    if (type === 'Z' || type === 'E') return [keyAt, true]
  }
  return [keyAt, false]
}

describe('the way to PostgreSQL, at a start', () => {
  const open = (url: string) => openStorage({ kind: 'postgres', url }, { migrate: false, checkWay: true })

  it('is known to be direct from the process of a session, on connections that requests use afterwards', async (t) => {
    const { through, connections } = await relay(t)
    const storage = await open(through(await server.createDatabase()))
    assert.equal(connections(), 2)
    await Promise.all([storage.keys.list(), storage.keys.list()])
    assert.equal(connections(), 2)
    await storage.close()
  })

  it('is tried with prepared statements behind whatever tells another process', async (t) => {
    const { through, connections } = await relay(t, 1)
    const storage = await open(through(await server.createDatabase()))
    // Two more, of which one keeps the session of the other's transaction.
    assert.equal(connections(), 4)
    await storage.close()
  })

  it('fails as a database that is not there does', async () => {
    const url = `postgres://postgres@127.0.0.1:${await freePort()}/nothing`
    const failureOf = (checkWay: boolean) =>
      openStorage({ kind: 'postgres', url }, { migrate: false, checkWay }).then(
        () => assert.fail('it was opened'),
        (error: unknown) => error,
      )
    const [checked, unchecked] = [await failureOf(true), await failureOf(false)]
    assert.ok(checked instanceof StorageUnavailable && unchecked instanceof StorageUnavailable)
    assert.equal(checked.message, unchecked.message)
  })
})
