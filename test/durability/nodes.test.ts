/** Three nodes on one PostgreSQL behind a round-robin proxy: any may go and come, and PostgreSQL too. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type PostgresServer, postgresServer } from '../support/postgres.ts'
import { freePort, testClient, testScope, testUser } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { Visitor } from './visitor.ts'

let postgres: PostgresServer
let folder: string
let proxy: RoundRobin
let ports: number[]
let nodes: ServiceProcess[]
let env: Record<string, string>

const startNode = (port: number): Promise<ServiceProcess> => startProcess({ port, folder, env })

before(async () => {
  postgres = await postgresServer()
  folder = await mkdtemp(join(tmpdir(), 'latchkey-nodes-'))
  const url = await postgres.createDatabase()
  const storage = await openStorage({ kind: 'postgres', url }, { migrate: true })
  await storage.scopes.create(testScope('demo_api'))
  await storage.clients.create(testClient())
  for (const name of ['ann', 'ben', 'cleo', 'dora', 'emil', 'fay']) {
    await storage.users.create(testUser({ name, email: `${name}@example.com` }))
  }
  await storage.close()
  const proxyPort = await freePort()
  ports = [await freePort(), await freePort(), await freePort()]
  env = {
    Database__Url: url,
    Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
    OAuth__Issuer: `http://localhost:${proxyPort}/`,
    // Long enough for the load balancer to notice that a node is about to stop.
    Server__DrainDelay: '1',
    Log__Level: 'info',
  }
  nodes = await Promise.all(ports.map(startNode))
  proxy = await startRoundRobin(proxyPort, ports)
})
after(async () => {
  await proxy.stop()
  for (const node of nodes) await node.kill()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Visitors that go on until `work` is done; each of them must have been busy before, while and after. */
async function underLoad(work: (acknowledged: (count: number) => Promise<void>) => Promise<void>): Promise<Visitor[]> {
  const visitors = ['ann', 'ben', 'cleo', 'dora', 'emil', 'fay'].map(
    (name) => new Visitor(proxy.address, name, 'openid offline_access'),
  )
  let stopped = false
  let count = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  const onAcknowledged = (): void => {
    count += 1
    for (const { at, resolve } of waiting) if (count === at) resolve()
  }
  const uses = Promise.all(visitors.map((visitor) => visitor.use(() => stopped, onAcknowledged)))
  const acknowledged = async (more: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ at: count + more, resolve })
    // When a visitor fails, its failure is what counts.
    await Promise.race([promise, uses])
  }
  try {
    await acknowledged(60)
    await work(acknowledged)
    await acknowledged(60)
  } finally {
    stopped = true
    await uses
  }
  return visitors
}

describe('three nodes on one PostgreSQL', { timeout: 110_000 }, () => {
  it('serves journeys whose every request lands on another node', async () => {
    const visitors = await underLoad(async () => undefined)
    for (const visitor of visitors) await visitor.verify()
    assert.ok(
      proxy.served.every((count) => count > 20),
      `${proxy.served}`,
    )
    assert.equal(proxy.lost(), 0)
  })

  it('loses only what was in flight when a node is killed, and nothing acknowledged', async () => {
    const lostBefore = proxy.lost()
    const visitors = await underLoad(async (acknowledged) => {
      await nodes[0]?.kill()
      await acknowledged(60)
      nodes[0] = await startNode(ports[0] ?? 0)
    })
    for (const visitor of visitors) await visitor.verify()
    assert.ok(proxy.lost() - lostBefore <= visitors.length, `${proxy.lost() - lostBefore} lost`)
  })

  it('restarts one node after the other without one failed request', async () => {
    const lostBefore = proxy.lost()
    const visitors = await underLoad(async (acknowledged) => {
      for (const [index, port] of ports.entries()) {
        assert.equal(await nodes[index]?.stop(), 0)
        nodes[index] = await startNode(port)
        await acknowledged(20)
      }
    })
    for (const visitor of visitors) await visitor.verify()
    assert.equal(proxy.lost() - lostBefore, 0)
    assert.deepEqual(
      visitors.map(({ failures }) => failures),
      visitors.map(() => 0),
    )
  })

  it('answers 503 with Retry-After while PostgreSQL is away, and recovers by itself', async () => {
    let unavailable = 0
    const visitors = await underLoad(async (acknowledged) => {
      await postgres.down()
      const answer = await fetch(
        new URL('Account/ConsentContext?client_id=demo&redirect_uri=http://localhost:5081/callback', proxy.address),
      )
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
      assert.match(answer.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
      assert.equal(((await answer.json()) as { error: string }).error, 'temporarily_unavailable')
      unavailable += 1
      await postgres.up()
      await acknowledged(60)
    })
    for (const visitor of visitors) await visitor.verify()
    assert.equal(unavailable, 1)
  })
})
