/** `latchkey apply` under SIGKILL: a run that is killed in the middle has changed nothing, or everything. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DatabaseSettings } from '../../src/settings/settings.ts'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { testClient, testScope } from '../support/service.ts'

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const kills = Number(process.env.KILLS ?? 24)
const records = 400

const folder = temporaryFolder()

/** Every run replaces all clients and scopes by those of the other generation. */
const file = (generation: number) =>
  JSON.stringify({
    scopes: Array.from({ length: records }, (_, at) => ({ name: `g${generation}-${at}` })),
    clients: Array.from({ length: records }, (_, at) => ({
      client_id: `g${generation}-${at}`,
      redirect_uris: ['https://app.example/cb'],
      scope: `openid g${generation}-${at}`,
    })),
  })

/** The one generation that all records are of, how many clients, scopes and entries of the audit trail there are. */
async function readState(url: DatabaseSettings): Promise<string> {
  const storage = await openStorage(url, { migrate: true })
  const [clients, scopes, entries] = [
    await storage.clients.list(),
    await storage.scopes.list(),
    await storage.audit.list({}, undefined, 1_000_000),
  ]
  await storage.close()
  const generations = new Set(
    [...clients.map(({ id }) => id), ...scopes.map(({ name }) => name)].map((id) => id.slice(0, 2)),
  )
  assert.equal(generations.size, 1, 'records of one generation alone')
  return `${[...generations][0]} ${clients.length} ${scopes.length} ${entries.length}`
}

describe('a run of apply that is killed', () => {
  it(`has changed nothing or everything, at ${kills} moments`, { timeout: kills * 15_000 }, async () => {
    const url = { kind: 'sqlite', file: join(folder, 'latchkey.db') } as const
    const setUp = await openStorage(url, { migrate: true })
    await setUp.scopes.create(testScope('g0-0'))
    await setUp.clients.create(testClient({ id: 'g0-0', scopes: ['g0-0'] }))
    await setUp.close()
    for (const generation of [0, 1]) await writeFile(join(folder, `g${generation}.json`), file(generation))
    const seen = { unchanged: 0, changed: 0 }
    const startRun = (generation: number) => {
      const env = { ...process.env, Database__Url: `sqlite:${url.file}` }
      const run = spawn(process.execPath, [program, 'apply', `g${generation}.json`, '--prune'], {
        cwd: folder,
        env,
        stdio: 'ignore',
      })
      return { run, ended: once(run, 'exit') }
    }
    // How long a run takes depends on the machine, and the moments on that.
    const startedMs = performance.now()
    const [code] = await startRun(0).ended
    assert.equal(code, 0)
    const wholeMs = performance.now() - startedMs
    let current = await readState(url)
    assert.match(current, new RegExp(`^g0 ${records} ${records} `))
    for (let kill = 0; kill < kills; kill += 1) {
      const next = current.startsWith('g0') ? 1 : 0
      const { run, ended } = startRun(next)
      // The last one comes too late.
      await (kill === kills - 1 ? ended : Promise.race([ended, wait((kill * wholeMs * 1.25) / kills)]))
      run.kill('SIGKILL')
      await ended
      const now = await readState(url)
      if (now === current) seen.unchanged += 1
      else {
        seen.changed += 1
        assert.ok(now.startsWith(`g${next} ${records} ${records} `), now)
      }
      current = now
    }
    assert.ok(seen.unchanged > 0 && seen.changed > 0, JSON.stringify(seen))
  })
})
