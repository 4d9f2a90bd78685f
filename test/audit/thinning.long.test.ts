/** Old checkpoints are replaced by summaries, which prove what they proved. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashOfStatement } from '../../src/audit/chain.ts'
import { contentOf } from '../../src/audit/checkpoint.ts'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { removeExcess } from '../../src/audit/retention.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { day, engines, minute, scene, settingsOf, start } from './scene.ts'

/** Three hours of checkpoints, a minute apart and by two processes, and a week and a day after them. */
const minutes = 180

for (const engine of engines) {
  describe(`thinned checkpoints on ${engine.name}`, () => {
    type Scene = Awaited<ReturnType<typeof scene>>

    async function old({ process, write, time }: Scene): Promise<string[]> {
      for (let part = 0; part < 2; part += 1) {
        await process(async (storage, keeper) => {
          for (let at = 0; at < minutes / 2; at += 1) {
            await write(storage, 1)
            time.nowMs += minute
            await keeper.checkpoint()
          }
        })
      }
      const hashes = await process(async ({ audit }) =>
        (await audit.checkpoints(0, 1000)).map(({ statement }) => hashOfStatement(statement)),
      )
      time.nowMs += 9 * day
      return hashes
    }
    const numbers = (storage: Storage) =>
      storage.audit.checkpoints(0, 1000).then((rows) => rows.map(({ number }) => number))

    it('are one for each hour in the next checkpoint, and prove the trail as before', async (t) => {
      const of = await scene(t, engine)
      const hashes = await old(of)
      const { process, time, write, run, assertIntact } = of
      const before = JSON.parse((await run('verify', '--json')).stdout)
      const removed = await process((_, keeper) => keeper.thin())
      assert.ok(removed >= minutes, `${removed}`)
      await assertIntact()
      const after = JSON.parse((await run('verify', '--json')).stdout)
      assert.deepEqual(
        { ...after, checkpoints: after.checkpoints - 1 },
        { ...before },
        'one checkpoint more: that with the summaries',
      )
      const left = await process(numbers)
      assert.ok(left.length <= 3, `${left}`)
      // Every hash that was kept elsewhere is still one of this trail.
      for (const hash of [hashes[0], hashes[77], hashes.at(-1)].map(String)) {
        assert.equal((await run('verify', '--anchor', hash)).code, 0, hash)
      }
      assert.equal((await run('verify', '--anchor', 'A'.repeat(43))).code, 1)
      assert.equal((await run('verify', '--anchor', `${hashes[0]?.slice(5)}${hashes[1]?.slice(0, 5)}`)).code, 1)
      // Once more, in another process: nothing is left to do, and the trail goes on.
      await process(async (storage, keeper) => {
        assert.equal(await keeper.thin(), 0)
        await write(storage, 1)
        time.nowMs += minute
        assert.ok(await keeper.checkpoint())
      })
      await assertIntact()
    })

    it('leave the young ones, and those that an operator acknowledged', async (t) => {
      const of = await scene(t, engine)
      const { process, time, write, run, execute } = of
      const [entry] = (await of.entries()).slice(4)
      await execute(`delete from audit_entries where hash = '${entry?.hash}'`)
      assert.equal((await run('acknowledge', '--reason', 'a test')).code, 0)
      const acknowledged = await process(async ({ audit }) => {
        const rows = await audit.checkpoints(0, 100)
        return rows.find(({ statement }) => contentOf(statement)?.acknowledged !== undefined)?.number ?? 0
      })
      await old(of)
      await process(async (storage, keeper) => {
        for (let at = 0; at < 5; at += 1) {
          await write(storage, 1)
          time.nowMs += minute
          await keeper.checkpoint()
        }
        const young = (await numbers(storage)).slice(-5)
        assert.ok((await keeper.thin()) > 0)
        const left = await numbers(storage)
        for (const number of [acknowledged, ...young]) assert.ok(left.includes(number), `${number} of ${left}`)
      })
      assert.equal((await run('verify')).code, 0)
    })

    it('do not hide what was removed, changed or inserted', async (t) => {
      const of = await scene(t, engine)
      await old(of)
      const { process, write, time, execute, entries, run } = of
      const all = await entries()
      const summarising = await process(async (storage, keeper) => {
        await keeper.thin()
        const number = (await storage.audit.lastCheckpoint())?.number
        await write(storage, 1)
        time.nowMs += minute
        await keeper.checkpoint()
        return number
      })
      const last = all.at(-2)
      const intact = async () => assert.equal((await run('verify')).code, 0)
      await intact()
      await execute(`update audit_entries set user_id = 'mallory' where hash = '${all[40]?.hash}'`)
      assert.equal((await run('verify')).code, 1)
      await execute(`update audit_entries set user_id = '${all[40]?.userId}' where hash = '${all[40]?.hash}'`)
      await intact()
      // The end of the chain of the second process, whose only checkpoints are summarised.
      const { writer, seq } = last ?? { writer: '', seq: 0 }
      await execute(`create table kept as select * from audit_entries where writer = '${writer}' and seq > ${seq - 3}`)
      await execute(`delete from audit_entries where writer = '${writer}' and seq > ${seq - 3}`)
      const { code, stderr } = await run('verify')
      assert.equal(code, 1)
      assert.match(stderr, /was removed: it is missing/)
      await execute('insert into audit_entries select * from kept')
      await intact()
      // Without the checkpoint that has the summaries, their checkpoints are missing.
      await execute(`delete from audit_checkpoints where number = ${summarising}`)
      assert.match((await run('verify')).stderr, /checkpoint 1 was removed/)
    })

    it('are not made of what is not as it was signed', async (t) => {
      const of = await scene(t, engine)
      await old(of)
      const { process, execute, run } = of
      await execute(`update audit_checkpoints set at_ms = at_ms + 1 where number = 50`)
      await process(async (storage, keeper) => {
        await keeper.thin()
        assert.ok((await numbers(storage)).includes(50))
      })
      const { code, stderr } = await run('verify')
      assert.equal(code, 1)
      assert.match(stderr, /checkpoint 50 was changed/)
      await execute(`update audit_checkpoints set at_ms = at_ms - 1 where number = 50`)
      assert.equal((await run('verify')).code, 0)
    })

    it('let old entries go after a new start, and by a process that read them before', async (t) => {
      const of = await scene(t, engine)
      const { process, time, run } = of
      await old(of)
      const retention = {
        retainForDays: 9,
        retainRefusalsForDays: 0,
        maxRefusalSizeMegabytes: 256,
        maxSizeMegabytes: 0,
      }
      await process(async (storage, reading) => {
        // Reads the checkpoints, and removes nothing.
        await removeExcess(
          reading,
          storage.audit,
          { ...retention, retainForDays: 30, maxSizeMegabytes: 100 },
          time.nowMs,
        )
        await process((_, thinning) => thinning.thin())
        const half = { ...retention, retainForDays: 9 + (90 * minute) / day }
        const { old: removed } = await removeExcess(reading, storage.audit, half, time.nowMs)
        assert.ok(removed > 30, `${removed}`)
      })
      assert.equal((await run('verify')).code, 0)
      await process(async (storage, keeper) => {
        const { old: removed } = await removeExcess(keeper, storage.audit, retention, time.nowMs)
        assert.ok(removed > 30, `${removed}`)
      })
      assert.equal((await run('verify')).code, 0)
    })

    it('are not taken for a trail that was replaced, by a process that had nothing to do meanwhile', async (t) => {
      const of = await scene(t, engine)
      await of.process(async (storage) => {
        const clock = () => of.time.nowMs
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock })
        let told = 0
        const replaced = () => {
          told += 1
        }
        const idle = trailKeeper({ storage, keys, clock, replaced })
        await idle.checkpoint()
        await old(of)
        assert.ok((await of.process((_, keeper) => keeper.thin())) > 0)
        await of.write(storage, 1)
        assert.ok(await idle.checkpoint())
        assert.equal(told, 0)
      })
      await of.assertIntact()
    })

    it('make no entry look late that was written after a fast clock had signed', async (t) => {
      const of = await scene(t, engine)
      await old(of)
      const { process, write, time } = of
      await process((other, keeper) =>
        process(async (fast, keeperOfFast) => {
          // Before the fast one signs, so that its entries keep to its own clock for a while.
          await write(other, 1)
          time.nowMs += 60 * minute
          await write(fast, 1)
          await keeperOfFast.checkpoint()
          assert.ok((await keeperOfFast.thin()) > 0)
          time.nowMs -= 60 * minute
          for (let at = 0; at < 30; at += 1) {
            await write(other, 1)
            time.nowMs += minute
            assert.ok(await keeper.checkpoint())
          }
        }),
      )
      await of.assertIntact()
      time.nowMs += 9 * day
      await process(async (_, keeper) => assert.ok((await keeper.thin()) >= 30))
      await of.assertIntact()
    })

    it('know the last removal that was carried out, when the one after it was killed', async (t) => {
      const of = await scene(t, engine)
      await old(of)
      const { process, write, time } = of
      await process(async (storage, keeper) => {
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
        const cut = () => Promise.reject(new Error('killed'))
        const killed = trailKeeper({
          storage: { ...storage, audit: { ...storage.audit, cut } },
          keys,
          clock: () => time.nowMs,
        })
        assert.ok((await keeper.removeBefore(start + minute, 100)) > 0)
        await assert.rejects(killed.removeBefore(start + 2.5 * minute, 100), /killed/)
        await write(storage, 1)
        await keeper.checkpoint()
      })
      await of.assertIntact()
      time.nowMs += 9 * day
      await process(async (_, keeper) => assert.ok((await keeper.thin()) > 0))
      await of.assertIntact()
    })
  })
}
