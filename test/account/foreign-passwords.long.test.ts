/** How long a failed sign-in takes while people have password hashes that take far longer to check than ours. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptHash } from '../../src/secrets/password.ts'
import { aspNetV3 } from '../fixtures/foreign-hashes.ts'
import { Browser } from '../support/browser.ts'
import { addUser, password, startService } from '../support/service.ts'

/**
 * A hash that takes ten times as long as one of ours, and the processor's time of a check: other work on the machine makes
 * an answer later, and never earlier. Computed before there is a connection, which would be idle for as long.
 */
const dear = [1, 2]
  .map(() => {
    const before = process.cpuUsage()
    const text = aspNetV3(password, 2, 500_000)
    return { passwordHash: acceptHash(text) ?? assert.fail(), checkMs: process.cpuUsage(before).user / 1000 }
  })
  .reduce((one, other) => (one.checkMs < other.checkMs ? one : other))

describe('a sign-in with a password hash of another system', () => {
  it('that fails takes as long for an unknown user as for an imported one, from the first on', async () => {
    const { passwordHash, checkMs } = dear
    await using fresh = await startService({ RateLimit__LoginPerMinute: '100000' })
    const lockedUntilMs = fresh.now() + 1e9
    for (const [name, change] of [
      ['imported', {}],
      ['locked', { lockedUntilMs }],
    ] as const) {
      await addUser(fresh, name, { passwordHash, ...change })
    }
    const timed = async (username: string, typed: string) => {
      const startMs = performance.now()
      await new Browser(fresh).signIn({ username, password: typed })
      return performance.now() - startMs
    }
    // The second is checked in two forms.
    for (const [typed, forms] of [
      ['a wrong one', 1],
      ['wro\u0308ng', 2],
    ] as const) {
      for (const name of ['nobody-here', 'imported', 'nobody-here', 'alice']) {
        const took = await timed(name, typed)
        // A hash of ours takes a tenth.
        assert.ok(took > forms * checkMs * 0.4, `${name}: ${took} ms, ${forms} times ${checkMs} ms`)
      }
    }
    // The right password of a locked account is a failure as well, and costs no new hash.
    const locked = await timed('locked', password)
    assert.ok(locked > checkMs * 0.4, `${locked} ms, a check ${checkMs} ms`)
  })
})
