import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attemptLimiter, networkOf } from '../../src/http/attempt-limiter.ts'

describe('the budget of failed attempts of an address', () => {
  it('allows so many in a minute, then says how long to wait, then starts anew', () => {
    let nowMs = 0
    const limiter = attemptLimiter(2, () => nowMs)
    assert.ok(limiter.take('192.0.2.1').allowed)
    assert.ok(limiter.take('192.0.2.1').allowed)
    nowMs = 59_000
    assert.deepEqual(limiter.take('192.0.2.1'), { allowed: false, retryAfterSeconds: 1 })
    assert.ok(limiter.take('192.0.2.2').allowed, 'another address has its own')
    nowMs = 60_000
    assert.ok(limiter.take('192.0.2.1').allowed)
  })

  it('takes before it is known how the attempt ends, so that parallel ones cannot exceed it', () => {
    const limiter = attemptLimiter(1, () => 0)
    const attempt = limiter.take('192.0.2.1')
    assert.ok(!limiter.take('192.0.2.1').allowed)
    assert.ok(attempt.allowed)
    attempt.giveBack()
    assert.ok(limiter.take('192.0.2.1').allowed)
  })

  it('counts a whole /64 of IPv6 as one address', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::1'))
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
    assert.equal(networkOf('::1'), '0:0:0:0')
    assert.equal(networkOf('::ffff:192.0.2.1'), '::ffff:192.0.2.1')
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2'))
  })
})
