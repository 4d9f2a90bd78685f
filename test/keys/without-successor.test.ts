/** Which signing keys an operator is told of. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signingKeysWithoutSuccessor } from '../../src/keys/without-successor.ts'
import type { StoredKey } from '../../src/storage/port/keys.ts'
import { aKey, now } from '../storage/records.ts'

const day = 86_400_000
const everyMs = 90 * day
const used = (days: number, change: Partial<StoredKey> = {}) =>
  aKey('sign', 'ES256', { activeAtMs: now - days * day, ...change })
const found = (ring: readonly StoredKey[], interval = everyMs) =>
  signingKeysWithoutSuccessor(ring, interval, now).map(({ id }) => id)

describe('signing keys without a successor', () => {
  it('are those that end within 14 days', () => {
    const ends = (ms: number) => used(1, { expiresAtMs: now + ms })
    const soon = ends(14 * day - 1)
    assert.deepEqual(found([soon]), [soon.id])
    assert.deepEqual(found([soon], 0), [soon.id])
    assert.deepEqual(found([ends(14 * day)]), [])
    assert.deepEqual(found([ends(-1)]), [])
  })

  it('are those that should have been replaced more than a day ago, where keys are replaced', () => {
    const overdue = used(91, { activeAtMs: now - 91 * day - 1 })
    assert.deepEqual(found([overdue]), [overdue.id])
    assert.deepEqual(found([used(91)]), [])
    assert.deepEqual(found([overdue], 0), [])
  })

  it('are none that a published or a later active key of the algorithm follows, and none of another use', () => {
    const overdue = used(200)
    const next = aKey('sign', 'ES256', { activeAtMs: now + 1 })
    assert.deepEqual(found([overdue, next]), [])
    assert.deepEqual(found([overdue, used(1)]), [])
    assert.deepEqual(found([overdue, aKey('sign', 'RS256', { activeAtMs: now + 1 })]).includes(overdue.id), true)
    assert.deepEqual(found([aKey('audit', 'ES256', { activeAtMs: now - 200 * day })]), [])
  })
})
