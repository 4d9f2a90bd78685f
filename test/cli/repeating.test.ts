/** When repeated work runs: at its intervals while the service is used, and together once a minute while it is not. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { otherCommits } from '../../src/server/other-commits.ts'
import { repeating, restingEveryMs } from '../../src/server/repeating.ts'
import { aUser } from '../storage/records.ts'
import { temporaryFolder } from '../support/lifetime.ts'
import { openDatabase } from '../support/sqlite.ts'

const second = 1000
const minute = 60_000

/** Work every one, ten and sixty seconds, on timers that the test moves. */
function scene(t: TestContext, { mayRest = true, isQuiet = (): boolean => true } = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const watched: (() => void)[] = []
  const watch = (committed: () => void) => {
    watched.push(committed)
    return () => void watched.pop()
  }
  const { repeat, awaken } = repeating(mayRest ? watch : undefined, isQuiet)
  const time = { nowMs: 0 }
  let runs: { readonly atMs: number; readonly nextMs: number; readonly everyMs: number }[] = []
  const tasks = [second, 10 * second, minute].map((everyMs) =>
    repeat(
      everyMs,
      async (nextMs) => {
        runs.push({ atMs: time.nowMs, nextMs, everyMs })
      },
      '',
      { warn: assert.fail },
    ),
  )
  t.after(() => Promise.all(tasks.map((task) => task.stop())))
  return {
    awaken,
    tasks,
    watched,
    /** Returns what ran meanwhile. */
    async pass(ms: number) {
      runs = []
      for (let passed = 0; passed < ms; passed += 500) {
        time.nowMs += 500
        t.mock.timers.tick(500)
        await setImmediate()
      }
      return runs
    },
  }
}

const wakeUps = (runs: readonly { readonly atMs: number }[]): number => new Set(runs.map(({ atMs }) => atMs)).size

describe('repeated work', () => {
  it('comes up at its intervals while requests come', async (t) => {
    const { awaken, pass } = scene(t)
    for (let past = 0; past < 10; past += 1) {
      awaken()
      const runs = await pass(minute)
      assert.equal(runs.length, 60 + 6 + 1)
      for (const { nextMs, everyMs } of runs) assert.equal(nextMs, everyMs)
    }
  })

  it('wakes an idle process once a minute, for all of it together', async (t) => {
    const { pass } = scene(t)
    await pass(3 * minute)
    const runs = await pass(60 * minute)
    assert.equal(wakeUps(runs), 60)
    assert.equal(runs.length, 180)
    for (const { nextMs } of runs) assert.equal(nextMs, restingEveryMs)
  })

  it('stays awake for the minute and a half in which a delivery is repeated, and learns of each longer pause before it', async (t) => {
    const { awaken, pass } = scene(t)
    await pass(10 * minute)
    awaken()
    assert.equal((await pass(90 * second - 500)).filter(({ everyMs }) => everyMs === second).length, 89)
    const runs = (await pass(10 * minute)).filter(({ everyMs }) => everyMs === 10 * second)
    let due = Number.POSITIVE_INFINITY
    for (const { atMs, nextMs } of runs) {
      assert.ok(atMs <= due)
      due = atMs + nextMs
    }
  })

  it('is back at its intervals with the next request', async (t) => {
    const { awaken, pass } = scene(t)
    await pass(10 * minute + 30 * second)
    awaken()
    const runs = await pass(10 * second)
    assert.deepEqual([runs.length, runs.at(0)?.nextMs], [11, second])
  })

  it('is back at its intervals when another process commits, for which it looks only while it rests', async (t) => {
    const { pass, watched } = scene(t)
    assert.equal(watched.length, 0)
    await pass(10 * minute)
    assert.equal(watched.length, 1)
    watched[0]?.()
    assert.equal(watched.length, 0)
    assert.equal((await pass(10 * second)).length, 11)
  })

  it('keeps its intervals where there is no rest', async (t) => {
    const { pass } = scene(t, { mayRest: false })
    await pass(30 * minute)
    assert.equal((await pass(minute)).length, 60 + 6 + 1)
  })

  it('keeps its intervals until what is under way has ended', async (t) => {
    let isQuiet = false
    const { pass } = scene(t, { isQuiet: () => isQuiet })
    await pass(30 * minute)
    assert.equal((await pass(minute)).length, 60 + 6 + 1)
    isQuiet = true
    await pass(3 * minute)
    assert.equal(wakeUps(await pass(60 * minute)), 60)
  })

  it('ends while the process is idle, too', async (t) => {
    const { awaken, tasks, pass } = scene(t)
    await pass(10 * minute)
    await Promise.all(tasks.map((task) => task.stop()))
    assert.deepEqual(await pass(10 * minute), [])
    awaken()
    assert.deepEqual(await pass(10 * minute), [])
  })
})

it('notices what another process commits to the embedded database', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'latchkey.db')
  const [own, other] = [await openDatabase({ kind: 'sqlite', file }), await openDatabase({ kind: 'sqlite', file })]
  t.after(() => Promise.all([own.close(), other.close()]))
  const noticed = Promise.withResolvers<void>()
  const end = otherCommits({ kind: 'sqlite', file })(noticed.resolve)
  t.after(end)
  // The watch keeps no process alive.
  const alive = setInterval(() => {}, minute)
  t.after(() => clearInterval(alive))
  await other.users.create(aUser())
  await noticed.promise
})
