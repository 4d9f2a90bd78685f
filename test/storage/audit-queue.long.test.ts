import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noActivity } from '../../src/audit/activity.ts'
import type { AuditEvents } from '../../src/audit/entry.ts'
import { networkOf } from '../../src/http/log-gate.ts'
import { activityCounter } from '../../src/storage/activity-counter.ts'
import { auditQueue } from '../../src/storage/audit-queue.ts'
import { StorageUnavailable } from '../../src/storage/port/unavailable.ts'
import { totalsWith } from '../../src/storage/totals.ts'
import { valuesOf } from '../support/values.ts'
import { anEvent } from './records.ts'

describe('a flood of refusals', () => {
  it('is told of once a minute, however long it lasts, by network', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const written: AuditEvents[number][] = []
    const queue = auditQueue(async (events) => void written.push(...events), { networkOf })
    for (let second = 1; second <= 150; second += 1) {
      for (let at = 0; at < 100; at += 1) {
        queue.note(anEvent({ kind: 'refusal', atMs: nowMs, address: `2001:db8:0:1::${at.toString(16)}` }))
      }
      queue.note(anEvent({ kind: 'refusal', atMs: nowMs, address: `2001:db8:0:2::${second.toString(16)}` }))
      nowMs += 1000
      t.mock.timers.tick(1000)
      await new Promise(setImmediate)
    }
    const others = written.filter(({ address }) => address?.startsWith('2001:db8:0:2::'))
    assert.equal(others.length, 150)
    const summaries = written.filter(({ kind }) => kind === 'not_recorded')
    const summary = { count: 5940, networks: 1, most: ['2001:db8:0:1::/64: 5940'], reason: 'too_many' }
    assert.deepEqual(valuesOf(summaries, 'details'), [summary, summary])
    assert.equal(written.length, 150 + 3 * 60 + 2)
    await queue.close()
    assert.equal(written.at(-1)?.details.count, 3000 - 60)
  })
})

describe('what was noted while the database was away', () => {
  it('is tried again by itself, bounded, and written with the time of then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const written: AuditEvents[number][] = []
    let isAway = true
    const queue = auditQueue(async (events) => {
      if (isAway) throw new StorageUnavailable('away')
      written.push(...events)
    })
    const event = anEvent({ details: { own: 1 } })
    for (let noted = 0; noted < 300; noted += 1) queue.note(event)
    const settled = () => new Promise(setImmediate)
    for (let second = 1; second <= 600; second += 1) {
      nowMs += 1000
      if (second === 600) isAway = false
      t.mock.timers.tick(1000)
      await settled()
    }
    assert.equal(written.length, 257)
    assert.deepEqual(written[0], { ...event, atMs: event.atMs + 600_000, details: { own: 1, notedAtMs: event.atMs } })
    const most = [`${event.address}: 44`]
    assert.deepEqual(written.at(-1)?.details, { count: 44, networks: 1, most, reason: 'too_many' })
    assert.equal(written.at(-1)?.atMs, event.atMs + 600_000)
  })
})

describe('counts of what happened', () => {
  it('are added every five seconds, and kept while the database is away, bounded', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const hour = 3_600_000
    let isAway = true
    const written: (readonly unknown[])[] = []
    const counter = activityCounter(async (hours) => {
      if (isAway) throw new StorageUnavailable('away')
      written.push(hours)
    })
    const later = async (ms: number) => {
      t.mock.timers.tick(ms)
      await new Promise(setImmediate)
    }
    counter.count([anEvent({ kind: 'sign_in', atMs: 2 * hour }), anEvent({ kind: 'tokens_issued', atMs: hour })])
    counter.count([anEvent({ kind: 'user_changed', atMs: hour })])
    await later(5000)
    counter.count([anEvent({ kind: 'sign_in', atMs: 3 * hour - 1 })])
    isAway = false
    await later(4999)
    assert.equal(written.length, 0)
    await later(1)
    const first = { startsAtMs: hour, ...noActivity, tokens_issued: 1 }
    assert.deepEqual(written, [[first, { startsAtMs: 2 * hour, ...noActivity, sign_in: 2 }]])
    for (let at = 0; at < 60; at += 1) counter.count([anEvent({ kind: 'sign_in', atMs: at * hour })])
    await counter.close()
    assert.equal(written[1]?.length, 48)
  })
})

describe('totals of large tables', () => {
  it('answer with how far they came, then with all, and are not counted again at once', async () => {
    const { promise: rest, resolve } = Promise.withResolvers<void>()
    let reads = 0
    const totals = totalsWith(
      async (kind, after) => {
        reads += 1
        if (kind !== 'people') return { count: 1, next: undefined }
        if (after === '') return { count: 5000, next: 'a' }
        await rest
        return { count: 7, next: undefined }
      },
      () => performance.now(),
    )
    const others = { clients: 1, sessions: 1, grants: 1 }
    const [one, another] = await Promise.all([totals(1), totals(2)])
    assert.deepEqual(one, { people: 5000, ...others, isExact: false, atMs: 1 })
    assert.deepEqual(another, one)
    resolve()
    assert.deepEqual(await totals(3), { people: 5007, ...others, isExact: true, atMs: 1 })
    assert.deepEqual(await totals(4), { people: 5007, ...others, isExact: true, atMs: 1 })
    assert.equal(reads, 5)
  })
})
