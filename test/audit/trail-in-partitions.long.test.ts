/** A trail in partitions by time is one trail: what is read, proven and removed is the same, and retention drops tables. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { TrailKeeper } from '../../src/audit/keeper.ts'
import { NotIntact } from '../../src/audit/removal.ts'
import { removeExcess } from '../../src/audit/retention.ts'
import type { Finding } from '../../src/finding.ts'
import { checkTrail } from '../../src/server/doctor/trail-checks.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { anEvent, atOnce, nextId } from '../storage/records.ts'
import { statements } from '../support/statements.ts'
import { valuesOf } from '../support/values.ts'
import { day, engines, minute, scene, settingsOf } from './scene.ts'

const [sqlite, postgres] = engines
const week = 7 * day

/** A divided trail with entries of three weeks after the first partition, each signed. */
async function divided(t: TestContext) {
  assert.ok(postgres)
  const trail = await scene(t, postgres)
  const { run, time, process, write } = trail
  const { code, stdout } = await run('divide')
  assert.deepEqual([code, /The trail is divided: entries from 2027-01-\d+/.test(stdout)], [0, true], stdout)
  await process(async (storage, keeper) => {
    for (let at = 0; at < 6; at += 1) {
      time.nowMs += week
      await storage.audit.partitions.extend(time.nowMs)
      await write(storage, 5)
      await keeper.checkpoint()
    }
  })
  return trail
}

const bounds = async ({ audit }: Storage) =>
  (await audit.partitions.list()).map(({ fromMs, beforeMs }) => [fromMs, beforeMs])

/** Adds 1,500 entries, more than are read at once, to a partition that is the oldest with any; its bounds and their first time. */
async function fillPartition(storage: Storage, keeper: TrailKeeper, time: { nowMs: number }) {
  const fromMs = time.nowMs
  const kindOf = (at: number) => (at % 2 === 1 ? 'refusal' : 'sign_in')
  await storage.audit.append(
    Array.from({ length: 1500 }, (_, at) => anEvent({ kind: kindOf(at), atMs: fromMs + at, details: { at } })),
  )
  time.nowMs += 4 * week
  await storage.audit.partitions.extend(time.nowMs)
  await keeper.checkpoint()
  while ((await keeper.removeBefore(fromMs, 5000)) > 0);
  const found = await bounds(storage)
  return [fromMs, found.find(([from, before]) => (from ?? fromMs + 1) <= fromMs && (before ?? 0) > fromMs)] as const
}

const retention = { retainRefusalsForDays: 0, maxRefusalSizeMegabytes: 256, maxSizeMegabytes: 0 }

describe('a trail in partitions', () => {
  it('covers all of time without a gap, ahead of the clock, and proves what it proved before', async (t) => {
    const { process, time, assertIntact, run } = await divided(t)
    await assertIntact(/ 61 entries of 2 writers /)
    await process(async (storage) => {
      const found = await bounds(storage)
      assert.equal(found[0]?.[0], null)
      assert.equal(found.at(-1)?.[1], null)
      for (const [at, [from]] of found.entries()) if (at > 0) assert.equal(from, found[at - 1]?.[1])
      assert.ok((found.at(-1)?.[0] ?? 0) >= time.nowMs + 2 * week)
      await storage.audit.partitions.extend(time.nowMs)
      assert.deepEqual(await bounds(storage), found)
    })
    assert.match((await run('divide')).stdout, /was divided before/)
  })

  it('is read in the same order, page by page, as one table', async (t) => {
    const { process, time } = await divided(t)
    await process(async ({ audit }) => {
      const all = await audit.stored(undefined, 100)
      assert.equal(all.length, 61)
      const stored = []
      for (let last = undefined as (typeof all)[number] | undefined, more = true; more; ) {
        const rows = await audit.stored(last, 7)
        stored.push(...rows)
        last = rows.at(-1)
        more = rows.length === 7
      }
      assert.deepEqual(stored, all)
      const paged = []
      for (let page = await audit.page({}, undefined, 7), more = true; more; ) {
        paged.push(...page.entries)
        more = page.next !== undefined
        if (more) page = await audit.page({}, page.next, 7)
      }
      const keys = (rows: readonly { hash: string }[]) => rows.map(({ hash }) => hash)
      assert.deepEqual(keys(paged), keys(all.toReversed()))
      assert.deepEqual(keys(await audit.newest({}, 3)), keys(all.slice(-3)))
      await audit.append([anEvent({ kind: 'sign_in', userId: 'ada', atMs: time.nowMs })])
      assert.equal((await audit.activity('ada', undefined)).length, 1)
    })
  })

  it('loses a whole partition when all of it is old, keeps the rest, and stays proven', async (t) => {
    const { process, time, assertIntact, assertFound, entries, execute } = await divided(t)
    await process(async (storage, keeper) => {
      const before = await bounds(storage)
      // In the first partition entries are removed one by one, as ever.
      const nowMs = (before[2]?.[1] ?? 0) + 100 * day + minute
      const { old } = await removeExcess(keeper, storage.audit, { ...retention, retainForDays: 100 }, nowMs)
      const after = await bounds(storage)
      assert.deepEqual(after, [[null, before[3]?.[0]], ...before.slice(3)])
      assert.ok(old >= 41)
      const rest = await storage.audit.stored(undefined, 100)
      assert.equal(rest.length, 61 - old)
      assert.ok(rest.length > 0 && rest.every(({ atMs }) => atMs >= (before[3]?.[0] ?? 0)))
      assert.equal(await keeper.removeBefore(rest[0]?.atMs ?? 0, 5000), 0)
      // An entry of before has its place still, such as one of a backup.
      await storage.audit.append([anEvent({ atMs: time.nowMs })])
    })
    await assertIntact()
    // The check that spares the first partition another reading is gone again.
    await execute(
      `do $$ begin assert not exists (select from pg_constraint where conname = 'audit_entries_until'); end $$`,
    )
    const [first] = await entries()
    await execute(`delete from audit_entries where seq = ${first?.seq} and writer = '${first?.writer}'`)
    await assertFound(/ was removed: it is missing/)
  })

  it('is checked a part at a time before a partition is dropped, and keeps one that was changed', async (t) => {
    const { process, execute, time } = await divided(t)
    await process(async (storage, keeper) => {
      const [fromMs, partition] = await fillPartition(storage, keeper, time)
      await execute(`update audit_entries set details = '{}' where at_ms = ${fromMs + 1450}`)
      const before = await bounds(storage)
      assert.equal(await keeper.removeBefore(partition?.[1] ?? 0, 1000), 0)
      assert.ok(keeper.isChecking())
      await assert.rejects(keeper.removeBefore(partition?.[1] ?? 0, 1000), NotIntact)
      assert.deepEqual(await bounds(storage), before)
    })
  })

  it('goes on while chains of refusals are removed from what is checked', async (t) => {
    const { process, time, assertIntact } = await divided(t)
    await process(async (storage, keeper) => {
      const [fromMs, partition] = await fillPartition(storage, keeper, time)
      const endMs = partition?.[1] ?? 0
      assert.equal(await keeper.removeBefore(endMs, 1000), 0)
      assert.ok(keeper.isChecking())
      assert.ok((await keeper.removeBefore(fromMs + 1200, 5000, 'refusals')) > 0)
      let removed = 0
      while (removed === 0) removed = await keeper.removeBefore(endMs, 1000)
      assert.ok((await bounds(storage)).every(([from]) => (from ?? endMs) >= endMs))
    })
    await assertIntact()
  })

  it('takes entries of a clock that is ahead, whose table becomes a partition', async (t) => {
    const { process, time, assertIntact } = await divided(t)
    await process(async (storage) => {
      await storage.audit.append([anEvent({ atMs: time.nowMs + 60 * week })])
      const before = await bounds(storage)
      time.nowMs += 3 * week
      await Promise.all([storage.audit.partitions.extend(time.nowMs), storage.audit.partitions.extend(time.nowMs)])
      const after = await bounds(storage)
      const lastMs = before.at(-1)?.[0] ?? 0
      assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, -1))
      assert.ok(after.some(([from, to]) => from === lastMs && (to ?? 0) > time.nowMs + 57 * week))
      for (const [at, [from]] of after.entries()) if (at > 0) assert.equal(from, after[at - 1]?.[1])
    })
    await assertIntact()
  })

  it('continues a chain whose last entry was dropped with its partition by a new one', async (t) => {
    const { process, time, assertIntact } = await divided(t)
    await process(async (idle, keeper) => {
      await idle.audit.append([anEvent({ atMs: time.nowMs })])
      await keeper.checkpoint()
      await process(async (storage, other) => {
        time.nowMs += 3 * week
        await storage.audit.partitions.extend(time.nowMs)
        let dropped = 1
        while (dropped > 0 || other.isChecking()) dropped = await other.removeBefore(time.nowMs - week, 5000)
      })
      const spent = await atOnce(20, () =>
        idle.spentValues.spend(nextId(), time.nowMs, [anEvent({ atMs: time.nowMs })]),
      )
      assert.ok(spent.every(Boolean))
      await keeper.checkpoint()
    })
    await assertIntact()
  })

  it('is divided while others write, and none of their acts fails', async (t) => {
    assert.ok(postgres)
    const { process, time, run, assertIntact } = await scene(t, postgres)
    await process(async (storage) => {
      let ended = false
      const writing = (async () => {
        let acts = 0
        while (!ended) {
          const spend = () => storage.spentValues.spend(nextId(), time.nowMs, [anEvent({ atMs: time.nowMs })])
          assert.ok((await atOnce(5, spend)).every(Boolean))
          acts += 5
        }
        return acts
      })()
      const { code, stdout } = await run('divide', '--days', '1', '--json')
      ended = true
      assert.deepEqual([code, JSON.parse(stdout).outcome], [0, 'divided'])
      assert.ok((await writing) > 0)
    })
    await assertIntact()
  })

  it('reads only the partitions that can have what is asked for', async (t) => {
    const { process, execute } = await divided(t)
    await process(async (storage) => {
      const [, first] = await bounds(storage)
      const [fromMs] = first ?? []
      const stored = statements.postgres['audit.stored']?.text ?? ''
      await execute(`
        prepare stored as ${stored};
        do $$ declare line text; named text := ''; begin
          for line in execute 'explain execute stored(${fromMs}, ${fromMs}, ''a'', 1, 10)' loop named := named || line; end loop;
          if named like '%audit_entries_before%' then raise exception 'not pruned: %', named; end if;
          if named like '%Sort%' or named like '%Merge Append%' then raise exception 'not in order: %', named; end if;
        end $$`)
    })
  })

  it('is recommended by the doctor from many millions of entries on, and not once it is there', async (t) => {
    assert.ok(postgres)
    const { run, latchkey, execute, process, time } = await scene(t, postgres)
    const notes = async () => {
      const findings = JSON.parse((await latchkey('doctor', '--json')).stdout) as Finding[]
      return findings.filter(({ check, status }) => check === 'audit' && status === 'note')
    }
    await execute(`update pg_class set reltuples = 13.9e6 where oid = 'audit_entries'::regclass`)
    assert.deepEqual(await notes(), [])
    // What the server estimates stands for the entries themselves.
    await execute(`update pg_class set reltuples = 25.9e6 where oid = 'audit_entries'::regclass`)
    const [found, ...others] = await notes()
    assert.deepEqual([found?.message.includes('about 25 million entries in one table'), others], [true, []])
    assert.match(found?.advice ?? '', /latchkey audit divide/)
    const settings = settingsOf()
    const forEver = { ...settings, audit: { ...settings.audit, retainForDays: 0 } }
    const checked = await process((storage) => checkTrail(forEver, storage, time.nowMs))
    assert.deepEqual(valuesOf(checked, 'status'), ['ok'])
    assert.equal((await run('divide')).code, 0)
    assert.deepEqual(await notes(), [])
  })

  it('is as before when its division is killed, takes entries, and is divided by the next try', async (t) => {
    assert.ok(postgres)
    const { process, time, run, execute, assertIntact } = await scene(t, postgres)
    await process(async (storage, keeper) => {
      const act = () => storage.spentValues.spend(nextId(), time.nowMs, [anEvent({ atMs: time.nowMs })])
      assert.ok((await atOnce(5, act)).every(Boolean))
      // What a division leaves that was killed between two of its transactions.
      await execute(
        `alter table audit_entries add constraint audit_entries_until check (at_ms < ${time.nowMs + 14 * day}) not valid`,
      )
      assert.equal(await act(), true)
      time.nowMs += 13 * day
      await storage.audit.partitions.extend(time.nowMs)
      time.nowMs += 2 * day
      assert.equal(await act(), true)
      await execute(
        `alter table audit_entries add constraint audit_entries_until check (at_ms < ${time.nowMs + 14 * day}) not valid`,
      )
      assert.equal((await run('divide')).code, 0)
      assert.equal(await act(), true)
      await keeper.checkpoint()
    })
    await assertIntact()
  })

  it('is for PostgreSQL: the embedded database says so', async (t) => {
    assert.ok(sqlite)
    const { run, process, assertIntact } = await scene(t, sqlite)
    const { code, stderr } = await run('divide')
    assert.deepEqual([code, stderr.split('\n').length], [1, 2])
    assert.match(stderr, /This database has no partitions/)
    await process(async ({ audit: { partitions } }) => assert.deepEqual(await partitions.list(), []))
    await assertIntact()
    assert.match((await run('divide', '--days', '32')).stderr, /whole number from 1 to 31/)
  })
})
