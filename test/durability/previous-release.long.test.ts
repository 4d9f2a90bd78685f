/** The previous release and this one beside each other on one database: an upgrade under load, and the way back. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import { migrations } from '../../src/storage/migrations/index.ts'
import { readSchema } from '../../src/storage/open.ts'
import { temporaryFolder, thisFile } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { freePort } from '../support/service.ts'
import { startProcess } from '../support/service-process.ts'
import { assertNone, valuesOf } from '../support/values.ts'
import { underLoad } from './load.ts'
import { previousRelease, unpackPreviousRelease } from './previous-release.ts'
import { startRoundRobin } from './round-robin.ts'
import { Visitor } from './visitor.ts'

/** Beside the load, which is made by this process. */
const execute = promisify(execFile)
const folder = temporaryFolder()
const release = join(folder, 'release')
const program = unpackPreviousRelease(release)
const postgres = await postgresServer()
thisFile.after(() => postgres.stop())

const engines: readonly { readonly name: string; empty(): Promise<DatabaseSettings> }[] = [
  { name: 'SQLite', empty: async () => ({ kind: 'sqlite', file: join(folder, 'latchkey.db') }) },
  { name: 'PostgreSQL', empty: async () => ({ kind: 'postgres', url: await postgres.createEmptyDatabase() }) },
]

/** As the previous release has them. */
function releasedMigrations(): string[] {
  const names = readdirSync(join(release, 'src', 'storage', 'migrations')).map((name) => name.replace(/\.ts$/, ''))
  return names.filter((name) => /^\d{4}-/.test(name)).sort()
}

for (const { name, empty } of engines) {
  describe(`beside ${previousRelease} on one database, on ${name}`, { timeout: 600_000 }, () => {
    it('is upgraded to and back under load, without one failed request', async (t) => {
      const database = await empty()
      const [proxyPort, oldPort, newPort] = [await freePort(), await freePort(), await freePort()]
      const env = {
        Database__Url: database.kind === 'postgres' ? database.url : `sqlite:${join(folder, 'latchkey.db')}`,
        Keys__MasterKey: Buffer.alloc(32, 9).toString('base64'),
        OAuth__Issuer: `http://localhost:${proxyPort}/`,
        // Long enough for the load balancer to notice that a process is about to stop.
        Server__DrainDelay: '1',
      }
      const startOld = () =>
        startProcess({
          port: oldPort,
          folder,
          env,
          args: ['--demo'],
          program,
        })
      let old = await startOld()
      t.after(() => old.kill())
      const processes = [old]
      // The answer to a client does not say which rule refused it.
      t.after(() => {
        if (t.passed) return
        for (const line of processes.flatMap((one) => one.output().split('\n'))) {
          if (/"reason"|ID20\d\d/.test(line)) t.diagnostic(line.slice(0, 1000))
        }
      })
      const proxy = await startRoundRobin(proxyPort, [oldPort, newPort])
      t.after(() => proxy.stop())
      const created = (await readSchema(database)).applied.toSorted()
      assert.deepEqual(created, releasedMigrations())

      const visitors = Array.from({ length: 4 }, () => new Visitor(proxy.address, 'alice', 'openid offline_access'))
      await underLoad(visitors, async (acknowledged) => {
        const current = await startProcess({ port: newPort, folder, env })
        t.after(() => current.kill())
        processes.push(current)
        // Migrated while the old one serves, and only added to.
        const migrated = (await readSchema(database)).applied.toSorted()
        assert.deepEqual(migrated, Object.keys(migrations))
        assertNone(created.filter((name) => !migrated.includes(name)))
        const [oldServed = 0, newServed = 0] = proxy.served
        while (Math.min((proxy.served[0] ?? 0) - oldServed, (proxy.served[1] ?? 0) - newServed) < 60) {
          await acknowledged(10)
        }
        assert.equal(await current.stop(), 0)
      })
      t.diagnostic(`requests answered by the old and by the new one: ${proxy.served.join(', ')}`)

      // Also a start of the old one, on a schema that may be newer than it knows.
      assert.equal(await old.stop(), 0)
      old = await startOld()
      processes.push(old)
      const command = [program, 'keys', 'rotate']
      await execute(process.execPath, command, { cwd: folder, env: { PATH: process.env.PATH, ...env } })
      for (const visitor of visitors) await visitor.verify()
      await underLoad(visitors, async () => undefined)
      assert.deepEqual(
        valuesOf(visitors, 'failures'),
        visitors.map(() => 0),
      )
      assert.deepEqual(proxy.lost, [])
    })
  })
}
