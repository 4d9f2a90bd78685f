import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WithStorage } from './contract.ts'
import { aPushedRequest, atOnce, countOf, nextId, now } from './records.ts'

export function pushedRequestContract(withStorage: WithStorage): void {
  describe('pushed requests', () => {
    it(
      'gives back every field',
      withStorage(async ({ pushedRequests }) => {
        const [open, completed] = [aPushedRequest(), aPushedRequest({ signed: true, completedAtMs: now + 1 })]
        await pushedRequests.store(open)
        await pushedRequests.store(completed)
        assert.deepEqual(await pushedRequests.find(open.id), open)
        assert.deepEqual(await pushedRequests.find(completed.id), completed)
        assert.equal(await pushedRequests.find(nextId()), undefined)
      }),
    )

    it(
      'are completed by exactly one of 20 at once, and never again',
      withStorage(async ({ pushedRequests }) => {
        const request = aPushedRequest()
        await pushedRequests.store(request)
        const completed = await atOnce(20, () => pushedRequests.complete(request.id, now + 7))
        assert.equal(countOf(completed, true), 1)
        assert.deepEqual(await pushedRequests.find(request.id), { ...request, completedAtMs: now + 7 })
        assert.equal(await pushedRequests.complete(request.id, now + 8), false)
        assert.equal(await pushedRequests.complete(nextId(), now + 8), false)
      }),
    )

    it(
      'are removed once they have expired, completed or not',
      withStorage(async ({ pushedRequests, sweep }) => {
        const old = aPushedRequest({ expiresAtMs: now })
        const answered = aPushedRequest({ expiresAtMs: now, completedAtMs: now - 1 })
        const fresh = aPushedRequest({ opensUntilMs: now, expiresAtMs: now + 1 })
        for (const request of [old, answered, fresh]) await pushedRequests.store(request)
        await sweep(now, 100)
        assert.equal(await pushedRequests.find(old.id), undefined)
        assert.equal(await pushedRequests.find(answered.id), undefined)
        assert.deepEqual(await pushedRequests.find(fresh.id), fresh)
      }),
    )
  })
}
