/** Refusals give way first: by age, by the room that they take, and by that of the whole trail; what stays is proven. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { trailKeeper } from '../../src/audit/keeper.ts'
import { type Retention, removeExcess } from '../../src/audit/retention.ts'
import { openKeyRing } from '../../src/keys/ring.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { anEvent } from '../storage/records.ts'
import { day, engines, minute, scene, settingsOf } from './scene.ts'

const everything: Retention = {
  retainForDays: 0,
  retainRefusalsForDays: 0,
  maxRefusalSizeMegabytes: 1000,
  maxSizeMegabytes: 0,
}

for (const engine of engines) {
  describe(`the room that the trail takes, on ${engine.name}`, () => {
    /** 30 acts of the first three minutes, then `refusals` of as many milliseconds, an act among them every thousand. */
    async function filled(t: Parameters<typeof scene>[0], refusals: number) {
      const place = await scene(t, engine)
      const { process, time } = place
      await process(async ({ audit }, keeper) => {
        for (let from = 0; from < refusals; from += 1000) {
          const events = Array.from({ length: 1000 }, (_, at) => anEvent({ kind: 'refusal', atMs: time.nowMs + at }))
          await audit.append([...events, anEvent({ kind: 'sign_in', atMs: time.nowMs + 999 })])
          time.nowMs += 1000
        }
        await keeper.checkpoint()
      })
      const counts = () =>
        process(async ({ audit }) => {
          const entries = await audit.stored(undefined, 100_000)
          const refused = entries.filter(({ kind }) => kind === 'refusal').length
          return { refusals: refused, acts: entries.length - refused }
        })
      const remove = (retention: Partial<Retention>) =>
        process((storage, keeper) => removeExcess(keeper, storage.audit, { ...everything, ...retention }, time.nowMs))
      return { ...place, counts, remove }
    }

    it('loses refusals that are older than Audit:RetainRefusalsFor, and no act', async (t) => {
      const { counts, remove, time, process, assertIntact, assertFound, execute, entries } = await filled(t, 7000)
      assert.deepEqual(await counts(), { refusals: 7000, acts: 38 })
      time.nowMs += 2 * day
      await process((storage) => storage.audit.append([anEvent({ kind: 'refusal', atMs: time.nowMs })]))
      await process((_storage, keeper) => keeper.checkpoint())
      assert.deepEqual(await remove({ retainRefusalsForDays: 3 }), { old: 0, refusals: 0, acts: 0 })
      assert.deepEqual(await remove({ retainRefusalsForDays: 1 }), { old: 7000, refusals: 0, acts: 0 })
      assert.deepEqual(await counts(), { refusals: 1, acts: 38 })
      await assertIntact(/39 entries/)
      // What somebody else removes is found as before.
      const last = (await entries()).filter(({ kind }) => kind === 'sign_in').at(-1)
      await execute(`delete from audit_entries where writer = '${last?.writer}' and seq = ${last?.seq}`)
      await assertFound(/ was removed: it is missing/)
    })

    it('has as many refusals as Audit:MaxRefusalSize has room for: the oldest go, and no act', async (t) => {
      const { counts, remove, time, process, assertIntact } = await filled(t, 4000)
      // 1 MB has room for 1250 of 800 bytes; what is younger than ten minutes stays.
      assert.deepEqual(await remove({ maxRefusalSizeMegabytes: 1 }), { old: 0, refusals: 0, acts: 0 })
      time.nowMs += 11 * minute
      const newest = await process(async ({ audit }) => (await audit.newest({ kind: 'refusal' }, 1))[0])
      assert.deepEqual(await remove({ maxRefusalSizeMegabytes: 1 }), { old: 0, refusals: 4000 - 1187, acts: 0 })
      assert.deepEqual(await counts(), { refusals: 1187, acts: 35 })
      assert.equal(
        await process(async ({ audit }) => (await audit.newest({ kind: 'refusal' }, 1))[0]?.hash),
        newest?.hash,
      )
      await assertIntact(/1222 entries/)
      assert.deepEqual(await remove({ maxRefusalSizeMegabytes: 1 }), { old: 0, refusals: 0, acts: 0 })
    })

    it('has as much as Audit:MaxSize: refusals go first, then the oldest acts', async (t) => {
      const { counts, remove, time, process, write, assertIntact, entries } = await filled(t, 2000)
      time.nowMs += 11 * minute
      // 1 MB: 33 acts of 500 bytes leave room for 1229 refusals, a twentieth less is kept.
      assert.deepEqual(await remove({ maxSizeMegabytes: 1 }), { old: 0, refusals: 2000 - 1167, acts: 0 })
      await assertIntact(/1200 entries/)
      await process(async (storage, keeper) => {
        await write(storage, 2200)
        await keeper.checkpoint()
      })
      time.nowMs += 11 * minute
      const removed = await remove({ maxSizeMegabytes: 1 })
      assert.deepEqual(removed, { old: 0, refusals: 1167, acts: 2233 - 1900 })
      assert.deepEqual(await counts(), { refusals: 0, acts: 1900 })
      assert.equal((await entries()).length, 1000)
      await assertIntact(/1900 entries/)
    })

    it('removes no refusal that is not as it was signed', async (t) => {
      const { remove, time, execute, counts, assertFound } = await filled(t, 1000)
      time.nowMs += 2 * day
      await execute("update audit_entries set details = '{}' where kind = 'refusal' and seq = 500")
      await assert.rejects(
        remove({ retainRefusalsForDays: 1 }),
        /entry 500 of writer r[0-9a-f]{15} \(2027-.*\) was changed: its content does not/,
      )
      assert.equal((await counts()).refusals, 1000)
      await assertFound(/entry 500 of writer r[0-9a-f]{15} .*was changed/)
    })

    it('holds when the process was killed between signing a cut of refusals and removing them', async (t) => {
      const { time, process, assertIntact, remove } = await filled(t, 1000)
      time.nowMs += 2 * day
      await process(async (storage) => {
        const stopped: Storage = {
          ...storage,
          audit: { ...storage.audit, cut: () => Promise.reject(new Error('killed')) },
        }
        const keys = await openKeyRing({ storage, settings: settingsOf(), clock: () => time.nowMs })
        const keeper = trailKeeper({ storage: stopped, keys, clock: () => time.nowMs })
        await assert.rejects(keeper.removeBefore(time.nowMs - day, 100, 'refusals'), /killed/)
      })
      await assertIntact(/1032 entries/)
      assert.equal((await remove({ retainRefusalsForDays: 1 })).old, 1000)
      await assertIntact(/32 entries/)
    })
  })
}
