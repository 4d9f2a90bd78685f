/** One of several processes does the work that one does for all, on both engines, whatever their clocks say. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { leaseOf } from '../../src/server/lease.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { storages } from '../storage/storage-for.ts'
import { postgresServer } from '../support/postgres.ts'
import { openDatabase } from '../support/sqlite.ts'

const server = await postgresServer()
after(() => server.stop())

const engines = {
  SQLite: () => openDatabase({ kind: 'sqlite-memory' }),
  PostgreSQL: async () =>
    openStorage({ kind: 'postgres', url: await server.createDatabase(), preparedStatements: true }, { migrate: false }),
} as const

/** A process with clocks that the test moves. */
function node(storage: Pick<Storage, 'leases'>, at: number) {
  const time = { monotonicMs: 0, clockMs: at }
  const random = (bytes: number) => new Uint8Array(bytes).fill(at % 251)
  const lease = leaseOf({
    leases: storage.leases,
    clock: () => time.clockMs,
    random,
    monotonic: () => time.monotonicMs,
  })
  return { lease, time }
}

for (const [name, open] of Object.entries(engines)) {
  describe(`the lease on ${name}`, () => {
    const storageFor = storages(open)

    it('is of one holder, who extends it, until it ends by the clock of the database or is given back', async (t) => {
      const { leases } = await storageFor(t)
      const all = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => leases.take('work', holder, 60_000)))
      assert.equal(all.filter((isTaken) => isTaken).length, 1)
      const holder = ['a', 'b', 'c', 'd'][all.indexOf(true)] ?? ''
      const other = holder === 'a' ? 'b' : 'a'
      assert.equal(await leases.take('work', holder, 60_000), true)
      assert.equal(await leases.take('work', other, 60_000), false)
      assert.equal(await leases.take('other work', other, 60_000), true)
      await leases.release('work', other)
      assert.equal(await leases.take('work', other, 60_000), false)
      // Its time is over at once.
      assert.equal(await leases.take('work', holder, 0), true)
      assert.equal(await leases.take('work', other, 60_000), true)
      assert.equal(await leases.take('work', holder, 60_000), false)
      await leases.release('work', other)
      assert.equal(await leases.take('work', holder, 60_000), true)
    })

    it('is taken by one process whatever the clocks of the others say, and by the next one when it stops', async (t) => {
      const storage = await storageFor(t)
      const [ahead, behind] = [node(storage, 4_000_000_000_000), node(storage, 1)]
      assert.equal(ahead.lease.isHeld(), false)
      await behind.lease.renew()
      await ahead.lease.renew()
      assert.deepEqual([ahead.lease.isHeld(), behind.lease.isHeld()], [false, true])
      await behind.lease.end()
      assert.equal(behind.lease.isHeld(), false)
      await ahead.lease.renew()
      assert.equal(ahead.lease.isHeld(), true)
      // A renewal that was under way takes nothing back.
      await behind.lease.renew()
      assert.deepEqual([ahead.lease.isHeld(), behind.lease.isHeld()], [true, false])
    })

    it('is taken by no process at rest, which does the work while nobody else has it', async (t) => {
      const storage = await storageFor(t)
      const [resting, alone, awake] = [node(storage, 10), node(storage, 15), node(storage, 20)]
      for (const { lease } of [resting, alone]) {
        await lease.renew(60_000)
        assert.equal(lease.isHeld(), true)
      }
      await awake.lease.renew()
      assert.equal(awake.lease.isHeld(), true)
      await resting.lease.renew(60_000)
      assert.equal(resting.lease.isHeld(), false)
      // Long enough for the next turn, and no longer.
      Object.assign(alone.time, { monotonicMs: 60_000, clockMs: 15 + 60_000 })
      assert.equal(alone.lease.isHeld(), true)
      Object.assign(alone.time, { monotonicMs: 75_000 })
      assert.equal(alone.lease.isHeld(), false)
    })

    for (const [what, move] of [
      ['was paused', ({ monotonicMs, clockMs }: Time) => ({ monotonicMs: monotonicMs + 46_000, clockMs })],
      ['was on a machine that slept', ({ monotonicMs, clockMs }: Time) => ({ monotonicMs, clockMs: clockMs + 46_000 })],
    ] as const) {
      it(`is none for a process that ${what}, before it asks anybody, and another one has it then`, async (t) => {
        const storage = await storageFor(t)
        const [first, second] = [node(storage, 10), node(storage, 20)]
        await first.lease.renew()
        assert.equal(first.lease.isHeld(), true)
        Object.assign(first.time, move(first.time))
        assert.equal(first.lease.isHeld(), false)
        const holder = Buffer.from(new Uint8Array(16).fill(10)).toString('hex')
        await storage.leases.take('housekeeping', holder, 0)
        await second.lease.renew()
        await first.lease.renew()
        assert.deepEqual([first.lease.isHeld(), second.lease.isHeld()], [false, true])
      })
    }
  })
}

type Time = { readonly monotonicMs: number; readonly clockMs: number }
