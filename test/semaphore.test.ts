import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSemaphore } from '../src/semaphore.ts'

describe('a semaphore', () => {
  it('runs only so much at once, in the order it came', async () => {
    const semaphore = openSemaphore({ running: 2, waiting: 2, refusal: () => new Error('full') })
    const started: number[] = []
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const runs = ends.map(({ promise }, index) =>
      semaphore.run(async () => {
        started.push(index)
        await promise
        return index
      }),
    )
    await assert.rejects(runs[4] ?? Promise.resolve(), /full/)
    assert.deepEqual(started, [0, 1])
    ends[1]?.resolve()
    assert.equal(await runs[1], 1)
    ends[2]?.resolve()
    await runs[2]
    assert.deepEqual(started, [0, 1, 2, 3])
    ends[0]?.resolve()
    ends[3]?.resolve()
    assert.deepEqual(await Promise.all(runs.slice(0, 4)), [0, 1, 2, 3])
  })

  it('keeps its place free when work fails', async () => {
    const semaphore = openSemaphore({ running: 1, waiting: 0, refusal: () => new Error('full') })
    await assert.rejects(
      semaphore.run(() => Promise.reject(new Error('broken'))),
      /broken/,
    )
    assert.equal(await semaphore.run(async () => 'next'), 'next')
  })

  it('refuses what waited too long, and gives its place in the queue away', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const semaphore = openSemaphore({ running: 1, waiting: 1, waitMs: 100, refusal: (reason) => new Error(reason) })
    const first = Promise.withResolvers<string>()
    const second = Promise.withResolvers<string>()
    const running = semaphore.run(() => first.promise)
    const late = semaphore.run(async () => assert.fail('it began'))
    await assert.rejects(
      semaphore.run(async () => 'too many'),
      /full/,
    )
    t.mock.timers.tick(100)
    await assert.rejects(late, /late/)
    const next = semaphore.run(() => second.promise)
    assert.deepEqual(semaphore.load(), { running: 1, waiting: 1 })
    first.resolve('first')
    assert.equal(await running, 'first')
    // Work that runs keeps its place, however long it takes.
    t.mock.timers.tick(1000)
    assert.deepEqual(semaphore.load(), { running: 1, waiting: 0 })
    second.resolve('second')
    assert.equal(await next, 'second')
    assert.deepEqual(semaphore.load(), { running: 0, waiting: 0 })
  })
})
