/** What a process knows of when the service could answer, and what it learns from the database about the time before. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { leewayAtMostMs, servedMs } from '../../src/protocol/grant/leeway.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { rotationTimes } from '../../src/tokens/rotation-times.ts'
import { uptimeIntervalMs, uptimeKeeper } from '../../src/tokens/uptime.ts'
import { openDatabase } from '../support/sqlite.ts'

const second = 1000
const leewayMs = 30 * second
const beginning = 1_800_000_000_000

async function scene(t: TestContext) {
  const storage = await openDatabase({ kind: 'sqlite-memory' })
  t.after(() => storage.close())
  const time = { nowMs: beginning, monotonicMs: 0, isLost: false, reads: 0, writes: 0 }
  const uptimes: Storage['uptimes'] = {
    async record(rows) {
      time.writes += 1
      if (time.isLost) throw new StorageUnavailable('The line is cut.')
      await storage.uptimes.record(rows)
    },
    async since(afterMs) {
      time.reads += 1
      return storage.uptimes.since(afterMs)
    },
  }
  const pass = (seconds: number) => {
    time.nowMs += seconds * second
    time.monotonicMs += seconds * second
  }
  const start = () => {
    const { nowMs } = time
    const keeper = uptimeKeeper({
      uptimes,
      clock: () => time.nowMs,
      random: randomBytes,
      monotonic: () => time.monotonicMs,
    })
    return {
      ...keeper,
      turn: () => keeper.record(leewayMs),
      /** Lets time pass as housekeeping does. */
      async run(seconds: number) {
        for (let passed = 0; passed < seconds; passed += uptimeIntervalMs / second) {
          pass(uptimeIntervalMs / second)
          await keeper.record(leewayMs).catch(() => {})
        }
      },
      /** How many seconds the service could answer, since a second after the start of the scene or since then. */
      served: async (sinceMs = nowMs) => servedMs(await keeper.since(sinceMs), sinceMs, time.nowMs) / second,
    }
  }
  return { time, storage, pass, start }
}

describe('a process that runs', () => {
  it('could answer since it started, and asks nobody', async (t) => {
    const { time, pass, start } = await scene(t)
    const process = start()
    pass(100)
    assert.equal(await process.served(), 100)
    assert.equal(await process.served(time.nowMs - 40 * second), 40)
    assert.equal(time.reads, 0)
  })

  it('could answer between two calls that are a minute apart while no request comes, and not while it was stopped', async (t) => {
    const { time, pass, start } = await scene(t)
    const process = start()
    await process.run(120)
    const { writes } = time
    for (let rest = 0; rest < 10; rest += 1) {
      await process.record(leewayMs, 60 * second)
      pass(60)
    }
    // A request wakes it: the next call comes ten seconds later.
    process.answered()
    pass(10)
    assert.equal(await process.served(), 730)
    assert.equal(time.writes, writes)
    await process.record(leewayMs, 60 * second)
    pass(100)
    process.answered()
    assert.equal(await process.served(), 730)
  })

  it('could not from the last answer before the database was lost until the first one after', async (t) => {
    const { pass, start } = await scene(t)
    const process = start()
    pass(10)
    process.answered()
    pass(20)
    process.lost()
    pass(30)
    process.lost()
    assert.equal(await process.served(), 10)
    process.answered()
    pass(5)
    assert.equal(await process.served(), 15)
  })

  it('finds out by itself that the database is lost, and that it is back', async (t) => {
    const { time, pass, start } = await scene(t)
    const process = start()
    process.answered()
    await process.run(20)
    time.isLost = true
    await process.run(60)
    pass(1)
    assert.equal(await process.served(), 20)
    time.isLost = false
    await process.turn()
    pass(7)
    assert.equal(await process.served(), 27)
  })

  it('takes a single failure among successes for no outage', async (t) => {
    const { pass, start } = await scene(t)
    const process = start()
    for (let at = 0; at < 100; at += 1) {
      pass(0.5)
      process.lost()
      process.answered()
    }
    assert.equal(await process.served(), 50)
  })

  it('remembers a bounded number of outages, and counts what it forgets as uptime', async (t) => {
    const { pass, start } = await scene(t)
    const process = start()
    for (let at = 0; at < 2000; at += 1) {
      process.answered()
      pass(2)
      process.lost()
    }
    const known = await process.served()
    assert.ok(known > 1000 && known < 4000, `${known}`)
    process.answered()
    assert.ok((await process.served(beginning)) >= known)
  })

  it('was not running while it was stopped', async (t) => {
    const { pass, start } = await scene(t)
    const process = start()
    await process.run(20)
    pass(3600)
    assert.equal(await process.served(), 20)
    pass(3)
    assert.equal(await process.served(), 23)
    await process.run(10)
    assert.equal(await process.served(), 33)
  })

  it('does not take a clock that was set for a time in which it was stopped', async (t) => {
    const { time, start } = await scene(t)
    const process = start()
    await process.run(20)
    time.nowMs += 3600 * second
    assert.equal(await process.served(), 3620)
  })

  it('writes only while a rotation may be inside its leeway', async (t) => {
    const { time, start } = await scene(t)
    const process = start()
    await process.run(600)
    const first = time.writes
    assert.ok(first <= 5, `${first}`)
    await process.run(600)
    assert.equal(time.writes, first)
    process.answered()
    await process.run(600)
    assert.ok(time.writes > first && time.writes <= first + 5, `${time.writes}`)
  })
})

describe('the rotations of a process', () => {
  it('are remembered for a leeway, and a bounded number of them: the oldest go by the stored times', () => {
    let nowMs = 0
    const times = rotationTimes(() => nowMs)
    times.note('first', 1, leewayMs, nowMs)
    nowMs += leewayMs
    assert.equal(times.agoMs('first', 1), leewayMs)
    for (let at = 0; at < 50_000; at += 1) times.note(`${at}`, 1, leewayMs, nowMs)
    assert.deepEqual([times.agoMs('first', 1), times.agoMs('0', 1), times.agoMs('49999', 1)], [undefined, undefined, 0])
    nowMs += 3 * leewayMs
    for (const grant of ['one', 'other']) {
      times.note(grant, 1, leewayMs, nowMs)
      nowMs += leewayMs + 1
    }
    assert.equal(times.agoMs('49999', 1), undefined)
  })
})

describe('a process that starts', () => {
  it('learns how long the one before could answer, up to its crash', async (t) => {
    const { pass, start } = await scene(t)
    const crashed = start()
    crashed.answered()
    await crashed.run(40)
    pass(3600)
    const next = start()
    pass(3)
    assert.equal(await next.served(beginning), 43)
  })

  it('takes nothing for granted about a process that left no record', async (t) => {
    const { pass, start } = await scene(t)
    start().answered()
    pass(3600)
    const next = start()
    pass(3)
    assert.equal(await next.served(beginning), 3)
  })

  it('learns of the outages that the one before saw', async (t) => {
    const { time, pass, start } = await scene(t)
    const before = start()
    before.answered()
    await before.run(10)
    time.isLost = true
    await before.run(60)
    time.isLost = false
    await before.run(20)
    pass(100)
    const next = start()
    assert.equal(await next.served(beginning), 20)
  })

  it('learns when the one before answered last, once the database takes that', async (t) => {
    const { time, pass, start } = await scene(t)
    const before = start()
    await before.run(10)
    pass(7)
    before.answered()
    time.isLost = true
    await before.run(60)
    time.isLost = false
    await before.run(20)
    pass(100)
    assert.equal(await start().served(beginning), 10 + 7 + 10)
  })

  it('counts the time in which any other process could answer', async (t) => {
    const { pass, start } = await scene(t)
    const [one, other] = [start(), start()]
    for (const process of [one, other]) process.answered()
    await one.run(10)
    await other.run(40)
    const next = start()
    assert.equal(await next.served(beginning), 50)
    // From then on it goes by what it sees itself.
    next.lost()
    other.answered()
    await other.run(20)
    pass(1)
    assert.equal(await next.served(beginning), 50)
  })

  it('asks the database once, after the records of the others must have come in', async (t) => {
    const { time, pass, start } = await scene(t)
    await start().run(20)
    const next = start()
    for (let at = 0; at < 3; at += 1) await next.served(beginning)
    assert.equal(time.reads, 3)
    pass(20)
    for (let at = 0; at < 10; at += 1) await next.served(beginning)
    assert.equal(time.reads, 4)
  })

  it('looks back no further than a leeway may reach', async (t) => {
    const { time, storage, start } = await scene(t)
    await start().run(20)
    time.nowMs += leewayAtMostMs
    await storage.sweep(time.nowMs, 100)
    assert.equal(await start().served(beginning), 0)
  })
})
