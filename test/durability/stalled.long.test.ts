/** Commits that wait for a synchronous replica which is not there: nothing hangs, nothing is confirmed, and reads go on. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { openPostgres } from '../../src/storage/postgres/engine.ts'
import { countWaiting } from '../../src/storage/postgres/replicas.ts'
import { sqlStorage } from '../../src/storage/sql/storage.ts'
import { aUser } from '../storage/records.ts'
import { closing } from '../support/lifetime.ts'
import { startServer } from '../support/postgres.ts'
import { runProgram } from '../support/program.ts'

const server = await startServer({ settings: ['wal_level=replica', 'max_wal_senders=4'] })
const url = await server.createDatabase()
const admin = postgres(url, { max: 1, onnotice: () => {} })
after(async () => {
  await admin.end()
  await server.stop()
})

/** Makes every commit wait for a replica of this name; empty: for none. */
async function waitFor(replica: string): Promise<void> {
  await admin.unsafe(`alter system set synchronous_standby_names = '${replica}'`)
  await admin`select pg_reload_conf()`
  for (let value: unknown; value !== replica; ) {
    const [row] = await admin`select current_setting('synchronous_standby_names') as value`
    value = row?.value
  }
  // Each session of the server learns of it by itself.
  await pause(200)
}

async function waiting(): Promise<number> {
  const [row] = await admin`select count(*)::integer as n from pg_stat_activity where wait_event = 'SyncRep'`
  return Number(row?.n)
}

const open = () => sqlStorage(openPostgres(url, { statementTimeoutMs: 300, deadlineMs: 1500, connections: 3 }))

describe('commits that wait for a synchronous replica', { timeout: 600_000 }, () => {
  it('are refused at once when they stall, leave reads and sessions of the server alone, and go on by themselves', async (t) => {
    const storage = closing(t, open())
    const user = aUser()
    await storage.users.create(user)
    await waitFor('nobody')
    const first = storage.users.create(aUser())
    const refused = assert.rejects(first, (error: Error) => {
      assert.ok(error instanceof StorageUnavailable && error.isPassing)
      return /did not answer within 1500 ms.* synchronous replica/.test(error.message)
    })
    // Before the first one is given up, the database is known to take no writes.
    await pause(1100)
    await assert.rejects(storage.checkWrites(), /they wait for a synchronous replica, and none answers/)
    await refused
    for (let round = 0; round < 5; round += 1) {
      const beganAtMs = performance.now()
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => storage.users.create(aUser())))
      assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'))
      assert.ok(performance.now() - beganAtMs < 1400, 'nothing waits for the deadline')
      assert.deepEqual(await storage.users.find(user.id), user)
      assert.ok((await waiting()) <= 3, 'no more sessions wait than the service has connections')
    }
    await assert.rejects(storage.checkWrites(), StorageUnavailable)
    await waitFor('')
    const endMs = performance.now() + 60_000
    while ((await storage.users.create(aUser()).catch(() => 'refused')) !== 'created') {
      assert.ok(performance.now() < endMs, 'commits go on when the wait has ended')
      await pause(50)
    }
    await storage.checkWrites()
    assert.equal(await waiting(), 0)
  })

  it('are noticed before the first success of a process, and by a process that only looks', async (t) => {
    await waitFor('nobody')
    const storage = closing(t, open())
    await assert.rejects(storage.checkWrites(), StorageUnavailable)
    await assert.rejects(storage.checkWrites(), /they wait for a synchronous replica/)
    await waitFor('')
    const endMs = performance.now() + 60_000
    for (;;) {
      const error = await storage.checkWrites().catch((error) => error as Error)
      if (error === undefined) break
      assert.ok(performance.now() < endMs, error.message)
      await pause(50)
    }
  })

  it('are not acknowledged when their wait is cancelled, although PostgreSQL confirms them', async (t) => {
    const storage = closing(t, open())
    await storage.users.create(aUser())
    await waitFor('nobody')
    const user = aUser()
    const created = assert.rejects(storage.users.create(user), /its wait for a synchronous replica was cancelled/)
    while ((await waiting()) === 0) await pause(20)
    await admin`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await created
    await waitFor('')
    assert.deepEqual(await storage.users.find(user.id), user, 'it is stored; a replica may not have it')
  })

  it('end a command, which names them and does not wait for the server to close its connection', async () => {
    await waitFor('nobody')
    const env = { Database__Url: url, Keys__MasterKey: Buffer.alloc(32).toString('base64') }
    const { code, stdout } = await runProgram(['doctor'], { folder: tmpdir(), env })
    assert.equal(code, 1, 'it ended by itself')
    assert.match(stdout, /✗ PostgreSQL can be read, and confirms no commits: .* and none is attached\./)
    await waitFor('')
  })

  it('are told from those that have begun to wait just now', async (t) => {
    const writer = closing(t, postgres(url, { max: 1, onnotice: () => {} }))
    await waitFor('nobody')
    const written = writer`insert into spent_values (id, expires_at_ms) values ('one', 0)`.execute()
    while ((await waiting()) === 0) await pause(20)
    assert.equal(await countWaiting(admin, 60_000), 0)
    await pause(50)
    assert.equal(await countWaiting(admin, 20), 1)
    await waitFor('')
    await written
  })

  it('are told from statements that wait for a lock', async (t) => {
    const storage = closing(t, open())
    const user = aUser()
    await storage.users.create(user)
    const holder = closing(t, postgres(url, { max: 1 }))
    await holder.begin(async (sql) => {
      await sql`select * from users where id = ${user.id} for update`
      const held = Array.from({ length: 4 }, () => storage.users.update(user.id, (at) => ({ ...at, roles: ['held'] })))
      const outcomes = Promise.allSettled(held)
      for (let round = 0; round < 10; round += 1) {
        assert.equal(await storage.users.create(aUser()), 'created')
        await pause(100)
      }
      await outcomes
    })
  })
})
