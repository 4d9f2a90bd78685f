import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dependsOnOutages, isInsideLeeway, leewayAtMostMs, servedMs } from '../../src/protocol/grant/leeway.ts'
import { lateRepeatSince } from '../../src/protocol/grant/refresh-token.ts'
import { now, sampleGrant } from './samples.ts'

const uptime = (from: number, through: number) => ({ fromMs: now + from, throughMs: now + through })

describe('how much of a time the service could answer', () => {
  it('is what of it lies in some uptime, each moment once', () => {
    const between = (...uptimes: ReturnType<typeof uptime>[]) => servedMs(uptimes, now, now + 100)
    assert.equal(between(), 0)
    assert.equal(between(uptime(-50, 150)), 100)
    assert.equal(between(uptime(-50, -10), uptime(110, 120)), 0)
    assert.equal(between(uptime(80, 120), uptime(10, 20)), 30)
    assert.equal(between(uptime(10, 60), uptime(20, 30), uptime(50, 70)), 60)
    assert.equal(between(uptime(0, 50), uptime(0, 50)), 50)
    assert.equal(between(uptime(70, 20)), 0)
  })
})

describe('the leeway of a rotation (RFC 9700 §4.14.2)', () => {
  const rules = { leewayMs: 30_000, uptimes: [] }

  it('is bounded however long the service could not answer', () => {
    assert.ok(isInsideLeeway(now - leewayAtMostMs, rules, now))
    assert.ok(!isInsideLeeway(now - leewayAtMostMs - 1, rules, now))
  })

  it('is none when it was set to none', () => {
    assert.ok(!isInsideLeeway(now - 1, { leewayMs: 0, uptimes: [] }, now))
  })

  it('is counted to when the token was sent, unless there is none', () => {
    const late = { presentedAtMs: now - 60_000 }
    assert.ok(isInsideLeeway(now - 90_000, { ...late, leewayMs: 30_000 }, now))
    assert.ok(!isInsideLeeway(now - 90_001, { ...late, leewayMs: 30_000 }, now))
    assert.ok(isInsideLeeway(now - 10, { ...late, leewayMs: 30_000 }, now), 'replaced after it was sent')
    assert.ok(!isInsideLeeway(now - 10, { ...late, leewayMs: 0 }, now))
  })

  it('asks for the uptimes only when they decide', () => {
    assert.ok(!dependsOnOutages(now - 30_000, 30_000, now), 'inside in any case')
    assert.ok(dependsOnOutages(now - 30_001, 30_000, now))
    assert.ok(!dependsOnOutages(now - leewayAtMostMs - 1, 30_000, now), 'outside in any case')
    const { refresh } = sampleGrant()
    const chain = refresh && { ...refresh, generation: 3, rotatedAtMs: [now - 1000, now - 60_000] }
    assert.equal(lateRepeatSince(chain, 1, 30_000, now), now - 60_000)
    for (const generation of [undefined, 0, 2, 3, 4]) {
      assert.equal(lateRepeatSince(chain, generation, 30_000, now), undefined, String(generation))
    }
    assert.equal(lateRepeatSince(null, 1, 30_000, now), undefined)
  })
})
