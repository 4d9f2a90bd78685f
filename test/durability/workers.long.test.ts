/**
 * Several processes on one file: each has a writer of its own, and SQLite alone stands between them. Every request comes
 * over a connection of its own, so the kernel deals them all out.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Browser, codeFields, obtainCode, postToken } from '../support/browser.ts'
import { freePortPair } from '../support/free-port.ts'
import { processFor, temporaryFolder, thisFile } from '../support/lifetime.ts'
import { runProgram } from '../support/program.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { answered, childrenOf } from '../support/worker-processes.ts'
import { underLoad } from './load.ts'
import { startRoundRobin } from './round-robin.ts'
import { Visitor } from './visitor.ts'

const kills = 5
const users = ['alice', 'ben', 'cleo', 'dora']

const folder = temporaryFolder()
await seedDatabase({ kind: 'sqlite', file: join(folder, 'latchkey.db') }, users)
const [port, proxyPort] = [await freePort(), await freePort()]
const metricsPort = await freePortPair()
const env = {
  Database__Url: `sqlite:${join(folder, 'latchkey.db')}`,
  OAuth__Issuer: `http://localhost:${proxyPort}/`,
  OAuth__RefreshTokenReuseLeeway: '300',
  Metrics__Port: String(metricsPort),
  Log__Level: 'info',
}
const service = await processFor(thisFile, { port, folder, env, args: ['--workers', '2'] })
await service.says(/all workers answer/)
const proxy = await startRoundRobin(proxyPort, [port])
thisFile.after(() => proxy.stop())

describe('two workers on one SQLite file', { timeout: 600_000 }, () => {
  it('let one of many who send a code at once redeem it (RFC 6749 §4.1.2)', async () => {
    const issuer = { issuer: proxy.address }
    const before = [await answered(metricsPort), await answered(metricsPort + 1)] as const
    const browser = new Browser(issuer)
    for (let round = 0; round < 3; round += 1) {
      const fields = codeFields(await obtainCode(browser))
      const answers = await Promise.all(Array.from({ length: 20 }, () => postToken(issuer, fields)))
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, ...Array(19).fill(400)])
      for (const { status, body } of answers) if (status === 400) assert.equal(body.error, 'invalid_grant')
    }
    // Sixty connections reach both, bar a chance of one in 10^17.
    assert.ok((await answered(metricsPort)) > before[0])
    assert.ok((await answered(metricsPort + 1)) > before[1])
  })

  it(`lose nothing that was acknowledged when one is killed, ${kills} times under load`, async (t) => {
    const watcher = service.pid
    const visitors = users.map((name) => new Visitor(proxy.address, name, 'openid offline_access'))
    const started = () => service.output().split('"msg":"listening at').length - 1
    await underLoad(visitors, async (acknowledged) => {
      for (let kill = 0; kill < kills; kill += 1) {
        const before = started()
        const victim = childrenOf(watcher)[kill % 2] as number
        process.kill(victim, 'SIGKILL')
        while (started() === before) await acknowledged(5)
        assert.ok(!childrenOf(watcher).includes(victim))
      }
    })
    for (const visitor of visitors) await visitor.verify()
    t.diagnostic(`${proxy.served[0]} requests answered, ${proxy.lost.length} lost with a worker`)
    // Each visitor has one request under way.
    assert.ok(proxy.lost.length <= kills * visitors.length, proxy.lost.join('\n'))
    assert.equal(await service.stop(), 0)
    // Written by both, and by those that were killed: one whole trail for each of them.
    const { stdout } = await runProgram(['audit', 'verify'], { folder, env })
    assert.match(stdout, /^The audit trail is intact: \d{3,} entries/)
  })
})
