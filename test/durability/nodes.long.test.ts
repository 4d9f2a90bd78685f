/** Three nodes on one PostgreSQL behind a round-robin proxy: any may go and come, and PostgreSQL too. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { temporaryFolder, thisFile } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { runProgram } from '../support/program.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { valuesOf } from '../support/values.ts'
import { underLoad as useWhile } from './load.ts'
import { startRoundRobin } from './round-robin.ts'
import { Visitor } from './visitor.ts'

const postgres = await startServer()
thisFile.after(() => postgres.stop())
const folder = temporaryFolder()
const url = await postgres.createDatabase()
await seedDatabase({ kind: 'postgres', url }, ['ann', 'ben', 'cleo', 'dora', 'emil', 'fay'])
const proxyPort = await freePort()
const ports = [await freePort(), await freePort(), await freePort()]
const env: Record<string, string> = {
  Database__Url: url,
  Keys__MasterKey: Buffer.alloc(32, 7).toString('base64'),
  OAuth__Issuer: `http://localhost:${proxyPort}/`,
  // No test here is about these, and on a busy machine minutes may pass between two requests.
  OAuth__AuthorizationCodeLifetime: '600',
  OAuth__RefreshTokenReuseLeeway: '3600',
  // Long enough for the load balancer to notice that a node is about to stop.
  Server__DrainDelay: '1',
  // SIGUSR2 moves the clock of a node thirty seconds on.
  NODE_OPTIONS: `--import=${new URL('./movable-clock.ts', import.meta.url)}`,
  Log__Level: 'info',
}
const startNode = (port: number): Promise<ServiceProcess> => startProcess({ port, folder, env })
const nodes = await Promise.all(ports.map(startNode))
thisFile.after(() => Promise.all(nodes.map((node) => node.kill())))
const proxy = await startRoundRobin(proxyPort, ports)
thisFile.after(() => proxy.stop())

/** Visitors of six people, who use the nodes in turn while `work` is done. */
async function underLoad(
  work: Parameters<typeof useWhile>[1],
  onTokens: Visitor['onTokens'] = async () => undefined,
): Promise<Visitor[]> {
  const visitors = ['ann', 'ben', 'cleo', 'dora', 'emil', 'fay'].map(
    (name) => new Visitor(proxy.address, name, 'openid offline_access'),
  )
  for (const visitor of visitors) visitor.onTokens = onTokens
  await useWhile(visitors, work)
  return visitors
}

describe('three nodes on one PostgreSQL', { timeout: 600_000 }, () => {
  it('serves journeys whose every request lands on another node', async () => {
    const visitors = await underLoad(async () => undefined)
    for (const visitor of visitors) await visitor.verify()
    assert.ok(
      proxy.served.every((count) => count > 20),
      `${proxy.served}`,
    )
    assert.deepEqual(proxy.lost, [])
  })

  it('loses only what was in flight when a node is killed, and nothing acknowledged', async () => {
    const lostBefore = proxy.lost.length
    const visitors = await underLoad(async (acknowledged) => {
      await nodes[0]?.kill()
      await acknowledged(60)
      nodes[0] = await startNode(ports[0] ?? 0)
    })
    for (const visitor of visitors) await visitor.verify()
    const lost = proxy.lost.slice(lostBefore)
    // A visitor may meet the node twice: on a connection that was open, and on a new one before the proxy knows.
    assert.ok(lost.length <= 2 * visitors.length, lost.join('\n'))
  })

  it('restarts one node after the other without one failed request', async () => {
    const lostBefore = proxy.lost.length
    const visitors = await underLoad(async (acknowledged) => {
      for (const [index, port] of ports.entries()) {
        assert.equal(await nodes[index]?.stop(), 0)
        nodes[index] = await startNode(port)
        await acknowledged(20)
      }
    })
    for (const visitor of visitors) await visitor.verify()
    assert.deepEqual(proxy.lost.slice(lostBefore), [])
    assert.deepEqual(
      valuesOf(visitors, 'failures'),
      visitors.map(() => 0),
    )
  })

  it('changes the signing keys on one node after the other, and a verifier that keeps the key set for minutes never fails', async (t) => {
    const [lostBefore, lifetimeMs, stepMs] = [proxy.lost.length, 4 * 60_000, 30_000]
    let aheadMs = 0
    const keySetOf = async (address: string): Promise<JSONWebKeySet> =>
      (await (await fetch(new URL('.well-known/jwks', address))).json()) as JSONWebKeySet
    const kidsOf = ({ keys }: JSONWebKeySet): string[] => keys.map(({ kid }) => kid ?? '').sort()
    const oldKids = kidsOf(await keySetOf(proxy.address))
    // A resource server that asks for the key set when its copy is four minutes old, and never because of a token.
    let keySet = createLocalJWKSet(await keySetOf(proxy.address))
    let fetchedAtMs = aheadMs
    const verify = (token: string) =>
      jwtVerify(token, keySet, { issuer: proxy.address, currentDate: new Date(Date.now() + aheadMs) })
    const issued: string[] = []
    const visitors = await underLoad(
      async (acknowledged) => {
        // Beside the load, which is made by this process.
        assert.equal((await runProgram(['keys', 'rotate'], { folder, env })).code, 0)
        for (const node of nodes) {
          while (kidsOf(await keySetOf(node.address)).length <= oldKids.length) await acknowledged(1)
        }
        for (let step = 1; step <= 12; step += 1) {
          aheadMs += stepMs
          // Published for five minutes, then used: that is where much must happen.
          const busy = step >= 9 ? 12 : 2
          if (aheadMs - fetchedAtMs >= lifetimeMs) {
            keySet = createLocalJWKSet(await keySetOf(proxy.address))
            fetchedAtMs = aheadMs
          }
          for (const { pid } of nodes) {
            process.kill(pid, 'SIGUSR2')
            await acknowledged(busy)
          }
        }
      },
      async ({ access_token, id_token }) => {
        for (const token of [access_token, id_token]) {
          issued.push(token)
          await verify(token)
        }
      },
    )
    const isOld = issued.map((token) => oldKids.includes(decodeProtectedHeader(token).kid ?? ''))
    const [firstNew, lastOld] = [isOld.indexOf(false), isOld.lastIndexOf(true)]
    t.diagnostic(`${issued.length} tokens verified, ${issued.length - 1 - lastOld} of them after the change`)
    assert.ok(0 < firstNew && firstNew < lastOld, 'for a while both were in use')
    assert.ok(issued.length - lastOld > 100, 'in the end only the new ones were')
    // What was signed before is still good everywhere.
    for (const node of nodes) {
      keySet = createLocalJWKSet(await keySetOf(node.address))
      for (const token of [...issued.slice(0, 10), ...issued.slice(-10)]) await verify(token)
    }
    for (const visitor of visitors) await visitor.verify()
    assert.deepEqual(
      valuesOf(visitors, 'failures'),
      visitors.map(() => 0),
    )
    assert.deepEqual(proxy.lost.slice(lostBefore), [])
  })

  it('answers 503 with Retry-After while PostgreSQL is away, and recovers by itself', async () => {
    const lostBefore = proxy.lost.length
    const visitors = await underLoad(async (acknowledged) => {
      await postgres.down()
      const answer = await fetch(
        new URL('Account/ConsentContext?client_id=demo&redirect_uri=http://localhost:5081/callback', proxy.address),
      )
      const text = await answer.text()
      assert.equal(answer.status, 503, `${answer.status} ${text}`)
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
      assert.match(answer.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
      assert.equal(JSON.parse(text).error, 'temporarily_unavailable')
      await postgres.up()
      await acknowledged(60)
    })
    for (const visitor of visitors) await visitor.verify()
    assert.deepEqual(proxy.lost.slice(lostBefore), [])
    // No node ended or was started again: the processes of before run, and it is they that have the ports.
    for (const { pid, address, output } of nodes) {
      assert.ok(process.kill(pid, 0))
      assert.equal((await fetch(new URL('healthz', address))).status, 200)
      assert.equal(output().split('"msg":"ready"').length - 1, 1)
    }
  })
})
