/**
 * The embedded database under SIGKILL: the process is killed at random moments under load, again and again on the same
 * file, and everything that it had acknowledged must be there. `CRASHES=200` for the long run.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../support/lifetime.ts'
import { runProgram } from '../support/program.ts'
import { seedDatabase } from '../support/seed.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { Visitor } from './visitor.ts'

const crashes = Number(process.env.CRASHES ?? 20)
const visitorsAtOnce = 6
const users = ['ann', 'ben', 'cleo']

const folder = temporaryFolder()
await seedDatabase({ kind: 'sqlite', file: join(folder, 'latchkey.db') }, users)

describe('killed at random moments under load', () => {
  it(`loses nothing that was acknowledged, in ${crashes} crashes`, { timeout: crashes * 10_000 }, async (t) => {
    let seed = 20261121
    const random = (bound: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return seed % bound
    }
    const port = await freePort()
    const env = { Database__Url: `sqlite:${join(folder, 'latchkey.db')}`, Log__Level: 'info' }
    let acknowledged = 0
    let service = await startProcess({ port, folder, env })
    t.after(() => service.kill())
    for (let crash = 0; crash < crashes; crash += 1) {
      const visitors = Array.from(
        { length: visitorsAtOnce },
        (_, index) =>
          new Visitor(`http://localhost:${port}/`, users[index % users.length] ?? '', 'openid offline_access'),
      )
      // The moment: after so many acknowledged writes, in the middle of the next ones.
      const moment = Promise.withResolvers<void>()
      let left = visitorsAtOnce + random(200)
      const onAcknowledged = (): void => {
        acknowledged += 1
        left -= 1
        if (left === 0) moment.resolve()
      }
      let killed = false
      const uses = visitors.map((visitor) => visitor.use(() => killed, onAcknowledged))
      await Promise.race([moment.promise, Promise.all(uses)])
      killed = true
      await service.kill()
      await Promise.all(uses)
      // The one that is looked into is the next to be killed.
      service = await startProcess({ port, folder, env })
      for (const visitor of visitors) await visitor.verify()
    }
    assert.equal(await service.stop(), 0)
    // What was recorded is a whole trail, however often the writer of it was killed.
    const { stdout } = await runProgram(['audit', 'verify'], { folder, env })
    assert.match(stdout, /^The audit trail is intact: \d{3,} entries/)
    t.diagnostic(`${crashes} crashes, ${acknowledged} acknowledged writes before them`)
    assert.ok(acknowledged > crashes * visitorsAtOnce, `the load was real: ${acknowledged} writes`)
  })
})
