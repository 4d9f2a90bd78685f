/** Moving a database: nothing that was acknowledged is left behind. Real processes, both engines. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import postgres from 'postgres'
import { databaseName } from '../../src/storage/name.ts'
import { openStorage } from '../../src/storage/open.ts'
import { openRows } from '../../src/storage/open-rows.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { aScope } from '../storage/records.ts'
import { Browser } from '../support/browser.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { postgresServer } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { freePort } from '../support/service.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'
import { executeSqlite } from '../support/sqlite.ts'

const server = await postgresServer()
after(() => server.stop())

const masterKey = Buffer.alloc(32, 7).toString('base64')

/** A folder whose settings name the database at `url`; default: a file in it. */
function place(t: TestContext, url?: string) {
  const folder = temporaryFolder(t)
  const env = { Keys__MasterKey: masterKey, ...(url && { Database__Url: url }) }
  const from = url ?? 'sqlite:data/latchkey.db'
  const run = (line: string, more: Readonly<Record<string, string>> = {}) =>
    runProgram(line.split(' '), { folder, env: { ...env, ...more } })
  async function start(): Promise<ServiceProcess & { readonly issuer: string }> {
    const port = await freePort()
    const service = await startProcess({ port, folder, env, args: ['--demo'] })
    t.after(() => service.kill())
    return { ...service, issuer: `http://localhost:${port}/` }
  }
  async function withStorage<T>(work: (storage: Storage) => Promise<T>, address = from): Promise<T> {
    const storage = await openStorage(
      address.startsWith('sqlite:')
        ? { kind: 'sqlite', file: join(folder, address.slice('sqlite:'.length)) }
        : { kind: 'postgres', url: address },
      { migrate: false },
    )
    try {
      return await work(storage)
    } finally {
      await storage.close()
    }
  }
  return { folder, from, run, start, withStorage }
}

/** Makes a copy take so long that it can be killed in the middle. */
async function addRows(folder: string, from: string): Promise<void> {
  const values = "select 'filler ' || n, 9e15 from"
  if (from.startsWith('sqlite:')) {
    executeSqlite(
      join(folder, from.slice('sqlite:'.length)),
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 300000)
      insert into spent_values (id, expires_at_ms) ${values} numbers`,
    )
    return
  }
  const sql = postgres(from, { max: 1 })
  await sql.unsafe(`insert into spent_values (id, expires_at_ms) ${values} generate_series(1, 300000) n`)
  await sql.end()
}

/** Starts `db copy` and kills it, as a power cut would, once it has reported the first table. */
async function killCopy(t: TestContext, folder: string, from: string, to: string): Promise<void> {
  const { child, ended, stderr } = startProgram(t, ['db', 'copy', '--from', from, '--to', to], { folder })
  child.stderr?.on('data', () => {
    if (/^users: \d+$/m.test(stderr())) child.kill('SIGKILL')
  })
  assert.deepEqual(await ended, { code: null, signal: 'SIGKILL' })
}

async function signIn(service: { readonly issuer: string }): Promise<number> {
  const answer = await new Browser(service).signIn()
  return answer.status
}

const engines = [
  ['an SQLite file', async () => undefined],
  ['PostgreSQL', () => server.createEmptyDatabase()],
] as const

for (const [engine, newUrl] of engines) {
  describe(`latchkey db copy from ${engine}`, () => {
    it('is refused while the database is served; the service goes on, and starts again', async (t) => {
      const { folder, from, run, start, withStorage } = place(t, await newUrl())
      const service = await start()
      const refused = await run(`db copy --from ${from} --to sqlite:copy.db`)
      assert.equal(refused.code, 1)
      assert.match(
        refused.stderr,
        /^error: .* is (?:in use by another process|being served)\. Stop the service first: .* add --online\.\n$/m,
      )
      assert.ok(!existsSync(join(folder, 'copy.db')))
      assert.equal(await signIn(service), 302)
      assert.equal(await withStorage((storage) => storage.servers.findMove()), undefined)
      await service.stop()
      await (await start()).stop()
    })

    it('marks the database, which nobody serves or changes from then on unless it is reopened', async (t) => {
      const { from, run, start, withStorage } = place(t, await newUrl())
      const service = await start()
      assert.equal(await signIn(service), 302)
      await service.stop()
      const copied = await run(`db copy --from ${from} --to sqlite:copy.db`)
      assert.equal(copied.code, 0, copied.stderr)
      assert.match(copied.stdout, /copy\.db\. .* is marked as moved and can no longer be served\./)

      const moved =
        /^error: .* was moved to .*copy\.db \(\d{4}-.*Set Database:Url to the new database\. .* run: latchkey db reopen\n$/
      await assert.rejects(start(), (error: Error) => moved.test(error.message.replace('the service ended: ', '')))
      for (const line of ['user list', 'scope add notes', 'audit list']) {
        const refused = await run(line)
        assert.equal(refused.code, 1, line)
        assert.match(refused.stderr, moved)
      }
      assert.match((await run('doctor')).stdout, /✗ .* was moved to .*copy\.db/)
      const again = await run(`db copy --from ${from} --to sqlite:another.db`)
      assert.match(again.stderr, moved)

      // The copy has everything, and is not marked itself.
      await withStorage(async (storage) => {
        assert.equal(await storage.servers.findMove(), undefined)
        assert.deepEqual(await storage.servers.list(), [])
        const [move] = await storage.audit.newest({ kind: 'database_moved' }, 1)
        assert.match(String(move?.details.to), /copy\.db$/)
        assert.equal((await storage.audit.newest({ kind: 'sign_in' }, 10)).length, 1)
      }, 'sqlite:copy.db')

      const reopened = await run('db reopen')
      assert.equal(reopened.code, 0, reopened.stderr)
      assert.match((await run('db reopen')).stderr, /is not marked as moved\./)
      assert.equal(await signIn(await start()), 302)
    })

    it('leaves no mark when it fails', async (t) => {
      const { from, run, start, withStorage } = place(t, await newUrl())
      await (await start()).stop()
      assert.equal((await run(`db copy --from ${from} --to sqlite:copy.db`)).code, 0)
      await run('db reopen')
      const refused = await run(`db copy --from ${from} --to sqlite:copy.db`)
      assert.match(refused.stderr, /is not empty .*Name an empty database/)
      await withStorage(async (storage) => {
        assert.equal(await storage.servers.findMove(), undefined)
        const kinds = (await storage.audit.newest({}, 2)).map(({ kind }) => kind)
        assert.deepEqual(kinds.sort(), ['database_moved', 'database_reopened'])
      })
    })

    it('that is killed leaves a target that nobody serves, and goes on with the next try', async (t) => {
      const { folder, from, run, start, withStorage } = place(t, await newUrl())
      const service = await start()
      assert.equal(await signIn(service), 302)
      await service.stop()
      await addRows(folder, from)
      const to = 'sqlite:new/copy.db'
      const elsewhere = place(t)
      await killCopy(t, folder, from, to)

      // The source is marked, and no longer sends anybody to a database in which nothing is.
      await assert.rejects(
        start(),
        /is being moved to .*copy\.db .* run the same latchkey db copy again\. .* latchkey db reopen/,
      )
      const served = { Database__Url: `sqlite:${join(folder, 'new/copy.db')}` }
      for (const line of ['user list', 'scope add notes', 'db reopen']) {
        const refused = await elsewhere.run(line, served)
        assert.equal(refused.code, 1, line)
        assert.match(
          refused.stderr,
          /The copy of .* into .*copy\.db has not ended .* run the same latchkey db copy again\./,
        )
      }
      assert.match((await elsewhere.run('serve', served)).stderr, /has not ended/)
      assert.match((await elsewhere.run('doctor', served)).stdout, /✗ The copy of .* has not ended/)
      assert.match((await run(`db copy --from ${from} --to sqlite:another.db`)).stderr, /is being moved to .*copy\.db/)

      const again = await run(`db copy --from ${from} --to ${to}`)
      assert.equal(again.code, 0, again.stderr)
      assert.match(again.stderr, /^going on with the move that began at /m)
      assert.match((await run('user list')).stderr, /was moved to .*copy\.db/)
      await withStorage(async (storage) => {
        assert.equal(await storage.servers.findArrival(), undefined)
        assert.equal((await storage.audit.newest({ kind: 'sign_in' }, 10)).length, 1)
        assert.equal((await storage.audit.newest({ kind: 'database_moved' }, 10)).length, 1)
      }, to)
      assert.match((await run(`db copy --from ${from} --to ${to}`)).stderr, /was moved to/)
    })

    it('that was killed between its last row and its last mark only removes that mark at the next try', async (t) => {
      const { folder, from, run, start, withStorage } = place(t, await newUrl())
      await (await start()).stop()
      const to = 'sqlite:copy.db'
      assert.equal((await run(`db copy --from ${from} --to ${to}`)).code, 0)
      const target = await openRows({ kind: 'sqlite', file: join(folder, 'copy.db') }, { readOnly: false })
      const name = from.startsWith('sqlite:')
        ? join(folder, 'data/latchkey.db')
        : databaseName({ kind: 'postgres', url: from })
      await target.fill((writer) => writer.markArrival({ from: name, atMs: 1 }))
      await target.close()
      await withStorage(({ scopes }) => scopes.create(aScope('kept')), to)
      const again = await run(`db copy --from ${from} --to ${to}`)
      assert.equal(again.code, 0, again.stderr)
      await withStorage(async (storage) => {
        assert.equal(await storage.servers.findArrival(), undefined)
        assert.equal((await storage.scopes.findMany(['kept'])).length, 1, 'nothing was copied again')
      }, to)
    })

    it('copies what is there with --online, says what that means, and lets the service go on', async (t) => {
      const { from, run, start, withStorage } = place(t, await newUrl())
      const service = await start()
      assert.equal(await signIn(service), 302)
      const copied = await run(`db copy --from ${from} --to sqlite:copy.db --online`)
      assert.equal(copied.code, 0, copied.stderr)
      assert.match(copied.stdout, /What is written there from then on is not in the copy: .* Never serve both at once/)
      assert.equal(await signIn(service), 302)
      const signIns = (storage: Storage) => storage.audit.newest({ kind: 'sign_in' }, 10)
      assert.equal((await withStorage(signIns, 'sqlite:copy.db')).length, 1)
      assert.equal((await withStorage(signIns)).length, 2)
      await service.stop()
      await (await start()).stop()
    })
  })
}

describe('a service on PostgreSQL whose database is moved all the same', () => {
  it('stops as soon as it finds out, with 1 and the reason', async (t) => {
    const { start, withStorage } = place(t, await server.createEmptyDatabase())
    const service = await start()
    // As a process that was paused while the database was moved.
    await withStorage(async ({ servers }) => {
      await servers.markMoved({ to: 'elsewhere', atMs: Date.UTC(2030, 0, 1) })
      await servers.settleMove()
      await servers.endMove()
    })
    await service.says(/"signal":"moved","msg":"stopping"/)
    assert.equal(await service.ended, 1)
    assert.match(service.output(), /error: .* was moved to elsewhere \(2030-01-01T00:00:00\.000Z\)/)
    await withStorage(async (storage) => assert.deepEqual(await storage.servers.list(), []))
  })

  it('that was killed is waited for, and then counts as ended', async (t) => {
    const { from, run, start } = place(t, await server.createEmptyDatabase())
    const service = await start()
    await service.kill()
    const copied = await run(`db copy --from ${from} --to sqlite:copy.db`)
    assert.equal(copied.code, 0, copied.stderr)
    assert.match(copied.stderr, /^waiting 12\.5 s for servers that did not sign off: process \d+ on /m)
  })
})

describe('latchkey db restore', () => {
  it('takes the mark of a move away with what was moved', async (t) => {
    const { from, run, start } = place(t)
    await (await start()).stop()
    await run('db backup backup.db')
    await run(`db copy --from ${from} --to sqlite:copy.db`)
    await assert.rejects(start(), /was moved to/)
    assert.equal((await run('db restore backup.db --force')).code, 0)
    await (await start()).stop()
  })
})
