import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AttemptLimiter, attemptLimiter, networkOf } from '../../src/http/attempt-limiter.ts'

describe('the budget of failed attempts of an address', () => {
  const fail = async (limiter: AttemptLimiter, address = '192.0.2.1'): Promise<void> => {
    const attempt = await limiter.take(address)
    assert.ok(attempt.allowed)
    attempt.settle('failed')
  }

  it('allows so many failures in a minute, then says how long to wait, then starts anew', async () => {
    let nowMs = 0
    const limiter = attemptLimiter(2, () => nowMs)
    await fail(limiter)
    await fail(limiter)
    nowMs = 59_000
    assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, exhausted: true, retryAfterSeconds: 1 })
    await fail(limiter, '192.0.2.2')
    nowMs = 60_000
    await fail(limiter)
  })

  it('lets parallel attempts wait for each other: no guess beyond the budget, no success refused', async () => {
    for (const [outcome, judged, refused] of [
      ['failed', 3, 17],
      ['not_failed', 20, 0],
    ] as const) {
      const limiter = attemptLimiter(3, () => 0)
      let atOnce = 0
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const attempt = await limiter.take('192.0.2.1')
          if (!attempt.allowed) return 'refused'
          atOnce += 1
          assert.ok(atOnce <= 3)
          await Promise.resolve()
          atOnce -= 1
          attempt.settle(outcome)
          return 'judged'
        }),
      )
      assert.equal(answers.filter((answer) => answer === 'judged').length, judged)
      assert.equal(answers.filter((answer) => answer === 'refused').length, refused)
    }
  })

  it('bounds those who wait', async () => {
    const limiter = attemptLimiter(1, () => 0)
    const first = await limiter.take('192.0.2.1')
    const waiting = Array.from({ length: 200 }, () => limiter.take('192.0.2.1'))
    assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, exhausted: false, retryAfterSeconds: 2 })
    assert.ok(first.allowed)
    first.settle('failed')
    assert.ok((await Promise.all(waiting)).every((attempt) => !attempt.allowed && attempt.exhausted))
  })

  it('keeps only the beginning of what a trusted proxy passes on and is no address', () => {
    assert.equal(networkOf('x'.repeat(60_000)), 'x'.repeat(64))
    assert.ok(networkOf('1:'.repeat(30_000)).length <= 64)
    assert.ok(networkOf(`fe80::1%${'x'.repeat(60_000)}`).length <= 64)
  })

  it('keeps what was counted when the budget changes, and judges those who wait by the new one', async () => {
    const limiter = attemptLimiter(2, () => 0)
    await fail(limiter)
    limiter.allow(1)
    assert.equal((await limiter.take('192.0.2.1')).allowed, false)
    limiter.allow(3)
    const [first, second] = [await limiter.take('192.0.2.1'), await limiter.take('192.0.2.1')]
    const waiting = limiter.take('192.0.2.1')
    limiter.allow(4)
    const third = await waiting
    for (const attempt of [first, second, third]) {
      assert.ok(attempt.allowed)
      attempt.settle('failed')
    }
    assert.equal((await limiter.take('192.0.2.1')).allowed, false)
    const [last, others] = [await limiter.take('192.0.2.2'), [1, 2, 3].map(() => limiter.take('192.0.2.2'))]
    const beyond = limiter.take('192.0.2.2')
    assert.ok(last.allowed)
    last.settle('failed')
    limiter.allow(1)
    assert.equal((await beyond).allowed, false)
    for (const attempt of await Promise.all(others)) assert.ok(attempt.allowed)
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
