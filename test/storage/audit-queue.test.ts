import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditEvent } from '../../src/audit/entry.ts'
import { auditQueue } from '../../src/storage/audit-queue.ts'
import { StorageUnavailable } from '../../src/storage/port.ts'
import { anEvent } from './records.ts'

describe('what was noted while the database was away', () => {
  it('is tried again by itself, bounded, and written with the time of then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const written: AuditEvent[] = []
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
    assert.deepEqual(written.at(-1)?.details, { count: 44, reason: 'too_many' })
    assert.equal(written.at(-1)?.atMs, event.atMs + 600_000)
  })
})
