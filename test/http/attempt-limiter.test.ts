import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AttemptLimiter, attemptLimiter, type Begun } from '../../src/http/attempt-limiter.ts'

describe('the budget of failed attempts of an address', () => {
  const fail = async (limiter: AttemptLimiter, address = '192.0.2.1'): Promise<void> => {
    const attempt = await limiter.take(address)
    assert.ok(attempt.allowed)
    attempt.settle('failed')
  }

  it('allows so many failures in a minute, then says how long to wait, then starts anew', async () => {
    let nowMs = 0
    const limiter = attemptLimiter(2, () => nowMs, 4)
    await fail(limiter)
    await fail(limiter)
    nowMs = 59_000
    assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, exhausted: true, retryAfterSeconds: 1 })
    await fail(limiter, '192.0.2.2')
    nowMs = 60_000
    await fail(limiter)
  })

  it('lets parallel attempts wait for each other: no guess beyond the budget, no success refused [C3.23]', async () => {
    for (const [outcome, judged, refused] of [
      ['failed', 3, 17],
      ['not_failed', 20, 0],
    ] as const) {
      const limiter = attemptLimiter(3, () => 0, 4)
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
    const limiter = attemptLimiter(1, () => 0, 4)
    const first = await limiter.take('192.0.2.1')
    const waiting = Array.from({ length: 200 }, () => limiter.take('192.0.2.1'))
    assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, exhausted: false, retryAfterSeconds: 2 })
    assert.ok(first.allowed)
    first.settle('failed')
    assert.ok((await Promise.all(waiting)).every((attempt) => !attempt.allowed && attempt.exhausted))
  })

  it('keeps what was counted when the budget changes, and judges those who wait by the new one', async () => {
    const limiter = attemptLimiter(2, () => 0, 4)
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

  it('counts a whole /64 of IPv6 as one address, and a /56 as four, a /48 as sixteen', async () => {
    const failing = async (addressOf: (n: number) => string) => {
      const limiter = attemptLimiter(2, () => 0, 4)
      let failures = 0
      for (; failures < 100; failures += 1) {
        const address = addressOf(failures)
        const attempt = await limiter.take(address)
        if (!attempt.allowed) {
          assert.deepEqual(attempt, { allowed: false, exhausted: true, retryAfterSeconds: 60 })
          assert.equal(limiter.exhausted(address), 60)
          break
        }
        attempt.settle('failed')
      }
      assert.equal(limiter.exhausted('192.0.2.1'), undefined)
      return failures
    }
    const hex = (n: number) => n.toString(16)
    assert.equal(await failing((n) => `2001:db8:1:2:${hex(n)}::1`), 2)
    assert.equal(await failing((n) => `2001:db8:1:${hex(n)}::1`), 8)
    assert.equal(await failing((n) => `2001:db8:1:${hex(n * 256)}::1`), 32)
    assert.equal(await failing((n) => `2001:db8:${hex(n)}::1`), 100)
  })

  it('holds at most 200 attempts of a network and 400 in all; the heaviest gives way, and known browsers last', async () => {
    const limiter = attemptLimiter(1000, () => 0, 1)
    const refused: string[] = []
    const take = (address: string, known = false) => {
      void limiter.take(address, { account: address, known }).then((attempt) => {
        if (!attempt.allowed) refused.push(address)
        assert.ok(attempt.allowed || !attempt.exhausted)
      })
    }
    for (let at = 0; at < 210; at += 1) take('192.0.2.1')
    await settled()
    assert.deepEqual(limiter.load(), { running: 1, waiting: 200 })
    assert.deepEqual(
      refused.splice(0),
      Array.from({ length: 9 }, () => '192.0.2.1'),
    )
    for (let at = 0; at < 201; at += 1) take(`198.51.100.${at}`, at < 100)
    await settled()
    assert.equal(limiter.load().waiting, 400)
    assert.ok(refused.length <= 2 && refused.every((address) => address === '192.0.2.1'), refused.join())
    for (let at = 0; at < 1000; at += 1) take(`203.${at >> 8}.113.${at & 255}`, true)
    await settled()
    assert.equal(limiter.load().waiting, 400)
    assert.ok(refused.includes('192.0.2.1'))
    assert.ok(
      refused.filter((address) => address.startsWith('203.')).length >= 690,
      'known browsers have three quarters',
    )
    assert.ok(refused.filter((address) => address.startsWith('198.51.100.')).length < 10, 'and strangers one')
  })

  it('judges known browsers first, and strangers every fourth time', async () => {
    const limiter = attemptLimiter(1000, () => 0, 1)
    const order: string[] = []
    let end: (() => void) | undefined
    const take = (name: string, known: boolean) => {
      void limiter.take(name, { account: name, known }).then((attempt) => {
        assert.ok(attempt.allowed)
        order.push(known ? 'known' : 'stranger')
        const before = end
        end = () => {
          before?.()
          attempt.settle('not_failed')
        }
      })
    }
    for (let at = 0; at < 8; at += 1) take(`198.51.100.${at}`, false)
    for (let at = 0; at < 8; at += 1) take(`203.0.113.${at}`, true)
    for (let at = 0; at < 16; at += 1) {
      await settled()
      const ending = end
      end = undefined
      ending?.()
    }
    await settled()
    const [first, ...waited] = order
    assert.equal(first, 'stranger', 'there was room')
    assert.deepEqual(waited.slice(0, 8), ['known', 'known', 'known', 'stranger', 'known', 'known', 'known', 'stranger'])
    assert.equal(waited.length, 15)
  })

  it('checks so many passwords at once, and writes others meanwhile: twice as many of a network or account', async () => {
    const limiter = attemptLimiter(1000, () => 0, 2)
    const begun: Begun[] = []
    const take = (address: string, account: string) =>
      void limiter.take(address, { account }).then((attempt) => {
        assert.ok(attempt.allowed)
        begun.push(attempt)
      })
    for (let at = 0; at < 20; at += 1) take(`2001:db8:1:${at.toString(16)}::1`, `nobody${at}`)
    await settled()
    assert.equal(begun.length, 2)
    for (const attempt of begun) attempt.checked()
    await settled()
    assert.equal(begun.length, 4)
    for (const attempt of begun) attempt.checked()
    await settled()
    assert.equal(begun.length, 4, 'these are written first')
    for (let at = 0; at < 20; at += 1) take(`192.0.2.${at}`, 'alice')
    await settled()
    assert.equal(begun.length, 6)
    for (const attempt of begun) attempt.checked()
    await settled()
    assert.equal(begun.length, 8)
    for (const attempt of begun) attempt.checked()
    await settled()
    assert.equal(begun.length, 8)
    begun[0]?.settle('failed')
    begun[7]?.settle('not_failed')
    await settled()
    assert.equal(begun.length, 10)
    assert.deepEqual(limiter.load(), { running: 8, waiting: 30 })
  })
})

describe('attempts that are checked', () => {
  /** Takes an attempt of each address, and checks each at once without an end. Returns the addresses in their order. */
  async function checked(limiter: AttemptLimiter, addresses: readonly string[]): Promise<string[]> {
    const order: string[] = []
    for (const address of addresses) {
      void limiter.take(address).then((attempt) => {
        assert.ok(attempt.allowed)
        order.push(address)
        attempt.checked()
      })
    }
    for (let at = 0; at < 100; at += 1) await settled()
    return order
  }

  it('are at most eight for each that is checked at once, while none can be written', async () => {
    const addresses = Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`)
    const limiter = attemptLimiter(1000, () => 0, 2)
    assert.equal((await checked(limiter, addresses)).length, 16)
    assert.deepEqual(limiter.load(), { running: 16, waiting: 24 })
  })

  it('give a /48 of IPv6 four turns and a /56 two, where an address has one', async () => {
    const members: Readonly<Record<number, (at: number) => string>> = {
      4: (at) => `2001:db8:1:${(256 * at).toString(16)}::1`,
      2: (at) => `2001:db8:1:${at.toString(16)}::1`,
    }
    for (const [turns, member] of Object.entries(members)) {
      const limiter = attemptLimiter(1000, () => 0, 1)
      const order: string[] = []
      const ends: (() => void)[] = []
      const take = (address: string) =>
        void limiter.take(address).then((attempt) => {
          assert.ok(attempt.allowed)
          order.push(address)
          ends.push(() => attempt.settle('not_failed'))
        })
      take('203.0.113.1')
      for (let at = 0; at < 30; at += 1) for (const address of ['192.0.2.1', member(at)]) take(address)
      for (let at = 0; at < 30; at += 1) {
        await settled()
        ends.pop()?.()
      }
      const ofNetwork = order.slice(1, 31).filter((address) => address.startsWith('2001:')).length
      const share = Number(turns) / (Number(turns) + 1)
      assert.ok(Math.abs(ofNetwork - 30 * share) <= 2, `${ofNetwork} of 30`)
    }
  })
})

/** Whatever can be answered now has been. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
