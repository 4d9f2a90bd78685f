import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { giveBackMemory } from '../../src/server/memory.ts'
import { repeating } from '../../src/server/repeating.ts'

const log = { warn: assert.fail }

describe('memory that is not needed any more', () => {
  const gc = globalThis.gc
  let collections = 0
  /** Of the time of the event loop, from 0 to 1. */
  let used = 0
  beforeEach(() => {
    collections = 0
    used = 0
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization: used }))
    globalThis.gc = (() => {
      collections += 1
    }) as unknown as typeof gc
  })
  afterEach(() => {
    mock.timers.reset()
    mock.restoreAll()
    globalThis.gc = gc
  })

  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) mock.timers.tick(1000)
  }

  it('is given back after a start, and not again while nothing happens', () => {
    giveBackMemory(repeating(), log)
    pass(15)
    assert.equal(collections, 2)
    pass(3600)
    assert.equal(collections, 2)
  })

  it('is given back once when a busy time is over, and never during it', () => {
    giveBackMemory(repeating(), log)
    pass(20)
    used = 0.9
    pass(600)
    assert.equal(collections, 2)
    used = 0.01
    pass(600)
    assert.equal(collections, 3)
    used = 0.9
    pass(10)
    used = 0
    pass(30)
    assert.equal(collections, 4)
  })

  it('is kept through short pauses, after which optimized code would have to be made again', () => {
    giveBackMemory(repeating(), log)
    pass(20)
    for (let burst = 0; burst < 10; burst += 1) {
      used = 0.9
      pass(5)
      used = 0
      pass(20)
    }
    assert.equal(collections, 2)
    pass(5)
    assert.equal(collections, 3)
  })

  it('waits with the second collection of a start for the end of a busy time', () => {
    used = 0.9
    giveBackMemory(repeating(), log)
    pass(60)
    assert.equal(collections, 1)
    used = 0
    pass(30)
    assert.equal(collections, 2)
  })

  it('stays where it is without the flag that lets the program ask for a collection', () => {
    Reflect.deleteProperty(globalThis, 'gc')
    giveBackMemory(repeating(), log)
    used = 0.9
    pass(10)
    used = 0
    pass(30)
    assert.equal(collections, 0)
  })
})
