import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Authorization } from '../../src/protocol/grant/grant.ts'
import { userAndClient } from './contract-clients.ts'
import { anAuthorization, aPushedRequest, atOnce, countOf, nextId, now } from './records.ts'
import type { StorageFor } from './storage-for.ts'

export function pushedRequestContract(storageFor: StorageFor): void {
  describe('pushed requests', () => {
    it('gives back every field', async (t) => {
      const { pushedRequests } = await storageFor(t)
      const [open, completed] = [aPushedRequest(), aPushedRequest({ signed: true, completedAtMs: now + 1 })]
      await pushedRequests.store(open)
      await pushedRequests.store(completed)
      assert.deepEqual(await pushedRequests.find(open.id), open)
      assert.deepEqual(await pushedRequests.find(completed.id), completed)
      assert.equal(await pushedRequests.find(nextId()), undefined)
    })

    it('are completed by exactly one of 20 at once, and never again', async (t) => {
      const { pushedRequests } = await storageFor(t)
      const request = aPushedRequest()
      await pushedRequests.store(request)
      const completed = await atOnce(20, () => pushedRequests.complete(request.id, now + 7))
      assert.equal(countOf(completed, true), 1)
      assert.deepEqual(await pushedRequests.find(request.id), { ...request, completedAtMs: now + 7 })
      assert.equal(await pushedRequests.complete(request.id, now + 8), false)
      assert.equal(await pushedRequests.complete(nextId(), now + 8), false)
    })

    it('are completed by the commit that stores the consent, both or neither, by exactly one of 20 at once', async (t) => {
      const storage = await storageFor(t)
      const { pushedRequests, authorizations } = storage
      const { user, client } = await userAndClient(storage)
      const request = aPushedRequest()
      await pushedRequests.store(request)
      const completing = { pushedRequestId: request.id, nowMs: now + 7 }
      const outcomes = await atOnce(20, (at) =>
        authorizations.store(anAuthorization(user, client, { scopes: [`scope${at}`] }), [], completing),
      )
      assert.equal(outcomes.filter((outcome) => typeof outcome !== 'string').length, 1)
      assert.equal(countOf(outcomes, 'completed'), 19)
      assert.equal((await authorizations.list(user.id)).length, 1)
      assert.deepEqual(await pushedRequests.find(request.id), { ...request, completedAtMs: now + 7 })
      // The consent was there before: the request alone is completed, once.
      const next = aPushedRequest()
      await pushedRequests.store(next)
      const [given] = await authorizations.list(user.id)
      const again = () =>
        authorizations.store({ ...(given as Authorization), id: nextId() }, [], {
          pushedRequestId: next.id,
          nowMs: now + 8,
        })
      assert.deepEqual(await again(), given)
      assert.equal(await again(), 'completed')
      assert.equal((await pushedRequests.find(next.id))?.completedAtMs, now + 8)
      const gone = anAuthorization(user, { ...client, id: 'nobody' })
      const open = aPushedRequest()
      await pushedRequests.store(open)
      const late = { pushedRequestId: open.id, nowMs: now + 9 }
      assert.equal(await authorizations.store(gone, [], late), 'gone')
      assert.equal((await pushedRequests.find(open.id))?.completedAtMs, null)
    })

    it('are removed once they have expired, completed or not', async (t) => {
      const { pushedRequests, sweep } = await storageFor(t)
      const old = aPushedRequest({ expiresAtMs: now })
      const answered = aPushedRequest({ expiresAtMs: now, completedAtMs: now - 1 })
      const fresh = aPushedRequest({ opensUntilMs: now, expiresAtMs: now + 1 })
      for (const request of [old, answered, fresh]) await pushedRequests.store(request)
      await sweep(now, 100)
      assert.equal(await pushedRequests.find(old.id), undefined)
      assert.equal(await pushedRequests.find(answered.id), undefined)
      assert.deepEqual(await pushedRequests.find(fresh.id), fresh)
    })
  })
}
