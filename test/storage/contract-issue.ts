import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Grant } from '../../src/protocol/grant/grant.ts'
import type { IssueOutcome, SpentValue } from '../../src/storage/port/grants.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { assertChained } from './contract-audit.ts'
import { userAndClient, userWithGrant } from './contract-clients.ts'
import { aChain, aGrant, anEvent, aPushedRequest, atOnce, countOf, nextId, now, redeemed } from './records.ts'
import type { StorageFor } from './storage-for.ts'

const end = now + 2_000_000_000
const value = (id = nextId()): SpentValue => ({ id, expiresAtMs: now + 60_000 })

/** A way to issue tokens: each call issues for a new code, a new refresh token or no grant at all. */
type Way = (events: ReturnType<typeof anEvent>[], spends: readonly SpentValue[]) => Promise<IssueOutcome>

async function waysOf(storage: Storage): Promise<Readonly<Record<string, Way>>> {
  const { user, client } = await userAndClient(storage)
  return {
    'redeeming a code': (events, spends) => storage.grants.redeem(aGrant(user, client), events, undefined, spends),
    'rotating a chain': async (events, spends) => {
      const grant = await redeemed(storage.grants, aGrant(user, client))
      return storage.grants.rotate(grant.id, aChain(0), aChain(1), end, events, undefined, spends)
    },
    'pushing a request': async (_, spends) => {
      const request = aPushedRequest()
      const outcome = await storage.pushedRequests.store(request, spends)
      assert.equal((await storage.pushedRequests.find(request.id)) !== undefined, outcome === true)
      return outcome
    },
    'issuing without a grant': (events, spends) => storage.accessTokens.issue(events, undefined, spends),
  }
}

export function issueContract(storageFor: StorageFor): void {
  const stored = async (storage: Storage, grant: Grant) =>
    (await storage.grants.findForRefresh(grant.id, grant.clientId)).grant
  const entries = (storage: Storage) => storage.audit.list({}, undefined, 100)

  describe('values used up by the commit that issues tokens', () => {
    it('are accepted once, by whichever way tokens are issued (RFC 9449 §11.1)', async (t) => {
      const storage = await storageFor(t)
      const ways = await waysOf(storage)
      for (const [name, issue] of Object.entries(ways)) {
        const [first, second] = [value(), value()]
        assert.equal(await issue([], [first, second]), true, name)
        for (const [again, others] of Object.entries(ways)) {
          assert.deepEqual(await others([], [value(), second]), { spentBefore: second.id }, `${name}, ${again}`)
          assert.deepEqual(await others([], [first, value()]), { spentBefore: first.id }, `${name}, ${again}`)
        }
        assert.equal(await storage.spentValues.spend(first.id, end), false)
      }
      assert.equal(Object.keys(ways).length, 4)
    })

    it('are all free again when one of them was used before, and nothing is issued or recorded', async (t) => {
      const storage = await storageFor(t)
      const [used, free] = [value(), value()]
      await storage.spentValues.spend(used.id, end)
      const ways = await waysOf(storage)
      for (const [name, issue] of Object.entries(ways)) {
        assert.deepEqual(await issue([anEvent(), anEvent()], [free, used]), { spentBefore: used.id }, name)
      }
      assert.deepEqual(await entries(storage), [])
      assert.equal(await storage.spentValues.spend(free.id, end), true)

      const { user, client } = await userAndClient(storage)
      const grant = aGrant(user, client)
      assert.deepEqual(await storage.grants.redeem(grant, [], undefined, [used]), { spentBefore: used.id })
      assert.equal(await stored(storage, grant), undefined)
      await storage.grants.redeem(grant)
      const rotate = (spends: readonly SpentValue[]) =>
        storage.grants.rotate(grant.id, aChain(0), aChain(1), end, [], undefined, spends)
      assert.deepEqual(await rotate([used]), { spentBefore: used.id })
      assert.deepEqual(await stored(storage, grant), grant)
      assert.equal(await rotate([value()]), true)
    })

    it('stay free when the grant loses', async (t) => {
      const { storage, grant } = await userWithGrant(await storageFor(t))
      const [one, other] = [value(), value()]
      assert.equal(await storage.grants.redeem(grant, [anEvent()], undefined, [one]), false)
      assert.equal(
        await storage.grants.rotate(grant.id, aChain(1), aChain(2), end, [anEvent()], undefined, [one, other]),
        false,
      )
      // Both lose: the grant is told, because a code that came twice ends its grant.
      await storage.spentValues.spend(other.id, end)
      assert.equal(await storage.grants.redeem(grant, [anEvent()], undefined, [other]), false)
      assert.deepEqual(await entries(storage), [])
      assert.equal(await storage.spentValues.spend(one.id, end), true)
    })

    it('let exactly one of 24 simultaneous requests with one value win, in any mixture of ways', async (t) => {
      const storage = await storageFor(t)
      const ways = Object.values(await waysOf(storage))
      const once = value()
      const outcomes = await atOnce(24, (at) => (ways[at % 4] as Way)([anEvent()], [value(), once]))
      assert.equal(countOf(outcomes, true), 1)
      for (const outcome of outcomes) if (outcome !== true) assert.deepEqual(outcome, { spentBefore: once.id })
      // Of the winner, unless that was a pushed request, and of one more.
      await storage.accessTokens.issue([anEvent()])
      assert.ok((await assertChained(storage)).length <= 2)
    })

    it('let exactly one of 20 simultaneous redemptions of a code win, and use up its value alone', async (t) => {
      const { storage, user, client } = await userAndClient(await storageFor(t))
      const grant = aGrant(user, client)
      const values = Array.from({ length: 20 }, () => value())
      const outcomes = await atOnce(20, (at) =>
        storage.grants.redeem(grant, [anEvent()], undefined, [values[at] as SpentValue]),
      )
      assert.equal(countOf(outcomes, true), 1)
      assert.equal(countOf(outcomes, false), 19)
      const free = await Promise.all(values.map(({ id }) => storage.spentValues.spend(id, end)))
      assert.deepEqual(
        free,
        outcomes.map((won) => won !== true),
      )
      assert.equal((await assertChained(storage)).length, 1)
    })

    it('leave an entry for tokens without a grant and without a value, too', async (t) => {
      const storage = await storageFor(t)
      assert.equal(await storage.accessTokens.issue([anEvent()]), true)
      assert.equal((await entries(storage)).length, 1)
    })
  })
}
