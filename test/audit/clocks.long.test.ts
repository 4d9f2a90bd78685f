/** Clocks that are wrong and databases that go back in time do not make the trail fail its proof. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { assertChained } from '../storage/contract-audit.ts'
import { anEvent, nextId } from '../storage/records.ts'
import { day, engines, minute, scene, settingsOf } from './scene.ts'

for (const engine of engines) {
  describe(`a clock that is wrong, on ${engine.name}`, () => {
    it('at a start that is late gives entries the time of the last checkpoint, and they say what it said', async (t) => {
      const { process, time, write, assertIntact, entries } = await scene(t, engine)
      const signedToMs = time.nowMs
      time.nowMs -= day
      const lateMs = time.nowMs
      await process(async (storage, keeper) => {
        await write(storage, 3)
        await storage.spentValues.spend(nextId(), 1, [anEvent({ atMs: time.nowMs, details: {} })])
        storage.audit.note(anEvent({ kind: 'refusal', atMs: time.nowMs, details: { reason: 'r' } }))
        await storage.audit.flush()
        assert.ok(await keeper.checkpoint())
      })
      await assertIntact(/36 entries/)
      const late = (await entries()).slice(31)
      assert.equal(late.length, 5)
      for (const { atMs, details } of late) {
        assert.equal(atMs, signedToMs)
        assert.ok(JSON.parse(details).clockMs >= lateMs && JSON.parse(details).clockMs <= time.nowMs, details)
      }
      // Nor does what comes after the clock was set.
      time.nowMs = signedToMs + minute
      await process((storage) => write(storage, 1))
      await assertIntact(/37 entries/)
      assert.equal((await entries()).at(-1)?.details.includes('clockMs'), false)
    })

    it('in a process that has been running gives it the time of the last checkpoint that another one signed', async (t) => {
      const { process, time, write, assertIntact } = await scene(t, engine)
      const mocked = { nowMs: 0 }
      t.mock.method(performance, 'now', () => mocked.nowMs)
      await process((late) =>
        process(async (storage, keeper) => {
          await write(late, 1)
          for (let round = 0; round < 10; round += 1) {
            const [nowMs, behindMs] = [time.nowMs, 20 * minute]
            time.nowMs -= behindMs
            await write(late, 1)
            time.nowMs = nowMs + minute
            mocked.nowMs += minute
            await write(storage, 1)
            await keeper.checkpoint()
          }
        }),
      )
      await assertIntact(/52 entries/)
    })

    it('that was ahead and has been set does not hold the times of its process back for ever', async (t) => {
      const { process, time, write, assertIntact, entries } = await scene(t, engine)
      await process(async (storage, keeper) => {
        time.nowMs += 10 * day
        await write(storage, 1)
        time.nowMs -= 10 * day
        await write(storage, 2)
        await keeper.checkpoint()
      })
      await assertIntact(/34 entries of 3 writers/)
      const last = (await entries()).filter(({ atMs }) => atMs <= time.nowMs)
      assert.equal(last.length, 33)
    })
  })

  describe(`a backup that is restored under running servers, on ${engine.name}`, () => {
    it('has them begin other chains, and sign those that are there', async (t) => {
      const { process, time, write, assertIntact, latchkey, folder, entries } = await scene(t, engine)
      const backup = join(folder, 'backup.db')
      assert.equal((await latchkey('db', 'backup', backup)).code, 0)
      let replaced = 0
      await process(async (storage) => {
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
        const keeper = trailKeeper({ storage, keys, clock: () => time.nowMs, replaced: () => (replaced += 1) })
        const noteOne = async (from: Storage) => {
          time.nowMs += 1
          from.audit.note(anEvent({ kind: 'refusal', atMs: time.nowMs }))
          await from.audit.flush()
        }
        for (let round = 0; round < 3; round += 1) {
          await write(storage, 4)
          await noteOne(storage)
          time.nowMs += minute
          assert.ok(await keeper.checkpoint())
        }
        const restored = await latchkey('db', 'restore', backup, '--force')
        assert.equal(restored.code, 0, restored.stderr)
        // As acts are recorded, and what is noted; each continues its chain as far as this process knows.
        await storage.spentValues.spend(nextId(), 1, [anEvent({ atMs: time.nowMs })])
        await write(storage, 4)
        await noteOne(storage)
        await assertIntact(/38 entries of \d writers.*\n3 checkpoints .* and 7 entries after it are not signed yet/)
        time.nowMs += minute
        assert.equal((await keeper.checkpoint())?.number, 4)
        await write(storage, 2)
        time.nowMs += minute
        assert.equal((await keeper.checkpoint())?.number, 5)
      })
      assert.equal(replaced, 1)
      await assertIntact(/40 entries of \d writers.*\n5 checkpoints .* nothing was recorded after it/)
      assert.equal((await entries()).filter(({ kind }) => kind === 'database_restored').length, 1)
    })

    it('goes on with chains that ended where the backup has them', async (t) => {
      const { process, latchkey, folder, write, assertIntact } = await scene(t, engine)
      const backup = join(folder, 'backup.db')
      await process(async (storage) => {
        await write(storage, 2)
        assert.equal((await latchkey('db', 'backup', backup)).code, 0)
        assert.equal((await latchkey('db', 'restore', backup, '--force')).code, 0)
        await write(storage, 2)
        const writers = new Set((await assertChained(storage)).map(({ writer }) => writer))
        assert.equal(writers.size, 3)
      })
      await assertIntact(/36 entries of 3 writers/)
    })
  })
}
